#!/usr/bin/env python3
"""Measures what `longhand record` loses of two sources on a busy machine, beside the sound server's own recorder.

    beside-parec.py [--longhand PROGRAM] [--seconds N] [--busy N] [--sources N] [--keep DIR] [-- OPTION...]

Starts a sound server without a sound card. It has two sources (or one, with --sources 1); each plays its own noise for N seconds
(600 if no number is given). `longhand record` and one `parec` a source record them at the same time, beside eight busy processes.
Each tenth of a second of the noise is then searched in the recordings. A tenth that is not found is missing; one that is found
at another time than the tenth before has moved. OPTIONs go to `longhand record`. With --keep, recordings stay in DIR.

Prints, for each source: the seconds that are missing in each recording, and Longhand's gaps. The status is 1 if Longhand misses
more than parec plus 0.5 s, has more than this in gaps, or puts a tenth elsewhere than 20 ms from its time. Needs numpy,
pulseaudio, pactl, paplay, parec and Linux.
"""
import argparse, glob, json, os, shutil, signal, subprocess, sys, tempfile, time, wave
import numpy

RATE = 16000
LENGTH = RATE // 10
# How many seconds away from its expected place a tenth is searched.
REACH = 8
ALLOWED, MOVED = 0.5, 0.02


def noise(path, seconds, seed):
    """Writes noise below 1 kHz as a WAVE file; its samples. It looks nearly the same where a clock is corrected by a sample."""
    spectrum = numpy.fft.rfft(numpy.random.default_rng(seed).standard_normal(seconds * RATE))
    spectrum[1000 * seconds:] = 0
    samples = numpy.fft.irfft(spectrum)
    samples = (samples * 5000 / samples.std()).clip(-32768, 32767).astype('<i2')
    with wave.open(path, 'wb') as file:
        file.setnchannels(1); file.setsampwidth(2); file.setframerate(RATE)
        file.writeframes(samples.tobytes())
    return samples.astype(float)


def channels(path):
    """The channels of a recording of Longhand."""
    data = open(path, 'rb').read()
    place = 12
    while data[place:place + 4] != b'data':
        if data[place:place + 4] == b'fmt ':
            count, rate = int.from_bytes(data[place + 10:place + 12], 'little'), int.from_bytes(data[place + 12:place + 16], 'little')
        place += 8 + int.from_bytes(data[place + 4:place + 8], 'little')
    if rate != RATE: sys.exit(f'The recording has {rate} Hz.')
    samples = numpy.frombuffer(data, '<i2', offset=place + 8, count=(len(data) - place - 8) // (2 * count) * count)
    return samples.reshape(-1, count).T.astype(float)


def find(part, recording, start, end):
    """The position of a part of the noise in a span of a recording; None if it is not there."""
    span = recording[max(0, start):end]
    if len(span) < len(part): return None
    size = 1 << (len(span) + len(part) - 1).bit_length()
    product = numpy.fft.irfft(numpy.fft.rfft(span, size) * numpy.conj(numpy.fft.rfft(part, size)), size)[:len(span) - len(part) + 1]
    energy = numpy.cumsum(numpy.concatenate([[0], span * span]))
    power = energy[len(part):] - energy[:-len(part)]
    score = product / numpy.sqrt(numpy.maximum(power, 1) * (part @ part))
    best = int(score.argmax())
    return max(0, start) + best if score[best] > 0.9 else None


def compare(played, recording):
    """The seconds of the noise that are missing, and the greatest difference between the shifts of two tenths, in seconds."""
    shifts, missing, last = [], 0, None
    for start in range(0, len(played) - LENGTH + 1, LENGTH):
        part = played[start:start + LENGTH]
        place = None
        if last is not None: place = find(part, recording, start + last - 400, start + last + LENGTH + 400)
        if place is None:
            reach = REACH * RATE if last is not None else len(recording)
            place = find(part, recording, start + (last or 0) - reach, start + (last or 0) + LENGTH + reach)
        if place is None: missing += 1
        else:
            last = place - start
            shifts.append(last)
    return missing * LENGTH / RATE, (max(shifts) - min(shifts)) / RATE if shifts else 0


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument('--longhand', default='longhand')
    arguments.add_argument('--seconds', type=int, default=600)
    arguments.add_argument('--busy', type=int, default=8)
    arguments.add_argument('--sources', type=int, choices=(1, 2), default=2)
    arguments.add_argument('--keep')
    arguments.add_argument('options', nargs='*')
    chosen = arguments.parse_args()
    folder = tempfile.mkdtemp(prefix='beside-parec-')
    names = ['near', 'far'][:chosen.sources]
    started = []
    environment = dict(os.environ, HOME=folder, XDG_RUNTIME_DIR=folder, PULSE_SERVER=f'unix:{folder}/native')

    def start(*command, **more):
        started.append(subprocess.Popen(command, env=environment, stdin=subprocess.DEVNULL, **more))
        return started[-1]

    def wait(what, condition):
        end = time.monotonic() + 120
        while not condition():
            if time.monotonic() > end: sys.exit(f'{what} after 120 s.')
            time.sleep(0.1)

    def recorded(path): return os.path.getsize(path) if os.path.exists(path) else 0

    try:
        # Without `norewinds`, a null sink computes two seconds ahead, and its monitor misses changes.
        start('pulseaudio', '-n', '--daemonize=no', '--exit-idle-time=-1', '--use-pid-file=no', '--log-level=error',
              *[word for name in names
                for word in ('-L', f'module-null-sink sink_name={name} rate={RATE} channels=1 norewinds=1')],
              '-L', f'module-native-protocol-unix auth-anonymous=1 socket={folder}/native')
        wait('No sound server', lambda: not subprocess.run(['pactl', 'info'], env=environment, capture_output=True).returncode)
        played = [noise(f'{folder}/{name}.wav', chosen.seconds, seed) for seed, name in enumerate(names)]
        recorder = start(chosen.longhand, 'record', '-q', '--library', f'{folder}/library',
                         *[word for name in names for word in ('--from', f'{name}.monitor')], *chosen.options,
                         stdout=subprocess.DEVNULL)
        others = [start('parec', f'--device={name}.monitor', '--format=s16le', f'--rate={RATE}', '--channels=1', '--raw',
                        f'{folder}/{name}.raw') for name in names]
        wait('No recording', lambda: all(recorded(f'{folder}/{name}.raw') > RATE for name in names)
             and any(recorded(path) > 4 * RATE for path in glob.glob(f'{folder}/library/recordings/*/audio.wav')))
        busy = [start('sh', '-c', 'while :; do :; done') for _ in range(chosen.busy)]
        for player in [start('paplay', f'--device={name}', f'{folder}/{name}.wav') for name in names]: player.wait()
        time.sleep(3)
        for process in busy + others: process.kill()
        # The first signal ends the recording, a later one also the transcription of the rest.
        while recorder.poll() is None:
            recorder.send_signal(signal.SIGINT)
            time.sleep(5)
        audio, = glob.glob(f'{folder}/library/recordings/*/audio.wav')
        manifest = json.load(open(os.path.join(os.path.dirname(audio), 'manifest.json')))
        is_wrong = False
        for channel, (name, samples) in enumerate(zip(names, channels(audio))):
            missing, moved = compare(played[channel], samples)
            theirs, _ = compare(played[channel], numpy.fromfile(f'{folder}/{name}.raw', '<i2').astype(float))
            gaps = sum(gap['frames'] for gap in manifest['gaps'] if gap.get('channel') in (None, channel)) / RATE
            print(f'{name}: missing {missing:.1f} s, with parec {theirs:.1f} s, of {chosen.seconds} s; '
                  f'gaps {gaps:.2f} s; moved by {moved * 1000:.0f} ms')
            is_wrong |= max(missing, gaps) > theirs + ALLOWED or moved > MOVED
        sys.exit(is_wrong)
    finally:
        for process in reversed(started):
            process.terminate()
            try: process.wait(60)
            except subprocess.TimeoutExpired: process.kill()
        if chosen.keep: shutil.copytree(folder, chosen.keep, ignore=lambda _, names: {'native'} & set(names), dirs_exist_ok=True)
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == '__main__': main()
