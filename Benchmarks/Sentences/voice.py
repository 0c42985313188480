#!/usr/bin/env python3
"""Measures how the voice ends each word, as WordVoice.swift does, and adds it to a table of recognized words.

    voice.py WORDS FOLDER > NEW

WORDS is a table like Tests/Support/TestSupport/Chapters/chapters.tsv (recording, segment, word, start, end, mark), FOLDER
has RECORDING.wav for each recording: 16 kHz, mono, 16 bits. A column is added: the number of voiced frames at the end of the
word. Needs numpy.
"""
import sys, wave
import numpy as np

RATE, FRAME, WINDOW, LAGS, VOICED = 4000, 40, 160, range(10, 61), .5


def points(path):
    """The audio at 4 kHz: means of four samples."""
    with wave.open(path) as file: samples = np.frombuffer(file.readframes(file.getnframes()), '<i2')
    return (samples[:len(samples) // 4 * 4].astype(np.float32) / 32768).reshape(-1, 4).mean(1).astype(np.float64)


def is_voiced(audio, frame):
    """Whether the waveform around a frame repeats itself with a period of speech."""
    middle = frame * FRAME + FRAME // 2
    if middle < 128 or middle + 128 > len(audio): return False
    for lag in LAGS:
        first = middle - WINDOW // 2 - lag // 2
        a, b = audio[first:first + WINDOW], audio[first + lag:first + lag + WINDOW]
        if a @ b > VOICED * np.sqrt((a @ a) * (b @ b)) and a @ a > 1e-7 * WINDOW: return True
    return False


def voice(audio, start, end):
    """The number of voiced frames at the end of a word."""
    count = len(audio) // FRAME
    first = min(int(start * 100), count - 3)
    last = min(max(int(end * 100), first + 3), count)
    return sum(is_voiced(audio, frame) for frame in range(max(first, last - 30), last))


def main():
    audio = {}
    for line in open(sys.argv[1]):
        columns = line.rstrip('\n').split('\t')[:6]
        if columns[0] not in audio: audio[columns[0]] = points(f'{sys.argv[2]}/{columns[0]}.wav')
        print('\t'.join(columns + [str(voice(audio[columns[0]], float(columns[3]), float(columns[4])))]))


if __name__ == '__main__':
    main()
