"""Makes the recordings for the package's tests, with voices and noise that training did not see."""

import wave

import numpy

import corpus
import noise
from speech import RATE, speak

ORDINARY, HOTWORDS = 12, 5
LONG_SECONDS = 18


def spoken(rng, number, words):
    """One utterance. number: chooses the voice, so that all have their turn."""
    voice = corpus.HELD_OUT_VOICES[number % len(corpus.HELD_OUT_VOICES)]
    while True:
        one = speak(voice, " ".join(words), float(rng.uniform(0.95, 1.2)), int(rng.integers(30, 70)))
        # What cannot be aligned is spoken once more, at another speed.
        if [word for word, _, _ in one.words] == words:
            return one


def disturbed(rng, utterance):
    background = noise.HELD_OUT_NOISES[rng.integers(0, len(noise.HELD_OUT_NOISES))](rng, len(utterance.samples))
    utterance.samples = noise.add(utterance.samples, background, rng.uniform(20, 30))
    return corpus.finish(rng, utterance)


def make():
    """The recordings by name."""
    rng = numpy.random.default_rng(4)
    result = {}
    for number in range(ORDINARY):
        words = corpus.random_words(rng, int(rng.integers(3, 5)), hotword=0)
        one = corpus.join(rng, [spoken(rng, number, words)], (0.15, 0.3), (0, 0), (0.2, 0.3))
        result[f"words-{number + 1:02}"] = disturbed(rng, one)
    for number in range(HOTWORDS):
        words = corpus.random_words(rng, 2, hotword=0)
        words.insert(int(rng.integers(0, 3)), corpus.HOTWORD)
        one = corpus.join(rng, [spoken(rng, 2 * number, words)], (0.15, 0.3), (0, 0), (0.2, 0.3))
        result[f"hotword-{number + 1:02}"] = disturbed(rng, one)
    parts, seconds = [], 0.0
    while seconds < LONG_SECONDS:
        parts.append(spoken(rng, len(parts), corpus.random_words(rng, int(rng.integers(3, 7)), hotword=0)))
        seconds += len(parts[-1].samples) / RATE + 1.6
    result["pauses"] = disturbed(rng, corpus.join(rng, parts, (0.5, 0.5), (0.7, 2.5), (0.5, 0.5)))
    return result


def write(folder):
    """Writes the recordings and references.tsv: the file, then each word as word:start:end in seconds."""
    folder.mkdir(parents=True, exist_ok=True)
    lines = ["file\twords"]
    for name, one in make().items():
        with wave.open(str(folder / f"{name}.wav"), "wb") as file:
            file.setnchannels(1)
            file.setsampwidth(2)
            file.setframerate(RATE)
            file.writeframes(one.samples.astype("<i2").tobytes())
        words = " ".join(f"{word}:{start:.3f}:{end:.3f}" for word, start, end in one.words)
        lines.append(f"{name}.wav\t{words}")
    (folder / "references.tsv").write_text("\n".join(lines) + "\n")
