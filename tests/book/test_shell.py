"""The shell of every page: offline, complete, within its width, its mathematics and icons drawn."""

import pytest
from conftest import CHAPTERS, PAGES


def test_page_stands_on_its_own_over_http(page):
    assert page.locator("main h1").count() >= 1  # closing the page judges what it asked for


@pytest.mark.parametrize("name", PAGES)
def test_page_stands_on_its_own_from_a_file(open_page, name):
    page = open_page(name, scheme="file")
    assert page.locator("main h1").count() >= 1
    for host in page.locator(".tl-host").all():
        assert "lf-mounted" in host.get_attribute("class")
        assert host.locator(".lf-live").is_visible()


def test_nothing_sticks_out_of_a_narrow_phone(page):
    page.set_viewport_size({"width": 360, "height": 740})
    width = page.evaluate("document.documentElement.scrollWidth")
    outside = page.evaluate("""() => {
      const boxed = (e) => e && (/auto|scroll|hidden/.test(getComputedStyle(e).overflowX)
        || boxed(e.parentElement.closest("article, article *")));
      return [...document.querySelectorAll("article *")]
        .filter((e) => e.getBoundingClientRect().right > innerWidth + 1)
        .filter((e) => !e.closest("mjx-assistive-mml") && !boxed(e.parentElement))
        .map((e) => e.outerHTML.slice(0, 100));
    }""")
    page.set_viewport_size({"width": 1280, "height": 900})
    assert outside == []
    assert width <= 360


def test_mathematics_is_typeset(page):
    formulas = page.locator("main .math")
    assert page.locator("main .math mjx-container").count() >= formulas.count()
    wrong = "main mjx-merror, main mjx-mtext[style*='red'], main [data-mjx-error]"
    assert page.locator(wrong).all_inner_texts() == []
    text = page.locator("main").inner_text()
    assert "\\(" not in text
    assert "\\[" not in text


def test_q_k_and_v_have_the_figures_colours(open_page):
    page = open_page(CHAPTERS[0])
    colours = page.evaluate("""async () => {
      const box = document.querySelector("article").appendChild(document.createElement("p"));
      box.className = "math";
      box.textContent = "\\\\(Q K V\\\\)";
      await MathJax.typesetPromise([box]);
      const probe = document.createElement("i");
      document.body.append(probe);
      const wanted = ["q", "k", "v"].map((letter) => {
        probe.style.color = `var(--tl-${letter})`;
        return getComputedStyle(probe).color;
      });
      const drawn = [...box.querySelectorAll("mjx-c")].map((c) => getComputedStyle(c).color);
      return [wanted, drawn];
    }""")
    assert colours[0] == colours[1]
    assert len(set(colours[0])) == 3


def test_every_icon_is_ours(page):
    """Each class that names a FontAwesome icon has a rule in icons.css, and none needs its font."""
    icons = page.evaluate("""() => [...document.querySelectorAll("[class*='fa-']")]
      .map((icon) => [icon.className, getComputedStyle(icon, "::before").maskImage])""")
    assert icons, "the shell has icons"
    assert [name for name, mask in icons if not mask.startswith("url(")] == []
    foreign = page.evaluate("""() => [...document.querySelectorAll("*")].flatMap((e) =>
      ["::before", "::after"].map((part) => getComputedStyle(e, part))
        .filter((s) => !["none", "normal", '""'].includes(s.content))
        .filter((s) => s.fontFamily.includes("Awesome")).map(() => e.outerHTML.slice(0, 90)))""")
    assert foreign == []
    loaded = page.evaluate("performance.getEntriesByType('resource').map((entry) => entry.name)")
    assert [url for url in loaded if "fontawesome" in url.lower()] == []


@pytest.mark.parametrize("scheme", ["http", "file"])
def test_search_finds_a_word(open_page, scheme):
    page = open_page("search.html?q=attention", scheme=scheme)
    page.wait_for_selector("#search-results li a")
    found = page.locator("#search-results li a").evaluate_all("links => links.map((a) => a.href)")
    assert any("notebooks/" in link for link in found)


def test_search_opens_by_keyboard_and_leads_to_the_results(open_page):
    page = open_page(CHAPTERS[0])
    page.keyboard.press("Control+k")
    page.wait_for_selector("#pst-search-dialog[open]")
    page.keyboard.type("softmax")
    page.keyboard.press("Enter")
    page.wait_for_url("**/search.html?q=softmax*")
    page.wait_for_selector("#search-results li a")


@pytest.mark.parametrize("system", ["light", "dark"])
def test_theme_follows_the_system_until_the_reader_chooses(open_page, system):
    page = open_page(CHAPTERS[0], theme=system)
    html = page.locator("html")
    assert html.get_attribute("data-theme") == system
    other = "dark" if system == "light" else "light"
    page.locator(".theme-switch-button").locator("visible=true").first.click()
    assert html.get_attribute("data-theme") == other
    page.reload()
    assert html.get_attribute("data-theme") == other


@pytest.mark.parametrize("name", PAGES)
def test_page_reads_without_scripts(open_page, name):
    page = open_page(name, scripts=False)
    assert page.locator("main h1").locator("visible=true").count() == 1
    for picture in page.locator(".lf-static").all():
        assert picture.is_visible()
    assert page.locator("html").get_attribute("data-theme") == "light"
    for control in page.locator(".pst-js-only").all():
        assert not control.is_visible()


def test_paper_shows_pictures_instead_of_controls(page):
    page.emulate_media(media="print")
    hidden = page.evaluate("""() => [...document.querySelectorAll(".lf-static")]
      .filter((e) => !e.checkVisibility()).length""")
    shown = page.evaluate("""() =>
      [...document.querySelectorAll(".lf-live, .bd-sidebar-primary, .copybtn")]
        .filter((e) => e.checkVisibility()).map((e) => e.outerHTML.slice(0, 90))""")
    page.emulate_media(media="screen")
    assert (hidden, shown) == (0, [])
