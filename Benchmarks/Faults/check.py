#!/usr/bin/env python3
"""Counts the typical faults of recognizers: loops, omissions, words where nothing was said, and empty results.

    check.py long DOCUMENT KNOWN
    check.py edges LONGHAND MANIFEST [--clips N] [OPTION…]

`long`: DOCUMENT is what `longhand transcribe --format json` wrote for a long recording; KNOWN has its sentences, a line
each: start and end in seconds, tab, text. Printed are the runs of three or more equal phrases that were not said, the sentences
of three words or more of which no word was written, and the words more than half a second away from all sentences.

`edges`: MANIFEST has a clip a line (path, tab, text), of which N are taken, evenly. Each is transcribed by the program
LONGHAND with the options, with digital silence before it, and cut in the middle of a word at its start or its end. Printed are,
for each change, which results are empty, and how many have fewer than a quarter of the words of the whole clip. Needs
ffmpeg and numpy.
"""
import argparse, json, os, re, subprocess, sys, tempfile, wave
import numpy as np
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..'))
from service import RATE, samples

FAR = .5
SILENCES = (.2, .5, 1, 2)
# The share of a clip that is left where it is cut.
CUTS = (.4, .6, .8)


def letters(text): return [word for word in re.sub(r"[^\w' ]", ' ', text.lower()).split()]


def runs(words):
    """The phrases of one to eight words that stand three times or more in a row."""
    found, place = [], 0
    while place < len(words):
        for length in range(1, 9):
            phrase, count = words[place:place + length], 1
            while words[place + count * length:place + (count + 1) * length] == phrase: count += 1
            if len(phrase) == length and count >= 3:
                found.append(' '.join(phrase))
                place += count * length - 1
                break
        place += 1
    return found


def check_long(options):
    segments = json.load(open(options.document))['segments']
    words = [word for segment in segments for word in segment['words']]
    rows = [line.rstrip('\n').split('\t') for line in open(options.known)]
    said = [(float(start), float(end), text) for start, end, text in rows if start != 'start']
    texts = [text for word in words for text in letters(word['text'])]
    loops = runs(texts)
    for phrase in runs([word for *_, text in said for word in letters(text)]):
        if phrase in loops: loops.remove(phrase)
    missing = [text for start, end, text in said if len(letters(text)) >= 3
               and not any(start <= (word['start'] + word['end']) / 2 <= end for word in words)]
    far = [word['text'] for word in words
           if not any(start - FAR <= (word['start'] + word['end']) / 2 <= end + FAR for start, end, _ in said)]
    print(f'{len(words)} words, {len(said)} sentences: {len(loops)} loops {loops}, {len(missing)} sentences without a word '
          f'{missing}, {len(far)} words where nothing was said {far}')


def changed(audio):
    yield 'whole', audio
    for seconds in SILENCES: yield f'{seconds} s of silence before', np.concatenate([np.zeros(int(seconds * RATE), np.int16), audio])
    for share in CUTS:
        yield f'first {share:.0%}', audio[:int(share * len(audio))]
        yield f'last {share:.0%}', audio[len(audio) - int(share * len(audio)):]


def check_edges(options, further):
    rows = [line.rstrip('\n').split('\t') for line in open(options.manifest)]
    rows = rows[::max(1, len(rows) // options.clips)][:options.clips]
    with tempfile.TemporaryDirectory() as folder:
        names = []
        for index, (path, _) in enumerate(rows):
            for change, (name, audio) in enumerate(changed(samples(os.path.join(os.path.dirname(options.manifest), path)))):
                names.append((index, name, os.path.join(folder, f'{index}-{change}.wav')))
                with wave.open(names[-1][2], 'wb') as file:
                    file.setparams((1, 2, RATE, 0, 'NONE', None))
                    file.writeframes(audio.tobytes())
        subprocess.run([options.longhand, 'transcribe', '-q', '--format', 'txt', '--output-dir', folder, *further,
                        *(path for *_, path in names)], check=True)
        counts = {}
        for index, name, path in names:
            text = path[:-4] + '.txt'
            counts[index, name] = len(open(text).read().split()) if os.path.exists(text) else 0
    for name in dict.fromkeys(name for _, name, _ in names):
        own = [(os.path.basename(row[0]), counts[index, name], counts[index, 'whole']) for index, row in enumerate(rows)]
        empty = [path for path, count, _ in own if count == 0]
        print(f'{name}: {len(empty)} of {len(own)} empty {empty}, '
              f'{sum(count < whole / 4 for _, count, whole in own)} with fewer than a quarter of the words')


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    kinds = parser.add_subparsers(dest='kind', required=True)
    kind = kinds.add_parser('long')
    for name in ('document', 'known'): kind.add_argument(name)
    kind = kinds.add_parser('edges')
    for name in ('longhand', 'manifest'): kind.add_argument(name)
    kind.add_argument('--clips', type=int, default=20)
    options, further = parser.parse_known_args()
    if options.kind == 'long': check_long(options)
    else: check_edges(options, further)


if __name__ == '__main__': main()
