#!/usr/bin/env python3
"""What a language model changes, for better and for worse: the choice among alternatives, and the second text.

    measure.py LONGHAND MANIFEST WORK [--recognizers NAME…] [--models NAME…] [--only PART] [--every N]

MANIFEST has a recording a line (path, tab, text; fields between them are ignored). WORK keeps what takes long: the recognizers' answers, and those of the model.
PART is `choice` or `text`; N takes each Nth recording and sentence. The models are those of server.py; `endpoint` is the server
that FOUNDATION_MODEL_ENDPOINT names, `smollm2` is what `prepare WORK` installed.

For the choice, printed are for each model how often it was asked; how often it chose another alternative than the first, and
how many of these choices have fewer errors, and more; the words won and lost; how often the answer was unusable (refused,
undecided, no index), and late. `any` is the best and the worst that any model could do: each alternative that it is offered.
For the second text, the same of the texts that the model wrote for the sentences of Tests/EndToEnd/Domains as they are,
compared with those by the vocabulary alone.
"""
import argparse, hashlib, json, os, subprocess, sys, tempfile, time, urllib.request

HERE = os.path.dirname(os.path.abspath(__file__))
TEXTS = os.path.join(HERE, '../../Tests/EndToEnd/Domains')
DOMAINS = 'chess', 'jiujitsu', 'medicine'
# Models whose answers are kept.
RECORDED = 'smollm2', 'endpoint'
NUMBERS = ['1', '2', '3', '4']
# A late answer takes as long as the deadline.
LATE = {'choice': 20, 'text': 2}


class Server:
    """A server by server.py; `real` is the program behind it."""
    def __init__(self, *arguments, real=None):
        self.real = real
        self.process = subprocess.Popen([sys.executable, '-B', os.path.join(HERE, 'server.py'), *arguments],
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.port = int(self.process.stdout.readline())
        self.environment = {'FOUNDATION_MODEL_ENDPOINT': f'http://127.0.0.1:{self.port}/v1'}

    def wait(self):
        while urllib.request.urlopen(f'http://127.0.0.1:{self.port}/').read() != b'0': time.sleep(.5)

    def close(self):
        self.process.stdin.close()
        self.process.wait()
        if self.real: self.real.kill()


def smollm2(work):
    free = __import__('socket').create_server(('127.0.0.1', 0))
    port = free.getsockname()[1]
    free.close()
    # Without --no-context-shift it would shorten a prompt that is too long and answer the rest.
    program = [os.path.join(work, 'llama-server'), '--model', os.path.join(work, 'SmolLM2-135M-Instruct.Q4_1.gguf'), '--host',
               '127.0.0.1', '--port', str(port), '--ctx-size', '4096', '--threads', '1', '--seed', '1', '--no-context-shift']
    real = subprocess.Popen(program, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while True:
        try:
            if urllib.request.urlopen(f'http://127.0.0.1:{port}/health').status == 200: break
        except OSError:
            if real.poll() is not None: sys.exit('llama-server ended')
            time.sleep(.2)
    return Server('recorded', f'http://127.0.0.1:{port}/v1', os.path.join(work, 'model-smollm2'), str(real.pid), real=real)


def server(name, work):
    if name == 'smollm2': return smollm2(work)
    if name == 'endpoint':
        return Server('recorded', os.environ['FOUNDATION_MODEL_ENDPOINT'], os.path.join(work, 'model-endpoint'))
    return Server(name)


class Program:
    def __init__(self, longhand, work):
        self.longhand, programs = longhand, os.path.join(work, 'programs')
        for folder in programs, os.path.join(work, 'answers'): os.makedirs(folder, exist_ok=True)
        self.environment = {name: value for name, value in os.environ.items() if not name.startswith('FOUNDATION_MODEL_')}
        folders = {'programs': os.path.dirname(os.path.abspath(longhand)), 'answers': os.path.join(work, 'answers')}
        with open(os.path.join(programs, 'recorded.json'), 'w') as file: json.dump(folders, file)
        for service, variable in ('whisper-service', 'WHISPER_SERVICE_PATH'), ('pocketsphinx-service', 'SPEECH_SERVICE_PATH'):
            link = os.path.join(programs, service)
            if os.path.lexists(link): os.remove(link)
            os.symlink(os.path.join(HERE, 'recorded-service.py'), link)
            self.environment[variable] = link

    def documents(self, files, options, server=None):
        """What is transcribed, by files. A model is asked again where it was too slow for this machine, not for the deadline."""
        documents, waiting = {}, list(files)
        while waiting:
            with tempfile.TemporaryDirectory() as out:
                subprocess.run([self.longhand, 'transcribe', '-q', '--json', '--jobs', '1', '--output-dir', out, *options, *waiting],
                               check=True, env={**self.environment, **(server.environment if server else {})})
                new = {file: json.load(open(os.path.join(out, os.path.splitext(os.path.basename(file))[0] + '.json')))
                       for file in waiting}
            if server: server.wait()
            repeats = server and server.process.args[3] == 'recorded'
            slow = [file for file in waiting if repeats and is_slow(new[file]) and not (file in documents and new[file] == documents[file])]
            documents.update(new)
            waiting = slow
        return documents

    def errors(self, pairs):
        """The word errors of texts, by names: {name: (reference, text)}."""
        with tempfile.TemporaryDirectory() as folder:
            paths = [os.path.join(folder, name) for name in ('reference.stm', 'text.stm')]
            for place, path in enumerate(paths):
                with open(path, 'w') as file:
                    for name, texts in pairs.items():
                        if texts[place].strip(): file.write(f'{name} 1 x 0 1 {" ".join(texts[place].split())}\n')
            done = subprocess.run([self.longhand, 'score', '--json', '--reference', *paths], check=True, capture_output=True)
        return {clip['name']: clip['wordErrorRate']['errors'] for clip in json.loads(done.stdout)['clips']}


    def run(self, *arguments, library, model=None):
        environment = {**self.environment, **(model.environment if model else {}), 'LONGHAND_LIBRARY': library}
        return subprocess.run([self.longhand, *arguments], check=True, capture_output=True, text=True, env=environment).stdout

    def imported(self, texts, library):
        """Texts as sessions without audio: each as the only segment, with a second for each word."""
        lines = os.path.join(library, 'transcripts.jsonl')
        with open(lines, 'w') as file:
            for number, text in enumerate(texts): file.write(json.dumps(worker_line(number, text)) + '\n')
        return self.run('import', '--transcripts', lines, library=library).split()

    def exported(self, session, vocabulary, library, model):
        return json.loads(self.run('export', session, '--json', '--normalize', '--vocabulary', vocabulary, library=library,
                                   model=model))['normalized']


def worker_line(number, text):
    words, name = text.split(), f'{number}.wav'
    segment = {'id': 0, 'start': 0, 'end': len(words), 'text': text, 'formatted': text, 'confidence': .9,
               'words': [{'text': word, 'display': word, 'start': place, 'end': place + 1, 'confidence': .9}
                         for place, word in enumerate(words)],
               'alternatives': [{'text': text, 'confidence': .9}], 'selection': {'index': 0, 'rule': 'recognizer'}, 'revision': 0}
    transcript = {'version': 1, 'source': name, 'locale': 'en-US', 'engine': 'analyzer', 'duration': len(words), 'text': text,
                  'segments': [segment]}
    return {'id': str(number), 'status': 'ok', 'path': name, 'sha256': hashlib.sha256(text.encode()).hexdigest(),
            'audioSeconds': len(words), 'processorSeconds': 0, 'transcript': transcript,
            'spans': [{'start': 0, 'end': len(words), 'kind': 'transcribed'}], 'candidateWords': [[[[word, place, place + 1, .9] for place, word in enumerate(words)]]]}


def is_slow(document):
    return any(segment['selection'].get('judgement') in ('timed-out', 'busy') for segment in document['segments'])


def text(document, chosen={}):
    """The recognizer's first texts, but in some segments another one."""
    return ' '.join(segment['alternatives'][chosen.get(place, 0)]['text'] for place, segment in enumerate(document['segments']))


def row(name, *values): print(f'| {name} | ' + ' | '.join(str(value) for value in values) + ' |', flush=True)


def table(title, *columns):
    print(f'\n{title}\n')
    row('model', *columns)
    print('| --- ' * (len(columns) + 1) + '|')


def choices(program, clips, recognizer, models, work):
    table(f'The choice among alternatives, {recognizer}', 'asked', 'chosen', 'better', 'worse', 'words won', 'words lost', 'unusable',
          'late')
    bounds = {}
    for name in models:
        files = list(clips)[:LATE['choice'] if name == 'late' else None]
        model = server(name, work)
        documents = program.documents(files, ['--model', recognizer], model)
        model.close()
        judged = [(file, place, segment['selection']) for file in files
                  for place, segment in enumerate(documents[file]['segments']) if 'judgement' in segment['selection']]
        chosen = {(file, place): selection['index'] for file, place, selection in judged if selection['rule'] == 'language-model'}
        # Each choice by itself.
        number = {file: place for place, file in enumerate(files)}
        pairs = {f'{number[file]}': (clips[file], text(documents[file])) for file, _ in chosen}
        pairs.update({f'{number[file]}-{place}': (clips[file], text(documents[file], {place: index}))
                      for (file, place), index in chosen.items()})
        errors = program.errors(pairs) if pairs else {}
        more = {(file, place): errors[f'{number[file]}-{place}'] - errors[f'{number[file]}'] for file, place in chosen}
        for key, value in more.items():
            least, most = bounds.get(key, (0, 0))
            bounds[key] = min(least, value), max(most, value)
        counts = [selection['judgement'] for *_, selection in judged]
        late = sum(counts.count(name) for name in ('timed-out', 'busy'))
        if name not in NUMBERS: row(name, len(judged), len(chosen), *effects(more), len(counts) - counts.count('answered') - late, late)
        if name == NUMBERS[-1]:
            best, worst = ([value[place] for value in bounds.values()] for place in (0, 1))
            row('any', len(judged), len(bounds), sum(value < 0 for value in best), sum(value > 0 for value in worst), -sum(best), sum(worst),
                0, 0)


def effects(more):
    better, worse = [-value for value in more.values() if value < 0], [value for value in more.values() if value > 0]
    return len(better), len(worse), sum(better), sum(worse)


def second_texts(program, models, work, every):
    table('The second text', 'asked', 'used', 'changed', 'better', 'worse', 'words won', 'words lost', 'unusable', 'late')
    with tempfile.TemporaryDirectory() as library:
        sentences = [(domain, sentence) for domain in DOMAINS
                     for sentence in open(os.path.join(TEXTS, domain + '.txt')).read().splitlines()[::every]]
        sessions = program.imported([sentence for _, sentence in sentences], library)
        references = {session: sentence for session, (_, sentence) in zip(sessions, sentences)}
        vocabularies = {session: os.path.join(TEXTS, domain + '.json5') for session, (domain, _) in zip(sessions, sentences)}

        def written(session, model=None):
            """The second text; None where the model's was not used."""
            document = program.exported(session, vocabularies[session], library, model)
            return None if model and document['by'] == 'vocabulary' else document['text']

        plain = {session: written(session) for session in sessions}
        for name in models:
            asked = sessions[:LATE['text'] if name == 'late' else None]
            model = server(name, work)
            texts = {session: written(session, model) for session in asked}
            if name in RECORDED:
                model.wait()
                texts.update({session: written(session, model) for session in asked if texts[session] is None})
            model.close()
            used = [session for session in asked if texts[session] is not None]
            changed = [session for session in used if texts[session] != plain[session]]
            pairs = {f'{session}-{kind}': (references[session], text) for session in changed
                     for kind, text in (('plain', plain[session]), ('model', texts[session]))}
            errors = program.errors(pairs) if pairs else {}
            more = {session: errors[f'{session}-model'] - errors[f'{session}-plain'] for session in changed}
            unused = len(asked) - len(used)
            row(name, len(asked), len(used), len(changed), *effects(more), *((0, unused) if name == 'late' else (unused, 0)))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('longhand')
    parser.add_argument('manifest')
    parser.add_argument('work')
    parser.add_argument('--recognizers', nargs='*', default=['whisper-base', 'pocketsphinx'])
    parser.add_argument('--models', nargs='*', default=['first', 'last', 'random', 'nonsense', 'late', 'smollm2'])
    parser.add_argument('--every', type=int, default=1, help='takes each Nth clip and sentence')
    parser.add_argument('--only', choices=('choice', 'text'))
    options = parser.parse_args()
    work = os.path.abspath(options.work)
    folder = os.path.dirname(os.path.abspath(options.manifest))
    rows = [line.rstrip('\n').split('\t') for line in open(options.manifest)][::options.every]
    program = Program(options.longhand, work)
    for recognizer in options.recognizers if options.only != 'text' else []:
        choices(program, {os.path.join(folder, row[0]): row[-1] for row in rows}, recognizer, NUMBERS + options.models, work)
    if options.only != 'choice': second_texts(program, options.models, work, options.every)


if __name__ == '__main__': main()
