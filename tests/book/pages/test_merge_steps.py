"""Merge steps with a reader's own text: it stays text, and each step can be taken back."""

import pytest
from controls import control, saved_state
from live import EVIL, agree, status, texts
from playwright.sync_api import expect

from lessons.tokens.merge_steps.steps import training_steps
from tests.lessons.tokens.merge_steps.spec import FIGURE, PETER


@pytest.mark.parametrize("evil", EVIL)
def test_typed_text_is_escaped(fresh, evil):
    host = fresh(FIGURE)
    for label in ("text", "other text"):
        control(host, label).fill(evil)
    assert host.locator(".lf-live").locator("img, script, b").count() == 0
    assert host.page.evaluate("typeof evil") == "undefined"
    agree(host, FIGURE(**(saved_state(host) | {"text": evil, "other": evil})))


def test_every_step_forward_can_be_taken_back(fresh):
    host = fresh(FIGURE)
    control(host, "text").fill(PETER)
    control(host, "merges done").fill("0")
    merge = host.get_by_role("button", name="Merge", exact=True)
    back = host.get_by_role("button", name="Take back")
    seen = [texts(host)]
    while merge.is_enabled():
        merge.press("Enter")
        seen.append(texts(host))
    expect(status(host)).to_contain_text("Every word is one token.")
    assert len(seen) == len(list(training_steps(PETER)))
    for known in seen[-2::-1]:
        back.press("Enter")
        assert texts(host) == known
    expect(back).to_be_disabled()


def test_an_empty_text_is_asked_for(fresh):
    host = fresh(FIGURE)
    control(host, "text").fill("")
    expect(status(host)).to_have_text("Type a text to learn from.")
    agree(host, FIGURE(**(saved_state(host) | {"text": ""})))
