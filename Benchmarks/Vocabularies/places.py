#!/usr/bin/env python3
"""Measures rare words that readers say and Whisper gets wrong: how many of them a vocabulary finds, beside a peer's hotwords.

    places.py LONGHAND DICTIONARY COMMON WORK SET… [--lists 100,1000] [--hotwords PYTHON MODEL] [-- OPTION…]

A SET is a folder with manifest.tsv (path, seconds, what is said), see ../Recognizers/sets.py. COMMON has common words, one a line,
such as the 10,000 commonest. A place is a word that is said, that is not common, and that is wrong without a vocabulary by the
rules of 'longhand score', so not only spelled otherwise ("Mr.", "30th", "waggon"). Each list has the words of all places, and then
words of DICTIONARY that nobody says, chosen at random. Printed are for each list how many places are found, and how many other
words that were right become wrong in the clips with places; at the end the places, each with the lists that find it. Texts stay in
WORK, where they are not made again.
"""
import argparse, difflib, os
from curve import errors, foreign, parsed, transcribe, words


def blocks(said, text): return difflib.SequenceMatcher(None, said, text, False).get_opcodes()


def right(longhand, clips):
    """For each clip (words that are said, words of a text) the indices of those that are written right."""
    found = [set() for _ in clips]
    pairs = []
    for clip, (said, text) in enumerate(clips):
        for kind, a, b, c, d in blocks(said, text):
            if kind == 'equal': found[clip] |= set(range(a, b))
            if kind != 'replace': continue
            pairs.append((clip, range(a, b), said[a:b], text[c:d]))
            pairs += [(clip, [index], [said[index]], text[first:last]) for index in range(a, b)
                      for first in range(c, d) for last in range(first + 1, d + 1)]
    counts = errors(longhand, [(' '.join(said), ' '.join(text)) for *_, said, text in pairs])
    for (clip, indices, *_), count in zip(pairs, counts):
        if count == 0: found[clip] |= set(indices)
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ('longhand', 'dictionary', 'common', 'work'): parser.add_argument(name)
    parser.add_argument('sets', nargs='+')
    parser.add_argument('--lists', default='100,1000')
    parser.add_argument('--hotwords', nargs=2)
    options = parsed(parser)
    peer, options.hotwords = options.hotwords, None
    rows = []
    for folder in options.sets:
        for line in open(os.path.join(folder, 'manifest.tsv'), encoding='utf-8'):
            path, _, text = line.rstrip('\n').split('\t')
            # Texts are named after their file.
            link = os.path.join(options.work, 'clips', f'{os.path.basename(folder)}-{path}')
            os.makedirs(os.path.dirname(link), exist_ok=True)
            if not os.path.exists(link): os.symlink(os.path.abspath(os.path.join(folder, path)), link)
            rows.append((link, text))
    common = {word for line in open(options.common, encoding='utf-8') for word in words(line)}
    others = foreign(options.dictionary, rows)
    plain, base = transcribe(options, [path for path, _ in rows], 'none')
    clips = []
    texts = [(words(text), words(written)) for (_, text), written in zip(rows, plain)]
    for (path, _), (said, written), known in zip(rows, texts, right(options.longhand, texts)):
        places = [index for index, word in enumerate(said)
                  if index not in known and word not in common and word.isalpha() and len(word) > 3]
        # What was heard for it: a word that is missing altogether is none that sounds like another one.
        instead = {index: ' '.join(written[c:d]) for kind, a, b, c, d in blocks(said, written) if kind == 'replace'
                   for index in range(a, b)}
        places = [index for index in places if index in instead]
        if places: clips.append((path, said, known, places, instead))
    terms = sorted({said[index] for _, said, _, places, _ in clips for index in places})
    count = sum(len(places) for *_, places, _ in clips)
    print(f'{count} places, {len(terms)} words, {len(clips)} clips')

    finders = {}

    def report(name, texts, seconds):
        found = lost = 0
        rights = right(options.longhand, [(said, words(text)) for (_, said, *_), text in zip(clips, texts)])
        for (path, _, before, places, _), now in zip(clips, rights):
            found += len(now & set(places))
            lost += len(before - now)
            for index in now & set(places): finders.setdefault((path, index), []).append(name)
        print(f'{name}: {found} of {count} places found, {lost} other words become wrong, {seconds:.0f} s')

    paths = [path for path, *_ in clips]
    for program in ('longhand', 'faster-whisper') if peer else ('longhand',):
        options.hotwords = peer if program != 'longhand' else None
        report(f'{program} without', *transcribe(options, paths, f'{program}-none'))
        for size in map(int, options.lists.split(',')):
            listed = terms + others[:size - len(terms)]
            report(f'{program}, {size} words', *transcribe(options, paths, f'{program}-{size}', listed))
    for path, said, _, places, instead in clips:
        for index in places:
            by = '; '.join(finders.get((path, index), ['no list']))
            print(f'  {os.path.basename(path)}: {said[index]} ← {instead[index]} ({by})')


if __name__ == '__main__': main()
