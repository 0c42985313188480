"""Features as the engine computes them, and a check of that.

The engine's window and highest frequency differ by family, see its source offline-recognizer-ctc-impl.h and
offline-recognizer-transducer-nemo-impl.h. Only the offline families are normalized.
"""

import math
import tempfile
from pathlib import Path

import kaldi_native_fbank
import numpy
import sherpa_onnx
import torch
from torch import nn

import export
import network

RATE = 16000


def options(family):
    """The options of the filter bank for "ctc", "streaming-ctc" or "tdt"."""
    result = kaldi_native_fbank.FbankOptions()
    result.frame_opts.samp_freq = RATE
    result.frame_opts.dither = 0
    result.frame_opts.snip_edges = False
    result.mel_opts.num_bins = network.MELS
    result.mel_opts.low_freq = 0
    result.mel_opts.is_librosa = True
    result.frame_opts.remove_dc_offset = False
    if family == "tdt":
        result.mel_opts.high_freq = -400
    else:
        result.mel_opts.high_freq = 0
        result.frame_opts.window_type = "hann"
    return result


def filter_bank(samples, family):
    """Features of a recording before they are normalized: (frames, MELS). samples: between -1 and 1."""
    bank = kaldi_native_fbank.OnlineFbank(options(family))
    bank.accept_waveform(RATE, samples)
    bank.input_finished()
    return numpy.stack([bank.get_frame(index) for index in range(bank.num_frames_ready)])


def normalized(features, family):
    """Features with the mean 0 and the deviation 1 in each band, for the offline families."""
    if family == "streaming-ctc":
        return features
    mean = features.mean(axis=0)
    deviation = numpy.sqrt(numpy.maximum((features**2).mean(axis=0) - mean**2, 0)) + 1e-5
    return (features - mean) / deviation


class Meter(nn.Module):
    """Gives one feature the token whose level is nearest, so that the engine's tokens show its features."""

    def __init__(self, bin, levels, extra):
        super().__init__()
        self.bin = bin
        # The token with the largest 2vx - v² has the level v that is nearest to x. The blank never wins.
        self.register_buffer("slope", torch.cat([2 * levels, torch.zeros(1 + extra)]))
        self.register_buffer("offset", torch.cat([-(levels**2), torch.full((1,), -1e9), torch.zeros(extra)]))
        if extra:
            self.offset[-extra + 1] = 1.0  # The transducer's duration is always 1.

    def forward(self, features):
        """(batch, MELS, frames) to (batch, frames, tokens)."""
        return features[:, self.bin, :, None] * self.slope + self.offset


class OfflineMeter(nn.Module):
    def __init__(self, meter):
        super().__init__()
        self.meter = meter

    def forward(self, audio_signal, length):
        return self.meter(audio_signal) + 0 * length[:, None, None]


class StreamingMeter(nn.Module):
    def __init__(self, meter):
        super().__init__()
        self.meter = meter

    def step(self, audio_signal, length, channel, time, channel_length):
        logits = self.meter(audio_signal[:, :, : network.CHUNK_SHIFT]) + 0 * length[:, None, None]
        return logits, length + 0, channel + 0, time + 0, channel_length + 0


class EncoderMeter(nn.Module):
    def forward(self, audio_signal, length):
        """Encoded frames are the features; the transducer's export has network.WIDTH channels."""
        return audio_signal + 0, length + 0


class JoinerMeter(nn.Module):
    def __init__(self, meter):
        super().__init__()
        self.meter = meter

    def forward(self, encoder_outputs, decoder_outputs):
        return self.meter(encoder_outputs).unsqueeze(2) + 0 * decoder_outputs.sum()


def largest_difference(family, samples, bin):
    """How far the engine's own features are from ours, at most, in the bin."""
    levels = torch.linspace(-20, 10, 3001)
    ours = normalized(filter_bank(samples, family), family)[:, bin]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        tokens = "".join(f"l{index} {index}\n" for index in range(len(levels))) + f"<blk> {len(levels)}\n"
        common = {"vocab_size": len(levels), "subsampling_factor": 1, "normalize_type": "per_feature"}
        if family == "tdt":
            export.write_transducer(
                EncoderMeter(), network.Prediction(len(levels) + 1), JoinerMeter(Meter(bin, levels, network.DURATIONS)), network.MELS,
                folder, common)
        elif family == "ctc":
            export.write_ctc(OfflineMeter(Meter(bin, levels, 0)), folder, common)
        else:
            export.write_streaming_ctc(
                StreamingMeter(Meter(bin, levels, 0)), folder, {**common, "normalize_type": ""})
        (folder / "tokens.txt").write_text(tokens)
        result = read(family, folder, samples)
    differences = []
    for token, time in zip(*result):
        frame = round(time * 100 / (4 if family == "streaming-ctc" else 1))
        differences.append(abs(float(levels[int(token[1:])]) - ours[frame]))
    assert len(differences) > len(ours) / 3, "too few frames were measured"
    return max(differences)


def read(family, folder, samples):
    """The tokens and times that the engine returns for the recording."""
    if family == "streaming-ctc":
        recognizer = sherpa_onnx.OnlineRecognizer.from_nemo_ctc(
            tokens=str(folder / "tokens.txt"), model=str(folder / "model.onnx"), num_threads=1)
        stream = recognizer.create_stream()
        stream.accept_waveform(RATE, samples)
        while recognizer.is_ready(stream):
            recognizer.decode_stream(stream)
        return recognizer.tokens(stream), recognizer.timestamps(stream)
    if family == "ctc":
        recognizer = sherpa_onnx.OfflineRecognizer.from_nemo_ctc(
            model=str(folder / "model.onnx"), tokens=str(folder / "tokens.txt"), num_threads=1)
    else:
        recognizer = sherpa_onnx.OfflineRecognizer.from_transducer(
            encoder=str(folder / "encoder.onnx"), decoder=str(folder / "decoder.onnx"),
            joiner=str(folder / "joiner.onnx"), tokens=str(folder / "tokens.txt"), num_threads=1,
            model_type="nemo_transducer")
    stream = recognizer.create_stream()
    stream.accept_waveform(RATE, samples)
    recognizer.decode_stream(stream)
    return stream.result.tokens, stream.result.timestamps


def check():
    """Compares with the engine on a chirp in noise. Returns the largest difference of each family."""
    time = numpy.arange(RATE * 2) / RATE
    samples = 0.3 * numpy.sin(2 * math.pi * (100 + 1500 * time) * time)
    samples += 0.02 * numpy.random.default_rng(1).standard_normal(len(time)) + 0.05
    samples = samples.astype(numpy.float32)
    return {
        family: max(largest_difference(family, samples, bin) for bin in (1, 20, 50, 78))
        for family in ("ctc", "streaming-ctc", "tdt")
    }
