"""What the page's GPT is compared with: the package's own logits, in 32 bits."""

import torch

from lessons.a_gpt_of_your_own.prompt_box.drawing import SHARED
from lessons.trained.book_gpt import load_book_gpt
from lessons.trained.book_gpt.page import PAGE
from tests.lessons.a_gpt_of_your_own.prompt_box.spec import PROMPTS


def gpt_cases() -> dict:
    """Return the page's file, and prompts with their ids and the logits after each id."""
    gpt = load_book_gpt()
    prompts = []
    for text in PROMPTS:
        ids = [gpt.tokenizer.bos_id, *gpt.tokenizer.encode(text)[-SHARED["words"] :]]
        with torch.no_grad():
            logits = gpt.model(torch.tensor([ids]))[0]
        prompts.append({"text": text, "ids": ids, "expected": logits})
    return {"path": str(PAGE), "prompts": prompts}
