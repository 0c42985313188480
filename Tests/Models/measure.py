"""Measures a model with Longhand and with sherpa-onnx alone, on the same files, and prints a table.

    measure.py LONGHAND MODEL AUDIO LANGUAGE
"""

import json
import os
import pathlib
import resource
import subprocess
import sys
import tempfile
import time

import numpy
import sherpa_onnx

NAME = "measured"
RATE = 16_000


def run(*command, **options):
    """The output of a program; ends this one if it fails."""
    result = subprocess.run(command, capture_output=True, **options)
    if result.returncode:
        sys.exit(f"test-model: {' '.join(command[:3])} failed:\n{result.stderr.decode(errors='replace')}")
    return result.stdout


def recognizer(folder):
    """sherpa-onnx's own recognizer for an installed model, on one thread; None if this program knows no way."""
    about = json.loads((folder / "model.json").read_text())
    path = {file["role"]: str(folder / file["name"]) for file in about["files"]}
    common = {"tokens": path["tokens"], "num_threads": 1}
    match about["family"]:
        case "nemo-ctc":
            return sherpa_onnx.OfflineRecognizer.from_nemo_ctc(model=path["model"], **common)
        case "nemo-transducer":
            return sherpa_onnx.OfflineRecognizer.from_transducer(
                encoder=path["encoder"], decoder=path["decoder"], joiner=path["joiner"],
                model_type="nemo_transducer", **common)
        case "sense-voice":
            return sherpa_onnx.OfflineRecognizer.from_sense_voice(model=path["model"], **common)
    return None


def samples(file):
    """The audio of a file as the engine takes it: 16 kHz, mono, from -1 to 1."""
    raw = run("ffmpeg", "-v", "error", "-i", str(file), "-ac", "1", "-ar", str(RATE), "-f", "s16le", "-")
    return numpy.frombuffer(raw, dtype="<i2").astype(numpy.float32) / 32768


class Longhand:
    """The program, with one installed model."""

    def __init__(self, program, model, language, data):
        self.program = program
        self.recognition = ["--model", NAME, "--locale", language]
        self.environment = os.environ | {"XDG_DATA_HOME": str(data), "SPEECH_SERVICE_THREADS": "1"}
        self("models", "import", model, "--name", NAME, "--language", language.split("-")[0])
        self.folder = data / "speech-service" / "models" / NAME

    def __call__(self, *arguments):
        return run(self.program, *arguments, env=self.environment)

    def words(self, file):
        """The words that are found in a file."""
        transcript = json.loads(self("transcribe", "--json", "-q", *self.recognition, str(file)))
        return [word["text"] for segment in transcript["segments"] for word in segment["words"]]


class Counts:
    """What is counted of one program."""

    def __init__(self):
        self.words = self.errors = self.inserted = self.deleted = 0
        self.speech = self.seconds = 0.0

    def add(self, rate):
        self.words += rate["referenceWords"]
        self.errors += rate["errors"]
        self.inserted += rate["insertions"]
        self.deleted += rate["deletions"]

    def row(self, name, memory, invented):
        cells = [
            name, f"{100 * self.errors / max(1, self.words):.1f} %", self.inserted, self.deleted,
            f"{self.speech / max(1e-9, self.seconds):.1f}", memory, invented]
        print("| " + " | ".join(str(cell) for cell in cells) + " |")


def measure_longhand(longhand, manifest):
    counts = Counts()
    start = time.monotonic()
    report = json.loads(longhand("evaluate", "--json", "-q", "--jobs", "1", *longhand.recognition, str(manifest)))
    counts.seconds = time.monotonic() - start
    counts.speech = report["total"]["audioSeconds"]
    counts.add(report["total"]["wordErrorRate"])
    # Of the largest process, in kilobytes.
    return counts, f"{resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024} MB"


def measure_alone(engine, longhand, manifest, data):
    counts = Counts()
    reference, hypothesis = data / "reference.txt", data / "hypothesis.txt"
    for line in manifest.read_text().splitlines():
        if not line.strip():
            continue
        name, text = line.split("\t", 1)
        audio = samples(manifest.parent / name)
        counts.speech += len(audio) / RATE
        start = time.monotonic()
        found = decode(engine, audio)
        counts.seconds += time.monotonic() - start
        file = manifest.parent / text
        reference.write_text(file.read_text() if len(text) < 200 and file.is_file() else text)
        hypothesis.write_text(found)
        report = json.loads(longhand("score", "--json", "--reference", str(reference), str(hypothesis)))
        counts.add(report["total"]["wordErrorRate"])
    return counts


def decode(engine, audio):
    stream = engine.create_stream()
    stream.accept_waveform(RATE, audio)
    engine.decode_stream(stream)
    return stream.result.text


def main(program, model, audio, language):
    audio = pathlib.Path(audio)
    manifest = audio / "manifest.tsv"
    quiet = sorted(file for file in (audio / "nonspeech").glob("*") if file.is_file())
    with tempfile.TemporaryDirectory(prefix="longhand-measure-") as folder:
        data = pathlib.Path(folder)
        longhand = Longhand(program, model, language, data)
        print(f"Model {pathlib.Path(model).name}, one thread each.\n")
        print("| program | word errors | inserted | deleted | times the speed of speech | largest process | "
              f"words in {len(quiet)} files without speech |")
        print("| --- " * 7 + "|")
        counts, memory = measure_longhand(longhand, manifest)
        counts.row("longhand", memory, sum(len(longhand.words(file)) for file in quiet))
        start = time.monotonic()
        engine = recognizer(longhand.folder)
        loading = time.monotonic() - start
        if engine is None:
            print("\nsherpa-onnx alone was not measured: this program has no way to run a model of this family.")
            return
        alone = measure_alone(engine, longhand, manifest, data)
        # Longhand loads the model in its time too.
        alone.seconds += loading
        alone.row("sherpa-onnx alone", "-", sum(len(decode(engine, samples(file)).split()) for file in quiet))


if __name__ == "__main__":
    main(*sys.argv[1:])
