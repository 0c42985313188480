#!/usr/bin/env python3
"""Mixes speech with noise: OUT/20, OUT/10 and OUT/5 have a WAV file for each clip, and a manifest.tsv (path, text).

    make-noisy.py AUDIO OUT [--levels 20,10,5]

AUDIO has dev/manifest.tsv (path, tab, text) and nonspeech. The level is how many dB the speech of the clip is louder than
the noise, by their mean squares. Clips take turns: steady noise (fans, hiss), noises of things and animals, music. A noise
that is shorter than its clip is repeated; of a longer one the part differs from clip to clip. The same arguments give the
same bytes. Needs ffmpeg and numpy.
"""
import os, subprocess, sys, wave, zlib
import numpy as np

RATE = 16000
STEADY, THINGS = ('fan', 'dfn_noise', 'noise-white'), ('rub', 'tap', 'friction', 'hens', 'sheep')


def samples(path):
    command = ['ffmpeg', '-v', 'error', '-i', path, '-f', 's16le', '-ac', '1', '-ar', str(RATE), '-']
    return np.frombuffer(subprocess.run(command, check=True, capture_output=True).stdout, np.int16).astype(float)


def groups(folder):
    names = sorted(os.listdir(folder))
    steady = [n for n in names if any(s in n for s in STEADY)]
    things = [n for n in names if n.startswith('env-') and n not in steady]
    music = [n for n in names if n.startswith('music')]
    return [[(n, samples(os.path.join(folder, n))) for n in group] for group in (steady, things, music)]


def noise_for(index, name, length, groups):
    group = groups[index % len(groups)]
    noise = group[index // len(groups) % len(group)][1]
    start = zlib.crc32(name.encode()) % max(1, len(noise) - length)
    return np.resize(noise[start:], length) if len(noise) - start < length else noise[start:start + length]


def main():
    audio, out = sys.argv[1:3]
    levels = sys.argv[sys.argv.index('--levels') + 1].split(',') if '--levels' in sys.argv else ['20', '10', '5']
    noises = groups(os.path.join(audio, 'nonspeech'))
    manifest = os.path.join(audio, 'dev', 'manifest.tsv')
    rows = [line.rstrip('\n').split('\t') for line in open(manifest)]
    for level in levels: os.makedirs(os.path.join(out, level), exist_ok=True)
    tables = {level: open(os.path.join(out, level, 'manifest.tsv'), 'w') for level in levels}
    for index, (path, text) in enumerate(rows):
        speech = samples(os.path.join(os.path.dirname(manifest), path))
        name = os.path.splitext(os.path.basename(path))[0]
        noise = noise_for(index, name, len(speech), noises)
        for level in levels:
            gain = np.sqrt(np.mean(speech ** 2) / max(np.mean(noise ** 2), 1e-9)) / 10 ** (float(level) / 20)
            mixed = speech + gain * noise
            mixed *= min(1, 32000 / max(np.abs(mixed).max(), 1))
            with wave.open(os.path.join(out, level, name + '.wav'), 'wb') as sound:
                sound.setnchannels(1); sound.setsampwidth(2); sound.setframerate(RATE)
                sound.writeframes(np.rint(mixed).astype('<i2').tobytes())
            tables[level].write(f'{name}.wav\t{text}\n')


if __name__ == '__main__': main()
