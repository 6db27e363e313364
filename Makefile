# Every command sets up what it needs in .venv. `make` alone lists them.
# What the two main commands do is in noxfile.py, which also runs where there is no make.
PYTHON ?= python3
BIN := .venv/bin
NOX := $(BIN)/nox --session
export PATH := $(CURDIR)/$(BIN):$(PATH)

.DEFAULT_GOAL := help
.PHONY: help book live test bare browser check nightly lint store experiments bench class pdf offline epub anki film cards release clean environment-%

help: ## list these commands
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-11s %s\n", $$1, $$2 }' Makefile
	@echo "Times are those of two cores. The first command sets up .venv: a minute, and the download."

book: $(BIN)/nox ## build the book and say where to open it (3 to 5 min, 1 after a change)
	@$(NOX) book

live: environment-book ## open JupyterLab on the chapters (seconds)
	$(BIN)/jupyter lab notebooks

test: $(BIN)/nox ## run all tests, on a book built from nothing (15 to 20 min)
	@$(BIN)/nox --tags test

bare: $(BIN)/nox ## run the tests that need a browser and other tools as if they were missing (2 min)
	@$(NOX) bare

browser: environment-test ## fetch a browser for the tests if none starts (1 min)
	@$(BIN)/python book/press/fetch_chromium.py

check: environment-test ## run the tests that may break by what changed since the last check
	@$(BIN)/pytest -q --testmon --testmon-forceselect -n logical --dist loadgroup --ignore tests/book/pages \
		|| [ $$? = 5 ] # which says that no test is affected

nightly: $(BIN)/nox ## run the tests with all their cases, and those of the night (90 min)
	@$(NOX) nightly

lint: $(BIN)/nox ## check style, imports, types and spelling (2 min)
	@$(NOX) lint

store: environment-test ## run the chapters and store their text outputs (5 min)
	$(BIN)/python tests/notebooks/store.py notebooks/*.ipynb

experiments: environment-book ## run the points that recorded sweeps lack, one on each core (hours)
	@$(BIN)/python -m lessons.kit.experiments --missing

class: environment-book ## write what a class gets, into OUT=class (1 min; OPTIONS="--chapters 05,06 --hints 1")
	$(BIN)/python -m classroom release --out $(or $(OUT),class) $(OPTIONS)
	$(BIN)/python -m classroom checkups --out $(or $(OUT),class)/teacher/checkups --number $(or $(CHECKUP),1)

bench: environment-test book ## measure, and print tables (hours)
	@for file in benchmarks/[a-z]*.py; do $(BIN)/python $$file || exit 1; done

pdf: environment-press book ## print the whole book into one PDF (4 min)
	@$(BIN)/python book/press/pdf.py _build/html _build/press/transformer-book.pdf

offline: book ## put the pages into a zip that opens from a stick (seconds)
	@$(BIN)/python book/press/offline.py _build/html _build/press/transformer-book-offline.zip

epub: environment-press book ## make an EPUB, and keep it if epubcheck has nothing against it (2 min)
	@$(BIN)/python book/press/epub.py _build/html _build/press/transformer-book.epub

anki: environment-press book ## write what Review asks as a deck for Anki (1 min)
	@$(BIN)/python book/press/deck.py _build/html _build/press/transformer-book.apkg

film: environment-press book ## write tours as films, with ffmpeg (1 min each; FIGURE=mask_lab OPTIONS="--dark --mp4")
	@$(BIN)/python book/press/film.py _build/html _build/press/films $(if $(FIGURE),--figure $(FIGURE)) $(OPTIONS)

cards: environment-press book ## draw each chapter's figure for those who share its address (1 min; BOOK_URL=…)
	@$(BIN)/python book/press/cards.py _build/html

release: environment-book ## make every form of the book, with checksums (10 min)
	@$(BIN)/python .ci/release.py

clean: ## remove what was built, the environment too
	rm -rf .venv _build build node_modules .pytest_cache .testmondata* .mypy_cache .ruff_cache .hypothesis *.egg-info
	find . -name __pycache__ -prune -exec rm -rf {} +

environment-%: $(BIN)/nox
	@$(NOX) environment -- $*

# The environment begins with nox and uv. What else a command needs, noxfile.py installs.
$(BIN)/nox: requirements-nox.lock
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
		|| { echo "Python 3.11 or newer is needed: make PYTHON=python3.12 …"; exit 1; }
	@echo "Setting up the environment in .venv: about a minute, and 1.5 GB."
	@$(PYTHON) -m venv .venv || { rm -rf .venv; \
		echo "Python cannot make an environment. On Debian and Ubuntu: apt install python3-venv"; exit 1; }
	@$(BIN)/python -m pip install --quiet --no-compile --disable-pip-version-check --no-deps --requirement $<
	@touch $@
