"""The translator on a page: it agrees with the package and escapes what is typed."""

import pytest
from controls import control
from live import EVIL, settle, snapshot, status
from playwright.sync_api import expect
from sampling import sample

from lessons.decoding.translator.reading import HEADS, LAYERS, SHARED
from lessons.kit.figures.registry import TranslatorLab
from lessons.trained.translator import load_translator
from tests.lessons.decoding.translator.engine_cases import ODD, unseen
from transformer_lite.training import translate

SENTENCE = "est-ce que les petits chats noirs ne mangent pas de pain ?"

# Set the text as typing does; return when the translation is shown and laid out.
TYPE = """async ([host, text]) => {
  const input = host.querySelector("input.tr-text");
  const figure = host.querySelector(".lf-live");
  input.value = text;
  input.dispatchEvent(new Event("input", { bubbles: true }));
  while (figure.getAttribute("aria-busy") === "true") await new Promise((r) => setTimeout(r));
  figure.getBoundingClientRect();
}"""

# Type one sentence after another; return what is read aloud after each.
TYPE_ALL = f"""async ([host, sentences]) => {{
  const said = [];
  for (const text of sentences) {{
    await ({TYPE})([host, text]);
    said.push(host.querySelector(".tl-status").textContent);
  }}
  return said;
}}"""


def test_the_page_translates_as_the_package_does(fresh):
    host, translator = fresh(TranslatorLab), load_translator()
    for sentence in ("je suis étudiant", "merci", SENTENCE):
        control(host, "French").fill(sentence)
        expected = translator.translate(sentence)
        expect(status(host)).to_contain_text(f"English: “{expected}”.")


@pytest.mark.nightly
@pytest.mark.parametrize("part", range(10))
def test_unseen_sentences_are_translated_as_by_the_package(fresh, part):
    host, translator, sentences = fresh(TranslatorLab), load_translator(), unseen()[part::10]
    said = host.page.evaluate(TYPE_ALL, [host.element_handle(), sentences])
    expected = translate(translator.model, translator.tokenizer, sentences)
    wrong = [
        (sentence, line, text)
        for sentence, line, text in zip(sentences, said, expected, strict=True)
        if f"English: “{text}”." not in line
    ]
    assert len(sentences) >= 50 and wrong == []


@pytest.mark.parametrize("text", sample([*EVIL, *ODD], 1))
def test_any_typed_text_is_escaped_and_truncated(fresh, text):
    host = fresh(TranslatorLab)
    box = control(host, "French")
    box.evaluate("(e) => e.removeAttribute('maxlength')")
    box.fill(text)
    settle(host)
    assert host.locator(".lf-live").locator("img, script, b").count() == 0
    assert host.page.evaluate("typeof evil") == "undefined"
    assert len(box.input_value()) <= 160


def test_switched_off_heads_are_counted_and_reset_restores_the_figure(fresh):
    host = fresh(TranslatorLab)
    before, off = snapshot(host), HEADS * sum(LAYERS.values())
    for part, label in SHARED["looks"].items():
        control(host, "look at").select_option(label=label)
        for layer in range(LAYERS[part]):
            if LAYERS[part] > 1:
                control(host, "layer").select_option(index=layer)
            control(host, "head off").check()
    expect(status(host)).to_contain_text("unchanged model", ignore_case=True)
    expect(host.locator(".lf-live")).to_contain_text(f"{off} of {off} heads are off")
    host.get_by_role("button", name="Reset").click()
    assert snapshot(host) == before


def test_warning_for_unfamiliar_sentences_is_visible_and_announced(fresh):
    """All its words are known, so nothing else would warn the reader."""
    host, translator = fresh(TranslatorLab), load_translator()
    note = host.locator(".tr-doubt[role=status]")
    text = "noir le le dort petit chat le pas"
    for typed in ("l'avocat mange un avocat", text, "je suis étudiant"):
        control(host, "French").fill(typed)
        doubt = translator.doubt(typed)
        assert doubt.is_doubtful == (typed == text)
        word = SHARED["shown"].get(doubt.word, doubt.word)
        said = f"It is not sure of its most likely words, least of “{word}”"
        expect(note).to_contain_text(said) if doubt.is_doubtful else expect(note).to_be_empty()
    control(host, "French").fill(text)
    control(host, "sampling").check()
    expect(note).to_contain_text("not sure")
    expect(host.locator(".tr-unknown")).to_have_count(0)
