#!/usr/bin/env python3
"""Measures what `longhand audit` finds in a transcript of another program.

    audit.py LONGHAND SENTENCES TEXT OTHERS AUDIO [OPTION…]

SENTENCES is what make-long.py writes: in each line the beginning and the end of a sentence in seconds, and its text. TEXT is JSON with
`segments` (start, end, text) of the same recording by another program. OTHERS has sentences from elsewhere, one a line. AUDIO is the
recording, or `session`, if the last session of the library is compared; OPTION is passed on.

Environment: PLAIN=1 changes nothing, LIST=1 lists the places that are not as they should be, SAVE=FILE keeps the report.

Into a copy of TEXT 100 sentences of OTHERS are put, from it 100 sentences are taken, and in 100 others one word of five letters or more
is replaced by another one of the recording; at random, always the same. Printed are how many of each are found, and how many of the
other sentences that are right by SENTENCES are called wrong, for each half of the recording."""
import difflib, json, os, random, re, subprocess, sys, tempfile

# Changes of each kind; fewer if the text is short.
CHANGES = 100


SPELLINGS = {'mr': 'mister', 'mrs': 'missus', 'dr': 'doctor', 'st': 'saint'}


def letters(word):
    word = re.sub(r"[^\w']", '', word.lower())
    return SPELLINGS.get(word, word)


def sentences(segments):
    """The sentences of a transcript, each with the time at which its segment begins; without marks, its segments."""
    if not any(mark in segment['text'] for segment in segments for mark in '.?!'):
        return [(segment['start'], segment['text'].split()) for segment in segments]
    found, open_words, start = [], [], 0
    for segment in segments:
        for word in segment['text'].split():
            if not open_words: start = segment['start']
            open_words.append(word)
            if re.search(r'[.?!]["”\')]*$', word) and not re.match(r'(Mr|Mrs|Dr|St)\.$', word):
                found.append((start, open_words)); open_words = []
    return found + ([(start, open_words)] if open_words else [])


def are_right(claimed, reference):
    """Whether each sentence has just the words of the reference."""
    words = [letters(word) for _, sentence in claimed for word in sentence]
    right, matcher = {}, difflib.SequenceMatcher(None, words, reference, False)
    for first, second, size in matcher.get_matching_blocks():
        for index in range(size): right[first + index] = second + index
    result, start = [], 0
    for _, sentence in claimed:
        places = [right.get(start + index) for index in range(len(sentence))]
        result.append(None not in places and places[-1] - places[0] == len(places) - 1)
        start += len(sentence)
    return result


def main():
    program, known, text, others, audio, *options = sys.argv[1:]
    rows = [line.rstrip('\n').split('\t') for line in open(known)]
    reference = [letters(word) for row in rows for word in row[2].split()]
    claimed = sentences(json.load(open(text))['segments'])
    right = are_right(claimed, reference)
    elsewhere = [line.strip() for line in open(others) if len(line.split()) >= 4]
    chance = random.Random('audit')
    places = [index for index, (_, words) in enumerate(claimed) if len(words) >= 3]
    count = 0 if os.environ.get('PLAIN') else CHANGES if len(places) > 2 * CHANGES else len(places) // 3
    taken = set(chance.sample(places, count))
    content = [word for word in {letters(w) for _, s in claimed for w in s} if len(word) >= 5]
    content.sort()
    fit = [index for index in places if index not in taken and any(len(letters(w)) >= 5 for w in claimed[index][1])]
    replaced = set(chance.sample(fit, count))
    put = set(chance.sample(range(len(claimed)), count))
    invented = chance.sample(elsewhere, count)
    out, marks = [], []
    for index, (start, words) in enumerate(claimed):
        if index in put:
            sentence = invented.pop().split()
            marks.append((len(out), len(out) + len(sentence), 'invented', start)); out += sentence
        if index in taken:
            marks.append((len(out), len(out), 'taken', (start, words))); continue
        words = list(words)
        if index in replaced:
            where = chance.choice([i for i, word in enumerate(words) if len(letters(word)) >= 5])
            new = chance.choice([word for word in content if word[0] != letters(words[where])[0]])
            mark = re.search(r'\W*$', words[where]).group()
            words[where] = (new.capitalize() if words[where][0].isupper() else new) + mark
            marks.append((len(out) + where, len(out) + where + 1, 'replaced', start))
        elif right[index]:
            marks.append((len(out), len(out) + len(words), 'right', start))
        out += words
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, 'claim.txt')
        open(path, 'w').write(' '.join(out) + '\n')
        names = ['last', '--against', path] if audio == 'session' else [path, audio]
        run = subprocess.run([program, 'audit', *names, '--json', *options], capture_output=True, text=True)
    if run.returncode not in (0, 3): sys.exit(run.stderr)
    report = json.loads(run.stdout)
    if os.environ.get('SAVE'): open(os.environ['SAVE'], 'w').write(run.stdout)
    findings = [f for f in report['findings'] if f['kind'] in ('not-said', 'not-in-text', 'heard-otherwise')]
    middle = report['duration'] / 2
    counts, wrong = {}, []
    for first, last, kind, what in marks:
        start = what[0] if kind == 'taken' else what
        if kind == 'taken':
            # By the words, because a segment's time is not that of a sentence within: half of them are named.
            said = [letters(word) for word in what[1]]
            heard = [letters(word) for f in findings if f['kind'] == 'not-in-text'
                     and f['firstWord'] - 30 <= first <= f['firstWord'] + f['wordCount'] + 30
                     for word in f['heard'].split()]
            blocks = difflib.SequenceMatcher(None, said, heard, False).get_matching_blocks()
            hit = sum(block.size for block in blocks) >= len(said) / 2
        elif kind == 'right':
            hits = [f for f in findings if f['firstWord'] < last and f['firstWord'] + f['wordCount'] > first
                    or not f['wordCount'] and first < f['firstWord'] < last]
            hit = bool(hits)
            wrong += [(kind, first, f['kind'], f['text'], f['heard']) for f in hits]
        else:
            hit = any(f['firstWord'] < last and f['firstWord'] + f['wordCount'] > first for f in findings)
            if not hit: wrong.append((kind, first, ' '.join(out[max(0, first - 3):last + 3])))
        if kind == 'taken' and not hit: wrong.append((kind, first, ' '.join(what[1])))
        key = (kind, 'first half' if start < middle else 'second half')
        found, count = counts.get(key, (0, 0))
        counts[key] = (found + hit, count + 1)
    for kind in ('invented', 'taken', 'replaced', 'right'):
        parts = [(half, *counts.get((kind, half), (0, 0))) for half in ('first half', 'second half')]
        name = 'right, called wrong' if kind == 'right' else f'{kind}, found'
        print(f"{name}: {sum(p[1] for p in parts)} of {sum(p[2] for p in parts)} "
              + '(' + ', '.join(f'{half} {found} of {count}' for half, found, count in parts) + ')')
    if os.environ.get('LIST'):
        for row in wrong: print(*row, sep='\t')


if __name__ == '__main__': main()
