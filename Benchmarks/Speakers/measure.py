#!/usr/bin/env python3
"""Measures the speaker diarization: the table in docs/measurements.md.

    measure.py AUDIO FOLDER [--longhand PROGRAM] [--seeds 1,2,3,4] [--speakers 2,3,4]

AUDIO is a folder with make-conversation.py and score-diarization.py. FOLDER gets the conversations, of four minutes each, and a
library; what is there is used again. Seeds above 2 have speech of two people at once. Each conversation is also measured in a
telephone's band (300 to 3400 Hz) with white noise 20 dB below the speech. Needs ffmpeg.
"""
import argparse, array, importlib.util, math, os, random, resource, subprocess, sys, wave

PARTS = ("missed", "false alarm", "confusion")


def telephone(source, reference, target):
    """Writes the recording as a telephone sends it, with noise."""
    band = "highpass=f=300,highpass=f=300,lowpass=f=3400,lowpass=f=3400"
    command = ["ffmpeg", "-v", "error", "-i", source, "-af", band, "-ac", "1", "-ar", "8000", "-f", "s16le", "-"]
    samples = array.array("h", subprocess.run(command, check=True, capture_output=True).stdout)
    turns = [(int(start * 8000), int(end * 8000)) for start, end, _ in reference]
    power = sum(sum(x * x for x in samples[a:b]) for a, b in turns) / max(1, sum(b - a for a, b in turns))
    deviation, noise = math.sqrt(power / 100), random.Random(7)
    for index, sample in enumerate(samples):
        samples[index] = max(-32768, min(32767, round(sample + noise.gauss(0, deviation))))
    with wave.open(target, "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(8000)
        file.writeframes(samples.tobytes())


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("audio")
    options.add_argument("folder")
    options.add_argument("--longhand", default="longhand")
    options.add_argument("--seeds", default="1,2,3,4")
    options.add_argument("--speakers", default="2,3,4")
    options = options.parse_args()
    spec = importlib.util.spec_from_file_location("scoring", os.path.join(options.audio, "score-diarization.py"))
    scoring = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(scoring)
    os.makedirs(options.folder, exist_ok=True)
    library = os.path.join(options.folder, "library")

    def turns(path):
        return [turn for file in scoring.read(path).values() for turn in file]

    def run(*arguments):
        """The output, and the seconds of processor time."""
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        result = subprocess.run([options.longhand, *arguments, "--library", library], capture_output=True, text=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        if result.returncode:
            sys.exit(f"longhand {' '.join(arguments)}: {result.stderr}")
        return result.stdout, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

    sets = {"clear": [], "telephone": []}
    for count in options.speakers.split(","):
        for seed in options.seeds.split(","):
            stem = os.path.join(options.folder, f"{count}-{seed}")
            if not os.path.exists(stem + ".wav"):
                subprocess.run(
                    [sys.executable, os.path.join(options.audio, "make-conversation.py"), stem + ".wav",
                     stem + ".rttm", stem + ".tsv", "--speakers", count, "--seed", seed, "--overlap",
                     "1" if int(seed) > 2 else "0"], check=True)
            reference = turns(stem + ".rttm")
            if not os.path.exists(stem + "-telephone.wav"):
                telephone(stem + ".wav", reference, stem + "-telephone.wav")
            for name, file in (("clear", stem + ".wav"), ("telephone", stem + "-telephone.wav")):
                kept = file + ".session"
                if not os.path.exists(kept):
                    session = run("import", file, "-q")[0].strip()
                    with open(kept, "w") as text:
                        text.write(session)
                with open(kept) as text:
                    sets[name].append((text.read(), int(count), reference))

    for name, conversations in sets.items():
        for isGiven in (True, False):
            sums = [dict.fromkeys(("total", *PARTS), 0.0) for _ in range(2)]
            right, seconds, duration = 0, 0.0, 0.0
            for session, count, reference in conversations:
                seconds += run("speakers", session, "--speakers", str(count) if isGiven else "auto")[1]
                duration += max(end for _, end, _ in reference)
                path = os.path.join(options.folder, "found.rttm")
                with open(path, "w") as text:
                    text.write(run("export", session, "--format", "rttm")[0])
                found = turns(path)
                right += len({who for _, _, who in found}) == count
                for total, skips in zip(sums, (True, False)):
                    score = scoring.score(reference, found, 0.25, skips)[0]
                    for part in total:
                        total[part] += score[part]
            rates = [100 * sum(total[part] for part in PARTS) / total["total"] for total in sums]
            parts = ", ".join(f"{part} {100 * sums[0][part] / sums[0]['total']:.1f} %" for part in PARTS)
            print(
                f"{name}, number {'given' if isGiven else 'found'}: errors {rates[0]:.1f} % ({parts}), with overlap "
                f"{rates[1]:.1f} %; number right in {right} of {len(conversations)}; processor time "
                f"{seconds / duration:.4f} of the audio", flush=True)


if __name__ == "__main__":
    main()
