"""Trains the toy models that separate voices: one finds who of two synthetic voices speaks, the other describes a voice.

The shapes and the metadata are those of the published exports of pyannote's segmentation 3.0 and of 3D-Speaker. The
voices are those of SyntheticVoice.swift.
"""

import math

import kaldi_native_fbank
import numpy
import torch
from torch import nn

import export

RATE = 16000
WINDOW, FIELD, SHIFT = 160000, 991, 270
BANDS, MELS, DIMENSION = 32, 80, 32
VOWELS = [(730, 1090, 2440), (270, 2290, 3010), (300, 870, 2240), (530, 1840, 2480), (660, 1720, 2410),
          (490, 1350, 1690), (570, 840, 2410), (440, 1020, 2240)]
# The length of the vocal tract, the pitch, and the damping of high frequencies.
LOW, HIGH = (0.88, 105, 0.75), (1.15, 215, 0.55)
# No speaker, one of three, two of three.
CLASSES = [(), (0,), (1,), (2,), (0, 1), (0, 2), (1, 2)]


def resonate(sound, frequency):
    """Passes a sound through a resonator, by its impulse response."""
    radius, angle = math.exp(-math.pi * 90 / RATE), 2 * math.pi * frequency / RATE
    times = numpy.arange(600)
    response = (1 - radius) * radius**times * numpy.sin(angle * (times + 1)) / math.sin(angle)
    size = 1 << (len(sound) + len(response) - 1).bit_length()
    return numpy.fft.irfft(numpy.fft.rfft(sound, size) * numpy.fft.rfft(response, size), size)[: len(sound)]


def say(rng, voice, seconds):
    """Speech of a voice: random vowels and hisses."""
    tract, pitch, damping = voice
    parts, length = [], 0
    while length < seconds * RATE:
        count, is_hiss = int(rng.integers(480, 1120)), rng.random() < 0.2
        sound = (rng.random(count) - 0.5) * (0.4 if is_hiss else 0.02)
        if not is_hiss:
            sound[:: int(RATE / (pitch * (0.9 + 0.2 * rng.random())))] += 1
        for frequency in (4500, 6000) if is_hiss else VOWELS[rng.integers(8)]:
            varied = frequency * (1 if is_hiss else 0.85 + 0.3 * rng.random())
            sound = resonate(sound, min(7500, varied * tract))
        parts.append(sound)
        length += count
    sound = numpy.concatenate(parts)[: int(seconds * RATE)]
    kernel = (1 - damping) * damping ** numpy.arange(60)
    sound = numpy.convolve(sound, kernel)[: len(sound)]
    return sound / math.sqrt((sound**2).mean()) * 2500 / 32768


def conversation(rng):
    """A window of two voices with pauses and overlaps, and who speaks in each frame: a number of CLASSES."""
    sound = (rng.random(WINDOW) - 0.5) * 20 / 32768
    speaks = numpy.zeros((2, WINDOW), bool)
    position, voice = int(rng.uniform(-2, 1) * RATE), int(rng.integers(2))
    while position < WINDOW:
        turn = say(rng, (LOW, HIGH)[voice], rng.uniform(1, 5)) * 10 ** rng.uniform(-0.4, 0.2)
        start, end = max(0, position), min(WINDOW, position + len(turn))
        sound[start:end] += turn[start - position : end - position] if end > start else 0
        speaks[voice, start:end] = True
        position += len(turn) + int(rng.uniform(-1, 1) * RATE if rng.random() < 0.3 else rng.uniform(0.1, 0.8) * RATE)
        voice = 1 - voice if rng.random() < 0.8 else voice
    centres = numpy.arange((WINDOW - FIELD) // SHIFT + 1) * SHIFT + FIELD // 2
    numbers = speaks[0, centres] + 2 * speaks[1, centres]
    return sound.astype(numpy.float32), numpy.array([0, 1, 2, 4])[numbers]


class Segmentation(nn.Module):
    """Bands by fixed filters as long as the receptive field, then convolutions over the frames."""

    def __init__(self):
        super().__init__()
        centres = 700 * (10 ** (numpy.linspace(0.07, 1.07, BANDS)) - 1)
        times, window = numpy.arange(FIELD) / RATE, numpy.hanning(FIELD)
        filters = [window * wave(2 * math.pi * f * times) for wave in (numpy.cos, numpy.sin) for f in centres]
        self.register_buffer("filters", torch.tensor(numpy.array(filters), dtype=torch.float32)[:, None])
        self.layers = nn.Sequential(
            nn.Conv1d(BANDS, 48, 9, padding=4), nn.ReLU(), nn.Conv1d(48, 48, 9, padding=4), nn.ReLU(),
            nn.Conv1d(48, 48, 9, padding=4), nn.ReLU(), nn.Conv1d(48, len(CLASSES), 1))

    def bands(self, x):
        """(batch, 1, samples) to (batch, BANDS, frames)."""
        waves = nn.functional.conv1d(x, self.filters, stride=SHIFT)
        power = waves[:, :BANDS] ** 2 + waves[:, BANDS:] ** 2
        return (torch.log(power + 1e-3) + 2) / 3

    def forward(self, x):
        """(batch, 1, samples) to (batch, frames, classes)."""
        return torch.log_softmax(self.layers(self.bands(x)).transpose(1, 2), dim=2)


class Embedding(nn.Module):
    """Describes a voice by the mean and the deviation of what convolutions make of the features."""

    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(nn.Conv1d(MELS, 64, 5, padding=2), nn.ReLU(), nn.Conv1d(64, 64, 1), nn.ReLU())
        self.output = nn.Linear(128, DIMENSION)

    def forward(self, x):
        """(batch, frames, MELS) to (batch, DIMENSION)."""
        y = self.layers((x.transpose(1, 2) + 8) / 4)
        mean = y.mean(dim=2)
        deviation = torch.sqrt((y**2).mean(dim=2) - mean**2 + 1e-4)
        return self.output(torch.cat([mean, deviation], dim=1))


def filter_bank(samples):
    """Features as the engine computes them for embeddings."""
    options = kaldi_native_fbank.FbankOptions()
    options.frame_opts.dither = 0
    options.frame_opts.snip_edges = False
    options.mel_opts.num_bins = MELS
    options.mel_opts.high_freq = -400
    bank = kaldi_native_fbank.OnlineFbank(options)
    bank.accept_waveform(RATE, samples.tolist())
    bank.input_finished()
    return numpy.stack([bank.get_frame(index) for index in range(bank.num_frames_ready)])


def train_segmentation(rng, windows=300, steps=900):
    data = [conversation(rng) for _ in range(windows)]
    model = Segmentation()
    with torch.no_grad():
        bands = torch.cat([model.bands(torch.tensor(sound)[None, None]) for sound, _ in data])
    labels = torch.tensor(numpy.array([label for _, label in data]))
    optimizer = torch.optim.Adam(model.layers.parameters(), 2e-3)
    scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, steps)
    for step in range(steps):
        chosen = torch.tensor(rng.integers(20, windows, 8))
        # Recordings differ in their level.
        level = torch.tensor(rng.uniform(-0.7, 0.7, (8, 1, 1)), dtype=torch.float32)
        loss = nn.functional.cross_entropy(model.layers(bands[chosen] + level), labels[chosen])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        scheduler.step()
    with torch.no_grad():
        right = (model.layers(bands[:20]).argmax(dim=1) == labels[:20]).float().mean()
    print(f"speakers: {100 * right:.1f} % of the frames right on held-out windows", flush=True)
    return model


def train_embedding(rng, voices=16, steps=600):
    # Two of them are the test's.
    kinds = [LOW, HIGH] + [
        (rng.uniform(0.82, 1.2), rng.uniform(90, 240), rng.uniform(0.2, 0.85)) for _ in range(voices - 2)]
    speech = [filter_bank(say(rng, kind, 30).astype(numpy.float32)) for kind in kinds]
    model, classes = Embedding(), nn.Linear(DIMENSION, voices, bias=False)
    optimizer = torch.optim.Adam([*model.parameters(), *classes.parameters()], 2e-3)
    for step in range(steps):
        length = int(rng.integers(40, 250))
        chosen = rng.integers(0, voices, 32)
        starts = [int(rng.integers(0, len(speech[voice]) - length)) for voice in chosen]
        batch = numpy.stack([speech[voice][start : start + length] for voice, start in zip(chosen, starts)])
        # The level says nothing about a voice.
        batch = torch.tensor(batch + rng.uniform(-2, 2, (32, 1, 1)), dtype=torch.float32)
        cosines = nn.functional.linear(
            nn.functional.normalize(model(batch)), nn.functional.normalize(classes.weight))
        loss = nn.functional.cross_entropy(12 * cosines, torch.tensor(chosen))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return model


def train(folder):
    """Writes the folder of the two models."""
    rng = numpy.random.default_rng(5)
    torch.manual_seed(5)
    folder.mkdir(parents=True, exist_ok=True)
    comment = {**export.AUTHOR, "comment": "A toy for tests; it knows two synthetic voices"}
    export.write(
        train_segmentation(rng), (torch.zeros(1, 1, WINDOW),), folder / "segmentation.onnx", ["x"], ["y"],
        {"x": {0: "N", 2: "T"}, "y": {0: "N", 1: "frames"}},
        {"model_type": "pyannote-segmentation-3.0", "sample_rate": RATE, "window_size": WINDOW,
         "receptive_field_size": FIELD, "receptive_field_shift": SHIFT, "num_speakers": 3,
         "powerset_max_classes": 2, "num_classes": len(CLASSES), **comment})
    export.write(
        train_embedding(rng), (torch.zeros(1, 200, MELS),), folder / "embedding.onnx", ["x"], ["embedding"],
        {"x": {0: "N", 1: "T"}, "embedding": {0: "N"}},
        {"framework": "3d-speaker", "language": "English", "sample_rate": RATE, "output_dim": DIMENSION,
         "normalize_samples": 1, "feature_normalize_type": "", **comment})
