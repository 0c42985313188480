"""What the tests of the archive's examples share: recordings, and what an archive's answers must be."""
import json
import os
import pathlib
import random
import signal
import subprocess
import time
import wave

SAMPLES = pathlib.Path(os.environ.get("PREFIX", "/usr/local")) / "share/pocketsphinx/samples/librivox"
EXAMPLES = pathlib.Path(__file__).parents[2] / "Examples/Archive"
LONGHAND = os.environ["LONGHAND"]
FILES = int(os.environ.get("ARCHIVE_FILES", "200"))
BAD = 5


def recordings(folder: pathlib.Path) -> list[str]:
    """Writes short recordings, all of them different, and five bad files. The paths, in no order."""
    folder.mkdir(parents=True)
    randomness = random.Random(1)
    sources = sorted(SAMPLES.glob("*.wav"))
    paths = []
    for number in range(FILES - BAD):
        with wave.open(str(sources[number % len(sources)])) as source:
            start = randomness.randrange(source.getnframes() - 16000)
            source.setpos(start)
            samples = source.readframes(12800)
        paths.append(str(folder / f"good {number}.wav"))
        with wave.open(paths[-1], "wb") as target:
            target.setparams((1, 2, 16000, 0, "NONE", "")), target.writeframes(samples)
    for number, data in enumerate([b"", b"no audio", b"RIFF", bytes(1000), None]):
        paths.append(str(folder / f"bad {number}.wav"))
        if data is not None:
            pathlib.Path(paths[-1]).write_bytes(data)
    randomness.shuffle(paths)
    return paths


def check(answers: list[dict], paths: list[str]) -> None:
    """None missing, none twice, the bad ones with a reason, and the texts those of `transcribe`."""
    assert sorted(answer["id"] for answer in answers) == sorted(paths), "an answer is missing, or is there twice"
    failed = [answer for answer in answers if answer["status"] == "failed"]
    assert len(failed) == BAD and all("bad" in answer["id"] for answer in failed), failed
    assert all(answer["error"]["message"] for answer in failed)
    good = sorted((answer for answer in answers if answer["status"] == "ok"), key=lambda answer: answer["id"])
    assert len(good) == len(paths) - BAD
    for answer in good[:5]:
        document = subprocess.run([LONGHAND, "transcribe", "--json", answer["id"]], check=True, stdout=subprocess.PIPE)
        assert json.loads(document.stdout) == answer["transcript"], answer["id"]


def commands(word: str) -> list[str]:
    """The lines of docs/archives.md that have a word, as they are typed."""
    blocks = (EXAMPLES.parents[1] / "docs/archives.md").read_text().split("```sh\n")[1:]
    found = [line for block in blocks for line in block.split("```")[0].splitlines() if word in line]
    assert found, f"docs/archives.md has no line with '{word}'"
    return found


def typed(word: str, folder: pathlib.Path, *programs: pathlib.Path) -> str:
    """Runs these lines in a folder that has the examples, with `longhand` and others in PATH. What they print."""
    (folder / "Examples").symlink_to(EXAMPLES.parent)
    path = ":".join(map(str, [pathlib.Path(LONGHAND).parent, *programs, os.environ["PATH"]]))
    environment = dict(os.environ, PATH=path)
    environment.pop("LONGHAND", None)
    return subprocess.run(["bash", "-ec", "\n".join(commands(word))], cwd=folder, env=environment, check=True, text=True,
                          stdout=subprocess.PIPE).stdout


def descendants(parent: int) -> dict[int, str]:
    """The processes below one, with their command lines."""
    children, found = {}, {}
    for folder in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            status = (folder / "stat").read_text().rpartition(")")[2].split()
            command = (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
        except OSError:
            continue
        children.setdefault(int(status[1]), []).append((int(folder.name), command))
    rest = [parent]
    while rest:
        for process, command in children.get(rest.pop(), []):
            found[process] = command
            rest.append(process)
    return found


def below(folder: pathlib.Path) -> dict[int, str]:
    """The processes that work in a folder, with their command lines. What Slurm starts has no parent of ours."""
    found = {}
    for process in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            if os.readlink(process / "cwd") == str(folder):
                found[int(process.name)] = (process / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
        except OSError:
            continue
    return found


def kill_one(processes, text: str, seconds: float = 300) -> None:
    """Kills one of the processes, a program whose command line has a text, as soon as there is one."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        for process, command in processes().items():
            if text in command and not command.startswith(("python", "/bin/sh", "sh ", "/bin/bash", "bash")):
                os.kill(process, signal.SIGKILL)
                return
        time.sleep(0.05)
    raise AssertionError(f"no process has '{text}'")
