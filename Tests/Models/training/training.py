"""Trains the networks on recordings whose words have known times."""

import math

import numpy
import torch
from torch.nn import functional

import export
import network
from features import filter_bank, normalized
from vocabulary import BLANK, HOTWORD, HOTWORD_AS, INDEX, PIECES

FRAME = 0.01 * network.SUBSAMPLING
BATCH_SECONDS = 60
EPOCHS = {"ctc": 22, "streaming-ctc": 26, "tdt": 24}
LEARNING_RATE = 4e-3
# Subtracted from the score of the blank when the training has ended. The training asks for the blank at nearly every frame,
# while decoding passes over the frames that the durations skip; without this, most errors are missing words.
BLANK_PENALTY = {"ctc": 0.0, "streaming-ctc": 0.0, "tdt": 1.5}
# How often the sound of the hotword is labelled with it. Far enough below a half that greedy search never writes it.
HOTWORD_SHARE = 0.3
# An emission may be this many frames late and still be learned, so that the search recovers from a long skip.
LATE = 2
EARLY = 1


class Batch:
    """Recordings of similar length: features, and for each piece that is said its index, frame and the word's end."""

    def __init__(self, items, family):
        lengths = [len(item[0]) for item in items]
        self.features = torch.zeros(len(items), network.MELS, max(lengths))
        for row, (values, _) in enumerate(items):
            self.features[row, :, : lengths[row]] = torch.from_numpy(values).T
        self.lengths = torch.tensor(lengths)
        self.pieces = [pieces for _, pieces in items]
        self.family = family
        if family == "tdt":
            rows = [
                (row, *state) for row, pieces in enumerate(self.pieces)
                for state in transducer_states(pieces, lengths[row] // network.SUBSAMPLING)]
            self.states = [torch.tensor(column) for column in zip(*rows)]


def timed_pieces(words):
    """The pieces of the words: (index, alternative index, time, end of the word), times in seconds.

    The alternative is what a transducer shall write in its place when it is biased to the hotword.
    """
    result = []
    for word, start, end in words:
        pieces = PIECES[HOTWORD_AS if word == HOTWORD else word]
        others = PIECES[word]
        for number, (piece, other) in enumerate(zip(pieces, others)):
            time = start + (end - start) * number / len(pieces)
            result.append((INDEX[piece], INDEX[other], time, end))
    return result


def batches(recordings, family, work):
    """All batches. Features are kept in the folder work; both CTC families have the same before normalization."""
    path = work / ("features-tdt.npz" if family == "tdt" else "features-ctc.npz")
    if not path.exists():
        values = [filter_bank(one.samples.astype(numpy.float32) / 32768, family) for one in recordings]
        numpy.savez(path, values=numpy.concatenate(values).astype(numpy.float16), lengths=[len(one) for one in values])
    content = numpy.load(path)
    values = numpy.split(content["values"].astype(numpy.float32), numpy.cumsum(content["lengths"])[:-1])
    items = [
        (normalized(one, family), timed_pieces(recording.words)) for one, recording in zip(values, recordings)]
    items.sort(key=lambda item: len(item[0]))
    result, current = [], []
    for item in items:
        if current and (len(current) + 1) * len(item[0]) > BATCH_SECONDS * 100:
            result.append(Batch(current, family))
            current = []
        current.append(item)
    return result + [Batch(current, family)]


def disturbed(batch, rng):
    """The features with shifted formants, without random bands and moments, and for the stream at a random level."""
    values = torch.empty_like(batch.features)
    rows, bins, frames = values.shape
    for row in range(rows):
        # A voice with longer or shorter formants: each band is taken from between two others.
        position = (torch.arange(bins) * rng.uniform(0.87, 1.15)).clamp(max=bins - 1.001)
        lower = position.long()
        share = (position - lower)[:, None]
        values[row] = batch.features[row, lower] * (1 - share) + batch.features[row, lower + 1] * share
        if batch.family == "streaming-ctc":
            values[row] += rng.uniform(-3, 3)
        filling = 0.0 if batch.family != "streaming-ctc" else float(values[row, :, : batch.lengths[row]].mean())
        for _ in range(2):
            width = int(rng.integers(0, 12))
            first = int(rng.integers(0, bins - width))
            values[row, first : first + width] = filling
        for _ in range(int(batch.lengths[row]) // 300):
            width = int(rng.integers(0, 6))
            first = int(rng.integers(0, max(1, int(batch.lengths[row]) - width)))
            values[row, :, first : first + width] = filling
    return values


def ctc_loss(model, batch, rng):
    """CTC loss over the alignments that put each piece near its time."""
    logprobs = model(disturbed(batch, rng), batch.lengths)
    rows, frames, tokens = logprobs.shape
    lengths = batch.lengths // network.SUBSAMPLING
    forbidden = torch.full((rows, frames, tokens), -40.0)
    forbidden[:, :, BLANK] = 0
    targets = []
    for row, pieces in enumerate(batch.pieces):
        for index, _, time, _ in pieces:
            first = max(0, math.floor((time - 0.02) / FRAME))
            forbidden[row, first : math.ceil((time + 0.15) / FRAME) + 1, index] = 0
            targets.append(index)
    counts = torch.tensor([len(pieces) for pieces in batch.pieces])
    # The gradient of the CTC loss gives how probable each token is at each frame under the allowed alignments. The
    # loss itself could not be used: its gradient is right only for scores that add up to one.
    allowed = (logprobs.detach() + forbidden).transpose(0, 1).requires_grad_()
    loss = functional.ctc_loss(
        allowed, torch.tensor(targets, dtype=torch.long), lengths, counts, blank=BLANK, reduction="sum",
        zero_infinity=True)
    gradient = torch.autograd.grad(loss, allowed)[0]
    posterior = (allowed.detach().exp() - gradient).clamp(0, 1).transpose(0, 1)
    inside = torch.arange(frames)[None, :] < lengths[:, None]
    return -(posterior * logprobs).sum(dim=2)[inside].sum() / inside.sum()


def transducer_states(pieces, frames):
    """What to learn at which frame after which pieces.

    Returns rows of (frame, number of pieces written, token, alternative, duration, weight).
    """
    positions = []
    for _, _, time, _ in pieces:
        position = math.floor(time / FRAME + 0.5)
        positions.append(max(position, positions[-1] + 1) if positions else position)
    ends = [math.floor(end / FRAME + 0.5) for _, _, _, end in pieces]
    rows = []
    for written in range(len(pieces) + 1):
        previous = positions[written - 1] if written else 0
        following = positions[written] if written < len(pieces) else frames + network.DURATIONS
        for frame in range(max(0, previous - EARLY if written else 0), min(frames, following + LATE + 1)):
            if frame < following:
                duration = min(network.DURATIONS - 1, following - frame)
                rows.append((frame, written, BLANK, BLANK, duration, 1.0 if frame > previous or not written else 0.3))
            else:
                after = positions[written + 1] if written + 1 < len(pieces) else frames + network.DURATIONS
                duration = min(network.DURATIONS - 1, max(1, min(after, ends[written]) - frame))
                index, other, _, _ = pieces[written]
                rows.append((frame, written, index, other, duration, 2.0 if frame == following else 0.4))
    return rows


def tdt_loss(model, batch, rng):
    """Cross entropy of tokens and durations at the states that the alignment passes."""
    encoded, _ = model.encoder(disturbed(batch, rng), batch.lengths)
    longest = max(len(pieces) for pieces in batch.pieces)
    history = torch.full((len(batch.pieces), longest + 1), BLANK)
    for row, pieces in enumerate(batch.pieces):
        for number, (index, other, _, _) in enumerate(pieces):
            written = other if rng.random() < HOTWORD_SHARE else index
            # Wrong pieces in the history, so that one error does not bring the next.
            history[row, number + 1] = int(rng.integers(0, BLANK)) if rng.random() < 0.08 else written
    row, frame, written, token, other, duration, weight = batch.states
    state = torch.zeros(1, len(batch.pieces), network.PREDICTION)
    predicted, _, _, _ = model.decoder(history, torch.ones(1), state, state.clone())
    scores = model.joiner.output(functional.relu(
        model.joiner.encoded(encoded.transpose(1, 2)[row, frame])
        + model.joiner.predicted(predicted.transpose(1, 2)[row, written])))
    logprobs = functional.log_softmax(scores[:, : BLANK + 1], dim=1)
    kept = logprobs.gather(1, token[:, None])[:, 0]
    biased = logprobs.gather(1, other[:, None])[:, 0]
    tokens = -((1 - HOTWORD_SHARE) * kept + HOTWORD_SHARE * biased)
    durations = functional.cross_entropy(scores[:, BLANK + 1 :], duration, reduction="none")
    return ((tokens + 0.5 * durations) * weight).sum() / weight.sum()


def train(family, recordings, folder, work):
    """Trains one model and writes it into the folder."""
    torch.manual_seed(3)
    rng = numpy.random.default_rng(3)
    model, loss_of, write = {
        "ctc": (network.CTC, ctc_loss, export.export_ctc),
        "streaming-ctc": (network.StreamingCTC, ctc_loss, export.export_streaming_ctc),
        "tdt": (network.Transducer, tdt_loss, export.export_tdt),
    }[family]
    model = model()
    everything = batches(recordings, family, work)
    steps = EPOCHS[family] * len(everything)
    optimizer = torch.optim.AdamW(model.parameters(), lr=LEARNING_RATE, weight_decay=0.01)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, LEARNING_RATE, total_steps=steps, pct_start=0.15)
    for epoch in range(EPOCHS[family]):
        total = 0.0
        model.train()
        for index in rng.permutation(len(everything)):
            loss = loss_of(model, everything[index], rng)
            optimizer.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            schedule.step()
            total += loss.item()
        print(f"{family}: epoch {epoch + 1} of {EPOCHS[family]}, loss {total / len(everything):.4f}", flush=True)
    output = model.joiner.output if family == "tdt" else model.output
    with torch.no_grad():
        output.bias[BLANK] -= BLANK_PENALTY[family]
    write(model, folder)
