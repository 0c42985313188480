#!/usr/bin/env python3
"""Measures vocabularies of growing length, most of whose terms are not said: what they find, and what they harm.

    curve.py LONGHAND MANIFEST DICTIONARY WORK [--lists N,…] [--said FILE] [--every N] [-- OPTION…]

MANIFEST has a clip a line: path, tab, what is said. If that has the form 'one | two | three', these phrases must be found, and
otherwise the terms of --said that it has. DICTIONARY is that of PocketSphinx's model. A list has the terms of --said (a line
each; at most half of the list, evenly chosen) and then words of the dictionary that are in no text of MANIFEST, chosen at random. LONGHAND
transcribes every Nth clip without a vocabulary and with each list, and gets the options; the texts stay in WORK, where they
are not made again.

Printed are, for each list, in how many clips another word is written than without a vocabulary, with the words; how many of the terms
are found, and in how many clips all of them; and the processor time, also relative to that without a vocabulary.
"""
import argparse, difflib, json, os, random, re, sys
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'Recognizers'))
from measure import run

ONES = ('zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen '
        'eighteen nineteen').split()
TENS = '_ _ twenty thirty forty fifty sixty seventy eighty ninety'.split()


def number(digits):
    value = int(digits)
    if value < 20: return ONES[value]
    if value < 100: return TENS[value // 10] + (' ' + ONES[value % 10] if value % 10 else '')
    return digits


def words(text):
    text = re.sub(r"[^\w' ]", ' ', text.lower().replace('’', "'"))
    return re.sub(r'\b\d+\b', lambda found: number(found[0]), text).split()


def has(text, phrase): return f' {" ".join(words(phrase))} ' in f' {" ".join(text)} '


def foreign(dictionary, rows):
    """The words that are not said, in an order by chance."""
    said = {word for _, text in rows for word in words(text)}
    entries = (line.split(maxsplit=1)[0] for line in open(dictionary))
    found = sorted({word for word in entries if word.isalpha() and 4 <= len(word) <= 12} - said)
    random.Random(7).shuffle(found)
    return found


def transcribe(options, paths, name, terms):
    """The texts of the clips, and the processor seconds."""
    folder = os.path.join(options.work, name)
    report = os.path.join(folder, 'texts.json')
    if not os.path.exists(report):
        os.makedirs(folder, exist_ok=True)
        further = list(options.further)
        if terms:
            further += ['--vocabulary', os.path.join(folder, 'terms.txt')]
            open(further[-1], 'w').write('\n'.join(terms) + '\n')
        _, seconds, _ = run([options.longhand, 'transcribe', '-q', '--format', 'txt', '--style', 'words', '--force', '--jobs', '1',
                             '--output-dir', folder, *further, *paths], {})
        texts = []
        for path in paths:
            target = os.path.join(folder, os.path.splitext(os.path.basename(path))[0] + '.txt')
            texts.append(open(target).read() if os.path.exists(target) else '')
        json.dump({'seconds': seconds, 'texts': texts}, open(report, 'w'))
    found = json.load(open(report))
    return [words(text) for text in found['texts']], found['seconds']


def changes(before, after):
    blocks = difflib.SequenceMatcher(None, before, after, False).get_opcodes()
    return ', '.join(f'{" ".join(before[a:b])} → {" ".join(after[c:d])}' for kind, a, b, c, d in blocks if kind != 'equal')


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ('longhand', 'manifest', 'dictionary', 'work'): parser.add_argument(name)
    parser.add_argument('--lists', default='10,100,1000,10000')
    parser.add_argument('--said')
    parser.add_argument('--every', type=int, default=1)
    parser.add_argument('further', nargs='*')
    options = parser.parse_args()
    rows = [(row[0], row[-1]) for row in (line.rstrip('\n').split('\t') for line in open(options.manifest))]
    others = foreign(options.dictionary, rows)
    said = [line.strip() for line in open(options.said) if line.strip()] if options.said else []
    rows = rows[::options.every]
    paths = [os.path.join(os.path.dirname(options.manifest), path) for path, _ in rows]
    wanted = [text.split('|') if '|' in text else [term for term in said if has(words(text), term)] for _, text in rows]
    plain, base = transcribe(options, paths, 'none', [])
    for count in [0, *map(int, options.lists.split(','))]:
        terms = said[::max(1, -(-2 * len(said) // count))][:count // 2] if count else []
        texts, time = (plain, base) if count == 0 else transcribe(
            options, paths, str(count), terms + others[:count - len(terms)])
        found = [[has(text, term) for term in clip] for clip, text in zip(wanted, texts)]
        hits, all_ = sum(map(sum, found)), sum(map(len, found))
        print(f'{count} terms, {len(terms)} of them said: {sum(a != b for a, b in zip(plain, texts))} of {len(rows)} clips changed, '
              f'{hits} of {all_} terms found, all in {sum(map(all, found))} clips, {time:.0f} s ({time / base:.2f})')
        if not said and not any(wanted):
            for (path, _), a, b in zip(rows, plain, texts):
                if a != b: print(f'  {os.path.basename(path)}: {changes(a, b)}')


if __name__ == '__main__': main()
