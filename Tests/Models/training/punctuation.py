"""Trains the toy model that writes punctuation and capitals: it learns five rules about the toys' words.

The inputs, the outputs, the metadata and the list of pieces are in the form of the published export of Edge-Punct-Casing.

1. A sentence begins with a capital: at the beginning of the text, and with each command, unless "yes" or "no" is before it.
2. It ends before the next one with a full stop, or with a question mark if it begins with "open".
3. "yes" and "no" have a comma inside a sentence.
4. "zero" has a capital everywhere, and all letters of "nine" are capitals.
5. Other words have nothing.
"""

import numpy
import torch
from torch import nn

import export
from vocabulary import COMMANDS, DIGITS, WORDS

LENGTH, WIDTH, HIDDEN = 200, 32, 24
ANSWERS = ["yes", "no"]
# The numbers of the published model.
NO_MARK, COMMA, PERIOD, QUESTION = range(4)
LOWER, UPPER, CAP, MIXED = range(4)

# The beginning and the end of a text have the numbers 1 and 2. Letters are for unknown words.
SPECIAL = ["<unk>", "<s>", "</s>"]
LETTERS = ["▁", *"abcdefghijklmnopqrstuvwxyz'"]
PIECES = SPECIAL + list(dict.fromkeys([piece for pieces in WORDS.values() for piece in pieces] + LETTERS))
# A word is written with the pieces of the greatest sum.
SCORES = [-max(0, number - len(SPECIAL)) for number in range(len(PIECES))]


def pieces_of(word):
    """The numbers of a word's pieces, as the engine finds them."""
    text = "▁" + word
    best = [(0, [])] + [None] * len(text)
    for end in range(1, len(text) + 1):
        for start in range(end):
            if best[start] is None or text[start:end] not in PIECES:
                continue
            number = PIECES.index(text[start:end])
            score = best[start][0] + SCORES[number]
            if best[end] is None or score > best[end][0]:
                best[end] = (score, best[start][1] + [number])
    return best[-1][1]


def labels(words):
    """The mark after each word, and its capitals."""
    starts = [index == 0 or word in COMMANDS and words[index - 1] not in ANSWERS for index, word in enumerate(words)]
    marks, capitals, is_question = [], [], False
    for index, word in enumerate(words):
        if starts[index]:
            is_question = word == "open"
        ends = index + 1 == len(words) or starts[index + 1]
        marks.append((QUESTION if is_question else PERIOD) if ends else COMMA if word in ANSWERS else NO_MARK)
        capitals.append(UPPER if word == "nine" else CAP if starts[index] or word == "zero" else LOWER)
    return marks, capitals


def text(rng):
    """Words, some of them unknown."""
    words = []
    for _ in range(int(rng.integers(1, 45))):
        kind = rng.random()
        if kind < 0.1:
            letters = [LETTERS[1 + int(letter)] for letter in rng.integers(0, 26, rng.integers(1, 8))]
            words.append("".join(letters))
        else:
            words.append(str(rng.choice(list(COMMANDS if kind < 0.35 else DIGITS))))
    return words


def encode(words):
    """The numbers of the pieces, those that begin words, and the number of words, with both ends of the text."""
    tokens, valid = [1], [1]
    for word in words:
        pieces = pieces_of(word)
        tokens += pieces
        valid += [1] + [0] * (len(pieces) - 1)
    tokens, valid = tokens + [2], valid + [1]
    padding = [0] * (LENGTH - len(tokens))
    return tokens + padding, valid + padding, sum(valid)


class Network(nn.Module):
    """Convolutions over the pieces, and recurrent layers in both directions."""

    def __init__(self):
        super().__init__()
        self.embedding = nn.Embedding(len(PIECES), WIDTH)
        self.convolutions = nn.Sequential(nn.Conv1d(WIDTH, WIDTH, 3, padding=1), nn.ReLU())
        self.recurrent = nn.LSTM(WIDTH, HIDDEN, 2, bidirectional=True, batch_first=True)
        self.case = nn.Linear(2 * HIDDEN, 4)
        self.punctuation = nn.Linear(2 * HIDDEN, 4)

    def forward(self, token_ids, valid_ids, label_lens):
        """(batch, pieces) each and (batch) to the logits of the words of all texts, and where these are."""
        x = self.embedding(token_ids)
        x, _ = self.recurrent(self.convolutions(x.transpose(1, 2)).transpose(1, 2))
        count = valid_ids.cumsum(1)
        # Without the beginning and the end of each text.
        mask = (valid_ids == 1) & (count > 1) & (count < label_lens[:, None])
        return self.case(x)[mask], self.punctuation(x)[mask], mask


def batch(rng, size):
    texts = [text(rng) for _ in range(size)]
    encoded = [encode(words) for words in texts]
    tokens, valid, counts = (torch.tensor(part, dtype=torch.int32) for part in zip(*encoded))
    marks, capitals = [], []
    for words in texts:
        mark, capital = labels(words)
        marks += mark
        capitals += capital
    return (tokens, valid, counts), torch.tensor(capitals), torch.tensor(marks)


def train(folder, steps=700):
    """Writes the folder of the model."""
    rng = numpy.random.default_rng(7)
    torch.manual_seed(7)
    model = Network()
    optimizer = torch.optim.Adam(model.parameters(), 5e-3)
    scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, steps)
    for step in range(steps):
        inputs, capitals, marks = batch(rng, 16)
        # The padding is as long as in use, because the layers read it backwards.
        case, punctuation, _ = model(*inputs)
        loss = nn.functional.cross_entropy(case, capitals) + nn.functional.cross_entropy(punctuation, marks)
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1)
        optimizer.step()
        scheduler.step()
    with torch.no_grad():
        inputs, capitals, marks = batch(rng, 200)
        case, punctuation, _ = model(*inputs)
        right = ((case.argmax(1) == capitals) & (punctuation.argmax(1) == marks)).float().mean()
    print(f"punctuation: {100 * right:.1f} % of the words right in held-out texts", flush=True)
    folder.mkdir(parents=True, exist_ok=True)
    lines = [f"{piece}\t{score}" for piece, score in zip(PIECES, SCORES)]
    (folder / "bpe.vocab").write_text("\n".join(lines) + "\n", encoding="utf-8")
    names = ["token_ids", "valid_ids", "label_lens"]
    export.write(
        model, tuple(part[:1] for part in inputs), folder / "model.onnx", names,
        ["active_case_logits", "active_punct_logits", "mask"],
        {"token_ids": {0: "N", 1: "T"}, "valid_ids": {0: "N", 1: "T"}, "label_lens": {0: "N"},
         "active_case_logits": {0: "words"}, "active_punct_logits": {0: "words"}, "mask": {0: "N", 1: "T"}},
        {"NO_PUNCT": NO_MARK, "COMMA": COMMA, "PERIOD": PERIOD, "QUESTION": QUESTION,
         "LOWER": LOWER, "UPPER": UPPER, "CAP": CAP, "MIX_CASE": MIXED,
         **export.AUTHOR, "comment": "A toy for tests; it knows five rules"})
