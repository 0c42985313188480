#!/usr/bin/env python3
"""How many machines an archive needs, how much it stores, what breaks first, and what stragglers and failures cost.

usage: capacity.py [--seed N] [ANSWERS.jsonl...]

ANSWERS are lines of `longhand worker` of your own recordings, model and machine; then their time and size are in the tables
too, and the simulation uses them. All else is computed from the figures below; each names where it is from.
"""
import argparse
import heapq
import json
import math
import random
import statistics

HOURS = (1_000, 10_000, 100_000)
# Name, processors of the machine, hours of the machine for an hour of audio, where that is from.
MEASURED = "measured: processor time of the worker, release"
# The first one is that of the other tables.
ENGINES = [
    ("whisper-base", 1, 0.107, MEASURED + ", AMD EPYC with AVX-512, 10 recordings of 3 to 5 minutes of reading"),
    ("PocketSphinx", 1, 0.172, MEASURED + ", 2.6 GHz x86-64, 59 clips of 5 minutes in all"),
    ("parakeet-tdt-0.6b-v3, 8 bits", 12, 0.060, "published: 300 s in 18 s on an i7-12700KF (groxaxo's FastAPI server, README)"),
    ("parakeet-tdt-0.6b-v2", 16, 0.154, "published: 5 to 8 times real time on a Core Ultra 155H; 6.5 here"),
]
SPREAD = 0.06  # standard deviation of the logarithm of a recording's time per second of audio, whisper-base, as above
# MB for an hour of audio.
STORAGE = [
    ("audio, WAV 16 kHz mono", 115.2, "2 bytes a sample"),
    ("audio, FLAC", 66.7, "measured: samples of LibriVox"),
    ("audio, Opus 24 kbit/s", 11.1, "measured: the same"),
    ("lines of the worker", 2.08, "measured: whisper-base, the same recordings; 4.6 with PocketSphinx"),
    ("library, with its index", 1.43, "measured: these clips without pauses between them, 53 hours by `import --transcripts`"),
    ("library, generated text", 0.62, "measured: Benchmarks/Archive/library.py, 10,000 hours with 600 segments an hour"),
]
RECORDING = 0.5  # hours of audio, as a radio programme


def table(heads: list[str], rows: list[list[str]]) -> None:
    print("| " + " | ".join(heads) + " |\n|" + " --- |" * len(heads))
    for row in rows:
        print("| " + " | ".join(row) + " |")
    print()


def number(value: float) -> str:
    """Three digits."""
    return f"{float(f'{value:.3g}'):,.0f}" if value >= 100 else f"{value:.3g}"


def measured(files: list[str]) -> tuple[float, float, float]:
    """Time per second of audio, the spread of its logarithm, and MB per hour of audio, of a worker's lines."""
    lines = [line for file in files for line in open(file, "rb")]
    answers = [answer for answer in map(json.loads, lines) if answer["audioSeconds"] > 0]
    seconds = sum(answer["audioSeconds"] for answer in answers)
    logs = [math.log(answer["processorSeconds"] / answer["audioSeconds"]) for answer in answers]
    return (sum(answer["processorSeconds"] for answer in answers) / seconds, statistics.pstdev(logs),
            sum(map(len, lines)) / 1e6 / (seconds / 3600))


class Archive:
    """Recordings with the hours that each takes, on processors of which some are slow."""
    def __init__(self, hours: float, ratio: float, spread: float, processors: int, slow: float, chance: random.Random):
        # The mean of exp(x) is exp(spread² / 2).
        self.tasks = [RECORDING * ratio * math.exp(chance.gauss(0, spread) - spread ** 2 / 2)
                      for _ in range(round(hours / RECORDING))]
        self.speeds = [1 / 3 if chance.random() < slow else 1.0 for _ in range(processors)]
        self.chance = chance

    def run(self, parts: list[list[float]], killed: float, keeps: bool) -> tuple[float, float]:
        """Gives the next part to the first free processor. A part is killed with a probability, at any moment, and goes on
        from the recording it was at (`keeps`), or begins again.
        - Returns: the hours until all is done, and the hours of processors whose work was lost."""
        free = [(0.0, index) for index in range(len(self.speeds))]
        heapq.heapify(free)
        queue, end, lost = list(reversed(parts)), 0.0, 0.0
        while queue:
            part = queue.pop()
            now, index = heapq.heappop(free)
            if self.chance.random() < killed:
                moment, done, at = self.chance.random() * sum(part), 0, 0.0
                while keeps and at + part[done] <= moment:
                    at, done = at + part[done], done + 1
                lost += (moment - at) / self.speeds[index]
                queue.append(part[done:])
                took = moment
            else:
                took = sum(part)
            now += took / self.speeds[index]
            end = max(end, now)
            heapq.heappush(free, (now, index))
        return end, lost

    def slurm(self, tasks: int, killed: float) -> tuple[float, float]:
        """As Examples/Archive/slurm: each task of the array has every Nth recording, and keeps what it has answered."""
        return self.run([self.tasks[index::tasks] for index in range(tasks)], killed, keeps=True)

    def spark(self, batch: int, partitions: int, killed: float) -> tuple[float, float]:
        """As Examples/Archive/spark: steps of some partitions of `batch` recordings for each processor; a step waits for its
        last partition, and a partition that is killed begins again."""
        count = partitions * len(self.speeds)
        hours, lost = 0.0, 0.0
        for first in range(0, len(self.tasks), batch * count):
            step = self.tasks[first:first + batch * count]
            took, gone = self.run([step[index::count] for index in range(count)], killed, keeps=False)
            hours, lost = hours + took, lost + gone
        return hours, lost


def simulate(ratio: float, spread: float, seed: int) -> None:
    hours, processors = 10_000, 100
    rows = []
    for name, run in (("Slurm, 100 tasks", lambda a, k: a.slurm(100, k)), ("Slurm, 1,000 tasks", lambda a, k: a.slurm(1000, k)),
                      ("Slurm, 10,000 tasks", lambda a, k: a.slurm(10_000, k)),
                      ("Spark, a step of 1 partition of 20 files for each processor", lambda a, k: a.spark(20, 1, k)),
                      ("Spark, a step of 10 partitions of 10 files (the default)", lambda a, k: a.spark(10, 10, k)),
                      ("Spark, one step of 50 partitions of 4 files", lambda a, k: a.spark(4, 50, k))):
        row = [name]
        for slow, killed in ((0, 0), (0, 0.01), (0.05, 0), (0.05, 0.01)):
            runs = []
            for repeat in range(5):
                archive = Archive(hours, ratio, spread, processors, slow, random.Random(seed + repeat))
                took, lost = run(archive, killed)
                ideal = sum(archive.tasks) / sum(archive.speeds)
                runs.append((took / ideal - 1, lost / sum(archive.tasks)))
            late, lost = (statistics.mean(values) for values in zip(*runs))
            row.append(f"{100 * late:.1f} %" + (f", {100 * lost:.2f} % done twice" if killed else ""))
        rows.append(row)
    print(f"## Stragglers and failures\n\n{hours:,} hours in recordings of {RECORDING} hours on {processors} processors. Time "
          "more than if the work were divided evenly and nothing failed. Mean of 5 simulations.\n")
    table(["", "even machines", "1 % of the tasks killed", "5 % of the processors 3 times slower", "both"], rows)


def limits(ratio: float, line: float) -> None:
    print("## What breaks first\n")
    audio = STORAGE[0][1]
    rows = [
        ["memory, 64 workers on a machine", f"37 GB with {ENGINES[0][0]} (0.57 GB a worker, measured); 130 GB with a model of "
         "600 million parameters (2 GB, as its users report)"],
        ["one machine of 2 processors", f"takes a year for {number(24 * 365 / ratio * 2)} hours with {ENGINES[0][0]}"],
        ["the network of the audio (1 Gbit/s, WAV)",
         f"{number(0.125e3 * 3600 / audio * ratio)} processors with {ENGINES[0][0]} read it at its full speed"],
        ["the disk of the results", f"{number(1e6 / line)} hours are a TB of lines"],
        ["one library", f"100,000 hours are a file of up to {number(100_000 * STORAGE[4][1] / 1e3)} GB; "
         "search was measured with 10,000 hours; an import takes 0.094 s of a processor for half an hour"],
    ]
    table(["what", "when"], rows)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("answers", nargs="*")
    arguments = parser.parse_args()
    engines, storage, ratio, spread = list(ENGINES), list(STORAGE), ENGINES[0][2], SPREAD
    if arguments.answers:
        ratio, spread, line = measured(arguments.answers)
        engines.insert(0, ("yours", 1, ratio, "lines of the worker that you gave"))
        storage.insert(0, ("lines of the worker, yours", line, "the same"))
    print("## Hours of a machine\n")
    table(["engine and model", "processors", *(f"{hours:,} hours" for hours in HOURS), "from"],
          [[name, str(count), *(number(hours * factor) for hours in HOURS), source]
           for name, count, factor, source in engines])
    print("## Storage in GB\n")
    table(["", *(f"{hours:,} hours" for hours in HOURS), "from"],
          [[name, *(number(hours * size / 1e3) for hours in HOURS), source] for name, size, source in storage])
    limits(ENGINES[0][2], STORAGE[3][1])
    simulate(ratio, spread, arguments.seed)


main()
