#!/usr/bin/env python3
"""How many words are wrong in a recording, beside the number that its confidences let expect (ExpectedErrors.swift).

    recordings.py LONGHAND MANIFEST DOCUMENTS [MANIFEST DOCUMENTS …] [--words N]

MANIFEST has a clip a line (path, tab, text; in a list of chapters the text stands last), DOCUMENTS is a folder with the documents
of `longhand transcribe --locale en --format json --output-dir DOCUMENTS` for its clips. A recording is clips of one speaker, one
after the other, with at least N words (100). Printed are, for each speaker, the recordings, their expected and wrong words, and the
share of recordings whose number is in the range; and the spread with which 90 % are: of all recordings, and with each speaker's
recordings judged by the spread of the others. Needs numpy."""
import collections, json, os, sys
from math import exp, lgamma, log
import words
from calibrate import speaker

SPREAD = 0.45  # of ExpectedErrors.swift


def clips(longhand, manifest, folder):
    """(speaker, expected wrong words, wrong words, words) of each clip."""
    found = []
    for line in open(manifest):
        columns = line.rstrip('\n').split('\t')
        path = os.path.join(folder, os.path.splitext(os.path.basename(columns[0]))[0] + '.json')
        if not os.path.exists(path): continue
        with open(path) as file: spoken = [w for s in json.load(file)['segments'] for w in s['words']]
        found.append((columns[0], columns[-1], spoken))
    right = words.right(longhand, [(text, [w['text'] for w in spoken]) for _, text, spoken in found])
    for (path, _, spoken), labels in zip(found, right):
        known = [(w['confidence'], is_right) for w, is_right in zip(spoken, labels) if w['confidence'] is not None]
        yield speaker(path), sum(1 - p for p, _ in known), sum(not is_right for _, is_right in known), len(known)


def recordings(longhand, sets, least):
    parts = collections.defaultdict(list)
    for manifest, folder in sets:
        for voice, *numbers in clips(longhand, manifest, folder): parts[folder, voice].append(numbers)
    for key, numbers in parts.items():
        recording = [0, 0, 0]
        for one in numbers:
            recording = [a + b for a, b in zip(recording, one)]
            if recording[2] >= least:
                yield key, *recording
                recording = [0, 0, 0]


def span(mean, spread, most):
    """As ExpectedErrors.range."""
    shape, total, low = 1 / spread ** 2, 0, None
    for number in range(most + 1):
        total += exp(lgamma(number + shape) - lgamma(shape) - lgamma(number + 1) + shape * log(shape / (shape + mean))
                     + number * log(max(mean, 1e-9) / (shape + mean)))
        if low is None and total > 0.05: low = number
        if total >= 0.95: break
    return low if low is not None else number, number


def covered(found, spread):
    inside = [low <= wrong <= high for _, mean, wrong, count in found for low, high in [span(mean, spread, count)]]
    return sum(inside) / max(1, len(inside))


def fitted(found):
    return next((spread / 100 for spread in range(5, 301, 5) if covered(found, spread / 100) >= 0.9), 3)


def main():
    arguments = sys.argv[1:]
    least = int(arguments.pop(arguments.index('--words') + 1)) if '--words' in arguments else 100
    if '--words' in arguments: arguments.remove('--words')
    longhand, rest = arguments[0], arguments[1:]
    found = list(recordings(longhand, list(zip(rest[::2], rest[1::2])), least))
    spread = fitted(found)
    print(f'{len(found)} recordings, {covered(found, SPREAD):.0%} in the range with spread {SPREAD}, {covered(found, spread):.0%} with {spread}; '
          f'expected {sum(f[1] for f in found):.0f}, wrong {sum(f[2] for f in found)}, words {sum(f[3] for f in found)}')
    held = []
    for key in sorted({f[0] for f in found}):
        own, others = [f for f in found if f[0] == key], [f for f in found if f[0][1] != key[1]]
        other = fitted(others) if others else spread
        held += [covered([f], other) for f in own]
        print(f'{os.path.basename(key[0])} {key[1]}: {len(own)} recordings, expected {sum(f[1] for f in own):.0f}, '
              f'wrong {sum(f[2] for f in own)}, words {sum(f[3] for f in own)}, in the range {covered(own, other):.0%} (spread {other})')
    print(f'each speaker by the others: {sum(held) / max(1, len(held)):.0%} in the range')


if __name__ == '__main__': main()
