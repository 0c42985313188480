"""Measures the models with the engine's Python interface."""

import os
import subprocess
import tempfile
import wave
from pathlib import Path

import numpy
import sherpa_onnx

from features import RATE
from vocabulary import HOTWORD, HOTWORD_AS, words_of

# What a stream needs after its last sample, because a step begins only when its whole window is there.
TAIL_SECONDS = 0.66


class Decoder:
    """Decodes with one model. decode returns words: (word, start in seconds, confidence or nothing)."""

    def __init__(self, family, folder):
        self.streaming = family == "streaming-ctc"
        model, tokens = str(folder / "model.onnx"), str(folder / "tokens.txt")
        if family == "ctc":
            self.recognizer = sherpa_onnx.OfflineRecognizer.from_nemo_ctc(model=model, tokens=tokens, num_threads=1)
        elif self.streaming:
            self.recognizer = sherpa_onnx.OnlineRecognizer.from_nemo_ctc(model=model, tokens=tokens, num_threads=1)
        else:
            self.recognizer = sherpa_onnx.OfflineRecognizer.from_transducer(
                encoder=str(folder / "encoder.onnx"), decoder=str(folder / "decoder.onnx"),
                joiner=str(folder / "joiner.onnx"), tokens=tokens, num_threads=1, model_type="nemo_transducer")

    def decode(self, samples):
        values = samples.astype(numpy.float32) / 32768
        if self.streaming:
            stream = self.recognizer.create_stream()
            for part in numpy.array_split(values, max(1, len(values) // 1600)):
                stream.accept_waveform(RATE, part)
                while self.recognizer.is_ready(stream):
                    self.recognizer.decode_stream(stream)
            stream.accept_waveform(RATE, numpy.zeros(int(TAIL_SECONDS * RATE), dtype=numpy.float32))
            stream.input_finished()
            while self.recognizer.is_ready(stream):
                self.recognizer.decode_stream(stream)
            tokens, times = self.recognizer.tokens(stream), self.recognizer.timestamps(stream)
            probabilities = []
        else:
            stream = self.recognizer.create_stream()
            stream.accept_waveform(RATE, values)
            self.recognizer.decode_stream(stream)
            result = stream.result
            tokens, times, probabilities = result.tokens, result.timestamps, result.ys_log_probs
        words = []
        for word, first, end in words_of(tokens):
            confidence = float(numpy.exp(numpy.mean(probabilities[first:end]))) if probabilities else None
            words.append((word, times[first], confidence))
        return words


def align(reference, hypothesis):
    """The alignment with the fewest errors: pairs of indices; one of both is None at an insertion or deletion."""
    rows, columns = len(reference) + 1, len(hypothesis) + 1
    cost = numpy.zeros((rows, columns), dtype=int)
    cost[:, 0], cost[0, :] = range(rows), range(columns)
    for i in range(1, rows):
        for j in range(1, columns):
            cost[i, j] = min(
                cost[i - 1, j - 1] + (reference[i - 1] != hypothesis[j - 1]), cost[i - 1, j] + 1, cost[i, j - 1] + 1)
    pairs, i, j = [], rows - 1, columns - 1
    while i or j:
        if i and j and cost[i, j] == cost[i - 1, j - 1] + (reference[i - 1] != hypothesis[j - 1]):
            i, j = i - 1, j - 1
            pairs.append((i, j))
        elif i and cost[i, j] == cost[i - 1, j] + 1:
            i -= 1
            pairs.append((i, None))
        else:
            j -= 1
            pairs.append((None, j))
    return pairs[::-1]


def area_under_curve(right, wrong):
    """How often a right word has the higher confidence than a wrong one."""
    if not right or not wrong:
        return float("nan")
    right, wrong = numpy.array(right)[:, None], numpy.array(wrong)[None, :]
    return float((right > wrong).mean() + 0.5 * (right == wrong).mean())


class Measure:
    """Adds up errors over recordings."""

    def __init__(self):
        self.words = self.errors = self.insertions = self.deletions = 0
        self.times, self.right, self.wrong = [], [], []

    def add(self, reference, hypothesis):
        """reference: (word, start, end); hypothesis: (word, start, confidence)."""
        said = [HOTWORD_AS if word == HOTWORD else word for word, _, _ in reference]
        self.words += len(said)
        for i, j in align(said, [word for word, _, _ in hypothesis]):
            correct = i is not None and j is not None and said[i] == hypothesis[j][0]
            self.errors += not correct
            self.insertions += i is None
            self.deletions += j is None
            if correct:
                self.times.append(abs(hypothesis[j][1] - reference[i][1]))
            if j is not None and hypothesis[j][2] is not None:
                (self.right if correct else self.wrong).append(hypothesis[j][2])

    def row(self):
        return [
            f"{100 * self.errors / self.words:.1f} %", str(self.insertions), str(self.deletions),
            f"{numpy.median(self.times):.3f} s", f"{numpy.percentile(self.times, 95):.3f} s",
            f"{area_under_curve(self.right, self.wrong):.2f}" if self.right else "none"]


def read_audio(path):
    """The samples of an audio file of any format, as 16 bit at RATE."""
    data = subprocess.run(
        ["ffmpeg", "-v", "error", "-i", str(path), "-ac", "1", "-ar", str(RATE), "-f", "s16le", "-"],
        check=True, capture_output=True).stdout
    return numpy.frombuffer(data, dtype=numpy.int16)


def transcribed(longhand, model, recordings, *options):
    """What the program writes for each recording: its words."""
    with tempfile.TemporaryDirectory() as folder:
        variables = {**os.environ, "XDG_DATA_HOME": folder, "SPEECH_MODEL": ""}
        run = lambda *arguments: subprocess.run(  # noqa: E731
            [longhand, *arguments], check=True, capture_output=True, env=variables)
        run("models", "import", str(model), "--name", "toy", "--language", "en")
        files = []
        for number, one in enumerate(recordings):
            files.append(f"{folder}/{number:04}.wav")
            with wave.open(files[-1], "wb") as file:
                file.setparams((1, 2, RATE, 0, "NONE", ""))
                file.writeframes(one.samples.tobytes())
        run("transcribe", "--model", "toy", "--format", "txt", "--style", "words", "--output-dir", folder, *options,
            *files)
        return [Path(file).with_suffix(".txt").read_text().lower().split() for file in files]


def measure_hotword(longhand, model, ordinary, with_hotword):
    """Rows of (expected words, hotwords found, false ones, other word errors), by the program."""
    rows = []
    for name, options in (("none", []), (HOTWORD, ["--context", HOTWORD])):
        found = said = 0
        for one, words in zip(with_hotword, transcribed(longhand, model, with_hotword, *options)):
            expected = sum(word == HOTWORD for word, _, _ in one.words)
            found += min(expected, words.count(HOTWORD))
            said += expected
        measure = Measure()
        results = transcribed(longhand, model, ordinary, *options)
        for one, words in zip(ordinary, results):
            measure.add(one.words, [(word, 0, None) for word in words])
        false = sum(HOTWORD in words for words in results)
        hours = sum(len(one.samples) for one in ordinary) / RATE / 3600
        rows.append([
            name, f"{found / said:.2f} of {said}", f"{false} of {len(ordinary)}, {hours:.2f} hours",
            measure.row()[0]])
    return rows


def table(head, rows):
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows]) + "\n"


def report(models, sets, noise_folder, longhand=None, families=("ctc", "streaming-ctc", "tdt")):
    """Prints the tables of Tests/Models/README.md. sets: recordings by the names of toy_models.held_out_sets()."""
    rows, hard = [], []
    noises = sorted(Path(noise_folder).iterdir()) if noise_folder else []
    for family in families:
        decoder = Decoder(family, models / f"toy-{family}")
        measures = {}
        for name, recordings in sets.items():
            if name == "hotword" and family != "tdt":
                continue  # The others were not trained with it.
            measures[name] = Measure()
            for one in recordings:
                measures[name].add(one.words, decoder.decode(one.samples))
        false = sum(len(decoder.decode(read_audio(path))) for path in noises)
        rows.append([f"toy-{family}", *measures["words"].row(), str(false) if noises else "not measured"])
        hard.append([f"toy-{family}", *(
            measures[name].row()[0] if name in measures else "-" for name in ("hotword", "flite", "babble"))])
    print(table(
        ["model", "word errors", "inserted", "deleted", "time error, median", "95th percentile", "AUC",
         f"words in {len(noises)} files without speech"], rows))
    print(table(["model", "word errors, with the hotword", "flite's rms only", "in babble"], hard))
    if longhand and "tdt" in families:
        print(table(
            ["expected words", "hotword found", "false hotwords", "word errors without the hotword"],
            measure_hotword(longhand, models / "toy-tdt", sets["words"], sets["hotword"])))
