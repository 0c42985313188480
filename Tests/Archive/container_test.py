"""Tests Examples/Archive/container: where images can be built, it builds the image; elsewhere it takes the same steps in a
new root file system. A worker in it must give the same lines as outside, without rights and without a network."""
import json
import os
import pathlib
import shutil
import subprocess
import tempfile

from archive import EXAMPLES, LONGHAND, SAMPLES

STEPS = EXAMPLES / "container"
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
    root = EXAMPLES.parents[1]
    subprocess.run([name, "build", "-f", STEPS / "Containerfile", "-t", IMAGE, "."], cwd=root, check=True)
    environment = dict(os.environ, CONTAINER=name, LONGHAND_IMAGE=IMAGE, LONGHAND_AUDIO=str(SAMPLES))
    answers = subprocess.run([STEPS / "longhand", "worker"], input=jobs, env=environment, check=True, text=True,
                             stdout=subprocess.PIPE).stdout
    rest = subprocess.run(
        [name, "run", "--rm", "-i", "--network", "none", "-v", f"{SAMPLES}:{SAMPLES}:ro", "--entrypoint", "sh", IMAGE, "-c",
         CHECK], input="", check=True, text=True, stdout=subprocess.PIPE).stdout
    return answers + rest


def steps(work: pathlib.Path, jobs: str) -> str:
    """Takes the steps of the Containerfile without a builder."""
    root = work / "root"
    sources = pathlib.Path("/etc/apt/sources.list.d/debian.sources")
    mirror = [line.split()[1] for line in sources.read_text().splitlines() if line.startswith("URIs:")] \
        if sources.exists() else []
    subprocess.run(["debootstrap", "--variant=minbase", "bookworm", root, *mirror[:1]], check=True,
                   stdout=(work / "log").open("w"))
    subprocess.run([STEPS / "collect.sh", root], check=True, stdout=(work / "log").open("a"))
    shutil.copy(STEPS / "prepare.sh", root / "tmp")
    # Packages come from where this machine has them from.
    shutil.copy("/etc/resolv.conf", root / "etc")
    shutil.copytree("/etc/apt/apt.conf.d", root / "etc/apt/apt.conf.d", dirs_exist_ok=True)
    prepare = 'mount -t proc proc "$0/proc" && exec chroot "$0" /tmp/prepare.sh'
    subprocess.run(["unshare", "--mount", "sh", "-ec", prepare, root], check=True)
    inside = root / SAMPLES.relative_to("/")
    inside.mkdir(parents=True)
    # As the image has it: its user, its environment, only the loopback interface, and the recordings not writable.
    enter = ('mount -t proc proc "$0/proc"; mount --bind "$1" "$2"; mount -o remount,bind,ro "$2"; exec chroot '
             '--userspec=longhand:longhand "$0" env -i HOME=/home/longhand PATH=/usr/local/bin:/usr/bin:/bin sh -c "$3"')
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
    expected = subprocess.run([LONGHAND, "worker"], input=jobs, check=True, text=True, stdout=subprocess.PIPE).stdout
    work = pathlib.Path(tempfile.mkdtemp(prefix="longhand-container-"))
    try:
        name = builder()
        output = image(name, jobs) if name else steps(work, jobs)
        assert len(lines(expected)) == 3 and lines(output) == lines(expected), output
        user, *interfaces, written = [line.strip() for line in output.splitlines() if not line.startswith("{")]
        assert int(user) > 0, output
        assert interfaces == ["lo"], output
        assert written == "refused", output
        print(f"container: {name or 'the steps of the image'}: the same lines without rights and without a network", flush=True)
    except BaseException:
        if (work / "log").exists():
            print((work / "log").read_text()[-3000:], flush=True)
        raise
    finally:
        shutil.rmtree(work, ignore_errors=True)


main()
