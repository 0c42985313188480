#!/usr/bin/env python3
"""Recognizes the same recordings with Longhand, whisper.cpp's program, faster-whisper and PocketSphinx.

    measure.py --audio DIR --work DIR --longhand PROGRAM [--only SET,...] [--with TEXT,...]

DIR of --audio has dev/manifest.tsv, make-long.py, nonspeech, and check with readers on whom nothing is chosen. WORK is
prepared by `prepare`; results/RECOGNIZER/SET.json in it has the texts and the cost: wall time, processor time, and the
largest sum of memory (PSS) of all processes. What is there already is not measured again. --only selects sets, --with
selects recognizers by a part of their name; report.py prints the tables.
"""
import argparse, ctypes, json, os, signal, subprocess, sys, tempfile, threading, time
import recognizers, sets

LONG = 600


def family(root):
    """The process and all its descendants."""
    children = {}
    for entry in filter(str.isdigit, os.listdir('/proc')):
        try: parent = int(open(f'/proc/{entry}/stat').read().rsplit(')', 1)[1].split()[1])
        except OSError: continue
        children.setdefault(parent, []).append(int(entry))
    found = [root]
    for one in found: found += children.get(one, [])
    return found


def memory(root):
    total = 0
    for one in family(root):
        try: lines = open(f'/proc/{one}/smaps_rollup').read().splitlines()
        except OSError: continue
        total += sum(int(line.split()[1]) * 1024 for line in lines if line.startswith('Pss:'))
    return total


def processor():
    """The name of the processor, and what products of whole numbers it has."""
    facts = dict(line.split(':', 1) for line in open('/proc/cpuinfo') if ':' in line)
    facts = {name.strip(): value.strip() for name, value in facts.items()}
    found = [name for name in ('avx2', 'avx512f', 'avx512_vnni') if name in facts.get('flags', '').split()]
    return ', '.join([facts.get('model name', 'unknown'), *found])


def adopt_orphans():
    """What the program has started and not waited for belongs to this process then (PR_SET_CHILD_SUBREAPER)."""
    if ctypes.CDLL(None).prctl(36, 1, 0, 0, 0): sys.exit('This system cannot adopt orphans.')


def run(command, environment):
    """-> wall seconds, processor seconds of all processes, bytes."""
    start = time.monotonic()
    process = subprocess.Popen(command, env={**os.environ, **environment}, stdin=subprocess.DEVNULL,
                               stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    peak, ended = [0], threading.Event()

    def watch():
        while not ended.wait(0.5): peak[0] = max(peak[0], memory(process.pid))

    watcher = threading.Thread(target=watch, daemon=True)
    watcher.start()
    errors = process.stderr.read().decode(errors='replace')
    _, status, usage = os.wait4(process.pid, 0)
    wall, used = time.monotonic() - start, usage.ru_utime + usage.ru_stime
    ended.set()
    watcher.join()
    # A process that does not end would be waited for without end: its client has ended.
    for orphan in family(os.getpid())[1:]: os.kill(orphan, signal.SIGKILL)
    while True:
        try: usage = os.wait3(0)[2]
        except ChildProcessError: break
        used += usage.ru_utime + usage.ru_stime
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode: raise RuntimeError(f'{command[0]} failed with {process.returncode}: {errors[-2000:]}')
    return wall, used, peak[0]


def measure(recognizer, folder, target):
    clips = sets.rows(os.path.join(folder, 'manifest.tsv'))
    files = [os.path.join(folder, name) for name, *_ in clips]
    durations = [float(row[1]) for row in clips]
    with tempfile.TemporaryDirectory() as out:
        command = recognizer.command(files, out, max(durations) > LONG)
        wall, used, peak = run(command, recognizer.environment)
        texts = {os.path.basename(file): recognizer.text(file, out) for file in files}
    result = {'recognizer': recognizer.name, 'set': os.path.basename(folder), 'audio': sum(durations), 'wall': wall,
              'processor': used, 'memory': peak, 'machine': processor(), 'load': os.getloadavg()[0], 'texts': texts}
    os.makedirs(os.path.dirname(target), exist_ok=True)
    with open(target + '.new', 'w', encoding='utf-8') as file: json.dump(result, file, indent=1)
    os.rename(target + '.new', target)
    print(f"{recognizer.name}, {result['set']}: {used / result['audio']:.3f} of the audio in processor time, "
          f"{wall / result['audio']:.3f} in wall time, {peak / 1e6:.0f} MB", flush=True)


def main():
    parser = argparse.ArgumentParser()
    for name in ('audio', 'work', 'longhand'): parser.add_argument('--' + name, required=True)
    parser.add_argument('--pocketsphinx', default='pocketsphinx')
    parser.add_argument('--only', default='dev,hour,noise20,noise10,noise5,nonspeech,check')
    parser.add_argument('--with', dest='wanted', default='')
    options = parser.parse_args()
    adopt_orphans()
    print(processor(), flush=True)
    sets.make_all(options.audio, os.path.join(options.work, 'sets'))
    for name in options.only.split(','):
        for recognizer in recognizers.all(options.work, options):
            if not any(part in recognizer.name for part in options.wanted.split(',')): continue
            target = os.path.join(options.work, 'results', recognizer.name.replace(' ', '-'), name + '.json')
            if os.path.exists(target): continue
            try: measure(recognizer, os.path.join(options.work, 'sets', name), target)
            except RuntimeError as error: print(f'{recognizer.name}, {name}: {error}', file=sys.stderr, flush=True)


if __name__ == '__main__': main()
