#!/usr/bin/env python3
"""Measures the times of words in recordings whose times are known.

    measure.py LONGHAND KNOWN [--text | --locales] [OPTION…]

KNOWN is a folder that known.py made. Its recordings are transcribed by the program LONGHAND with the options, or with --text
aligned with their texts by `longhand align`. With --locales the kind of a recording is its language. Printed are, for the
beginnings and the ends of the words that were recognized, by kind of recording (a name up to the hyphen): how many, the mean
and the median error, the mean difference, the 95th percentile in milliseconds, and the share within 120 ms. A word counts that
was recognized together with one beside it: a single one may be another one of the same letters. Needs numpy.
"""
import collections, difflib, json, os, re, resource, subprocess, sys, tempfile
import numpy as np


def letters(word): return re.sub(r"[^\w']", '', word.lower()).replace('ё', 'е')


def known(folder):
    rows = collections.defaultdict(list)
    for line in open(os.path.join(folder, 'known.tsv')):
        name, start, end, word = line.rstrip('\n').split('\t')
        rows[name].append((word, float(start) if start else None, float(end) if end else None))
    return rows


def documents(program, folder, rows, is_text, options):
    """The words that the program writes for each recording, with their times."""
    with tempfile.TemporaryDirectory() as out:
        paths = [os.path.join(folder, name) for name in rows]
        if is_text:
            for name, path in zip(rows, paths):
                text = os.path.join(out, name + '.txt')
                with open(text, 'w') as file: file.write(' '.join(row[0] for row in rows[name]) + '\n')
                subprocess.run([program, 'align', '-q', path, text, '--format', 'json', '-o',
                                os.path.join(out, name[:-4] + '.json'), *options])
        elif '--locales' in options:
            others = [option for option in options if option != '--locales']
            for kind in dict.fromkeys(name.split('-')[0] for name in rows):
                subprocess.run([program, 'transcribe', '-q', '--format', 'json', '--output-dir', out, '--locale', kind, *others,
                                *[path for path in paths if os.path.basename(path).startswith(kind + '-')]])
        else:
            subprocess.run([program, 'transcribe', '-q', '--format', 'json', '--output-dir', out, *options, *paths])
        for name in rows:
            try: document = json.load(open(os.path.join(out, os.path.splitext(name)[0] + '.json')))
            except FileNotFoundError: continue
            yield name, [word for segment in document['segments'] for word in segment['words']]


def main():
    program, folder, *options = sys.argv[1:]
    is_text = '--text' in options
    rows, errors = known(folder), collections.defaultdict(list)
    for name, words in documents(program, folder, rows, is_text, [o for o in options if o != '--text']):
        matcher = difflib.SequenceMatcher(
            None, [letters(row[0]) for row in rows[name]], [letters(word['text']) for word in words], False)
        for first, second, count in matcher.get_matching_blocks():
            if count == 1 and len(rows[name]) > 1: continue
            for (word, start, end), found in zip(rows[name][first:first + count], words[second:second + count]):
                for edge, time in (('start', start), ('end', end)):
                    if time is None: continue
                    errors[name.split('-')[0], edge].append(found[edge] - time)
                    errors['all', edge].append(found[edge] - time)
                    if abs(found[edge] - time) > .25: print(f'{name} {word} {edge} {time:.2f} {found[edge]:.2f}', file=sys.stderr)
    for (kind, edge), values in errors.items():
        values = np.array(values) * 1000
        print(f'{kind:8} {edge:5} {len(values):5} words, error {abs(values).mean():4.0f} ms, median {np.median(abs(values)):4.0f} ms, difference {values.mean():4.0f} ms, '
              f'95 % {np.percentile(abs(values), 95):4.0f} ms, within 120 ms {(abs(values) <= 120).mean() * 100:5.1f} %')
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    print(f'processor time {used.ru_utime + used.ru_stime:.1f} s')


main()
