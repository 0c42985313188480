#!/usr/bin/env python3
"""report.py --work DIR --longhand PROGRAM: prints the tables of what measure.py measured, scored by `longhand score`."""
import argparse, json, os, subprocess, sys, tempfile
import sets

ORDER = ['dev', 'telephone', 'hour', 'noise20', 'noise10', 'noise5', 'check']


def stm(path, rows, texts):
    with open(path, 'w', encoding='utf-8') as file:
        for name, seconds, *_ in rows:
            if texts[name]: file.write(f'{os.path.splitext(name)[0]} 1 speaker 0 {seconds} {texts[name]}\n')


def score(program, rows, texts):
    """-> errors, words of the reference."""
    with tempfile.TemporaryDirectory() as folder:
        reference, hypothesis = os.path.join(folder, 'reference.stm'), os.path.join(folder, 'hypothesis.stm')
        stm(reference, rows, {row[0]: row[2] for row in rows})
        stm(hypothesis, rows, texts)
        done = subprocess.run([program, 'score', '--json', '--reference', reference, hypothesis], check=True,
                              capture_output=True)
        total = json.loads(done.stdout)['total']['wordErrorRate']
        return total['errors'], total['referenceWords']


def table(head, rows):
    print('| ' + ' | '.join(head) + ' |\n|' + ' --- |' * len(head))
    for row in rows: print('| ' + ' | '.join(row) + ' |')
    print()


def main():
    parser = argparse.ArgumentParser()
    for name in ('work', 'longhand'): parser.add_argument('--' + name, required=True)
    options = parser.parse_args()
    results = {}
    folder = os.path.join(options.work, 'results')
    for recognizer in sorted(os.listdir(folder)):
        for file in os.listdir(os.path.join(folder, recognizer)):
            if not file.endswith('.json'): continue
            result = json.load(open(os.path.join(folder, recognizer, file), encoding='utf-8'))
            results[result['recognizer'], result['set']] = result
    names = sorted({name for name, _ in results})
    rates = {}
    for (name, part), result in results.items():
        rows = [(row + ['', ''])[:3] for row in sets.rows(os.path.join(options.work, 'sets', part, 'manifest.tsv'))]
        if part == 'nonspeech': continue
        rates[name, part] = score(options.longhand, rows, result['texts'])
        prompts = [row for row in rows if 'prompt' in row[0]]
        if part == 'dev' and prompts: rates[name, 'telephone'] = score(options.longhand, prompts, result['texts'])
    shown = [part for part in ORDER if any((name, part) in rates for name in names)]
    print('Word errors:\n')
    table(['recognizer', *shown], [
        [name, *(f'{100 * rates[name, part][0] / rates[name, part][1]:.1f} %' if (name, part) in rates else ''
                 for part in shown)] for name in names])
    machines = sorted({result.get('machine', 'unknown') for result in results.values()})
    print(f'Processor time, wall time (both divided by the length of the audio) and memory, on {"; ".join(machines)}:\n')
    timed = [part for part in ('dev', 'hour') if any((name, part) in results for name in names)]

    def cost(name, part):
        result = results.get((name, part))
        if not result: return ''
        audio = result['audio']
        return f"{result['processor'] / audio:.3f}, {result['wall'] / audio:.3f}, {result['memory'] / 1e6:.0f} MB"

    table(['recognizer', *timed], [[name, *(cost(name, part) for part in timed)] for name in names])
    print('Words in audio without speech:\n')
    table(['recognizer', 'words', 'files with words'], [
        [name, str(sum(len(text.split()) for text in texts)), f'{sum(1 for text in texts if text)} of {len(texts)}']
        for name in names if (name, 'nonspeech') in results
        for texts in [[spoken(text) for text in results[name, 'nonspeech']['texts'].values()]]])


def spoken(text):
    """The text without what names a sound, such as [Music], (whistling) or *sighs*."""
    import re
    return ' '.join(word for word in re.sub(r'\[[^]]*\]|\([^)]*\)|\*[^*]*\*|♪', ' ', text).split()
                    if any(letter.isalnum() for letter in word))


if __name__ == '__main__': main()
