#!/usr/bin/env python3
"""Measures the energy that a recording takes, and what it costs in delay: wake-ups and processor seconds of `longhand record`
and all its processes.

    measure.py [--longhand PROGRAM] [--seconds N] [--noise DBFS] [--speech FILE...] [--threads] [-- OPTION...]

Starts a sound server without a sound card, records its microphone, and counts for N seconds (60 if no number is given) after the
first 30. The microphone has digital silence; with --noise, the noise of a room at that level. With --speech, each WAVE file is
played after six seconds of silence, and the delays of the first words and of the final text are measured, from the moments at
which the microphone has the first and the last loud sound; then it counts until the last file has ended. OPTIONs go to
`longhand record`. A wake-up is a voluntary context switch: a thread that had waited runs again. --threads shows which threads
and which system calls those are (the calls need strace).

Needs pulseaudio, pactl, paplay, parec and Linux.
"""
import argparse, array, collections, json, math, os, random, shutil, statistics, struct, subprocess, sys, tempfile, threading, time, wave

CHANNELS, RATE = 1, 48000
TICKS = os.sysconf('SC_CLK_TCK')


def processes(root):
    """The process and all its descendants."""
    children = collections.defaultdict(list)
    for name in filter(str.isdigit, os.listdir('/proc')):
        try: children[int(open(f'/proc/{name}/stat').read().rpartition(')')[2].split()[1])].append(int(name))
        except OSError: pass
    found = [root]
    for process in found: found += children[process]
    return found


def counts(root):
    """For each thread of each process: its name, its wake-ups, and its processor time in ticks."""
    found = {}
    for process in processes(root):
        try: threads = os.listdir(f'/proc/{process}/task')
        except OSError: continue
        for thread in threads:
            folder = f'/proc/{process}/task/{thread}'
            try:
                status = dict(line.split(':', 1) for line in open(f'{folder}/status').read().splitlines() if ':' in line)
                times = open(f'{folder}/stat').read().rpartition(')')[2].split()
            except OSError: continue
            program = os.path.basename(os.readlink(f'/proc/{process}/exe'))
            found[process, int(thread)] = (f'{program} {status["Name"].strip()}', int(status['voluntary_ctxt_switches']),
                                           int(times[11]) + int(times[12]))
    return found


def noise(path, level):
    """Writes ten seconds of white noise of this level (dBFS) as a WAVE file."""
    random.seed(1)
    scale = 32768 * 10 ** (level / 20)
    with wave.open(path, 'wb') as file:
        file.setnchannels(1); file.setsampwidth(2); file.setframerate(16000)
        file.writeframes(b''.join(struct.pack('<h', round(max(-32768, min(32767, random.gauss(0, scale)))))
                                  for _ in range(160000)))


class Sound:
    """When the microphone is loud, by its own samples."""
    BLOCK = RATE // 100

    def __init__(self, stream):
        self.onset = self.end = None
        self.stream = stream
        threading.Thread(target=self.listen, daemon=True).start()

    def listen(self):
        while data := self.stream.read(2 * self.BLOCK):
            samples = array.array('h', data)
            level = math.sqrt(sum(sample * sample for sample in samples) / len(samples))
            if level > 32768 * 10 ** (-40 / 20):
                self.end = time.monotonic()
                self.onset = self.onset or self.end


class Text:
    """When the lines of `record --format jsonl` come."""

    def __init__(self, stream):
        self.partial = self.final = None
        self.stream = stream
        threading.Thread(target=self.listen, daemon=True).start()

    def listen(self):
        for line in self.stream:
            event = json.loads(line)
            if event['type'] == 'partial' and event['text']: self.partial = self.partial or time.monotonic()
            if event['type'] == 'final': self.final = time.monotonic()


def say(files, play, sound, text):
    """Plays the files, and prints the delays."""
    first, final = [], []
    for file in files:
        time.sleep(6)
        sound.onset = sound.end = text.partial = text.final = None
        play(file).wait()
        time.sleep(4)
        if sound.onset and text.partial: first.append(text.partial - sound.onset)
        if sound.end and text.final: final.append(text.final - sound.end)
    for name, times in ('first words', first), ('final text', final):
        if times:
            print(f'{name}: median {statistics.median(times):.2f} s, most {max(times):.2f} s '
                  f'({len(times)} of {len(files)} recordings)')


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument('--longhand', default='longhand')
    arguments.add_argument('--seconds', type=float, default=60)
    arguments.add_argument('--settle', type=float, default=30, help='seconds before the count starts')
    arguments.add_argument('--speech', nargs='+', default=[])
    arguments.add_argument('--noise', type=float)
    arguments.add_argument('--threads', action='store_true')
    arguments.add_argument('options', nargs='*')
    chosen = arguments.parse_args()
    folder = tempfile.mkdtemp(prefix='energy-')
    started = []
    environment = dict(os.environ, HOME=folder, XDG_RUNTIME_DIR=folder, PULSE_SERVER=f'unix:{folder}/native')

    def start(*command, **more):
        started.append(subprocess.Popen(command, env=environment, **more))
        return started[-1]

    try:
        # Without `norewinds`, a null sink computes two seconds ahead, and its monitor misses changes.
        start('pulseaudio', '-n', '--daemonize=no', '--exit-idle-time=-1', '--use-pid-file=no', '--log-level=error',
              '-L', f'module-null-sink sink_name=room rate={RATE} channels={CHANNELS} norewinds=1',
              '-L', f'module-native-protocol-unix auth-anonymous=1 socket={folder}/native')
        while subprocess.run(['pactl', 'info'], env=environment, capture_output=True).returncode: time.sleep(0.1)
        subprocess.run(['pactl', 'load-module', 'module-remap-source', 'master=room.monitor', 'source_name=microphone'],
                       env=environment, check=True, stdout=subprocess.DEVNULL)
        subprocess.run(['pactl', 'set-default-source', 'microphone'], env=environment, check=True)
        if chosen.noise is not None:
            noise(f'{folder}/noise.wav', chosen.noise)
            start('sh', '-c', 'while paplay --device=room "$0"; do :; done', f'{folder}/noise.wav')
        recording = start(chosen.longhand, 'record', '--library', f'{folder}/library', '--format', 'jsonl',
                          *chosen.options, stdout=subprocess.PIPE)
        text = Text(recording.stdout)
        time.sleep(chosen.settle)
        before, begin = counts(recording.pid), time.monotonic()
        if chosen.speech:
            microphone = start('parec', '--device=room.monitor', f'--rate={RATE}', f'--channels={CHANNELS}',
                               '--format=s16le', '--latency-msec=10', '--raw', stdout=subprocess.PIPE)
            say(chosen.speech, lambda file: start('paplay', '--device=room', '--latency-msec=50', file),
                Sound(microphone.stdout), text)
        else: time.sleep(chosen.seconds)
        after, took = counts(recording.pid), time.monotonic() - begin
        if recording.poll() is not None: sys.exit('The recording has ended.')
        wakes, ticks = collections.Counter(), collections.Counter()
        for thread, (name, switches, used) in after.items():
            _, old, old_used = before.get(thread, (name, 0, 0))
            wakes[name] += switches - old
            ticks[name] += used - old_used
        print(f'{sum(wakes.values()) / took:.1f} wake-ups a second, '
              f'{sum(ticks.values()) / TICKS / took * 3600:.0f} processor seconds an hour')
        if chosen.threads:
            for name, count in wakes.most_common(): print(f'{count / took:8.1f}  {ticks[name] / TICKS:6.2f} s  {name}')
            if shutil.which('strace'):
                traced = [word for process in processes(recording.pid) for word in ('-p', str(process))]
                subprocess.run(['timeout', '-s', 'INT', '10', 'strace', '-f', '-c', *traced], stdout=subprocess.DEVNULL)
    finally:
        for process in reversed(started):
            process.terminate()
            try: process.wait(60)
            except subprocess.TimeoutExpired: process.kill()
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == '__main__': main()
