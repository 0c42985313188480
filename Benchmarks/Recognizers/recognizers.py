"""The recognizers that are compared: for each the command that writes OUT/NAME.txt for each NAME.wav."""
import json, os, subprocess, sys

HERE = os.path.dirname(os.path.abspath(__file__))


class Recognizer:
    """`command(files, out, is_long)` is run once for a set; `texts` reads what it wrote."""
    def __init__(self, name, command, environment={}): self.name, self.command, self.environment = name, command, environment

    def text(self, path, out):
        target = os.path.join(out, os.path.splitext(os.path.basename(path))[0] + '.txt')
        return ' '.join(open(target, encoding='utf-8', errors='replace').read().split()) if os.path.exists(target) else ''


def longhand(work, program, model):
    def command(files, out, is_long):
        return [program, 'transcribe', '-q', '--locale', 'en-US', '--model', model, '--format', 'txt', '--output-dir', out, '--force', *files]
    return Recognizer(f'longhand {model}', command)


def faster_whisper(work, model, beam, threads):
    def command(files, out, is_long):
        return [os.path.join(work, 'venv/bin/python'), os.path.join(HERE, 'faster-whisper.py'),
                os.path.join(work, 'models', model), str(beam), str(threads), out, 'filter' if is_long else 'plain', *files]
    search = 'greedy' if beam == 1 else f'beam {beam}'
    return Recognizer(f'faster-whisper {model} int8 {search} {threads}t', command, {'OMP_NUM_THREADS': str(threads)})


def whisper_cpp(work, model, beam, threads):
    def command(files, out, is_long):
        outputs = [part for file in files
                   for part in ('-of', os.path.join(out, os.path.splitext(os.path.basename(file))[0]))]
        return [os.path.join(work, 'whisper.cpp/bin/whisper-cli'), '-m', os.path.join(work, 'models', f'ggml-{model}.bin'),
                '-l', 'en', '-t', str(threads), '-bs', str(beam), '-bo', str(beam), '-np', '-otxt', *outputs, *files]
    search = 'greedy' if beam == 1 else f'beam {beam}'
    return Recognizer(f'whisper.cpp {model} f16 {search} {threads}t', command)


def pocketsphinx(work, program):
    """Each recording as one utterance, a long one by its own detector of speech."""
    def command(files, out, is_long):
        return [sys.executable, os.path.abspath(__file__), program, 'live' if is_long else 'single', out, *files]
    return Recognizer('pocketsphinx', command)


def run_pocketsphinx(program, mode, out, files):
    for file in files:
        done = subprocess.run([program, mode, file], capture_output=True, text=True)
        words = ' '.join(json.loads(line).get('t', '') for line in done.stdout.splitlines() if line.startswith('{'))
        with open(os.path.join(out, os.path.splitext(os.path.basename(file))[0] + '.txt'), 'w') as target: target.write(words)


def all(work, options):
    return [
        longhand(work, options.longhand, 'whisper-base'), longhand(work, options.longhand, 'whisper-tiny-en'),
        faster_whisper(work, 'base', 1, 1), faster_whisper(work, 'base', 5, 1), faster_whisper(work, 'base', 1, 2),
        faster_whisper(work, 'base', 5, 2), faster_whisper(work, 'tiny.en', 1, 1),
        whisper_cpp(work, 'base', 1, 1), whisper_cpp(work, 'tiny.en', 1, 1), whisper_cpp(work, 'base', 5, 1),
        pocketsphinx(work, options.pocketsphinx),
    ]


if __name__ == '__main__': run_pocketsphinx(sys.argv[1], sys.argv[2], sys.argv[3], sys.argv[4:])
