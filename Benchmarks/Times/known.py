#!/usr/bin/env python3
"""Makes speech whose word times are known.

    known.py sentences TEXTS OUT [--count N] [--voices slt,rms,awb,kal16]
    known.py joined MANIFEST OUT [--count N]
    known.py spoken SPOKEN OUT

TEXTS and MANIFEST have a clip a line: path, tab, text. `sentences` lets each voice of flite say the texts, in turns, and
takes the times from the segments that flite made the sound of. `joined` joins recordings with digital silences of known
lengths; known are the beginnings of the first words and the ends of the last ones, as far as each clip is loud at its
edges: a clip is cut where 30 ms are louder than 24 dB below its loud parts. `spoken` lets espeak-ng say the lines of SPOKEN,
which have a language, a tab and a text (spoken.tsv), with its pauses and 0.7 s at each "|", and takes the times from its events.

OUT gets the recordings (16 kHz) and known.tsv: path, start, end in seconds, word; an unknown time is empty. Needs ffmpeg and
numpy, and the libraries of flite or espeak-ng.
"""
import argparse, ctypes, os, random, re, subprocess, wave
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


class Espeak:
    """libespeak-ng.so.1, with its data in ESPEAK_DATA_PATH if that is set."""
    WORD, PHONEME = 1, 7
    VARIANTS = ['', '+f2', '+m3']

    class Event(ctypes.Structure):
        _fields_ = [(name, ctypes.c_int) for name in ('type', 'message', 'position', 'length', 'milliseconds', 'sample')] + [
            ('user', ctypes.c_void_p), ('name', ctypes.c_char * 8)]

    def __init__(self):
        self.core, self.data, self.events = ctypes.CDLL('libespeak-ng.so.1'), bytearray(), []
        # The sound is returned, with events for phonemes.
        self.rate = self.core.espeak_Initialize(2, 0, os.environ.get('ESPEAK_DATA_PATH', '').encode() or None, 1)
        kind = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_int, ctypes.POINTER(self.Event))
        self.callback = kind(self.receive)
        self.core.espeak_SetSynthCallback(self.callback)
        # Words a minute: recognizers understand the usual 175 badly.
        self.core.espeak_SetParameter(1, 140, 0)

    def receive(self, sound, count, events):
        if sound and count: self.data += ctypes.string_at(sound, 2 * count)
        index = 0
        while events[index].type:
            event = events[index]
            self.events.append((event.type, event.position - 1, event.milliseconds / 1000, event.name))
            index += 1
        return 0

    def say(self, text, voice):
        """The sound, and the words with their times. A word that has no event of its own has no times."""
        self.data.clear(), self.events.clear()
        if self.core.espeak_SetVoiceByName(voice.encode()): raise SystemExit(f'espeak-ng has no voice {voice}.')
        marked = text.replace('|', '<break time="700ms"/>')
        spoken = marked.encode()
        # Characters are UTF-8, and SSML is understood.
        self.core.espeak_Synth(spoken, len(spoken) + 1, 0, 1, 0, 0x11, None, None)
        words = []
        for match in re.finditer(r'<[^>]*>|[^\s<]+', marked):
            if match[0][0] == '<': continue
            own = [i for i, (kind, at, *_) in enumerate(self.events) if kind == self.WORD and match.start() <= at < match.end()]
            if not own:
                words.append((None, None, match[0]))
                continue
            # The word ends with its last phoneme that is no pause.
            end = None
            for kind, _, time, name in self.events[own[-1] + 1:]:
                if kind == self.PHONEME and name[:1] != b'_': end = None
                elif kind in (self.WORD, self.PHONEME) and end is None: end = time
                if kind == self.WORD: break
            words.append((self.events[own[0]][2], end, match[0]))
        return np.frombuffer(bytes(self.data), np.int16), words


def samples(path):
    command = ['ffmpeg', '-v', 'error', '-i', path, '-f', 's16le', '-ac', '1', '-ar', str(RATE), '-']
    return np.frombuffer(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout, np.int16)


def save(path, data, rate=RATE):
    with wave.open(path, 'wb') as file:
        file.setnchannels(1); file.setsampwidth(2); file.setframerate(rate)
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


def spoken(options):
    espeak = Espeak()
    for index, line in enumerate(open(options.list)):
        language, text = line.rstrip('\n').split('\t')
        data, words = espeak.say(text, language + espeak.VARIANTS[index % len(espeak.VARIANTS)])
        name = f'{language}-{index:03}.wav'
        path = os.path.join(options.out, name)
        silence = np.zeros(espeak.rate // 2, np.int16)
        save(path, np.concatenate([silence, data, silence]), espeak.rate)
        save(path, samples(path))
        yield name, [(*(edge if edge is None else edge + .5 for edge in word[:2]), word[2]) for word in words]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('kind', choices=['sentences', 'joined', 'spoken'])
    parser.add_argument('list')
    parser.add_argument('out')
    parser.add_argument('--count', type=int, default=20)
    parser.add_argument('--voices', default='slt,rms,awb,kal16')
    options = parser.parse_args()
    os.makedirs(options.out, exist_ok=True)
    with open(os.path.join(options.out, 'known.tsv'), 'w') as table:
        for name, words in globals()[options.kind](options):
            for start, end, word in words:
                times = ['' if time is None else f'{time:.3f}' for time in (start, end)]
                print(name, *times, word, sep='\t', file=table)


main()
