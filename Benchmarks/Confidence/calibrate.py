#!/usr/bin/env python3
"""Fits the weights of ConfidenceCalibration.swift, and measures them by cross-validation over speakers.

    calibrate.py MANIFEST TRANSCRIPTS SERVICE [--clips N]

MANIFEST has a clip a line (path, tab, text). TRANSCRIPTS has the documents of `longhand transcribe --format json
--output-dir TRANSCRIPTS` for them: each of their segments is decoded again, by SERVICE (the program `speech-service`), which
has the posterior of each word. A speaker is the start of a clip's name, to the second hyphen or the underscore; the
clips of one speaker are scored with weights fitted on the others.

Printed are the calibration error (10 equal bins), the area under the ROC curve, and how many of the words below the
threshold are wrong, before and after; and the weights, fitted on everything. A change of the measures in
ConfidenceCalibration.swift is a change here. Needs ffmpeg and numpy.
"""
import json, os, re, socket, struct, subprocess, sys
import numpy as np

RATE, UNSURE, PENALTY = 16000, .6, 1.0


class Service:
    """A recognizer, by the messages of SpeechServiceProtocol."""
    def __init__(self, program):
        ours, theirs = socket.socketpair()
        self.process = subprocess.Popen([program], stdin=theirs, stderr=subprocess.DEVNULL)
        theirs.close()
        self.channel = ours
        self.send(1, {'locale': 'en-US', 'mode': 'recording', 'alternatives': 5, 'contextualStrings': []})
        self.receive()

    def send(self, kind, payload=b''):
        data = payload if isinstance(payload, bytes) else json.dumps(payload).encode()
        self.channel.sendall(struct.pack('<IB', len(data) + 1, kind) + data)

    def read(self, count):
        data = b''
        while len(data) < count:
            part = self.channel.recv(count - len(data))
            if not part: sys.exit('calibrate.py: the service ended')
            data += part
        return data

    def receive(self):
        length, kind = struct.unpack('<IB', self.read(5))
        return kind, json.loads(self.read(length - 1))

    def words(self, samples):
        self.send(2, 0)
        self.send(3, samples.astype('<i2').tobytes())
        self.send(4)
        kind, reply = self.receive()
        found = reply.get('hypotheses', []) if kind == 132 else []
        return found[0]['words'] if found else []


def samples(path):
    command = ['ffmpeg', '-v', 'error', '-i', path, '-f', 's16le', '-ac', '1', '-ar', str(RATE), '-']
    return np.frombuffer(subprocess.run(command, check=True, capture_output=True).stdout, np.int16)


def right(reference, words):
    """For each word, whether it is right: by an alignment with the fewest errors."""
    n, m = len(reference), len(words)
    table = np.zeros((n + 1, m + 1), int)
    table[:, 0], table[0] = range(n + 1), range(m + 1)
    for i in range(1, n + 1):
        for j in range(1, m + 1):
            table[i, j] = min(table[i - 1, j - 1] + (reference[i - 1] != words[j - 1]), table[i - 1, j] + 1, table[i, j - 1] + 1)
    found, i, j = [False] * m, n, m
    while i and j:
        if table[i, j] == table[i - 1, j - 1] + (reference[i - 1] != words[j - 1]):
            found[j - 1] = reference[i - 1] == words[j - 1]
            i, j = i - 1, j - 1
        elif table[i, j] == table[i - 1, j] + 1: i -= 1
        else: j -= 1
    return found


def odds(p): p = np.clip(p, 1e-3, 1 - 1e-3); return np.log(p / (1 - p))


def measures(words):
    own = odds(np.array([w['confidence'] for w in words]))
    sides = np.concatenate([[odds(1.0)], own[:-1]]) + np.concatenate([own[1:], [odds(1.0)]])
    mean = np.mean([w['confidence'] for w in words])
    length = [np.log(max(.01, w['end'] - w['start']) / (.04 + .065 * len(w['text']))) for w in words]
    return np.stack([np.ones(len(words)), own, sides, np.full(len(words), mean), length], 1)


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


def report(name, p, labels):
    bins = np.minimum((p * 10).astype(int), 9)
    error = sum(abs(p[bins == b].mean() - labels[bins == b].mean()) * (bins == b).mean() for b in set(bins))
    order = np.argsort(p, kind='stable')
    values, inverse, counts = np.unique(p, return_inverse=True, return_counts=True)
    ranks = (np.cumsum(counts) - (counts - 1) / 2)[inverse]
    good = labels.sum()
    auc = (ranks[labels == 1].sum() - good * (good + 1) / 2) / max(1, good * (len(labels) - good))
    marked = p < UNSURE
    wrong = (labels[marked] == 0).sum()
    print(f'{name:24} calibration error {error:.3f}  AUC {auc:.3f}  marked {marked.mean():.3f}  '
          f'of them wrong {wrong / max(1, marked.sum()):.3f}  of the wrong words {wrong / max(1, (labels == 0).sum()):.3f}')


def main():
    manifest, transcripts, program = sys.argv[1:4]
    limit = int(sys.argv[sys.argv.index('--clips') + 1]) if '--clips' in sys.argv else None
    service, rows, labels, speakers, now = Service(program), [], [], [], []
    for line in list(open(manifest))[:limit]:
        path, text = line.rstrip('\n').split('\t')
        name = os.path.splitext(os.path.basename(path))[0]
        audio = samples(os.path.join(os.path.dirname(manifest), path))
        document = json.load(open(os.path.join(transcripts, name + '.json')))
        parts = [service.words(audio[int(s['start'] * RATE):int(s['end'] * RATE)]) for s in document['segments']]
        parts = [words for words in parts if words]
        if not parts: continue
        said = re.sub(r"[^a-z0-9' ]", ' ', text.lower()).split()
        labels += right(said, [w['text'] for words in parts for w in words])
        rows += [measures(words) for words in parts]
        now += [w.get('probability', w['confidence']) for words in parts for w in words]
        speakers += ['-'.join(re.split('[-_]', name)[:2])] * sum(map(len, parts))
    rows, labels, speakers = np.concatenate(rows), np.array(labels, float), np.array(speakers)
    # All chapters of a reader and all prompts are one speaker's.
    speakers = np.array([s.split('-')[0] if s.split('-')[0] != 'vctk' else s for s in speakers])
    print(len(labels), 'words of', len(set(speakers)), 'speakers,', f'{labels.mean():.3f} right')
    held = np.zeros(len(labels))
    for speaker in set(speakers):
        own = speakers == speaker
        if own.all(): continue
        held[own] = 1 / (1 + np.exp(-rows[own] @ fit(rows[~own], labels[~own])))
    report('posterior', 1 / (1 + np.exp(-rows[:, 1])), labels)
    report('fitted on other speakers', held, labels)
    report('the service', np.array(now), labels)
    names = ('constant', 'own', 'neighbours', 'average', 'length')
    print(', '.join(f'{name}: {weight:.3f}' for name, weight in zip(names, fit(rows, labels))))


if __name__ == '__main__': main()
