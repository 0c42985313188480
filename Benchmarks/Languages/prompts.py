#!/usr/bin/env python3
"""prompts.py WORK SOUNDS LONGHAND: word errors of 40 telephone prompts in each of five languages, by Longhand and by faster-whisper with
the same weights, each with its language named.

WORK is the folder that Benchmarks/Recognizers/prepare has filled. SOUNDS has the unpacked Debian packages
asterisk-core-sounds-{en,es,fr,it,ru} (their texts) and asterisk-core-sounds-{en,es,fr,it,ru}-wav (dpkg -x). The prompts are those with
four words or more and without figures and notes in brackets, every n-th of them. Words are compared in lower case without marks; a
figure that a recognizer writes where the text has a word counts as an error for both."""
import glob, gzip, json, os, subprocess, sys, unicodedata

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'Speakers'))
from scoring import changes

COUNT = 40
VOICES = {'en': 'en_US_f_Allison', 'fr': 'fr_CA_f_June', 'es': 'es_MX_f_Allison', 'it': 'it_IT_m_Carlo', 'ru': 'ru_RU_f_IvrvoiceRU'}


def words(text):
    kept = ''.join(letter if letter.isalnum() else ' ' for letter in unicodedata.normalize('NFC', text).lower())
    return kept.replace('ё', 'е').split()


def prompts(sounds, language):
    """(path, text) of the prompts."""
    found = []
    folder = glob.glob(os.path.join(sounds, '**', VOICES[language]), recursive=True)[0]
    text = glob.glob(os.path.join(sounds, '**', f'core-sounds-{language}.txt.gz'), recursive=True)[0]
    with gzip.open(text, 'rt', encoding='utf-8', errors='replace') as file:
        for line in file:
            name, _, said = line.strip().partition(':')
            path = os.path.join(folder, name + '.wav')
            if '�' not in said and len(words(said)) >= 4 and not any(c in '[]()<>' or c.isdigit() for c in said) and os.path.exists(path):
                found.append((path, said))
    return found[::max(1, len(found) // COUNT)][:COUNT]


def peer(work, sounds):
    from faster_whisper import WhisperModel
    model = WhisperModel(os.path.join(work, 'models', 'base'), device='cpu', compute_type='int8', cpu_threads=1, local_files_only=True)
    print(json.dumps({path: ''.join(part.text for part in model.transcribe(path, beam_size=5, language=language)[0])
                      for language in VOICES for path, _ in prompts(sounds, language)}))


def main():
    work, sounds, program = sys.argv[1:4]
    if '--peer' in sys.argv:
        return peer(work, sounds)
    by_peer = json.loads(subprocess.run([os.path.join(work, 'venv/bin/python'), __file__, *sys.argv[1:4], '--peer'], check=True,
                                        capture_output=True, text=True).stdout)
    totals = [0, 0, 0]
    for language in VOICES:
        chosen = prompts(sounds, language)
        ours = subprocess.run([program, 'transcribe', '--quiet', '--locale', language, '--format', 'jsonl',
                               *[path for path, _ in chosen]], check=True, capture_output=True, text=True).stdout
        texts = {path: '' for path, _ in chosen}
        names = {os.path.basename(path): path for path in texts}
        for line in map(json.loads, ours.splitlines()):
            if line.get('type') == 'final' or 'text' in line and 'source' in line:
                texts[names[os.path.basename(line['source'])]] += ' ' + line['text']
        count = [0, 0, 0]
        for path, said in chosen:
            own, other = changes(words(said), words(texts[path])), changes(words(said), words(by_peer[path]))
            count = [count[0] + len(words(said)), count[1] + own, count[2] + other]
            if own != other:
                print(f'{own} {other} | {said} | {texts[path]} | {by_peer[path]}', file=sys.stderr)
        totals = [a + b for a, b in zip(totals, count)]
        print(f'| {language} | {count[0]} | {count[1]} | {count[2]} |')
    print(f'| all | {totals[0]} | {totals[1]} | {totals[2]} |')


if __name__ == '__main__':
    main()
