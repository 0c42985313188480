"""Keeps recordings in a file, so that training can be repeated without speaking them again."""

import json

import numpy

from speech import Utterance


def save(path, recordings):
    path.parent.mkdir(parents=True, exist_ok=True)
    numpy.savez(
        path, samples=numpy.concatenate([recording.samples for recording in recordings]),
        lengths=[len(recording.samples) for recording in recordings],
        words=json.dumps([recording.words for recording in recordings]))


def load(path):
    content = numpy.load(path)
    words = json.loads(str(content["words"]))
    parts = numpy.split(content["samples"], numpy.cumsum(content["lengths"])[:-1])
    return [Utterance(part, [tuple(word) for word in spoken]) for part, spoken in zip(parts, words)]
