"""A client of a recognizer's service, by the messages of RecognitionProtocol. Needs ffmpeg and numpy."""
import json, os, socket, struct, subprocess
import numpy as np

RATE = 16000
CONFIGURE, BEGIN, AUDIO, END, ALIGN, FINAL = 1, 2, 3, 4, 6, 132


def samples(path):
    command = ['ffmpeg', '-v', 'error', '-i', path, '-f', 's16le', '-ac', '1', '-ar', str(RATE), '-']
    return np.frombuffer(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout, np.int16)


class Service:
    """PROGRAM with the model in FOLDER; empty for the model that comes with it."""
    def __init__(self, program, folder='', alternatives=5, phrases=(), witness=None, locale='en-US'):
        self.channel, theirs = socket.socketpair()
        environment = {**os.environ, 'OMP_WAIT_POLICY': 'PASSIVE', 'GOMP_SPINCOUNT': '0'}
        self.process = subprocess.Popen([program], stdin=theirs, env=environment)
        theirs.close()
        # The service needs of its own row only that it can be read.
        recognizer = {'id': os.path.basename(program), 'program': os.path.basename(program), 'variable': '',
                      'parallelism': 'processPerCore', 'loading': 5, 'ownLanguages': ['en-US'], 'usesLanguageModels': True,
                      'words': {'minRate': 0, 'minLoneConfidence': 0, 'rejectsLoops': False, 'speechMargin': 0}}
        self.send(CONFIGURE, {'locale': locale, 'detectsLanguage': False, 'translates': False, 'mode': 'recording',
                              'alternatives': alternatives, 'contextualStrings': list(phrases),
                              'model': {'recognizer': recognizer, 'folder': folder, 'digest': '', 'witness': witness}})
        self.receive()

    def send(self, kind, payload=b''):
        data = payload if isinstance(payload, bytes) else json.dumps(payload).encode()
        self.channel.sendall(struct.pack('<IB', len(data) + 1, kind) + data)

    def read(self, count):
        data = b''
        while len(data) < count:
            part = self.channel.recv(count - len(data))
            if not part: raise SystemExit('the service ended')
            data += part
        return data

    def receive(self):
        length, kind = struct.unpack('<IB', self.read(5))
        return kind, json.loads(self.read(length - 1))

    def final(self, audio, kind, payload=b''):
        self.send(BEGIN, 0)
        self.send(AUDIO, audio.astype('<i2').tobytes())
        self.send(kind, payload)
        kind, reply = self.receive()
        return reply.get('hypotheses', []) if kind == FINAL else []

    def hypotheses(self, audio):
        """What is recognized in the samples, the best first."""
        return self.final(audio, END)

    def aligned(self, audio, texts):
        """The texts, each a list of words, with the times of their words in the samples and a score."""
        return self.final(audio, ALIGN, texts)
