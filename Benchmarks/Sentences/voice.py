#!/usr/bin/env python3
"""Measures how the voice ends each word, as WordVoice.swift does, and adds it to a table of recognized words.

    voice.py WORDS FOLDER > NEW

WORDS is a table like Tests/Support/TestSupport/Chapters/chapters.tsv (recording, segment, word, start, end, mark), FOLDER
has RECORDING.wav for each recording: 16 kHz, mono, 16 bits. Two columns are added: the level at the end, in decibels, and the
number of voiced frames there. Needs numpy.
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
    """(ending, voicing) of a word."""
    count = len(audio) // FRAME
    first = min(int(start * 100), count - 3)
    last = min(max(int(end * 100), first + 3), count)
    frames = audio[first * FRAME:last * FRAME].reshape(-1, FRAME)
    levels = 10 * np.log10((frames ** 2).mean(1) + 1e-9)
    voicing = sum(is_voiced(audio, frame) for frame in range(max(first, last - 30), last))
    return np.quantile(levels[-25:], .8), voicing


def main():
    audio = {}
    for line in open(sys.argv[1]):
        columns = line.rstrip('\n').split('\t')[:6]
        if columns[0] not in audio: audio[columns[0]] = points(f'{sys.argv[2]}/{columns[0]}.wav')
        ending, voicing = voice(audio[columns[0]], float(columns[3]), float(columns[4]))
        print('\t'.join(columns + [f'{ending:.1f}', str(voicing)]))


if __name__ == '__main__':
    main()
