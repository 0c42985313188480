"""Which words of a recognizer are right, and how well its confidences say so. Needs numpy."""
import json, os, subprocess, tempfile
import numpy as np

OTHER = 'zzqx'


def right(longhand, clips):
    """For each clip (reference, words), whether each word is right: whether there are more errors with another word in its
    place, by the rules of `longhand score`."""
    with tempfile.TemporaryDirectory() as folder:
        paths = [os.path.join(folder, name) for name in ('reference.stm', 'hypothesis.stm')]
        with open(paths[0], 'w', encoding='utf-8') as references, open(paths[1], 'w', encoding='utf-8') as texts:
            for index, (reference, words) in enumerate(clips):
                for place in range(-1, len(words)):
                    text = [OTHER if place == own else word for own, word in enumerate(words)]
                    for file, line in ((references, reference), (texts, ' '.join(text))):
                        file.write(f'{index}_{place} 1 speaker 0 1 {line}\n')
        scored = subprocess.run([longhand, 'score', '--json', '--reference', *paths], check=True, capture_output=True)
    errors = {clip['name']: clip['wordErrorRate']['errors'] for clip in json.loads(scored.stdout)['clips']}
    return [[errors[f'{index}_{place}'] > errors[f'{index}_-1'] for place in range(len(words))]
            for index, (_, words) in enumerate(clips)]


def error(p, labels):
    """The expected calibration error, with ten equal bins."""
    bins = np.minimum((p * 10).astype(int), 9)
    return sum(abs(p[bins == b].mean() - labels[bins == b].mean()) * (bins == b).mean() for b in set(bins))


def area(p, labels):
    """The area under the ROC curve."""
    values, inverse, counts = np.unique(p, return_inverse=True, return_counts=True)
    ranks = (np.cumsum(counts) - (counts - 1) / 2)[inverse]
    good = labels.sum()
    return (ranks[labels == 1].sum() - good * (good + 1) / 2) / max(1, good * (len(labels) - good))


def report(name, p, labels, speakers, thresholds):
    worst = max((error(p[speakers == s], labels[speakers == s]), s) for s in set(speakers))
    print(f'{name}: {len(p)} words, {(labels == 0).sum()} wrong, calibration error {error(p, labels):.3f}, '
          f'worst speaker {worst[0]:.3f} ({worst[1]}), AUC {area(p, labels):.3f}')
    least = np.argsort(p, kind='stable')[:round(len(p) / 20)]
    print(f'  the 5 % with the least: {(labels[least] == 0).sum() / max(1, (labels == 0).sum()):.3f} of the wrong words')
    for threshold in thresholds:
        marked = p < threshold
        wrong = (labels[marked] == 0).sum()
        print(f'  below {threshold}: {marked.mean():.3f} marked, {wrong / max(1, marked.sum()):.3f} of them wrong, '
              f'{wrong / max(1, (labels == 0).sum()):.3f} of the wrong words')
