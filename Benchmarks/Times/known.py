#!/usr/bin/env python3
"""Makes speech whose word times are known.

    known.py sentences TEXTS OUT [--count N] [--voices slt,rms,awb,kal16]
    known.py joined MANIFEST OUT [--count N]

TEXTS and MANIFEST have a clip a line: path, tab, text. `sentences` lets each voice of flite say the texts, in turns, and
takes the times from the segments that flite made the sound of. `joined` joins recordings with digital silences of known
lengths; known are the beginnings of the first words and the ends of the last ones, as far as each clip is loud at its
edges: a clip is cut where 30 ms are louder than 24 dB below its loud parts.

OUT gets the recordings (16 kHz) and known.tsv: path, start, end in seconds, word; an unknown time is empty. Needs ffmpeg and
numpy, and flite's libraries.
"""
import argparse, ctypes, os, random, subprocess, wave
import numpy as np

RATE = 16000


class Flite:
    def __init__(self, voices):
        # The symbols of the core are looked up by the voices.
        core = self.core = ctypes.CDLL('libflite.so.1', ctypes.RTLD_GLOBAL)
        for name in ('usenglish', 'cmulex'): ctypes.CDLL(f'libflite_{name}.so.1', ctypes.RTLD_GLOBAL)
        pointer = ctypes.c_void_p
        for name, result, arguments in [
            ('flite_synth_text', pointer, [ctypes.c_char_p, pointer]), ('utt_relation', pointer, [pointer, ctypes.c_char_p]),
            ('relation_head', pointer, [pointer]), ('item_next', pointer, [pointer]), ('utt_wave', pointer, [pointer]),
            ('item_daughter', pointer, [pointer]), ('item_as', pointer, [pointer, ctypes.c_char_p]),
            ('item_last_daughter', pointer, [pointer]), ('item_prev', pointer, [pointer]),
            ('item_feat_string', ctypes.c_char_p, [pointer, ctypes.c_char_p]),
            ('item_feat_float', ctypes.c_float, [pointer, ctypes.c_char_p]),
            ('cst_wave_save_riff', ctypes.c_int, [pointer, ctypes.c_char_p]), ('delete_utterance', None, [pointer])]:
            function = getattr(core, name)
            function.restype, function.argtypes = result, arguments
        core.flite_init()
        self.voices = {}
        for name in voices:
            register = getattr(ctypes.CDLL(f'libflite_cmu_us_{name}.so.1'), f'register_cmu_us_{name}')
            register.restype, register.argtypes = pointer, [ctypes.c_char_p]
            self.voices[name] = register(None)

    def say(self, text, voice, path):
        """Writes the sound, and returns the words with their times."""
        core = self.core
        utterance = core.flite_synth_text(text.encode(), self.voices[voice])
        core.cst_wave_save_riff(core.utt_wave(utterance), path.encode())
        words = []
        token = core.relation_head(core.utt_relation(utterance, b'Token'))
        while token:
            first, last = core.item_daughter(token), core.item_last_daughter(token)
            if first:
                name = core.item_feat_string(token, b'name').decode()
                words.append((self.edge(first, True), self.edge(last, False), name))
            token = core.item_next(token)
        core.delete_utterance(utterance)
        return [word for word in words if word[0] is not None]

    def edge(self, word, is_start):
        core = self.core
        item = core.item_as(word, b'SylStructure')
        daughter = core.item_daughter if is_start else core.item_last_daughter
        for _ in range(2): item = daughter(item) if item else None
        segment = core.item_as(item, b'Segment') if item else None
        if not segment: return None
        if not is_start: return core.item_feat_float(segment, b'end')
        before = core.item_prev(segment)
        return core.item_feat_float(before, b'end') if before else 0.0


def samples(path):
    command = ['ffmpeg', '-v', 'error', '-i', path, '-f', 's16le', '-ac', '1', '-ar', str(RATE), '-']
    return np.frombuffer(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout, np.int16)


def save(path, data):
    with wave.open(path, 'wb') as file:
        file.setnchannels(1); file.setsampwidth(2); file.setframerate(RATE)
        file.writeframes(data.astype(np.int16).tobytes())


def texts(path):
    rows = [line.rstrip('\n').split('\t') for line in open(path)]
    return [(os.path.join(os.path.dirname(path), row[0]), row[1]) for row in rows]


def sentences(options):
    flite = Flite(options.voices.split(','))
    rows = texts(options.list)
    for index, (_, text) in enumerate(rows[::max(1, len(rows) // options.count)][:options.count]):
        for voice in flite.voices:
            name = f'{voice}-{index:03}.wav'
            words = flite.say(text, voice, os.path.join(options.out, name))
            yield name, words
            # The voices have 8 or 16 kHz.
            save(os.path.join(options.out, name), samples(os.path.join(options.out, name)))


def trimmed(data):
    """The clip between its first and last 30 ms that are loud, in frames of 10 ms."""
    frames = data[:len(data) // 160 * 160].reshape(-1, 160).astype(float)
    levels = 10 * np.log10((frames ** 2).mean(1) + 1)
    loud = levels > np.percentile(levels, 95) - 24
    runs = np.flatnonzero(loud[:-2] & loud[1:-1] & loud[2:])
    return data[runs[0] * 160:(runs[-1] + 3) * 160]


def joined(options):
    rows, choice = texts(options.list), random.Random(37)
    choice.shuffle(rows)
    for number in range(options.count):
        parts, words, length = [], [], 0
        for path, text in rows[4 * number:4 * number + 4]:
            silence, clip = np.zeros(int(choice.uniform(.3, 2.5) * RATE), np.int16), trimmed(samples(path))
            start, end, names = length + len(silence), length + len(silence) + len(clip), text.split()
            words += [(start / RATE if i == 0 else None, end / RATE if i == len(names) - 1 else None, name)
                      for i, name in enumerate(names)]
            parts += [silence, clip]
            length = end
        name = f'joined-{number:03}.wav'
        save(os.path.join(options.out, name), np.concatenate(parts + [np.zeros(RATE, np.int16)]))
        yield name, words


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('kind', choices=['sentences', 'joined'])
    parser.add_argument('list')
    parser.add_argument('out')
    parser.add_argument('--count', type=int, default=20)
    parser.add_argument('--voices', default='slt,rms,awb,kal16')
    options = parser.parse_args()
    os.makedirs(options.out, exist_ok=True)
    with open(os.path.join(options.out, 'known.tsv'), 'w') as table:
        for name, words in (sentences if options.kind == 'sentences' else joined)(options):
            for start, end, word in words:
                times = ['' if time is None else f'{time:.3f}' for time in (start, end)]
                print(name, *times, word, sep='\t', file=table)


main()
