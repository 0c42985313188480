#!/usr/bin/env python3
"""curve.py WORK SOUNDS LONGHAND [COUNT|files]: how often the language of short recordings is detected, by Longhand and by faster-whisper with the
same weights.

WORK is the folder that Benchmarks/Recognizers/prepare has filled. SOUNDS has the unpacked Debian packages
asterisk-core-sounds-{en,es,fr,it,ru}-wav, ktuberling-data and tuxpaint-stamps-default (dpkg -x): people who speak ten languages.
For each length, excerpts of exactly that length are cut out of the recordings of each voice, one after the other, without their
silences. They stay in WORK/languages, and are not made again. COUNT is how many excerpts of each voice and length Longhand
transcribes; all of them without it. 'files' takes six files of each language in place of excerpts: whole prompts of 3 to 20 s in all. They
stay in WORK/language-files; the files of which a program names another language are listed."""
import collections, json, os, random, subprocess, sys, wave

LENGTHS = [1, 2, 3, 6, 12, 30]
EXCERPTS = 12
FILES = [3, 5, 8, 11, 15, 19]
RATE = 16000
VOICES = {
    'en': ['asterisk/sounds/en_US_f_Allison/*.wav'],
    'fr': ['asterisk/sounds/fr_CA_f_June/*.wav', 'tuxpaint/**/*_desc_fr.ogg'],
    'es': ['asterisk/sounds/es_MX_f_Allison/*.wav', 'tuxpaint/**/*_desc_es.ogg'],
    'it': ['asterisk/sounds/it_IT_f_Menardi/*.wav', 'asterisk/sounds/it_IT_m_Carlo/*.wav'],
    'ru': ['asterisk/sounds/ru_RU_f_IvrvoiceRU/*.wav', 'tuxpaint/**/*_desc_ru.ogg'],
    'de': ['ktuberling/sounds/de/*.wav', 'ktuberling/sounds/de/*.ogg'],
    'ca': ['tuxpaint/**/*_desc_ca.ogg'], 'ro': ['tuxpaint/**/*_desc_ro.ogg'],
    'bg': ['tuxpaint/**/*_desc_bg.ogg'], 'el': ['tuxpaint/**/*_desc_el.ogg'],
}


def spoken(path):
    """The samples of a recording from its first to its last sound; none if it says too little to know its language by."""
    import numpy
    from faster_whisper.audio import decode_audio
    try:
        samples = decode_audio(path, sampling_rate=RATE)
    except Exception:
        return None
    blocks = samples[:len(samples) // 320 * 320].reshape(-1, 320)
    if not len(blocks):
        return None
    levels = numpy.sqrt((blocks ** 2).mean(1))
    loud = numpy.flatnonzero(levels > max(levels.max() * 0.05, 1e-3))
    if not len(loud) or loud[-1] - loud[0] < 40:
        return None
    return samples[loud[0] * 320:(loud[-1] + 1) * 320]


def prompts(sounds, pattern, seed):
    """The prompts of a voice without their silences."""
    import glob
    paths = sorted(glob.glob(os.path.join(sounds, '**', pattern), recursive=True))
    # One prompt of each name, so that no voice says the same twice.
    paths = list({os.path.basename(path): path for path in paths}.values())
    random.Random(seed).shuffle(paths)
    return (part for part in map(spoken, paths[:400]) if part is not None)


def write(name, samples):
    with wave.open(name, 'wb') as file:
        file.setparams((1, 2, RATE, 0, 'NONE', ''))
        file.writeframes((samples * 32767).astype('<i2').tobytes())


def files(sounds, folder):
    import numpy
    for language, patterns in VOICES.items():
        for number, length in enumerate(FILES):
            samples = numpy.zeros(0, numpy.float32)
            # A pattern may match nothing in a version of a package.
            voice = next(v % len(patterns) for v in range(number, number + len(patterns))
                         if next(prompts(sounds, patterns[v % len(patterns)], ''), None) is not None)
            for part in prompts(sounds, patterns[voice], f'file {language} {number}'):
                if len(samples) + len(part) <= (length + 1) * RATE:
                    samples = numpy.concatenate([samples, numpy.zeros(RATE // 2, numpy.float32), part])
                if len(samples) >= length * RATE:
                    break
            write(os.path.join(folder, f'{language}-{voice}-{length:02}-{number:02}.wav'), samples)


def excerpts(sounds, folder):
    import numpy
    for language, patterns in VOICES.items():
        for voice, pattern in enumerate(patterns):
            parts = list(prompts(sounds, pattern, language + str(voice)))
            if not parts:
                continue
            for length in LENGTHS:
                count = EXCERPTS // len(patterns)
                for number in range(count):
                    name = os.path.join(folder, f'{language}-{voice}-{length:02}-{number:02}.wav')
                    samples, index = numpy.zeros(0, numpy.float32), number * len(parts) // count
                    while len(samples) < length * RATE:
                        samples = numpy.concatenate([samples, numpy.zeros(RATE // 5, numpy.float32)][:1 if not len(samples) else 2]
                                                    + [parts[index % len(parts)]])
                        index += 1
                    write(name, samples[:length * RATE])


def peer(work, folder):
    from faster_whisper import WhisperModel
    from faster_whisper.audio import decode_audio
    model = WhisperModel(os.path.join(work, 'models', 'base'), device='cpu', compute_type='int8', cpu_threads=1, local_files_only=True)
    with open(os.path.join(folder, 'peer.jsonl'), 'w') as out:
        for name in sorted(os.listdir(folder)):
            if name.endswith('.wav'):
                language, _, all_languages = model.detect_language(decode_audio(os.path.join(folder, name), sampling_rate=RATE))
                out.write(json.dumps({'name': name, 'language': language, 'all': dict(all_languages)}) + '\n')


def longhand(program, folder, count):
    """The languages that Longhand names without an option, by file."""
    names = sorted(name for name in os.listdir(folder) if name.endswith('.wav') and int(name[:-4].split('-')[3]) < count)
    target = os.path.join(folder, 'longhand')
    environment = {key: value for key, value in os.environ.items() if key != 'LANG' and not key.startswith('LC_')}
    # A file in which no words were recognized is no failure here; each has its document.
    subprocess.run([program, 'transcribe', '--quiet', '--format', 'json', '--output-dir', target, '--force',
                    *[os.path.join(folder, name) for name in names]], env=environment)
    found = {}
    for name in names:
        with open(os.path.join(target, name[:-4] + '.json')) as file:
            found[name] = json.load(file)['locale'].split('-')[0]
    return found


def table(found):
    """A row for each length: the share of right languages of each program."""
    for length in sorted({int(name.split('-')[2]) for name in found[0]}):
        row = [f'{length} s']
        for each in found:
            names = [name for name in each if name.split('-')[2] == f'{length:02}']
            right = sum(each[name] == name.split('-')[0] for name in names)
            row.append(f'{right} of {len(names)}')
        print('| ' + ' | '.join(row) + ' |')
    for language in VOICES:
        row = [language]
        for each in found:
            names = [name for name in each if name.startswith(language + '-')]
            wrong = collections.Counter(each[name] for name in names if each[name] != language)
            row.append(f'{len(names) - wrong.total()} of {len(names)}' + (f' {dict(wrong)}' if wrong else ''))
        print('| ' + ' | '.join(row) + ' |')
    print(f'| all | ' + ' | '.join(f"{sum(each[name] == name.split('-')[0] for name in each)} of {len(each)}" for each in found) + ' |')


def main():
    work, sounds, program = sys.argv[1:4]
    takes_files = 'files' in sys.argv
    folder = os.path.join(work, 'language-files' if takes_files else 'languages')
    python = os.path.join(work, 'venv/bin/python')
    if sys.executable != python and not os.path.exists(os.path.join(folder, 'peer.jsonl')):
        subprocess.run([python, __file__, *sys.argv[1:], '--peer'], check=True)
    elif '--peer' in sys.argv:
        os.makedirs(folder, exist_ok=True)
        (files if takes_files else excerpts)(sounds, folder)
        return peer(work, folder)
    with open(os.path.join(folder, 'peer.jsonl')) as file:
        by_peer = {line['name']: line['language'] for line in map(json.loads, file)}
    found = longhand(program, folder, int(sys.argv[4]) if len(sys.argv) > 4 and not takes_files else EXCERPTS)
    table([found, {name: by_peer[name] for name in found}])
    for name in found if takes_files else []:
        if {found[name], by_peer[name]} != {name.split('-')[0]}:
            print(f'{name}: {found[name]}, {by_peer[name]}', file=sys.stderr)


if __name__ == '__main__':
    main()
