#!/usr/bin/env python3
"""triples.py SOUNDS LONGHAND WORK [COUNT]: words that are lost where a prompt is said three times, with 1.5 s between.

SOUNDS has the unpacked Debian packages asterisk-core-sounds-*-wav. Of each language COUNT prompts (40) of 0.5 to 2 s are transcribed once
and three times in a row. Printed are those of which the second text has less than 2.4 times the words of the first."""
import glob, itertools, json, os, random, subprocess, sys, wave

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..'))
sys.dont_write_bytecode = True
from prompts import VOICES, words
from service import RATE, samples

EDGE, PAUSE = 0.25, 1.5


def silence(seconds): return bytes(2 * int(RATE * seconds))


def write(path, parts):
    with wave.open(path, 'wb') as file:
        file.setnchannels(1), file.setsampwidth(2), file.setframerate(RATE)
        file.writeframes(silence(EDGE) + silence(PAUSE).join(parts) + silence(EDGE))


def main():
    sounds, program, work = sys.argv[1:4]
    count = int(sys.argv[4]) if len(sys.argv) > 4 else 40
    for language, voice in VOICES.items():
        folder = os.path.join(work, language)
        os.makedirs(folder, exist_ok=True)
        paths = sorted(glob.glob(os.path.join(sounds, '**', voice, '*.wav'), recursive=True))
        random.Random(4).shuffle(paths)
        chosen = list(itertools.islice((found for path in paths if 0.5 < len(found := samples(path)) / RATE < 2), count))
        for number, sound in enumerate(chosen):
            for times in (1, 3): write(os.path.join(folder, f'{number}-{times}.wav'), [sound.tobytes()] * times)
        subprocess.run([program, 'transcribe', '--locale', language, '--format', 'json', '--force', '--output-dir', folder,
                        *sorted(glob.glob(os.path.join(folder, '*.wav')))], check=True)
        lost = 0
        for number in range(len(chosen)):
            once, thrice = (json.load(open(os.path.join(folder, f'{number}-{times}.json'), encoding='utf-8'))['text']
                            for times in (1, 3))
            if len(words(thrice)) < 2.4 * len(words(once)):
                lost += 1
                print(f'  {once!r} → {thrice!r}', file=sys.stderr)
        print(f'{language}: words lost in {lost} of {len(chosen)} prompts')


if __name__ == '__main__':
    main()
