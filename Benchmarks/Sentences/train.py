#!/usr/bin/env python3
"""Fits the weights of SentenceFormatting, and measures them by cross-validation over recordings.

    train.py AUDIO [--weights] [--shares]

AUDIO has punctuated.tsv (path, text with marks) and score-punctuation.py. The recognized words are those of
Tests/Support/TestSupport/Chapters/chapters.tsv: recording, segment, word, start, end, the book's mark, and what voice.py
measures.

Printed is a table of fixed rules and of the fitted weights, each recording scored with the weights of the others, and with
weights that were fitted on all three, which is about the most that weights of this evidence can reach. --shares also prints what is left without
each kind of evidence, with the spread of the difference over 400 samples of the places.

Tried and left out. The figures are F1 over the words that are recognized correctly, cross-validated in the same way, by
logistic regression unless it is said; 74.2 for ends and 82.5 for marks without any of it. The spread of a difference is up to
1.9 for ends, and 0.2 to 0.5 for marks.

                                                                  ends    marks
the silence around a word in the audio, beside the pause          74.1    82.9
the mean of the two in place of the pause                         72.7    84.0
the pitch before and after the pause                              74.3    82.8
the level of the voice against the usual one                      72.9    82.6
the length of the last word for its letters                       73.2    82.3
the share of the last 60 words with as long a pause               74.2    83.1
the rank of the pause in the whole recording, in its place        63.1    83.8
how many words ago the last pauses of three lengths were          74.2    83.2
a network over 3 words before and 1 after, of 1500 known words    74.2    83.0
a network over 3 words before and 2 after                         74.0    83.1
the same, with the book's words in place of the recognized ones   73.7    83.1
silence, pitch, share of the last 120 and 2 words ahead at once   74.5    83.3
boosted trees of depth 2 over pause, silence and the words        70.3    83.5

The gains do not add up. With the silence, the pitch and 2 words ahead, and fitted on the three recordings themselves, ends
reach 75.8 and marks 84.6.
--weights prints the weights, fitted on everything, as BoundaryModel.swift has them. The features are those of
BoundaryEvidence.swift; a change there is a change here. Needs numpy.
"""
import importlib.util, math, os, sys
import numpy as np
import text as phrases

HERE = os.path.dirname(os.path.abspath(__file__))
SOURCES = os.path.join(HERE, '../../Sources/SentenceFormatting/Words')
CHAPTERS = os.path.join(HERE, '../../Tests/Support/TestSupport/Chapters/chapters.tsv')
PAUSES = (.05, .15, .25, .35, .5, .7, .9, 1.3)
LONGEST_PAUSE = 1.5       # a longer one is as good as this one, whatever comes after it
END, MARK, PENALTY = .45, .4, 10
# The columns of each kind of evidence.
KINDS = {'pauses': range(1, 10), 'phrases': range(10, 12), 'voice': range(12, 13)}


def table():
    """The known words, and the weights of boundaries.txt."""
    first, *lines = open(os.path.join(SOURCES, 'boundaries.txt')).read().splitlines()
    rows = (line.rsplit(' ', 2) for line in lines)
    return set(first.split()), {words: (int(end) / 10, int(mark) / 10) for words, end, mark in rows}


def evidence(words, known, weights):
    rows = []
    keys = ['^', '^'] + [phrases.key(word[0], known) for word in words]
    for index, (text, start, end, voicing) in enumerate(words):
        following = words[index + 1] if index + 1 < len(words) else None
        pause = min(max(following[1] - end, 0), LONGEST_PAUSE) if following else LONGEST_PAUSE
        is_pause = pause >= .1
        row = [1.0, math.log(pause + .02)] + [float(pause >= t) for t in PAUSES]
        a, b, c = keys[index:index + 3]
        found = [f'{c} |', f'{b} * |', f'{b} {c} |', f'{a} * * |']
        if pause < LONGEST_PAUSE:
            d = keys[index + 3]
            found += [f'| {d}', f'{c} | {d}', f'{b} * | {d}']
        row += list(np.sum([weights[f] for f in ['='] + found if f in weights], axis=0))
        row.append(float(is_pause and voicing < 4))
        rows.append(row)
    return np.array(rows)


def fit(rows, labels, penalty=None):
    """Logistic regression; the penalty is on the standardized weights."""
    mean, spread = rows.mean(0), rows.std(0)
    spread[spread == 0] = 1; mean[0] = 0
    z, w = (rows - mean) / spread, np.zeros(rows.shape[1])
    penalty = PENALTY if penalty is None else penalty
    for _ in range(60):
        p = 1 / (1 + np.exp(-z @ w))
        step = np.linalg.solve((z * (p * (1 - p))[:, None]).T @ z + penalty * np.eye(len(w)), z.T @ (p - labels) + penalty * w)
        w -= step
        if abs(step).max() < 1e-9: break
    plain = w / spread
    plain[0] = w[0] / spread[0] - (w[1:] * mean[1:] / spread[1:]).sum()
    return plain


def f1(truth, found): return 200 * (truth & found).sum() / max(1, truth.sum() + found.sum())


def main():
    audio = sys.argv[1]
    names = set(open(os.path.join(SOURCES, 'names.txt')).read().split())
    spec = importlib.util.spec_from_file_location('score', os.path.join(audio, 'score-punctuation.py'))
    score = importlib.util.module_from_spec(spec); spec.loader.exec_module(score)
    words, known = {}, {}
    for line in open(CHAPTERS):
        r, _, text, start, end, mark, voicing = line.rstrip('\n').split('\t')
        words.setdefault(r, []).append((text, float(start), float(end), int(voicing)))
        known.setdefault(r, []).append(2 if mark in tuple('.?!') else 0 if mark == 'none' else 1 if mark else -1)
    recordings = sorted(words)
    known = {r: np.array(known[r]) for r in recordings}
    lines = [line.rstrip('\n').split('\t') for line in open(os.path.join(audio, 'punctuated.tsv'))]
    reference = {r: ' '.join(t for p, t in lines if os.path.basename(p).startswith(r)) for r in recordings}

    def text(r, marks, capitals):
        out, begins = [], True
        for (word, *_), mark in zip(words[r], marks):
            is_capital = begins or capitals and (word == 'i' or word.startswith("i'") or word.removesuffix("'s") in names)
            out.append((word[:1].upper() + word[1:] if is_capital else word) + mark)
            begins = mark == '.'
        return ' '.join(out)

    def show(name, marks, capitals=True):
        s = score.count([(reference[r], text(r, marks(r), capitals)) for r in recordings])
        print(f'{name:34}' + ''.join(f"  {k} {100 * (s[n]['f1'] or 0):5.1f}" for k, n in
              (('end', 'sentence end'), ('mark', 'any mark'), ('comma', 'comma'), ('capital', 'capital'))))

    def rule(r, comma, end):
        after = [b[1] - a[2] for a, b in zip(words[r], words[r][1:])] + [9]
        return ['.' if p >= end else ',' if p >= comma else '' for p in after]

    rows = {r: evidence(words[r], *table()) for r in recordings}

    def weights(of, columns=slice(None)):
        x, y = np.vstack([rows[r][:, columns] for r in of]), np.concatenate([known[r] for r in of])
        return fit(x[y >= 0], (y[y >= 0] == 2) * 1.0), fit(x[y >= 0], (y[y >= 0] > 0) * 1.0)

    def fitted(r, columns=slice(None), of=None):
        end, mark = weights(of or [o for o in recordings if o != r], columns)
        p = lambda w: 1 / (1 + np.exp(-rows[r][:, columns] @ w))
        return ['.' if e >= END else ',' if m >= MARK else '' for e, m in zip(p(end), p(mark))]

    show('full stop at 0.8 s', lambda r: rule(r, 9, .8), False)
    show('full stop at 0.3 s', lambda r: rule(r, 9, .3), False)
    show('comma at 0.3, full stop at 0.8 s', lambda r: rule(r, .3, .8), False)
    show('the same, names and I', lambda r: rule(r, .3, .8))
    show('fitted', fitted)
    show('fitted on all three', lambda r: fitted(r, of=recordings))
    if '--shares' in sys.argv:
        truth = np.concatenate([known[r] for r in recordings])
        places, random = np.array_split(np.flatnonzero(truth >= 0), 80), np.random.default_rng(1)
        samples = [np.concatenate([places[j] for j in random.integers(0, 80, 80)]) for _ in range(400)]
        marks = lambda columns: np.array([m for r in recordings for m in fitted(r, columns)])
        whole = marks(slice(None))
        for kind, left in KINDS.items():
            columns = [c for c in range(rows[recordings[0]].shape[1]) if c not in left]
            show('without ' + kind, lambda r: fitted(r, columns))
            part = marks(columns)
            for name, test in (('ends', lambda m: m == '.'), ('marks', lambda m: m != '')):
                target = truth == 2 if name == 'ends' else truth > 0
                gain = [f1(target[k], test(whole[k])) - f1(target[k], test(part[k])) for k in samples]
                print(f'    {name} {np.mean(gain):+.1f} ± {np.std(gain):.1f}')
    if '--weights' in sys.argv:
        for name, w in zip(('end', 'mark'), weights(recordings)): print(name, ', '.join(f'{v:.3f}' for v in w))


if __name__ == '__main__':
    main()
