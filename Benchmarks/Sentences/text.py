#!/usr/bin/env python3
"""Fits what the words around a place say about a mark there: Sources/SentenceFormatting/Words/boundaries.txt.

    text.py TEXT...

TEXT are English texts with marks. Used were five novels of Jane Austen (all but Northanger Abbey, on which train.py
measures) and Moby Dick, which are in the public domain: Debian's r-cran-janeaustenr and r-cran-tokenizers have them, and
books.py extracts them.

Two logistic regressions predict from three words before a place and one after it whether a sentence ends there, and whether
there is any mark. A word that is not among the most frequent ones counts by its ending. One word in eight is replaced by
another one, because recognizers make mistakes.

The first line of the output is the known words. Every other line is the words of a feature (before the place, and after
it, parted by "|"; "*" is any word, "^" none) and its two weights in tenths; small ones are left out. The last line is the
intercepts.
Needs numpy and scipy.
"""
import re, sys
from collections import Counter
import numpy as np
from scipy import sparse
from scipy.optimize import minimize

KNOWN, LEAST, RATE, PENALTY, SMALLEST = 700, 30, .125, 3.0, 5
ENDINGS = ('ly', 'ing', 'ed', 'tion', 'ness', 'er', 'est', 's')
# Which of the words count together: 3, 2 and 1 before the place, and 1 after it.
TEMPLATES = ((2,), (3,), (2, 3), (1,), (1, 2), (0,), (1, 3))


def read(text):
    """[(word, mark)], marks being 2 for the end of a sentence and 1 for any other."""
    text = re.sub(r'_', '', text.replace('\u2019', "'"))
    text = re.sub(r'\b(Mr|Mrs|Dr|Messrs|St|Ms|Esq)\.', r'\1', text)
    text = re.sub(r'(?im)^\s*(chapter|volume)\b.*$', '. ', text)
    found = list(re.finditer(r"[^\W_]+(?:['.,:](?=[^\W_])[^\W_]+)*", text))
    for this, after in zip(found, found[1:] + [None]):
        behind = text[this.end():after.start() if after else len(text)]
        yield this.group().lower(), 2 if re.search('[.?!]', behind) else 1 if re.search('[,;:]', behind) else 0


def key(word, known):
    if word in known: return word
    return next(('#' + e for e in ENDINGS if word.endswith(e) and len(word) > len(e) + 1), '#')


def columns(words):
    """The words at the places of TEMPLATES for each place after a word."""
    n = len(words)
    padded = np.concatenate([np.full(2, -1), words, np.full(1, -1)])
    return np.stack([padded[0:n], padded[1:n + 1], padded[2:n + 2], padded[3:n + 3]])


def main():
    texts = [list(read(open(path, encoding='utf-8').read())) for path in sys.argv[1:]]
    flat = [w for t in texts for w, _ in t]
    names = sorted(set(flat))
    # A word that is frequent in each text is no name of a person in one of them.
    shares = [{w: c / len(t) for w, c in Counter(w for w, _ in t).items()} for t in texts]
    known = set(sorted(names, key=lambda w: -min(share.get(w, 0) for share in shares))[:KNOWN])
    keys = sorted({key(w, known) for w in names})
    ids = {w: i for i, w in enumerate(keys)}
    numbers = {w: ids[key(w, known)] for w in names}
    words, marks = np.array([numbers[w] for w in flat]), np.array([m for t in texts for _, m in t])
    random = np.random.default_rng(1)
    mixed = np.where(random.random(len(words)) < RATE, random.permutation(words), words)
    places, size = columns(mixed), len(keys) + 1
    features, parts = [], []
    for template in TEMPLATES:
        code = sum((places[p] + 1) * size ** i for i, p in enumerate(template))
        values, inverse, count = np.unique(code, return_inverse=True, return_counts=True)
        kept = np.flatnonzero(count >= LEAST)
        index = np.full(len(values), -1); index[kept] = np.arange(len(kept))
        rows = np.flatnonzero(index[inverse] >= 0)
        parts.append(sparse.csr_matrix((np.ones(len(rows)), (rows, index[inverse][rows])), shape=(len(words), len(kept))))
        features += [(template, [int(v) // size ** i % size - 1 for i in range(len(template))]) for v in values[kept]]
    x = sparse.hstack(parts + [np.ones((len(words), 1))]).tocsr(); transposed = x.T.tocsr()

    def fit(target):
        def loss(w):
            s = x @ w; p = 1 / (1 + np.exp(-s))
            slope = transposed @ (p - target); slope[:-1] += PENALTY * w[:-1]
            return np.logaddexp(0, s).sum() - s[target].sum() + PENALTY / 2 * (w[:-1] ** 2).sum(), slope
        return minimize(loss, np.zeros(x.shape[1]), jac=True, method='L-BFGS-B', options={'maxiter': 60}).x

    weights = np.rint(10 * np.stack([fit(marks == 2), fit(marks > 0)])).astype(int)
    print(' '.join(sorted(known)))
    lines = {}
    for (template, values), end, mark in zip(features, *weights):
        if max(abs(end), abs(mark)) < SMALLEST: continue
        word = {p: keys[v] if v >= 0 else '^' for p, v in zip(template, values)}
        before = [word.get(p, '*') for p in range(3)]
        while before and before[0] == '*': before.pop(0)
        lines[' '.join(before + ['|'] + ([word[3]] if 3 in word else []))] = f'{end} {mark}'
    for feature in sorted(lines): print(feature, lines[feature])
    print('=', *weights[:, -1])


if __name__ == '__main__':
    main()
