#!/usr/bin/env python3
"""Measures `longhand align` over a long recording whose sentences have known times.

    long.py LONGHAND AUDIO SENTENCES [OPTION…]

SENTENCES is what make-long.py writes: in each line the beginning and the end of a sentence in seconds, and its text. The recording
is aligned with the text as it is, and with a text in which each 20th sentence is missing and each 20th has its words in the
opposite order. Printed are, for both: the time and the processor time, divided by the length of the audio; the memory; how many of
the words that were said got times, and how many of those are more than 0.25 s outside of their sentence; and how many of the words
in the opposite order got times.
"""
import difflib, json, os, re, sys, tempfile
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'Recognizers'))
from measure import run

EVERY = 20


def letters(word): return re.sub(r"[^\w']", '', word.lower())


def main():
    program, audio, sentences, *options = sys.argv[1:]
    rows = [line.rstrip('\n').split('\t') for line in open(sentences)]
    known = [(float(start), float(end), text.split()) for start, end, text in rows]
    for name, every in (('as it is', 0), ('with mistakes', EVERY)):
        # Each word that is given: its letters, and its sentence if it was said.
        given = []
        for index, (start, end, words) in enumerate(known):
            if every and index % every == every // 2: continue
            is_wrong = every and index % every == every - 1
            given += [(word, None if is_wrong else (start, end)) for word in (words[::-1] if is_wrong else words)]
        with tempfile.TemporaryDirectory() as folder:
            text, target = (os.path.join(folder, file) for file in ('text.txt', 'times.json'))
            with open(text, 'w') as file: file.write(' '.join(word for word, _ in given) + '\n')
            wall, seconds, memory = run([program, 'align', '-q', audio, text, '--format', 'json', '-o', target, *options], {})
            document = json.load(open(target))
        words = [word for segment in document['segments'] for word in segment['words']]
        matcher = difflib.SequenceMatcher(
            None, [letters(word) for word, _ in given], [letters(word['text']) for word in words], False)
        pairs = [(given[first + index][1], words[second + index])
                 for first, second, count in matcher.get_matching_blocks() for index in range(count)]
        outside = sum(max(span[0] - word['start'], word['end'] - span[1]) > .25 for span, word in pairs if span)
        print(f"{name}: {wall / document['duration']:.4f} of the audio, {seconds / document['duration']:.4f} in processor time, "
              f"{memory / 1e6:.0f} MB; {sum(span is not None for span, _ in pairs)} of "
              f"{sum(span is not None for _, span in given)} words have times, {outside} outside of their sentence; "
              f"{sum(span is None for span, _ in pairs)} of {sum(span is None for _, span in given)} words that were not said so "
              f"have times", flush=True)


if __name__ == '__main__': main()
