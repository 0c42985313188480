"""Tests Examples/Archive/container: makes the image's files, and the image where images can be built; elsewhere it unpacks
the files. A worker in them must give the same lines as outside, without rights and without a network."""
import json
import os
import pathlib
import shutil
import subprocess
import tempfile

from archive import EXAMPLES, LONGHAND, SAMPLES

STEPS = EXAMPLES / "container"
CONTEXT = EXAMPLES.parents[1] / ".build/container"
IMAGE = "longhand-test"
# Lines of the worker, then the user's number, the interfaces of the network, and what became of an attempt to write.
CHECK = ('longhand worker; id -u; ls /sys/class/net 2>/dev/null || tail -n +3 /proc/net/dev | cut -d: -f1; '
         f'touch "{SAMPLES}/x" 2>/dev/null && echo written || echo refused')


def builder() -> str | None:
    """The first command that can build images here."""
    for name in ("podman", "docker"):
        if shutil.which(name) and subprocess.run([name, "info"], capture_output=True).returncode == 0:
            return name
    return None


def image(name: str, jobs: str) -> str:
    """Builds the image, and runs the check in it, by the program for Spark and Slurm and by a shell."""
    subprocess.run([name, "build", "-f", STEPS / "Containerfile", "-t", IMAGE, CONTEXT], check=True)
    environment = dict(os.environ, CONTAINER=name, LONGHAND_IMAGE=IMAGE, LONGHAND_AUDIO=str(SAMPLES))
    answers = subprocess.run([STEPS / "longhand", "worker"], input=jobs, env=environment, check=True, text=True,
                             stdout=subprocess.PIPE).stdout
    rest = subprocess.run(
        [name, "run", "--rm", "-i", "--network", "none", "-v", f"{SAMPLES}:{SAMPLES}:ro", "--entrypoint", "sh", IMAGE, "-c",
         CHECK], input="", check=True, text=True, stdout=subprocess.PIPE).stdout
    return answers + rest


def files(root: pathlib.Path, jobs: str) -> str:
    """Unpacks the image's files, and runs the check in them."""
    inside = root / SAMPLES.relative_to("/")
    root.mkdir()
    subprocess.run(["tar", "-xf", CONTEXT / "root.tar", "-C", root], check=True)
    inside.mkdir(parents=True)
    # As the image has it: its user, its environment, only the loopback interface, and the recordings not writable.
    enter = ('mount -t proc proc "$0/proc"; mount --rbind /dev "$0/dev"; mount --bind "$1" "$2"; mount -o remount,bind,ro "$2"; '
             'exec chroot --userspec=1000 "$0" env -i HOME=/home/longhand PATH=/usr/bin:/bin sh -c "$3"')
    return subprocess.run(["unshare", "--mount", "--net", "sh", "-ec", enter, root, SAMPLES, inside, CHECK], input=jobs,
                          check=True, text=True, stdout=subprocess.PIPE).stdout


def lines(text: str) -> list[dict]:
    """Answers without the only thing that may differ."""
    answers = [json.loads(line) for line in text.splitlines() if line.startswith("{")]
    for answer in answers:
        del answer["processorSeconds"]
    return answers


def main() -> None:
    jobs = "".join(json.dumps({"id": path.name, "path": str(path)}) + "\n" for path in sorted(SAMPLES.glob("*.wav"))[:2])
    jobs += json.dumps({"id": "missing", "path": "missing.wav"}) + "\n"
    # The image has the default model, whatever the environment says here.
    expected = subprocess.run([LONGHAND, "worker", "--model", "whisper-base"], input=jobs, check=True, text=True,
                              stdout=subprocess.PIPE).stdout
    subprocess.run([STEPS / "build"], check=True)
    work = pathlib.Path(tempfile.mkdtemp(prefix="longhand-container-"))
    try:
        name = builder()
        output = image(name, jobs) if name else files(work / "root", jobs)
        assert len(lines(expected)) == 3 and lines(output) == lines(expected), output
        user, *interfaces, written = [line.strip() for line in output.splitlines() if not line.startswith("{")]
        assert int(user) > 0, output
        assert interfaces == ["lo"], output
        assert written == "refused", output
        size = (CONTEXT / "root.tar").stat().st_size // 1_000_000
        print(f"container: {name or 'its files'}, {size} MB: the same lines without rights and without a network", flush=True)
    finally:
        shutil.rmtree(work, ignore_errors=True)


main()
