#!/usr/bin/env python3
"""passages.py WORK LONGHAND: how often six seconds of another language inside English are written in their own language, by Longhand
and by faster-whisper (`multilingual`) with the same weights.

WORK is the folder that curve.py has filled: its excerpts of 12 s in English and of 6 s in other languages are used. A recording has
12 s of English, a pause, 6 s of another language, a pause, and then a passage of it between two of English without a pause. What a
passage should be is what faster-whisper writes for the excerpt alone with its language named; a passage is found if at most half of
these words are wrong. A recording of one language alone, 12 s and then ten excerpts of 3 and 6 s with pauses, shows what is wrongly
taken for another one."""
import glob, json, os, subprocess, sys, wave

RATE = 16000


def samples(path):
    with wave.open(path) as file:
        return file.readframes(file.getnframes())


def write(path, parts):
    with wave.open(path, 'wb') as file:
        file.setparams((1, 2, RATE, 0, 'NONE', ''))
        file.writeframes(b''.join(parts))


def silence(seconds):
    return bytes(2 * int(RATE * seconds))


def errors(reference, text):
    """The share of the reference's words that are wrong, wherever they are in the text."""
    row = [0] * (len(text) + 1)
    for number, word in enumerate(reference, 1):
        before, row[0] = row[0], number
        for index, other in enumerate(text, 1):
            before, row[index] = row[index], min(before + (word != other), row[index] + 1, row[index - 1] + 1)
    return min(row) / max(1, len(reference))


def words(text):
    return ''.join(letter.lower() if letter.isalnum() else ' ' for letter in text).split()


def recordings(folder):
    """(path, voice, passages) for each voice; a passage is (excerpt, start, end)."""
    def of(voice, seconds):
        return sorted(glob.glob(os.path.join(folder, f'{voice}-{seconds:02}-*.wav')))
    english = of('en-0', 12)
    for voice in sorted({'-'.join(os.path.basename(path).split('-')[:2]) for path in glob.glob(os.path.join(folder, '*-06-*.wav'))}):
        short = of(voice, 6)
        if not voice.startswith('en'):
            path = os.path.join(folder, 'passages', f'mixed-{voice}.wav')
            write(path, [samples(english[0]), silence(5.5), samples(short[0]), silence(5.5), samples(english[1]), silence(0.5),
                         samples(short[1]), silence(0.5), samples(english[2])])
            yield path, voice, [(short[0], 16, 25), (short[1], 39, 50)]
        path = os.path.join(folder, 'passages', f'alone-{voice}.wav')
        parts = [samples(of(voice, 12)[0])] + [samples(part) for part in of(voice, 3)[:6] + short[:4]]
        write(path, [each for part in parts for each in (part, silence(5.5))])
        yield path, voice, []


def peer(work, folder):
    from faster_whisper import WhisperModel
    model = WhisperModel(os.path.join(work, 'models', 'base'), device='cpu', compute_type='int8', cpu_threads=1, local_files_only=True)
    found = {}
    for path, voice, passages in recordings(folder):
        if passages:
            segments, _ = model.transcribe(path, beam_size=5, multilingual=True, word_timestamps=True, vad_filter=True)
            spoken = [word for segment in segments for word in segment.words]
            alone = [' '.join(part.text for part in model.transcribe(excerpt, beam_size=5, language=voice[:2])[0])
                     for excerpt, _, _ in passages]
            found[path] = {'alone': alone, 'words': [(word.word, word.start) for word in spoken]}
    with open(os.path.join(folder, 'passages', 'peer.json'), 'w') as file:
        json.dump(found, file)


def main():
    work, program = sys.argv[1:3]
    folder = os.path.join(work, 'languages')
    os.makedirs(os.path.join(folder, 'passages'), exist_ok=True)
    if '--peer' in sys.argv:
        return peer(work, folder)
    subprocess.run([os.path.join(work, 'venv/bin/python'), __file__, work, program, '--peer'], check=True)
    with open(os.path.join(folder, 'passages', 'peer.json')) as file:
        by_peer = json.load(file)
    environment = {key: value for key, value in os.environ.items() if key != 'LANG' and not key.startswith('LC_')}
    count, right, wrong = 0, [[0, 0], [0, 0]], [0, 0]
    for path, voice, passages in recordings(folder):
        text = subprocess.run([program, 'transcribe', '--quiet', '--format', 'json', path], env=environment, check=True,
                              capture_output=True, text=True).stdout
        segments = json.loads(text)['segments']
        if not passages:
            others = [segment['language'] for segment in segments if segment['language'] != segments[0]['language']]
            print(voice, 'alone:', f'{len(others)} of {len(segments)} segments in another language than the first,', others)
            wrong = [wrong[0] + len(others), wrong[1] + len(segments)]
            continue
        count += 1
        ours = [(word['text'], word['start']) for segment in segments for word in segment['words']]
        for index, (_, start, end) in enumerate(passages):
            reference = words(by_peer[path]['alone'][index])
            for which, spoken in enumerate([ours, by_peer[path]['words']]):
                said = words(' '.join(word for word, time in spoken if start <= time < end))
                right[index][which] += errors(reference, said) <= 0.5
                print(voice, index, ['longhand', 'faster-whisper'][which], f'{errors(reference, said):.2f}', ' '.join(said))
    for index, kind in enumerate(['after a pause', 'inside a passage']):
        print(f'| {kind} | {right[index][0]} of {count} | {right[index][1]} of {count} |')
    print(f'alone: {wrong[0]} of {wrong[1]} segments')


if __name__ == '__main__':
    main()
