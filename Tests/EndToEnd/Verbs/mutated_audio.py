#!/usr/bin/env python3
"""Transcribes damaged audio files, a quarter of them containers with false times, and checks what each one costs.

    mutated_audio.py LONGHAND TALK.wav FILES FOLDER [SEED]

Makes FILES files of TALK.wav in FOLDER; the same seed makes the same files. Each is less than a megabyte. `longhand transcribe
--format json` gets them in groups; the environment chooses the recognizer. A file that is not refused must have coverage that
adds up to its duration. No file may take more than 400 MB (all processes together) or 10 s of processor
time. A group that keeps these limits proves that each of its files does; the files of another group are run again one by one.
Prints a line for each fault and one summary. The status is 1 if there are faults. Needs ffmpeg and Linux.
"""
import collections, ctypes, json, os, random, resource, struct, subprocess, sys, threading, time

MEGABYTES, SECONDS = 400, 10
GROUP = 20
# The container, the codec of the audio, and what else ffmpeg needs.
PLAIN = {'wav': ['pcm_s16le'], 'flac': ['flac'], 'mp3': ['libmp3lame'], 'ogg': ['libvorbis'], 'opus': ['libopus'],
         'm4a': ['aac'], 'aiff': ['pcm_s16be'], 'au': ['pcm_mulaw'],
         'w64': ['pcm_f32le'], 'aac': ['aac'], 'wv': ['wavpack'], 'ac3': ['ac3']}
TIMED = {'mkv': ['libopus'], 'mka': ['pcm_s16le'], 'webm': ['libvorbis'], 'mp4': ['aac'], 'mov': ['pcm_s16le'],
         'caf': ['libopus'], 'ts': ['aac'], 'mpg': ['mp2'], 'avi': ['libmp3lame'], 'flv': ['aac'], 'wmv': ['wmav2'],
         'nut': ['flac'], 'oga': ['flac'], '3gp': ['aac']}
# Times of packets: of a clock with another speed, with jumps, and without any sense.
TIMES = ['PTS*0.9', 'PTS*1.01', 'PTS*100', 'PTS*36000', r'PTS+gt(N\,20)*3600/TB', r'PTS+mod(N\,7)*0.2/TB', 'N*60/TB',
         r'PTS-gt(N\,30)*2/TB', 'PTS+random(1)*5/TB', 'N*1000000/TB', 'PTS+36000/TB', r'if(eq(N\,0)\,0\,PTS+9e8)',
         r'PTS+eq(N\,25)*1e15', '0', '-PTS', r'PTS-gt(N\,10)*3600/TB', 'PTS*0.001', 'random(1)*1e12']


def ffmpeg(*arguments):
    return subprocess.run(['ffmpeg', '-nostdin', '-v', 'quiet', '-y', *arguments]).returncode == 0


def mutate(data, dice):
    """Damages the bytes of a file in one of six ways."""
    kind = dice.choice(['bits', 'zeros', 'truncation', 'repetition', 'removal', 'header'])
    start = dice.randrange(len(data))
    end = min(len(data), start + dice.randint(1, max(1, len(data) // 3)))
    if kind == 'bits':
        for _ in range(dice.randint(1, 60)): data[dice.randrange(len(data))] ^= 1 << dice.randrange(8)
    elif kind == 'zeros': data[start:end] = bytes(end - start)
    elif kind == 'truncation': del data[start:]
    elif kind == 'repetition': data[end:end] = data[start:end]
    elif kind == 'removal': del data[start:end]
    else:
        for _ in range(dice.randint(1, 6)): data[dice.randrange(min(200, len(data)))] = dice.randrange(256)
    return kind


def falsify(data, dice):
    """Replaces numbers at the beginning or the end of a container, where it states times and lengths."""
    for _ in range(dice.randint(1, 3)):
        value = dice.choice([0, 1, 2, 0x7fffffff, 0x80000000, 0xffffffff, 0xffff, dice.getrandbits(32), dice.getrandbits(16)])
        number = struct.pack(dice.choice('<>') + dice.choice('IQ'), value)
        place = dice.randrange(min(2000, len(data) - 8))
        if dice.random() < 0.5: place = len(data) - 8 - place
        data[place:place + len(number)] = number
    return 'numbers'


def make(talk, count, folder, dice):
    """Writes the files; the path of each, with how it was made."""
    made, whole, codecs = [], {}, PLAIN | TIMED
    while len(made) < count:
        is_timed = len(made) % 4 == 3
        container = dice.choice(list(TIMED if is_timed else codecs))
        if container not in whole:
            whole[container] = f'{folder}/whole.{container}'
            if not ffmpeg('-i', talk, '-c:a', *codecs[container], whole[container]): sys.exit(f'ffmpeg cannot make {container}')
        path = f'{folder}/{len(made):04}.{container}'
        if is_timed and dice.random() < 0.5:
            kind = dice.choice(TIMES)
            if not ffmpeg('-i', whole[container], '-c', 'copy', '-bsf:a', f'setts=ts={kind}', path): continue
        else:
            data = bytearray(open(whole[container], 'rb').read())
            kind = (falsify if is_timed else mutate)(data, dice)
            open(path, 'wb').write(data)
        if os.path.getsize(path) < 1_000_000: made.append((path, kind))
    return made


class Memory(threading.Thread):
    """The most memory of all descendants of this process at one time, in megabytes: what is their own, and once what they share."""
    PAGE = resource.getpagesize()

    def __init__(self):
        super().__init__(daemon=True)
        self.most, self.is_over = 0, False
        self.start()

    def pages(self, process):
        """The pages of a process' own and of its descendants', and the greatest number of pages that one of them shares."""
        try:
            resident, shared = map(int, open(f'/proc/{process}/statm').read().split()[1:3])
            children = [child for task in os.listdir(f'/proc/{process}/task')
                        for child in open(f'/proc/{process}/task/{task}/children').read().split()]
        except OSError: return 0, 0
        own = resident - shared
        for child in map(self.pages, children): own, shared = own + child[0], max(shared, child[1])
        return own, shared

    def run(self):
        resident, shared = map(int, open('/proc/self/statm').read().split()[1:3])
        while not self.is_over:
            self.most = max(self.most, (sum(self.pages(os.getpid())) - resident + shared) * self.PAGE / 1e6)
            time.sleep(0.03)


def run(longhand, files, folder):
    """What a run took in megabytes and seconds, the transcript of each file, and standard error."""
    output = f'{folder}/output'
    subprocess.run(['rm', '-rf', output])
    memory = Memory()
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    process = subprocess.Popen([longhand, 'transcribe', '-q', '--jobs', '1', '--format', 'json', '--output-dir', output, *files],
                               stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    errors = process.communicate()[1]
    memory.is_over = True
    memory.join()
    # Processes that were left come to this one.
    try:
        while True: os.wait()
    except ChildProcessError: pass
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    texts = {}
    for file in files:
        name = f'{output}/{os.path.splitext(os.path.basename(file))[0]}.json'
        if os.path.exists(name): texts[file] = json.load(open(name))
    return memory.most, seconds, texts, process.returncode, errors


def faults(files, texts, status, errors, folder):
    """What is wrong with the results of a run."""
    if status not in (0, 1): yield f'status {status}: {errors[-300:]}'
    for file in files:
        name = os.path.basename(file)
        text = texts.get(file)
        if text is None:
            if f'{name}: ' not in errors: yield f'{name}: neither transcribed nor refused: {errors[-300:]}'
            continue
        coverage = text['coverage']
        if abs(sum(coverage.values()) - text['duration']) > 0.005:
            yield f'{name}: {text["duration"]} s, but the coverage is {coverage}'
        if coverage['pending']: yield f'{name}: {coverage["pending"]} s are pending: {errors[-300:]}'
        words = [word for segment in text['segments'] for word in segment['words']]
        if any(not 0 <= word['start'] <= word['end'] <= text['duration'] + 0.001 for word in words):
            yield f'{name}: words outside of the recording'


def main():
    longhand, talk, count, folder = sys.argv[1:5]
    dice = random.Random(int(sys.argv[5]) if len(sys.argv) > 5 else 38)
    # Orphans become children of this process, so that their processor time is counted.
    ctypes.CDLL(None).prctl(36, 1)
    made = make(talk, int(count), folder, dice)
    kinds, wrong = dict(made), []
    found, most, longest, total = collections.Counter(), (0, ''), (0, ''), 0
    groups = [[file for file, _ in made[start:start + GROUP]] for start in range(0, len(made), GROUP)]
    while groups:
        group = groups.pop(0)
        megabytes, seconds, texts, status, errors = run(longhand, group, folder)
        own = list(faults(group, texts, status, errors, folder))
        is_over = megabytes > MEGABYTES or seconds > SECONDS
        if len(group) > 1 and (is_over or own):
            groups = [[file] for file in group] + groups
            continue
        total += seconds
        found['refused'] += len(group) - len(texts)
        for text in texts.values():
            for warning in {warning['code'] for warning in text.get('warnings') or []}: found[warning] += 1
        label = f'{os.path.basename(group[0])} ({kinds[group[0]]})' if len(group) == 1 else f'a group of {len(group)}'
        most, longest = max(most, (megabytes, label)), max(longest, (seconds, label))
        if is_over: own.append(f'{megabytes:.0f} MB, {seconds:.1f} s')
        wrong += own
        for line in own: print(f'{label}: {line}', flush=True)
    print(f'{len(made)} files, {total:.0f} s of processor time; most: {most[0]:.0f} MB by {most[1]}, '
          f'{longest[0]:.1f} s by {longest[1]};', ', '.join(f'{count} {kind}' for kind, count in found.most_common()))
    sys.exit(bool(wrong))


if __name__ == '__main__': main()
