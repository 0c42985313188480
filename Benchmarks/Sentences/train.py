#!/usr/bin/env python3
"""Fits the weights of SentenceFormatting, and measures them by cross-validation over recordings.

    train.py AUDIO TRANSCRIPTS [--names FILE] [--weights]

AUDIO has punctuated.tsv (path, text with marks) and score-punctuation.py. TRANSCRIPTS has one JSON document of
`longhand transcribe --format json` for each recording, named like the start of its utterances' paths: 19-198.json is the
transcript of all chapters/19-198-*.flac, one after another.

Printed is a table of fixed rules and of the fitted weights, each recording scored with the weights of the others.
--names is the list of words that are written with a capital. --weights prints the weights, fitted on everything, as
BoundaryModel.swift has them. The features are those of BoundaryEvidence.swift; a change there is a change here.
Needs numpy.
"""
import importlib.util, json, math, os, sys
import numpy as np

CONJUNCTIONS = set("""and but or nor so yet for because if when where which who whom whose that while as though although
    unless until till since then than however therefore""".split())
OPEN = set("""a an the of to in on at by with from into upon for my your his her its our their this these those very is
    was are were be been am has have had will would shall should can could may might must not no""".split())
SUBJECTS = set("i he she it we they you there this that these those".split())
PAUSES = (.05, .15, .25, .35, .5, .7, .9, 1.3)
BLOCK = 64                # segments, after which what was before counts no more
LONGEST_PAUSE = 1.5       # a longer one is as good as this one, whatever comes after it
END, MARK, PENALTY = .45, .4, 10


class Running:
    """The mean of the values of this block and the one before it, or a given one until there are enough."""
    def __init__(self, enough, default): self.values, self.recent, self.enough, self.default = [], [], enough, default
    def begin(self): self.values, self.recent = self.recent, []
    def add(self, value): self.values.append(value); self.recent.append(value)
    def mean(self): return sum(self.values) / len(self.values) if len(self.values) >= self.enough else self.default


def evidence(words):
    pauses, lengths, rows = Running(10, math.log(.5)), Running(20, 0.0), []
    block = None
    for index, (text, start, end, segment) in enumerate(words):
        if block is not None and segment // BLOCK != block: pauses.begin(); lengths.begin()
        block = segment // BLOCK
        following = words[index + 1] if index + 1 < len(words) else None
        pause = min(max(following[1] - end, 0), LONGEST_PAUSE) if following else LONGEST_PAUSE
        next_text = following[0] if following and pause < LONGEST_PAUSE else ''
        is_pause = pause >= .1
        log_pause = math.log(pause + .02)
        row = [1.0, log_pause] + [float(pause >= t) for t in PAUSES]
        row.append(log_pause - pauses.mean() if is_pause else -2.0)
        if is_pause: pauses.add(log_pause)
        length = math.log(max(end - start, .01) / (.04 + .065 * len(text)))
        row += [length - lengths.mean(), (length - lengths.mean()) * is_pause]
        lengths.add(length)
        row += [float(next_text in CONJUNCTIONS), float(next_text == 'and'), float(next_text in ('which', 'who', 'that')),
                float(next_text in ('but', 'for', 'or', 'nor')), float(text in OPEN), float(text in CONJUNCTIONS),
                float(next_text in SUBJECTS), float(next_text in OPEN), float(next_text in OPEN) * is_pause]
        rows.append(row)
    return np.array(rows)


def fit(rows, labels):
    """Logistic regression; the penalty is on the standardized weights."""
    mean, spread = rows.mean(0), rows.std(0)
    spread[spread == 0] = 1; mean[0] = 0
    z, w = (rows - mean) / spread, np.zeros(rows.shape[1])
    for _ in range(60):
        p = 1 / (1 + np.exp(-z @ w))
        step = np.linalg.solve((z * (p * (1 - p))[:, None]).T @ z + PENALTY * np.eye(len(w)), z.T @ (p - labels) + PENALTY * w)
        w -= step
        if abs(step).max() < 1e-9: break
    plain = w / spread
    plain[0] = w[0] / spread[0] - (w[1:] * mean[1:] / spread[1:]).sum()
    return plain


def main():
    audio, folder = sys.argv[1:3]
    names = set(open(sys.argv[sys.argv.index('--names') + 1]).read().split()) if '--names' in sys.argv else set()
    spec = importlib.util.spec_from_file_location('score', os.path.join(audio, 'score-punctuation.py'))
    score = importlib.util.module_from_spec(spec); spec.loader.exec_module(score)
    recordings = sorted(f[:-5] for f in os.listdir(folder) if f.endswith('.json'))
    lines = [line.rstrip('\n').split('\t') for line in open(os.path.join(audio, 'punctuated.tsv'))]
    reference = {r: ' '.join(t for p, t in lines if os.path.basename(p).startswith(r)) for r in recordings}
    words = {r: [(w['text'], w['start'], w['end'], s['id']) for s in json.load(open(os.path.join(folder, r + '.json')))['segments']
                 for w in s['words']] for r in recordings}

    def labels(r):
        tokens = [(i, token) for i, w in enumerate(words[r]) for token in score.read(w[0])]
        found, out = score.read(reference[r]), np.full(len(words[r]), -1)
        for i, j in score.matched(found, [t for _, t in tokens]):
            out[tokens[j][0]] = 2 if found[i][1] in tuple('.?!') else 1 if found[i][1] else 0
        return out

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

    rows, known = {r: evidence(words[r]) for r in recordings}, {r: labels(r) for r in recordings}

    def weights(of):
        x, y = np.vstack([rows[r] for r in of]), np.concatenate([known[r] for r in of])
        return fit(x[y >= 0], (y[y >= 0] == 2) * 1.0), fit(x[y >= 0], (y[y >= 0] > 0) * 1.0)

    def fitted(r):
        end, mark = weights([o for o in recordings if o != r])
        p = lambda w: 1 / (1 + np.exp(-rows[r] @ w))
        return ['.' if e >= END else ',' if m >= MARK else '' for e, m in zip(p(end), p(mark))]

    show('full stop at 0.8 s', lambda r: rule(r, 9, .8), False)
    show('full stop at 0.3 s', lambda r: rule(r, 9, .3), False)
    show('comma at 0.3, full stop at 0.8 s', lambda r: rule(r, .3, .8), False)
    show('the same, names and I', lambda r: rule(r, .3, .8))
    show('fitted', fitted)
    if '--weights' in sys.argv:
        for name, w in zip(('end', 'mark'), weights(recordings)): print(name, ', '.join(f'{v:.3f}' for v in w))


if __name__ == '__main__':
    main()
