#!/usr/bin/env python3
"""Assembles talk with the turns of real conversations from clips of readers, for measure.py.

    talk.py MANIFEST… FOLDER [--voices 2,3,4,6,9] [--seeds 1,2] [--seconds 150] [--longhand PROGRAM]

A manifest has lines of path, (seconds,) text. The speaker of a clip is what its name begins with, as of LibriSpeech (19-198-0001),
VCTK (p225_003) and speechocean762 (000960046). FOLDER gets NAME.wav, NAME.rttm and NAME.words (start, end, speaker, word) for each number of voices and each
seed. Turns have 0.5 to 8 s with a median of 1.3 s; every fifth begins before the end of the other, and some have a "yes"
of another speaker inside. The voices are up to 6 dB louder or softer, and the odd seeds are in a room. 'longhand align'
finds the words of the clips; what is in the folder already is used again. Needs ffmpeg.
"""
import argparse, array, json, math, os, random, re, subprocess, sys, tempfile, wave

RATE = 16000
ROOM = "aecho=0.8:0.6:17|29|47|73:0.35|0.25|0.18|0.1"


def speaker(path):
    name = os.path.splitext(os.path.basename(path))[0]
    return (re.search(r"(?:^|-)(p\d{3})_", name) or re.search(r"(?:^|-)(\d+)-\d+-\d+$", name)
            or re.search(r"(?:^|-)(\d{5})\d{4}$", name) or re.match(r"([^-_]+)[-_]", name) or re.match("(.*)", name)).group(1)


def clips(manifests, seconds):
    """Paths and texts by speaker, each up to a number of seconds, so far as a manifest has them."""
    table = {}
    for manifest in manifests:
        for line in open(manifest, encoding="utf-8"):
            cells = line.rstrip("\n").split("\t")
            text = cells[2] if len(cells) > 2 and re.fullmatch(r"[\d.]+|nan", cells[1]) else cells[1]
            path = os.path.normpath(os.path.join(os.path.dirname(manifest), cells[0]))
            own = table.setdefault(speaker(path), {})
            if sum(len(text.split()) for text in own.values()) < seconds * 3:
                own[path] = text
    return table


def samples(path):
    command = ["ffmpeg", "-v", "error", "-i", path, "-f", "s16le", "-ac", "1", "-ar", str(RATE), "-"]
    return array.array("h", subprocess.run(command, check=True, capture_output=True).stdout)


def words(path, text, folder, program):
    """When each word is said: start, end, word."""
    kept = os.path.join(folder, os.path.basename(path) + ".json")
    if not os.path.exists(kept):
        with tempfile.NamedTemporaryFile("w", suffix=".txt") as file:
            file.write(text)
            file.flush()
            result = subprocess.run(
                [program, "align", path, file.name, "--json", "-q", "--locale", "en-US"], capture_output=True, text=True)
        found = json.loads(result.stdout)["segments"] if result.returncode == 0 else []
        with open(kept, "w") as file:
            json.dump([(word["start"], word["end"], word["text"]) for part in found for word in part["words"]], file)
    return json.load(open(kept))


class Reader:
    """What one speaker has left to say."""

    def __init__(self, name, clips, folder, program, rng):
        self.name, self.gain, self.clips = name, rng.uniform(-6, 6), []
        for path, text in clips.items():
            said = words(path, text, folder, program)
            if said:
                self.clips.append((samples(path), said))
        rng.shuffle(self.clips)
        level = math.sqrt(sum(x * x for sound, _ in self.clips for x in sound)
                          / max(1, sum(len(sound) for sound, _ in self.clips)))
        self.factor = 1400 / max(1, level) * 10 ** (self.gain / 20)

    def turn(self, wanted):
        """Sound, and words from its start; it ends at the longest pause near the wanted length."""
        sound, said = self.clips[0]
        ends = [i for i in range(1, len(said) + 1) if 0.6 <= (said[i - 1][1] - said[0][0]) / wanted <= 1.4]
        pause = lambda i: said[i][0] - said[i - 1][1] if i < len(said) else 1
        count = max(ends, key=pause) if ends else next(
            (i for i in range(1, len(said) + 1) if said[i - 1][1] - said[0][0] >= wanted), len(said))
        own, rest = said[:count], said[count:]
        self.clips[0] = (sound, rest)
        if len(rest) < 2:
            self.clips.pop(0)
        start = own[0][0] - 0.03
        end = min(own[-1][1] + 0.05, rest[0][0] if rest else 1e9)
        part = sound[max(0, int(start * RATE)):int(end * RATE)]
        fade = min(160, len(part) // 2)
        for i in range(fade):
            part[i] = part[i] * i // fade
            part[-1 - i] = part[-1 - i] * i // fade
        return part, [(a - max(0, start), b - max(0, start), word) for a, b, word in own]


def conversation(stem, cast, seconds, rng, has_room):
    length = int(seconds * RATE)
    mixed = array.array("f", (rng.gauss(0, 6) for _ in range(length + 10 * RATE)))
    said, at, last, free = [], 0.5, None, {}

    def say(one, start, wanted):
        part, own = one.turn(wanted)
        first = int(start * RATE)
        for i, x in enumerate(part[:max(0, len(mixed) - first)]):
            mixed[first + i] += x * one.factor
        said.extend((start + a, start + b, one.name, word) for a, b, word in own)
        free[one] = start + len(part) / RATE
        return free[one]

    while at < seconds and any(one.clips for one in cast):
        others = [one for one in cast if one.clips and one is not last] or [one for one in cast if one.clips]
        quiet = [one for one in others if one not in free]
        one = rng.choice(quiet) if quiet and rng.random() < 0.6 else rng.choice(others)
        wanted = min(8, max(0.5, rng.lognormvariate(math.log(1.3), 0.75)))
        early = rng.random() < 0.2 and last is not None
        start = at - rng.uniform(0.2, min(0.9, 0.5 * wanted + 0.2)) if early else at + max(0, rng.gauss(0.25, 0.3))
        start = max(0.3, start, free.get(one, 0) + 0.1)
        end = say(one, start, wanted)
        others = [other for other in cast if other.clips and other is not one and free.get(other, 0) < start]
        if end - start > 1.5 and others and rng.random() < 0.2:
            say(rng.choice(others), rng.uniform(start + 0.3, end - 0.8), rng.uniform(0.25, 0.6))
        at, last = max(at, end), one
    peak = max(1.0, max(abs(x) for x in mixed) / 32000)
    end = int(min(len(mixed), (max(end for _, end, *_ in said) + 0.5) * RATE))
    with wave.open(stem + "-dry.wav", "wb") as file:
        file.setparams((1, 2, RATE, 0, "NONE", ""))
        file.writeframes(array.array("h", (int(x / peak) for x in mixed[:end])).tobytes())
    subprocess.run(["ffmpeg", "-v", "error", "-y", "-i", stem + "-dry.wav", *(["-af", ROOM] if has_room else []),
                    "-bitexact", stem + ".wav"], check=True)
    os.remove(stem + "-dry.wav")
    said.sort()
    with open(stem + ".words", "w") as file:
        file.writelines(f"{a:.3f}\t{b:.3f}\t{who}\t{word}\n" for a, b, who, word in said)
    turns = []
    for who in sorted({who for *_, who, _ in said}):
        own = []
        for a, b, other, _ in said:
            if other == who:
                if own and a - own[-1][1] < 0.3:
                    own[-1][1] = max(own[-1][1], b)
                else:
                    own.append([a, b, who])
        turns += own
    turns.sort()
    with open(stem + ".rttm", "w") as file:
        file.writelines(f"SPEAKER {os.path.basename(stem)} 1 {a:.3f} {b - a:.3f} <NA> <NA> {who} <NA> <NA>\n"
                        for a, b, who in turns)
    lengths, steps = sorted(b - a for a, b, _ in turns), sorted({t for a, b, _ in turns for t in (a, b)})
    counts = [(y - x, sum(a <= (x + y) / 2 <= b for a, b, _ in turns)) for x, y in zip(steps, steps[1:])]
    speech = sum(d * n for d, n in counts)
    print(f"{os.path.basename(stem)}: {end / RATE:.0f} s, {len(turns)} turns, median {lengths[len(lengths) // 2]:.1f} s, "
          f"overlap {100 * sum(d * n for d, n in counts if n > 1) / speech:.0f} % of the speech", flush=True)


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("manifest", nargs="+")
    options.add_argument("folder")
    options.add_argument("--voices", default="2,3,4,6,9")
    options.add_argument("--seeds", default="1,2")
    options.add_argument("--seconds", type=float, default=150)
    options.add_argument("--longhand", default="longhand")
    options = options.parse_args()
    kept = os.path.join(options.folder, "clips")
    os.makedirs(kept, exist_ok=True)
    table = {name: own for name, own in clips(options.manifest, 100).items()
             if sum(len(text.split()) for text in own.values()) > 60}
    for count in map(int, options.voices.split(",")):
        for seed in map(int, options.seeds.split(",")):
            stem, rng = os.path.join(options.folder, f"{count}-{seed}"), random.Random(f"{count} {seed}")
            if os.path.exists(stem + ".rttm"):
                continue
            if count > len(table):
                sys.exit(f"There are only {len(table)} speakers: {', '.join(sorted(table))}.")
            names = rng.sample(sorted(table), count)
            cast = [Reader(name, table[name], kept, options.longhand, rng) for name in names]
            conversation(stem, cast, options.seconds, rng, seed % 2 == 1)


if __name__ == "__main__":
    main()
