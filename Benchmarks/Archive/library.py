#!/usr/bin/env python3
"""Measures `search`, `show` and `sessions` in a large library of generated text.

usage: library.py LONGHAND FOLDER [SESSIONS]   (20,000 sessions of half an hour are 10,000 hours: 6 million segments)

The library is made in FOLDER/library once. Its words have the frequencies of the language model of PocketSphinx. A text is
repeated 30 times, so that the library is made in minutes. Times are of whole processes.
"""
import os
import pathlib
import random
import resource
import sqlite3
import struct
import subprocess
import sys
import time
import uuid

import numpy

LONGHAND, FOLDER = sys.argv[1], pathlib.Path(sys.argv[2])
SESSIONS = int(sys.argv[3]) if len(sys.argv) > 3 else 20_000
SEGMENTS, SECONDS = 300, 6.0
LIBRARY = FOLDER / "library"


def words() -> tuple[list[str], numpy.ndarray]:
    """The words of the language model with their cumulated probabilities."""
    arpa = FOLDER / "words.arpa"
    if not arpa.exists():
        model = os.environ.get("PREFIX", "/usr/local") + "/share/pocketsphinx/model/en-us/en-us.lm.bin"
        subprocess.run(["pocketsphinx_lm_convert", "-i", model, "-o", arpa], check=True, stderr=subprocess.DEVNULL)
    found, weights, is_on = [], [], False
    for line in arpa.open(errors="replace"):
        if line.startswith("\\"):
            if is_on:
                break
            is_on = line.startswith("\\1-grams")
        fields = line.split()
        if is_on and len(fields) >= 2 and not fields[1].startswith("<"):
            found.append(fields[1])
            weights.append(10 ** float(fields[0]))
    cumulated = numpy.cumsum(numpy.array(weights) / sum(weights))
    return found, cumulated


def number(count: int) -> bytes:
    encoded = bytearray()
    while count >= 0x80:
        encoded.append(count & 0x7F | 0x80)
        count >>= 7
    return bytes(encoded) + bytes([count])


def candidates(texts: list[str], chance: random.Random) -> bytes:
    """Five candidates in the store's form, see CandidateCoding: one or two words of each differ from the first."""
    data = bytearray(b"\x01" + number(5))
    known: dict[str, int] = {}
    clock, written, expected = 0, 0, 0

    def new(word: str, start: int, end: int) -> None:
        nonlocal clock, written, data
        data += number(0)
        if word in known:
            data += number(known[word] + 1)
        else:
            known[word] = len(known)
            data += number(0) + number(len(word.encode())) + word.encode()
        for instant in (start, end):
            distance = instant - clock
            data += number((~distance << 1 | 1 if distance < 0 else distance << 1) << 1)
            clock = instant
        data += b"\x01" + struct.pack("<d", chance.random())
        data += bytes([chance.randrange(1, 31)])
        written += 1

    step = int(SECONDS * 1000) // (len(texts) + 1) // 10 * 10
    for candidate in range(5):
        data += b"\x01" + b"\x01" + struct.pack("<d", chance.random()) + number(len(texts))
        others = set(chance.sample(range(len(texts)), min(len(texts), 2))) if candidate else set()
        for index, word in enumerate(texts):
            if candidate == 0 or index in others:
                new(word if candidate == 0 else texts[index - 1], index * step, (index + 1) * step)
                expected = written
            else:
                distance = index - expected
                data += number((~distance << 1 | 1 if distance < 0 else distance << 1) + 1)
                expected = index + 1
    return bytes(data)


def generate() -> None:
    vocabulary, cumulated = words()
    generator, chance = numpy.random.default_rng(1), random.Random(1)
    subprocess.run([LONGHAND, "sessions", "--library", LIBRARY], check=True)
    pool = []
    for _ in range(max(1000, SESSIONS * SEGMENTS // 30)):
        indices = numpy.searchsorted(cumulated, generator.random(int(generator.integers(5, 25))))
        chosen = [vocabulary[min(index, len(vocabulary) - 1)] for index in indices]
        pool.append((" ".join(chosen), candidates(chosen, chance)))
    database = sqlite3.connect(LIBRARY / "transcripts.sqlite")
    database.execute("PRAGMA synchronous = OFF")
    database.execute("PRAGMA cache_size = -400000")
    for session in range(SESSIONS):
        database.execute(
            "INSERT INTO session (number, id, start, state, source, locale, engine, duration, model_name)"
            " VALUES (?, ?, ?, 'complete', ?, 'en-US', 'analyzer', ?, 'pocketsphinx')",
            (session + 1, str(uuid.UUID(int=chance.getrandbits(128))), 7e8 + session * 1800.0, f"tape-{session:05}.flac",
             SEGMENTS * SECONDS))
        database.execute("INSERT INTO coverage_span VALUES (?, 0, ?, 'transcribed', '')", (session + 1, SEGMENTS * SECONDS))
        texts = [pool[index] for index in generator.integers(0, len(pool), SEGMENTS)]
        rows = [(session * SEGMENTS + index + 1, session + 1, index, index * SECONDS, (index + 1) * SECONDS - 1, *text)
                for index, text in enumerate(texts)]
        database.executemany(
            "INSERT INTO revision (number, session, segment, revision, start, \"end\", selection, rule, reason, date, text,"
            " candidates) VALUES (?, ?, ?, 0, ?, ?, 0, 'recognizer', '', 7.5e8, ?, ?)", rows)
        database.executemany("INSERT INTO word_index (rowid, text) VALUES (?, ?)", [(row[0], row[5]) for row in rows])
        if session % 500 == 499:
            database.commit()
            print(session + 1, time.strftime("%T"), file=sys.stderr, flush=True)
    database.commit()
    database.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def measure(library: pathlib.Path, *arguments: str) -> tuple[float, float]:
    """Milliseconds of a whole process, and of processor time."""
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    subprocess.run([LONGHAND, *arguments, "--library", library], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    took, after = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    return took * 1000, (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime) * 1000


def table(name: str, times: list[tuple[float, float]]) -> None:
    for kind, values in (("wall", sorted(t[0] for t in times)), ("processor", sorted(t[1] for t in times))):
        print(f"{name:32} {kind:10} median {values[len(values) // 2]:7.1f} ms   99 % {values[int(len(values) * 0.99)]:7.1f} ms")


def main() -> None:
    if not (LIBRARY / "transcripts.sqlite").exists():
        generate()
    size = sum(file.stat().st_size for file in LIBRARY.glob("transcripts.sqlite*"))
    print(f"{SESSIONS} sessions, {SESSIONS * SEGMENTS * SECONDS / 3600:.0f} hours: "
          f"{size / 1e6 / (SESSIONS * SEGMENTS * SECONDS / 3600):.2f} MB per hour")
    vocabulary, cumulated = words()
    chance = numpy.random.default_rng(2)

    def said(count: int) -> list[str]:
        return [vocabulary[min(int(numpy.searchsorted(cumulated, chance.random())), len(vocabulary) - 1)] for _ in range(count)]

    empty = FOLDER / "empty"
    queries = [" ".join(said(1 + index % 2)) for index in range(80)]
    # Any word of the vocabulary is as likely: most are rare.
    queries += [vocabulary[int(index)] for index in chance.integers(0, len(vocabulary), 40)]
    table("search, empty library", [measure(empty, "search", query) for query in queries[:40]])
    # The first time, an index's pages come from the disk.
    table("search, first time", [measure(LIBRARY, "search", query) for query in queries])
    times = {query: measure(LIBRARY, "search", query) for query in queries}
    table("search", list(times.values()))
    print("slowest:", sorted(times, key=lambda query: -times[query][1])[:5])
    table("search, --style words", [measure(LIBRARY, "search", query, "--style", "words") for query in queries])
    table("sessions", [measure(LIBRARY, "sessions") for _ in range(9)])
    table("sessions, empty library", [measure(empty, "sessions") for _ in range(9)])
    table("show last", [measure(LIBRARY, "show", "last") for _ in range(9)])


main()
