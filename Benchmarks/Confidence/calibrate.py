#!/usr/bin/env python3
"""Fits the weights of ConfidenceCalibration.swift, and measures them by cross-validation over speakers.

    calibrate.py MANIFEST SERVICE LONGHAND [--model FOLDER] [--witness FOLDER] [--measures NAME,…] [--transcripts DIR]
                 [--others MANIFEST,…] [--replies FILE]

MANIFEST has a clip a line: path, tab, text, and a tab and the language if it is not English. SERVICE is the program of a
recognizer, FOLDER its model. LONGHAND is the program longhand, by whose rules words are right or wrong. Each clip is decoded as a
whole, or as the segments in DIR, which has the documents of `longhand transcribe --format json --output-dir DIR` for them. A
speaker is the start of a clip's name, to the second hyphen or the underscore, or a language; the clips of one speaker are scored
with weights fitted on the others, also those of the manifests of --others, on which nothing is fitted. Without --measures, all
measures get a weight. With a witness (a second network), the hypotheses about which it was asked have weights of their own; those
of the others are fitted on all words, without its measures. FILE keeps the replies of the service for the next time.

Printed are the calibration error (10 equal bins) in all and of the worst speaker, the area under the ROC curve, how many of the
wrong words are in the 5 % with the least confidence, and how many of the words below a threshold are wrong, before and after; and
the weights, fitted on everything. A change of the measures in ConfidenceCalibration.swift is a change here. Needs ffmpeg and numpy.
"""
import argparse, json, os, re, struct, sys
import numpy as np
import words
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..'))
from service import RATE, Service, samples

NOT_ASKED = 5.0  # the logarithm of the odds for a word of which the first network is sure
PENALTY, THRESHOLDS = 1.0, (.5, .6, .7, .75, .8, .85)
NAMES = ('constant', 'own', 'neighbours', 'average', 'length', 'whole', 'duration', 'rival', 'second', 'secondNeighbours', 'shared')
WITNESS = {'second', 'secondNeighbours', 'shared'}


def odds(p): p = np.clip(p, 1e-3, 1 - 1e-3); return np.log(p / (1 - p))


def vocabulary(folder):
    """The tokens of a Whisper model (ggml)."""
    names = [name for name in os.listdir(folder) if name.endswith('.bin')] if folder else []
    if not names: return None
    with open(os.path.join(folder, names[0]), 'rb') as file:
        file.seek(48)
        rows, columns = struct.unpack('<ii', file.read(8))
        file.seek(4 * rows * columns, 1)
        return {file.read(*struct.unpack('<I', file.read(4))) for _ in range(*struct.unpack('<i', file.read(4)))}


def whole(word, tokens):
    return tokens is None or ' {}'.format(re.sub(r'^[\W_]+|[\W_]+$', '', word)).encode() in tokens


def apart(word): return lambda other: abs(other['start'] + other['end'] - word['start'] - word['end']) / 2


def has(hypothesis, word):
    """Whether a hypothesis has a word in its place."""
    plain = lambda word: ''.join(c for c in word['text'].lower() if c.isalnum() or c == "'")
    return any(apart(word)(w) < .4 and plain(w) == plain(word) for w in hypothesis['words'])


def rival(word, others):
    """The highest confidence of another word in the place of this one; 0 if all other hypotheses have the word."""
    return max([0] + [min(other['words'], key=apart(word))['confidence'] for other in others
                      if other['words'] and not has(other, word)])


def shared(word, hypotheses):
    """The shares together of the hypotheses that have the word; 1 if none was compared."""
    compared = [one for one in hypotheses if 'share' in one]
    return sum(one['share'] for one in compared if has(one, word)) if compared else 1


def measures(hypotheses, tokens):
    found = hypotheses[0]['words']
    own = odds(np.array([word['confidence'] for word in found]))
    second = np.array([odds(word['second']) if 'second' in word else NOT_ASKED for word in found])
    sides = lambda of: np.concatenate([[odds(1.0)], of[:-1]]) + np.concatenate([of[1:], [odds(1.0)]])
    mean = np.mean([word['confidence'] for word in found])
    length = [np.log(max(.01, word['end'] - word['start']) / (.04 + .065 * len(word['text']))) for word in found]
    return np.stack([np.ones(len(found)), own, sides(own), np.full(len(found), mean), length,
                     [whole(word['text'], tokens) for word in found],
                     [np.log(max(.02, word['end'] - word['start'])) for word in found],
                     [rival(word, hypotheses[1:]) for word in found], second, sides(second),
                     odds(np.array([shared(word, hypotheses) for word in found]))], 1)


def fit(rows, labels):
    """Logistic regression; the penalty is on the standardized weights."""
    mean, spread = rows.mean(0), rows.std(0)
    mean[0], spread[spread == 0] = 0, 1
    z, w = (rows - mean) / spread, np.zeros(rows.shape[1])
    for _ in range(50):
        p = 1 / (1 + np.exp(-z @ w))
        w -= np.linalg.solve((z * (p * (1 - p))[:, None]).T @ z + PENALTY * np.eye(len(w)), z.T @ (p - labels) + PENALTY * w)
    plain = w / spread
    plain[0] -= (w[1:] * mean[1:] / spread[1:]).sum()
    return plain


def speaker(path, language=None):
    """All chapters of a reader and all prompts are one speaker's."""
    if language: return language
    parts = re.split('[-_]', os.path.splitext(os.path.basename(path))[0])
    return '-'.join(parts[:2]) if parts[0] == 'vctk' else parts[0]


def replies(manifest, options):
    """For each clip: its path, its text, and the hypotheses of its parts."""
    known, services = {}, {}
    if options.replies and os.path.exists(options.replies):
        known = {row['path']: row for row in map(json.loads, open(options.replies))}
    for line in open(manifest):
        path, text, *language = line.rstrip('\n').split('\t')
        language = language[0] if language else None
        path = os.path.normpath(os.path.join(os.path.dirname(manifest), path))
        if path not in known:
            if language not in services:
                services[language] = Service(options.service, options.model, witness=options.witness, locale=language or 'en-US')
            service = services[language]
            audio, parts = samples(path), [(0, None)]
            if options.transcripts:
                name = os.path.splitext(os.path.basename(path))[0] + '.json'
                segments = json.load(open(os.path.join(options.transcripts, name)))['segments']
                parts = [(int(s['start'] * RATE), int(s['end'] * RATE)) for s in segments]
            found = [service.hypotheses(audio[start:end]) for start, end in parts]
            known[path] = {'path': path, 'text': text, 'language': language, 'parts': [part for part in found if part]}
            if options.replies: print(json.dumps(known[path]), file=open(options.replies, 'a'))
        yield known[path]


def table(manifest, options):
    clips = [clip for clip in replies(manifest, options) if clip['parts']]
    texts = [(clip['text'], [word['text'] for part in clip['parts'] for word in part[0]['words']]) for clip in clips]
    labels, tokens = words.right(options.longhand, texts), vocabulary(options.model)
    rows = np.concatenate([measures(part, tokens) for clip in clips for part in clip['parts']])
    now = [word.get('probability', word['confidence']) for clip in clips for part in clip['parts'] for word in part[0]['words']]
    speakers = [speaker(clip['path'], clip.get('language')) for clip, own in zip(clips, labels) for _ in own]
    found = [part[0]['words'] for clip in clips for part in clip['parts']]
    asked = [any('second' in word for word in part) for part in found for _ in part]
    return rows, np.array(sum(labels, []), float), np.array(speakers), np.array(now), np.array(asked)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ('manifest', 'service', 'longhand'): parser.add_argument(name)
    parser.add_argument('--model', default='')
    parser.add_argument('--others', default='')
    parser.add_argument('--witness')
    parser.add_argument('--measures', default=','.join(NAMES[1:]))
    for name in ('transcripts', 'replies'): parser.add_argument('--' + name)
    options = parser.parse_args()
    names = ['constant', *options.measures.split(',')]
    rows, labels, speakers, now, asked = table(options.manifest, options)
    own = rows[:, 1]
    # For hypotheses without and with the witness: which measures count, and on which words they are fitted.
    # What the first network says of the neighbours says nothing more where the second one is asked about them.
    kinds = {False: ([n for n in names if n not in WITNESS], np.ones(len(rows), bool)),
             True: ([n for n in names if n != 'neighbours'], asked)}

    def fitted(kind, words):
        measures, own = kinds[kind]
        return fit(rows[own & words][:, [NAMES.index(name) for name in measures]], labels[own & words])

    def held(clips, voices, asked):
        p = np.zeros(len(clips))
        for one in set(voices):
            others = speakers != one
            for kind in set(asked[voices == one]) if others.any() else ():
                chosen = (voices == one) & (asked == kind)
                measures = clips[chosen][:, [NAMES.index(name) for name in kinds[kind][0]]]
                p[chosen] = 1 / (1 + np.exp(-measures @ fitted(kind, others)))
        return p

    words.report('own confidence', 1 / (1 + np.exp(-own)), labels, speakers, THRESHOLDS)
    words.report('fitted on other speakers', held(rows, speakers, asked), labels, speakers, THRESHOLDS)
    words.report('the service', now, labels, speakers, THRESHOLDS)
    for kind in sorted(set(asked) | {False}):
        weights = zip(kinds[kind][0], fitted(kind, np.ones(len(rows), bool)))
        print('with the witness:' if kind else 'without:', ', '.join(f'{name}: {weight:.3f}' for name, weight in weights))
    for manifest in filter(None, options.others.split(',')):
        clips, right, voices, now, asked = table(manifest, options)
        print(manifest)
        words.report('fitted on other speakers', held(clips, voices, asked), right, voices, THRESHOLDS)
        words.report('the service', now, right, voices, THRESHOLDS)


if __name__ == '__main__': main()
