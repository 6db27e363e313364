"""What the sweep of peeking models measures."""

import torch

from lessons.masks.experiments import peeking


def copier() -> peeking.NextWordModel:
    """Return a model that gives the next place all weight, and guesses the word that is there."""
    vocabulary = len(peeking.KNOWN)
    model = peeking.NextWordModel(32)
    query, key, value = (linear.weight for linear in model.project)
    with torch.no_grad():
        for table in model.parameters():
            table.zero_()
        model.words.weight[:, :vocabulary] = torch.eye(vocabulary)
        model.places.weight[:, vocabulary : vocabulary + 7] = torch.eye(7)
        for place in range(6):
            query[place, vocabulary + place] = 1e3
        for place in range(1, 7):
            key[place - 1, vocabulary + place] = 1.0
        value[:vocabulary, :vocabulary] = 10 * torch.eye(vocabulary)
        model.out.weight[:, :vocabulary] = torch.eye(vocabulary)
    return model


def test_a_model_that_copies_the_next_token_follows_every_change():
    torch.manual_seed(0)
    with torch.no_grad():
        for batch in (peeking.sentences(), peeking.random_texts(20)):
            found = peeking.measured(copier(), batch)
            assert found["follows"] == found["right"] == 1
            assert found["weight"] > 0.999
            assert found["from beginnings"] < 0.5
