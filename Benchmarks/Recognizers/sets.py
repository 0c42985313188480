"""The recordings that are recognized: a folder for each set, with 16 kHz WAV files and manifest.tsv (file, seconds, text)."""
import os, subprocess, sys, wave

HERE = os.path.dirname(os.path.abspath(__file__))
NOISE = os.path.join(HERE, '..', 'Noise', 'make-noisy.py')


def rows(path):
    return [line.rstrip('\n').split('\t') for line in open(path, encoding='utf-8') if line.strip()]


def seconds(path):
    with wave.open(path) as sound: return sound.getnframes() / sound.getframerate()


def convert(source, target):
    subprocess.run(['ffmpeg', '-v', 'error', '-y', '-i', source, '-ac', '1', '-ar', '16000', '-c:a', 'pcm_s16le', target],
                   check=True)


def make(folder, clips):
    """clips: (source, name, text); a source that is None is in the folder already."""
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, 'manifest.tsv.new'), 'w', encoding='utf-8') as table:
        for source, name, text in clips:
            target = os.path.join(folder, name)
            if source: convert(source, target)
            table.write(f'{name}\t{seconds(target):.3f}\t{text}\n')
    os.rename(os.path.join(folder, 'manifest.tsv.new'), os.path.join(folder, 'manifest.tsv'))


def clips(audio):
    """The recordings of dev; telephone prompts are named so."""
    dev = os.path.join(audio, 'dev')
    for path, text in rows(os.path.join(dev, 'manifest.tsv')):
        name = os.path.splitext(os.path.normpath(path).replace('../', '').replace('/', '_'))[0] + '.wav'
        yield os.path.join(dev, path), name, text


def make_hour(audio, folder):
    subprocess.run([sys.executable, os.path.join(audio, 'make-long.py'), 'talk', folder], check=True)
    text = ' '.join(row[2] for row in rows(os.path.join(folder, 'talk.tsv')) if row[0] != 'start')
    make(folder, [(None, 'talk.wav', text)])


def make_noisy(audio, folder, level, every):
    subprocess.run([sys.executable, NOISE, audio, os.path.join(folder, 'all'), '--levels', level], check=True)
    made = os.path.join(folder, 'all', level)
    make(folder, [(os.path.join(made, name), name, text)
                  for name, text in rows(os.path.join(made, 'manifest.tsv'))[::every]])


def make_check(audio, folder):
    source = os.path.join(audio, 'check')
    make(folder, [(os.path.join(source, name), os.path.splitext(name)[0] + '.wav', text)
                  for name, text in rows(os.path.join(source, 'manifest.tsv'))])


def make_nonspeech(audio, folder):
    source = os.path.join(audio, 'nonspeech')
    make(folder, [(os.path.join(source, name), os.path.splitext(name)[0] + '.wav', '') for name in sorted(os.listdir(source))])


def make_all(audio, folder, every=3):
    """Makes the sets that are missing. Of the noisy clips every third is taken, because all of them are long."""
    made = {'dev': lambda to: make(to, clips(audio)), 'hour': lambda to: make_hour(audio, to),
            'nonspeech': lambda to: make_nonspeech(audio, to), 'check': lambda to: make_check(audio, to)}
    for level in ('20', '10', '5'):
        made[f'noise{level}'] = lambda to, level=level: make_noisy(audio, to, level, every)
    for name, build in made.items():
        to = os.path.join(folder, name)
        if not os.path.exists(os.path.join(to, 'manifest.tsv')):
            os.makedirs(to, exist_ok=True)
            build(to)
    return list(made)
