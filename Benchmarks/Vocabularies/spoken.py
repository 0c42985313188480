#!/usr/bin/env python3
"""Measures how many terms of a vocabulary are found when flite's voices say each in a sentence.

    spoken.py LONGHAND SENTENCES WORK [--vocabulary FILE] [--as-said] [--voices NAME,…] [OPTION…]

SENTENCES has a term a line: the term, tab, a sentence with it, tab, how people say it (the phones of flite). Without --as-said,
flite says the term as it derives it from the spelling, and so does PocketSphinx with the same library. LONGHAND transcribes them without a vocabulary and with it, and gets
the options; what exists in WORK is not made again. Printed are for each term in how many voices it is found, and what was written
where it was not; and how many terms are found in most of the voices (three of four). Needs flite.
"""
import argparse, os, subprocess
from curve import has, transcribe, words


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ('longhand', 'sentences', 'work'): parser.add_argument(name)
    parser.add_argument('--vocabulary')
    parser.add_argument('--as-said', action='store_true')
    parser.add_argument('--voices', default='kal16,awb,rms,slt')
    parser.add_argument('further', nargs='*')
    options = parser.parse_args()
    options.hotwords = None
    speakers = options.voices.split(',')
    rows = [line.split('\t') for line in open(options.sentences).read().splitlines()]
    os.makedirs(options.work, exist_ok=True)
    clips = []
    for term, sentence, phones in rows:
        if options.as_said: sentence = sentence.replace(term, f'<phoneme ph="{phones}">{term}</phoneme>')
        for voice in speakers:
            path = os.path.join(options.work, f'{term}-{voice}.wav')
            clips.append((term, voice, path))
            if not os.path.exists(path):
                subprocess.run(['flite', '-voice', voice, '-ssml', '-t', f'<speak>{sentence}</speak>', path], check=True)
    paths = [path for *_, path in clips]
    for name, vocabulary in (('none', None), ('vocabulary', options.vocabulary)):
        if name != 'none' and not vocabulary: continue
        texts, seconds = transcribe(options, paths, name, vocabulary=vocabulary)
        found = {}
        for (term, voice, _), text in zip(clips, texts): found.setdefault(term, {})[voice] = has(words(text), term) or text
        for term, voices in found.items():
            missed = [f'{voice}: {" ".join(words(text))}' for voice, text in voices.items() if text is not True]
            print(f'  {term} {len(speakers) - len(missed)} of {len(speakers)}' + ''.join(f'\n      {line}' for line in missed))
        count = {term: sum(text is True for text in voices.values()) for term, voices in found.items()}
        print(f'{name}: {sum(2 * value > len(speakers) for value in count.values())} of {len(rows)} terms in most voices, '
              f'{sum(count.values())} of {len(clips)} clips, {seconds:.0f} s')


if __name__ == '__main__': main()
