"""The networks: one small convolutional encoder, with a CTC output, as a stream, or with a transducer's parts."""

import torch
from torch import nn
from torch.nn import functional

from vocabulary import BLANK

MELS = 80
SUBSAMPLING = 4
# Normalization makes almost silent recordings very loud; nothing beyond this is seen.
LIMIT = 20.0
WIDTH = 64
# Channels of the stem, before they are narrowed to WIDTH.
STEM = 96
HIDDEN = 192
BLOCKS = 5
KERNEL = 7
# The stream: frames of 10 ms per step, and how many more the step sees ahead.
CHUNK_SHIFT = 32
LOOKAHEAD = 24
# Encoded frames of the past that a block of the stream averages.
MEMORY = 24
PREDICTION = 32
DURATIONS = 5


class Block(nn.Module):
    """A residual block: a convolution over time for each channel, then two layers over the channels.

    streaming: the block sees the past only, and weighs a longer part of it in addition.
    """

    def __init__(self, streaming):
        super().__init__()
        self.time = nn.Conv1d(WIDTH, WIDTH, KERNEL, groups=WIDTH)
        self.memory = nn.Conv1d(WIDTH, WIDTH, MEMORY + 1, groups=WIDTH) if streaming else None
        self.widen = nn.Conv1d(WIDTH, HIDDEN, 1)
        self.norm = nn.BatchNorm1d(HIDDEN)
        self.narrow = nn.Conv1d(HIDDEN, WIDTH, 1)

    def forward(self, x, mask):
        """x, mask: (batch, channels, frames). Returns the same shape."""
        if self.memory is None:
            side = (KERNEL - 1) // 2
            y = self.time(functional.pad(x, (side, side)))
        else:
            y = self.time(functional.pad(x, (KERNEL - 1, 0)))
            y = y + self.memory(functional.pad(x, (MEMORY, 0)))
        return (x + self.channels(y)) * mask

    def step(self, x, time_cache, memory_cache):
        """As forward, with the past from the caches: (batch, channels, KERNEL - 1) and (batch, MEMORY, channels)."""
        time_past = torch.cat([time_cache, x], dim=2)
        memory_past = torch.cat([memory_cache.transpose(1, 2), x], dim=2)
        y = self.time(time_past) + self.memory(memory_past)
        # The frames of the lookahead come again in the next step, so the caches end before them.
        end = CHUNK_SHIFT // SUBSAMPLING
        return (
            x + self.channels(y),
            time_past[:, :, end : end + KERNEL - 1],
            memory_past[:, :, end : end + MEMORY].transpose(1, 2),
        )

    def channels(self, y):
        return self.narrow(functional.relu(self.norm(self.widen(y))))


class Encoder(nn.Module):
    """Features of 10 ms to encoded frames of 40 ms."""

    def __init__(self, streaming=False):
        super().__init__()
        self.scale = nn.BatchNorm1d(MELS)
        self.stem = nn.Sequential(
            nn.Conv1d(MELS, STEM, SUBSAMPLING, stride=SUBSAMPLING), nn.BatchNorm1d(STEM), nn.ReLU(),
            nn.Conv1d(STEM, WIDTH, 1))
        self.blocks = nn.ModuleList(Block(streaming) for _ in range(BLOCKS))

    def forward(self, features, length):
        """features: (batch, MELS, frames), length: (batch,). Returns (batch, WIDTH, frames / 4) and the lengths."""
        x = self.stem(self.scale(features.clamp(-LIMIT, LIMIT)))
        lengths = length // SUBSAMPLING
        mask = (torch.arange(x.shape[2])[None, :] < lengths[:, None]).to(x.dtype)[:, None, :]
        x = x * mask
        for block in self.blocks:
            x = block(x, mask)
        return x, lengths


class CTC(nn.Module):
    """The offline CTC model."""

    def __init__(self, streaming=False):
        super().__init__()
        self.encoder = Encoder(streaming)
        self.output = nn.Conv1d(WIDTH, BLANK + 1, 1)

    def forward(self, audio_signal, length):
        """Returns log-probabilities: (batch, frames, tokens)."""
        x, _ = self.encoder(audio_signal, length)
        return functional.log_softmax(self.output(x).transpose(1, 2), dim=2)


class StreamingCTC(CTC):
    """The streaming CTC model.

    It sees the past only. What it writes for a frame it writes LOOKAHEAD frames later; a step returns it at the
    index of the frame, so that times are true.
    """

    def __init__(self):
        super().__init__(streaming=True)

    def forward(self, audio_signal, length):
        """The whole recording at once, for the training; frame t of the output belongs to frame t of the sound."""
        delay = LOOKAHEAD // SUBSAMPLING
        padded = functional.pad(audio_signal, (0, LOOKAHEAD), value=-15.9)
        return super().forward(padded, length + LOOKAHEAD)[:, delay:]

    def step(self, audio_signal, length, cache_last_channel, cache_last_time, cache_last_channel_len):
        """One step of CHUNK_SHIFT frames, in the shapes of NeMo's export with caches."""
        x = self.encoder.stem(self.encoder.scale(audio_signal.clamp(-LIMIT, LIMIT)))
        channel_caches, time_caches = [], []
        for index, block in enumerate(self.encoder.blocks):
            x, time_cache, channel_cache = block.step(x, cache_last_time[:, index], cache_last_channel[:, index])
            time_caches.append(time_cache)
            channel_caches.append(channel_cache)
        x = x[:, :, LOOKAHEAD // SUBSAMPLING :]
        logprobs = functional.log_softmax(self.output(x).transpose(1, 2), dim=2)
        return (
            logprobs,
            (length - LOOKAHEAD) // SUBSAMPLING,
            torch.stack(channel_caches, dim=1),
            torch.stack(time_caches, dim=1),
            torch.clamp(cache_last_channel_len + CHUNK_SHIFT // SUBSAMPLING, max=MEMORY),
        )


class Prediction(nn.Module):
    """The transducer's decoder: what was written before."""

    def __init__(self, tokens=BLANK + 1):
        super().__init__()
        self.embedding = nn.Embedding(tokens, PREDICTION)
        self.lstm = nn.LSTM(PREDICTION, PREDICTION, batch_first=True)

    def forward(self, targets, target_length, hidden, cell):
        """targets: (batch, tokens). Returns (batch, PREDICTION, tokens), the lengths and the next states."""
        x, (hidden, cell) = self.lstm(self.embedding(targets.long()), (hidden, cell))
        return x.transpose(1, 2), target_length + 0, hidden, cell


class Joiner(nn.Module):
    """One encoded frame and one state of the decoder to the scores of the tokens, the blank and the durations."""

    def __init__(self):
        super().__init__()
        self.encoded = nn.Linear(WIDTH, WIDTH)
        self.predicted = nn.Linear(PREDICTION, WIDTH)
        self.output = nn.Linear(WIDTH, BLANK + 1 + DURATIONS)

    def forward(self, encoder_outputs, decoder_outputs):
        """(batch, WIDTH, T) and (batch, PREDICTION, U) to (batch, T, U, tokens + 1 + DURATIONS)."""
        encoded = self.encoded(encoder_outputs.transpose(1, 2)).unsqueeze(2)
        predicted = self.predicted(decoder_outputs.transpose(1, 2)).unsqueeze(1)
        return self.output(functional.relu(encoded + predicted))


class Transducer(nn.Module):
    """The transducer's three parts."""

    def __init__(self):
        super().__init__()
        self.encoder = Encoder()
        self.decoder = Prediction()
        self.joiner = Joiner()
