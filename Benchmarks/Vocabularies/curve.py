#!/usr/bin/env python3
"""Measures vocabularies of growing length, most of whose terms are not said: what they find, and what they harm.

    curve.py LONGHAND MANIFEST DICTIONARY WORK [--lists N,…] [--vocabulary FILE] [--said FILE] [--every N]
             [--hotwords PYTHON MODEL] [-- OPTION…]

MANIFEST has a clip a line: path, tab, what is said. If that has the form 'one | two | three', these phrases must be found, and
otherwise the terms of --said that it has. DICTIONARY is that of PocketSphinx's model. A list has the terms of --said (a line
each; at most half of the list, evenly chosen) and then words of the dictionary that are in no text of MANIFEST, chosen at random. LONGHAND
transcribes every Nth clip without a vocabulary, with each list and with the vocabulary of --vocabulary, and gets the options; the
texts stay in WORK, where they are not made again. With --hotwords, faster-whisper transcribes in place of LONGHAND, with the terms
as its hotwords: PYTHON is that of an environment with it, MODEL a folder.

Printed are, for each list, in how many clips another word is written than without a vocabulary, with the words; in how many of
them there are more errors and in how many fewer, by the rules of 'longhand score'; how many of the terms are found, and in how
many clips all of them; and the processor time, also relative to that without a vocabulary.
"""
import argparse, difflib, json, os, random, re, subprocess, sys, tempfile
RECOGNIZERS = os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'Recognizers')
sys.path.insert(0, RECOGNIZERS)
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


def transcribe(options, paths, name, terms=(), vocabulary=None):
    """The texts of the clips, and the processor seconds."""
    folder = os.path.join(options.work, name)
    report = os.path.join(folder, 'texts.json')
    if not os.path.exists(report):
        os.makedirs(folder, exist_ok=True)
        further = list(options.further)
        if terms:
            vocabulary = os.path.join(folder, 'terms.txt')
            open(vocabulary, 'w').write('\n'.join(terms) + '\n')
        if vocabulary: further += ['--vocabulary', vocabulary]
        command = [options.longhand, 'transcribe', '-q', '--format', 'txt', '--style', 'words', '--force', '--jobs', '1',
                   '--output-dir', folder, *further, *paths]
        if options.hotwords:
            python, model = options.hotwords
            command = [python, os.path.join(RECOGNIZERS, 'faster-whisper.py'), model, '5', '1', folder, 'plain', *paths]
        _, seconds, _ = run(command, {'HOTWORDS': vocabulary} if options.hotwords and vocabulary else {})
        texts = []
        for path in paths:
            target = os.path.join(folder, os.path.splitext(os.path.basename(path))[0] + '.txt')
            texts.append(open(target).read() if os.path.exists(target) else '')
        json.dump({'seconds': seconds, 'texts': texts}, open(report, 'w'))
    found = json.load(open(report))
    return found['texts'], found['seconds']


def errors(longhand, clips):
    """The word errors of each clip (reference, text)."""
    with tempfile.TemporaryDirectory() as folder:
        paths = [os.path.join(folder, name) for name in ('reference.stm', 'text.stm')]
        for path, column in zip(paths, (0, 1)):
            with open(path, 'w', encoding='utf-8') as file:
                file.writelines(f'{index} 1 speaker 0 1 {" ".join(clip[column].split())}\n' for index, clip in enumerate(clips))
        scored = subprocess.run([longhand, 'score', '--json', '--reference', *paths], check=True, capture_output=True)
    found = {clip['name']: clip['wordErrorRate']['errors'] for clip in json.loads(scored.stdout)['clips']}
    # A single clip has the name of the file.
    return list(found.values()) if len(found) == 1 else [found[str(index)] for index in range(len(clips))]


def changes(before, after):
    blocks = difflib.SequenceMatcher(None, before, after, False).get_opcodes()
    return ', '.join(f'{" ".join(before[a:b])} → {" ".join(after[c:d])}' for kind, a, b, c, d in blocks if kind != 'equal')


def parsed(parser):
    """The options; `further` has what follows '--', which argparse gives to no list that is empty before it."""
    end = sys.argv.index('--') if '--' in sys.argv else len(sys.argv)
    options = parser.parse_args(sys.argv[1:end])
    options.further = sys.argv[end + 1:]
    return options


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ('longhand', 'manifest', 'dictionary', 'work'): parser.add_argument(name)
    parser.add_argument('--lists', default='10,100,1000,10000')
    parser.add_argument('--vocabulary')
    parser.add_argument('--said')
    parser.add_argument('--every', type=int, default=1)
    parser.add_argument('--hotwords', nargs=2)
    options = parsed(parser)
    rows = [(row[0], row[-1]) for row in (line.rstrip('\n').split('\t') for line in open(options.manifest))]
    others = foreign(options.dictionary, rows)
    said = [line.strip() for line in open(options.said) if line.strip()] if options.said else []
    rows = rows[::options.every]
    paths = [os.path.join(os.path.dirname(options.manifest), path) for path, _ in rows]
    wanted = [text.split('|') if '|' in text else [term for term in said if has(words(text), term)] for _, text in rows]
    plain, base = transcribe(options, paths, 'none')
    kinds = [('none', plain, base)]
    for count in map(int, filter(None, options.lists.split(','))):
        terms = said[::max(1, -(-2 * len(said) // count))][:count // 2]
        name = f'{count} terms, {len(terms)} of them said'
        kinds.append((name, *transcribe(options, paths, str(count), terms + others[:count - len(terms)])))
    if options.vocabulary:
        name = os.path.splitext(os.path.basename(options.vocabulary))[0]
        kinds.append((name, *transcribe(options, paths, name, vocabulary=options.vocabulary)))
    for name, texts, time in kinds:
        found = [[has(words(text), term) for term in clip] for clip, text in zip(wanted, texts)]
        hits, all_ = sum(map(sum, found)), sum(map(len, found))
        changed = [(*row, a, b) for row, a, b in zip(rows, plain, texts) if words(a) != words(b)]
        print(f'{name}: {len(changed)} of {len(rows)} clips changed, {hits} of {all_} terms found, '
              f'all in {sum(map(all, found))} clips, {time:.0f} s ({time / base:.2f})')
        if not changed or any('|' in text for _, text in rows): continue
        before, after = (errors(options.longhand, [(row[1], row[column]) for row in changed]) for column in (2, 3))
        print(f'  more errors in {sum(a < b for a, b in zip(before, after))}, fewer in {sum(a > b for a, b in zip(before, after))}')
        for (path, _, a, b), old, new in zip(changed, before, after):
            print(f'  {os.path.basename(path)}, {old} → {new}: {changes(words(a), words(b))}')


if __name__ == '__main__': main()
