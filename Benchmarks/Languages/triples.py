#!/usr/bin/env python3
"""triples.py SOUNDS LONGHAND WORK [COUNT]: words that are lost where a prompt is said three times, with 1.5 s between.

SOUNDS has the unpacked Debian packages asterisk-core-sounds-*-wav. Of each language COUNT prompts (40) of 0.5 to 2 s are transcribed once
and three times in a row. Printed are those of which the second text has less than 2.4 times the words of the first."""
import glob, json, os, random, re, subprocess, sys, wave

VOICES = {'en-US': 'en_US_f_Allison', 'fr-FR': 'fr_CA_f_June', 'es-MX': 'es_MX_f_Allison', 'it-IT': 'it_IT_m_Carlo',
          'ru-RU': 'ru_RU_f_IvrvoiceRU'}
RATE, EDGE, PAUSE = 16000, 0.25, 1.5


def samples(path):
    command = ['ffmpeg', '-v', 'error', '-i', path, '-f', 's16le', '-ac', '1', '-ar', str(RATE), '-']
    return subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout


def silence(seconds): return bytes(2 * int(RATE * seconds))


def write(path, parts):
    with wave.open(path, 'wb') as file:
        file.setnchannels(1), file.setsampwidth(2), file.setframerate(RATE)
        file.writeframes(silence(EDGE) + silence(PAUSE).join(parts) + silence(EDGE))


def words(text): return re.sub(r'[^\w]+', ' ', text.lower()).split()


def main():
    sounds, program, work = sys.argv[1:4]
    count = int(sys.argv[4]) if len(sys.argv) > 4 else 40
    for locale, voice in VOICES.items():
        folder = os.path.join(work, locale)
        os.makedirs(folder, exist_ok=True)
        paths = sorted(glob.glob(os.path.join(sounds, '**', voice, '*.wav'), recursive=True))
        random.Random(4).shuffle(paths)
        chosen = [found for path in paths if 0.5 < len(found := samples(path)) / 2 / RATE < 2][:count]
        for number, sound in enumerate(chosen):
            for times in (1, 3): write(os.path.join(folder, f'{number}-{times}.wav'), [sound] * times)
        subprocess.run([program, 'transcribe', '--locale', locale, '--format', 'json', '--force', '--output-dir', folder,
                        *sorted(glob.glob(os.path.join(folder, '*.wav')))], check=True)
        lost = 0
        for number in range(len(chosen)):
            once, thrice = (json.load(open(os.path.join(folder, f'{number}-{times}.json'), encoding='utf-8'))['text']
                            for times in (1, 3))
            if len(words(thrice)) < 2.4 * len(words(once)):
                lost += 1
                print(f'  {once!r} → {thrice!r}', file=sys.stderr)
        print(f'{locale}: words lost in {lost} of {len(chosen)} prompts')


if __name__ == '__main__':
    main()
