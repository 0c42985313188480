#!/usr/bin/env python3
"""vocabularies.py SOUNDS DICTIONARIES LONGHAND WORK [COUNT]: what vocabularies find and harm in French, Spanish, Italian and Russian.

SOUNDS is that of prompts.py. DICTIONARIES has the unpacked Debian packages wfrench, wspanish, witalian and hunspell-ru. Of each language
COUNT prompts (50) are transcribed without a vocabulary, with a list of 100 words and with one of 1,000. The first list begins with the words of
the prompts that have more than three letters and are wrong without it, each of which is a place; the others, and all of the second list, are words of
the dictionary that nobody says. Printed are how many places are found, in how many clips the words change, and in how many there are more
errors and fewer. Texts stay in WORK, where they are not made again."""
import glob, os, random, sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, '..', 'Vocabularies'))
sys.dont_write_bytecode = True
import prompts as spoken
from argparse import Namespace
from curve import transcribe
from scoring import changes

FILES = {'fr': 'french', 'es': 'spanish', 'it': 'italian', 'ru': 'ru_RU.dic'}


def foreign(path, said):
    """Words of a dictionary that are not said, in an order by chance."""
    with open(path, encoding='koi8-r' if path.endswith('.dic') else 'utf-8', errors='ignore') as file:
        found = sorted({word for word in (line.strip().split('/')[0] for line in file)
                        if word.isalpha() and word.islower() and 4 <= len(word) <= 12} - said)
    random.Random(7).shuffle(found)
    return found


def main():
    sounds, dictionaries, program, work = sys.argv[1:5]
    spoken.COUNT = int(sys.argv[5]) if len(sys.argv) > 5 else 50
    for language, name in FILES.items():
        clips = spoken.prompts(sounds, language)
        paths, said = [path for path, _ in clips], [spoken.words(text) for _, text in clips]
        options = Namespace(longhand=program, work=os.path.join(work, language), further=['--locale', language], hotwords=None)
        plain, base = transcribe(options, paths, 'none')
        plain = [spoken.words(text) for text in plain]
        places = [(clip, word) for clip, text in enumerate(said) for word in text if len(word) > 3 and word not in plain[clip]]
        terms = sorted({word for _, word in places})
        dictionary = glob.glob(os.path.join(dictionaries, '**', name), recursive=True)[0]
        others = foreign(dictionary, {word for text in said for word in text})
        for count, own in (100, terms[:60]), (1000, []):
            texts, seconds = transcribe(options, paths, str(count), own + others[:count - len(own)])
            texts = [spoken.words(text) for text in texts]
            found = sum(word in texts[clip] for clip, word in places if word in own)
            errors = [[changes(a, b) for a, b in zip(said, each)] for each in (plain, texts)]
            print(f'{language}, {count} words: {found} of {sum(word in own for _, word in places)} places, '
                  f'{sum(a != b for a, b in zip(plain, texts))} of {len(clips)} clips change, '
                  f'{sum(b > a for a, b in zip(*errors))} with more errors, {sum(b < a for a, b in zip(*errors))} with fewer, '
                  f'errors {sum(errors[0])} → {sum(errors[1])}, {seconds / base:.2f} times as long')
            for text, before, after, old, new in zip(said, plain, texts, *errors):
                if before != after: print(f'  {old} → {new} | {" ".join(text)} | {" ".join(before)} | {" ".join(after)}', file=sys.stderr)


if __name__ == '__main__':
    main()
