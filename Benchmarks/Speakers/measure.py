#!/usr/bin/env python3
"""Measures who speaks when, on recordings with references: the tables in docs/measurements.md.

    measure.py FOLDER… [--longhand PROGRAM] [--work FOLDER] [--number auto|given] [--model NAME] [--tenths] [--rttm FOLDER]

Each FOLDER has recordings (NAME.wav or NAME.flac) with NAME.rttm, as AMI and VoxConverse can be had, and maybe NAME.uem, what is
scored, and NAME.words (start, end, speaker, word), as talk.py writes them. Prints for each recording and for each folder: the
diarization error rate in percent, strict (no collar, overlap counted), what of it is missed, false and confused; the rate with a
collar of 0.25 s; with a collar and without overlap; the voices found and real; where words are known, the share of the
words with a wrong name and with none, and cpWER. --tenths also prints, for each tenth of stated probability, the share of words (of
turns, where no words are known) that is right. With --rttm, turns are read from FOLDER/NAME.rttm instead, as of another program.
WORK (by default FOLDER/library) gets a library; what is there is used again.
"""
import argparse, json, os, re, resource, subprocess, sys
from scoring import changes, score, spoken, turns, word_errors

COLUMNS = ("strict", "missed", "false", "confused", "collar", "no overlap")


def plain(word):
    return re.sub(r"[^\w']", "", word.lower())


class Program:
    def __init__(self, path, library, model):
        self.path, self.library, self.model = path, library, model
        self.seconds = 0.0
        os.makedirs(library, exist_ok=True)

    def run(self, *arguments):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        result = subprocess.run([self.path, *arguments, "--library", self.library], capture_output=True, text=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        self.seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        if result.returncode:
            sys.exit(f"longhand {' '.join(arguments)}: {result.stderr}")
        return result.stdout

    def session(self, audio):
        kept = os.path.join(self.library, os.path.basename(audio) + ".session")
        if not os.path.exists(kept):
            model = ["--model", self.model] if self.model else []
            session = self.run("import", audio, "-q", "--channels", "mix", *model).strip()
            with open(kept, "w") as file:
                file.write(session)
        return open(kept).read()


def recording(folder, name):
    return next((path for kind in ("wav", "flac") if os.path.exists(path := os.path.join(folder, f"{name}.{kind}"))), None)


def parts(folder, name, reference):
    path = os.path.join(folder, name + ".uem")
    if os.path.exists(path):
        return [tuple(map(float, line.split()[2:4])) for line in open(path) if line.strip()]
    return [(0.0, 1e9)]


def paired(reference, words):
    """For each recognized word the word of the reference that it is: of the same text, within 0.6 s; else None."""
    used, result = set(), []
    for start, end, word, *_ in words:
        near = [(abs(a - start), i) for i, (a, b, _, one) in enumerate(reference)
                if i not in used and one == word and abs(a - start) < 0.6]
        used.update([min(near)[1]] if near else [])
        result.append(reference[min(near)[1]] if near else None)
    return result


def named(folder, name, document, mapping):
    """The words: all of the reference, those wrong, those without a name; lists for cpWER; (probability, is right)."""
    path = os.path.join(folder, name + ".words")
    if not os.path.exists(path):
        return None
    reference = []
    for line in open(path, encoding="utf-8"):
        start, end, who, word = line.rstrip("\n").split("\t")
        reference.append((float(start), float(end), who, plain(word)))
    found = [(word["start"], word["end"], plain(word["text"]), word.get("speaker"), word.get("speakerConfidence"))
             for part in document["segments"] for word in part["words"]]
    back = {ours: theirs for theirs, ours in mapping.items()}
    names = {one["id"]: re.sub(r"\s", "_", one["name"]) for one in document.get("speakers", [])}
    wrong, unknown, sure, total = 0, 0, [], 0
    for (start, end, word, speaker, confidence), pair in zip(found, paired(reference, found)):
        who = [pair[2]] if pair else [w for a, b, w, _ in reference if a - 0.1 <= (start + end) / 2 <= b + 0.1]
        if not who:
            continue
        total += 1
        right = speaker is not None and back.get(names.get(speaker)) in who
        wrong += speaker is not None and not right
        unknown += speaker is None
        if speaker is not None and confidence is not None:
            sure.append((confidence, 1, right))
    lists = [{}, {}]
    for _, _, who, word in reference:
        lists[0].setdefault(who, []).append(word)
    for _, _, word, speaker, _ in found:
        if word:
            lists[1].setdefault(speaker or "", []).append(word)
    return {"words": total, "wrong": wrong, "unknown": unknown, "sure": sure, "reference": len(reference),
            "errors": changes([w for *_, w in reference], [w for _, _, w, *_ in found if w]),
            "named errors": word_errors(*lists)}


def sure_turns(reference, found, mapping):
    """For each turn: its probability, its seconds with speech of the reference, and the share of them that is right."""
    back, speakers, result = {ours: theirs for theirs, ours in mapping.items()}, spoken(reference), []
    for start, end, who, confidence in found:
        if confidence is None:
            continue
        shared = lambda parts: sum(max(0, min(end, b) - max(start, a)) for a, b in parts)
        said = sum(max(0, min(end, b) - max(start, a)) for a, b in spoken((a, b, "") for a, b, *_ in reference).get("", []))
        if said > 0:
            result.append((confidence, said, min(1, shared(speakers.get(back.get(who), [])) / said)))
    return result


def tenths(sure):
    """For each tenth of probability: how much it is of all, and how much of it is right."""
    total, lines = sum(weight for _, weight, _ in sure), []
    for tenth in range(10):
        own = [one for one in sure if min(9, int(one[0] * 10)) == tenth]
        weight = sum(one[1] for one in own)
        if weight:
            mean = sum(one[0] * one[1] for one in own) / weight
            right = sum(one[1] * one[2] for one in own) / weight
            lines.append(f"  stated {tenth / 10:.1f} to {tenth / 10 + 0.1:.1f} (mean {mean:.2f}): right {right:.2f}, "
                         f"{100 * weight / total:.0f} % of all")
    return lines


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("folder", nargs="+")
    options.add_argument("--longhand", default="longhand")
    options.add_argument("--work")
    options.add_argument("--number", choices=("auto", "given"), default="auto")
    options.add_argument("--model")
    options.add_argument("--tenths", action="store_true")
    options.add_argument("--rttm")
    options = options.parse_args()
    print("\t".join(("recording", *COLUMNS, "voices", "wrong name", "no name", "cpWER", "WER", "cost")))
    for folder in options.folder:
        program = Program(options.longhand, options.work or os.path.join(folder, "library"), options.model)
        sums, exact, files, sure, words, spent, audio = [{}, {}, {}], 0, 0, [], [], 0.0, 0.0
        for name in sorted(file[:-5] for file in os.listdir(folder) if file.endswith(".rttm")):
            sound = recording(folder, name)
            if sound is None and not options.rttm:
                continue
            reference = turns(os.path.join(folder, name + ".rttm"))
            count = len({who for _, _, who, _ in reference})
            document, seconds = None, 0.0
            if options.rttm:
                path = os.path.join(options.rttm, name + ".rttm")
            else:
                session = program.session(sound)
                program.run("speakers", session, "--speakers", "auto" if options.number == "auto" else str(count))
                seconds = program.seconds
                path = os.path.join(program.library, name + ".rttm")
                with open(path, "w") as file:
                    file.write(program.run("export", session, "--format", "rttm"))
                document = json.loads(program.run("export", session, "--format", "json", "--word-timestamps"))
            found, scored = turns(path), parts(folder, name, reference)
            rows, mapping = [], {}
            for index, (collar, leaves_out) in enumerate(((0, False), (0.25, False), (0.25, True))):
                result, own = score(reference, found, alone(reference, scored) if leaves_out else scored, collar)
                mapping = mapping if index else own
                rows.append(result)
                for key, value in result.items():
                    sums[index][key] = sums[index].get(key, 0) + value
            heard = len({who for _, _, who, _ in found})
            files, exact = files + 1, exact + (heard == count)
            spent, audio = spent + seconds, audio + max(end for _, end, *_ in reference)
            known = named(folder, name, document, mapping) if document else None
            words += [known] if known else []
            sure += known["sure"] if known else sure_turns(reference, found, mapping)
            cost = f"{seconds / max(end for _, end, *_ in reference):.4f}"
            print(line(name, rows, f"{heard}/{count}", [known] if known else [], cost), flush=True)
        if files:
            print(line(f"all of {os.path.basename(os.path.normpath(folder))}", sums, f"{exact} of {files}", words,
                       f"{spent / max(audio, 1):.4f}"), flush=True)
        if options.tenths:
            print("\n".join(tenths(sure)), flush=True)


def alone(reference, scored):
    """What is scored, without the times at which several speak."""
    edges = sorted({time for start, end, *_ in reference for time in (start, end)} | {t for part in scored for t in part})
    own, result = spoken(reference), []
    for start, end in zip(edges, edges[1:]):
        middle = (start + end) / 2
        if sum(any(a <= middle <= b for a, b in said) for said in own.values()) < 2 \
                and any(a <= middle <= b for a, b in scored):
            result.append((start, end))
    return result


def line(name, rows, voices, words, cost):
    rate = lambda row, keys: 100 * sum(row[key] for key in keys) / max(1e-9, row["speech"])
    all_parts = ("missed", "false", "confused")
    cells = [rate(rows[0], all_parts), *(rate(rows[0], (key,)) for key in all_parts), rate(rows[1], all_parts),
             rate(rows[2], all_parts)]
    total = lambda key: sum(one[key] for one in words)
    named = ["", "", "", ""]
    if words:
        named = [f"{100 * total(a) / max(1, total(b)):.1f}" for a, b in
                 (("wrong", "words"), ("unknown", "words"), ("named errors", "reference"), ("errors", "reference"))]
    return "\t".join((name, *(f"{cell:.1f}" for cell in cells), voices, *named, cost))


if __name__ == "__main__":
    main()
