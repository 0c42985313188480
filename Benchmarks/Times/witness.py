#!/usr/bin/env python3
"""Measures how well PocketSphinx's alignment separates words that were said from foreign words that sound like them.

    witness.py MANIFEST SERVICE DICTIONARY [--clips N]

MANIFEST has a clip a line: path, tab, text. SERVICE is the program pocketsphinx-service, DICTIONARY that of its model. In each clip, a
word of five letters or more is replaced by the word that sounds most like it among 100, 1,000, 10,000 and all words of the
dictionary. Both texts are aligned with the clip. Printed are, for each number of words, the quantiles of the difference of
the scores, and how often the foreign word fits better. Needs ffmpeg and numpy.
"""
import argparse, os, random, sys
import numpy as np
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..'))
from service import Service, samples


def scores(service, audio, texts): return [hypothesis.get('score') for hypothesis in service.aligned(audio, texts)]


def distance(first, second):
    """The share of phones in which two words differ."""
    row = list(range(len(second) + 1))
    for index, phone in enumerate(first):
        new = [index + 1]
        for column, other in enumerate(second):
            new.append(min(new[column] + 1, row[column + 1] + 1, row[column] + (phone != other)))
        row = new
    return row[-1] / max(len(first), len(second))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ('manifest', 'service', 'dictionary'): parser.add_argument(name)
    parser.add_argument('--clips', type=int, default=40)
    options = parser.parse_args()
    entries = (line.split() for line in open(options.dictionary))
    phones = {entry[0]: entry[1:] for entry in entries if entry[0].isalpha() and 4 <= len(entry[0]) <= 10}
    rows = [line.rstrip('\n').split('\t') for line in open(options.manifest)]
    choice, service = random.Random(5), Service(options.service)
    for count in (100, 1000, 10000, len(phones)):
        terms, differences = choice.sample(sorted(phones), count), []
        for path, text in choice.sample(rows, options.clips):
            words = text.split()
            places = [i for i, word in enumerate(words) if word in phones and len(word) >= 5]
            if not places: continue
            place = choice.choice(places)
            own = phones[words[place]]
            foreign = min((term for term in terms if phones[term] != own), key=lambda term: distance(own, phones[term]))
            other = words[:place] + [foreign] + words[place + 1:]
            right, wrong = scores(service, samples(os.path.join(os.path.dirname(options.manifest), path)), [words, other])
            if right is not None and wrong is not None: differences.append(right - wrong)
        differences = np.array(differences)
        quantiles = ' '.join(f'{value:.2f}' for value in np.percentile(differences, [0, 5, 10, 25, 50]))
        print(f'{count} words: {len(differences)} clips, difference {quantiles}, '
              f'foreign word better in {(differences < 0).sum()}')


main()
