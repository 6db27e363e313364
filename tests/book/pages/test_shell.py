"""The shell of every page: offline, complete, within its width, its icons drawn."""

import re

import pytest
from conftest import LIGHT_PAGE, photographed
from live import OUTSIDE
from playwright.sync_api import expect
from sampling import sample


def test_page_works_alone_from_a_file(phone):
    assert phone.locator("main h1").count() >= 1
    for host in phone.locator(".tl-host").all():
        host.scroll_into_view_if_needed()  # one with a trained model waits until it is near
        expect(host).to_have_class(re.compile(r"\blf-mounted\b"))
        assert host.locator(".lf-live").is_visible()


def test_a_page_fits_the_width_of_a_narrow_phone(phone):
    assert phone.evaluate(OUTSIDE) == []
    width = phone.evaluate("document.documentElement.scrollWidth")
    assert width <= phone.viewport_size["width"] == 360


@pytest.mark.parametrize("scheme", sample(["file", "http"], 1))
def test_search_finds_a_word(open_page, scheme):
    page = open_page("search.html?q=attention", scheme=scheme)
    page.wait_for_selector("#search-results li a[href*='notebooks/']")  # they come one by one


def test_search_opens_by_keyboard_and_leads_to_the_results(open_page):
    page = open_page(LIGHT_PAGE)
    page.keyboard.press("Control+k")
    page.wait_for_selector("#pst-search-dialog[open]")
    page.keyboard.type("softmax")
    page.keyboard.press("Enter")
    page.wait_for_url("**/search.html?q=softmax*")
    page.wait_for_selector("#search-results li a")


@pytest.mark.parametrize("system", sample(["dark", "light"], 1))
def test_theme_follows_the_system_until_the_reader_chooses(open_page, system):
    page = open_page(LIGHT_PAGE, theme=system)
    html = page.locator("html")
    assert html.get_attribute("data-theme") == system
    other = "dark" if system == "light" else "light"
    page.locator(".theme-switch-button").locator("visible=true").first.click()
    assert html.get_attribute("data-theme") == other
    page.reload()
    assert html.get_attribute("data-theme") == other


def test_page_reads_without_scripts(plain):
    assert plain.locator("main h1").locator("visible=true").count() == 1
    for picture in plain.locator(".lf-static").all():
        assert picture.is_visible()
    assert plain.locator("html").get_attribute("data-theme") == "light"
    for control in plain.locator(".pst-js-only").all():
        assert not control.is_visible()


def test_print_shows_pictures_instead_of_controls(desk):
    desk.emulate_media(media="print")
    hidden = desk.evaluate("""() => [...document.querySelectorAll(".lf-static")]
      .filter((e) => !e.checkVisibility()).length""")
    shown = desk.evaluate("""() =>
      [...document.querySelectorAll(".lf-live, .bd-sidebar-primary, .copybtn")]
        .filter((e) => e.checkVisibility()).map((e) => e.outerHTML.slice(0, 90))""")
    desk.emulate_media(media="screen")
    assert (hidden, shown) == (0, [])


def test_a_failing_test_saves_a_screenshot_and_the_console_of_its_page(
    open_page, browser, tmp_path
):
    open_page(LIGHT_PAGE).evaluate("console.log('here I stand')")
    assert [*photographed(browser, "tests/a.py::test_b[c/d.html]", tmp_path)]
    [said] = [path for path in tmp_path.glob("*.txt") if "here I stand" in path.read_text("utf-8")]
    assert LIGHT_PAGE in said.read_text("utf-8")
    assert said.with_suffix(".png").stat().st_size > 1000
