"""Tests Examples/Archive/slurm on a cluster of one node: a killed worker, a task that Slurm puts back, and a second run."""
import json
import os
import pathlib
import shutil
import socket
import subprocess
import sys
import tempfile
import time

from archive import EXAMPLES, LONGHAND, below, check, kill_one, recordings, typed

TASKS = 4


def configuration(work: pathlib.Path) -> str:
    host = socket.gethostname().split(".")[0]
    return f"""
ClusterName=test
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort=16817
SlurmdPort=16818
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket={work}/munge.socket
CryptoType=crypto/munge
StateSaveLocation={work}/state
SlurmdSpoolDir={work}/spool
SlurmctldPidFile={work}/slurmctld.pid
SlurmdPidFile={work}/slurmd.pid
SlurmctldLogFile={work}/slurmctld.log
SlurmdLogFile={work}/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerParameters=sched_interval=1,batch_sched_delay=0
MpiDefault=none
ReturnToService=2
KillWait=2
NodeName={host} NodeAddr=127.0.0.1 CPUs=2 RealMemory=2000 State=UNKNOWN
PartitionName=all Nodes={host} Default=YES MaxTime=INFINITE State=UP
"""


def run(*command: str) -> str:
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout


def wait(seconds: float = 3600) -> None:
    """Until no task waits or runs."""
    end = time.monotonic() + seconds
    while run("squeue", "-h").strip():
        assert time.monotonic() < end, run("squeue")
        time.sleep(1)


def start(work: pathlib.Path) -> list[subprocess.Popen]:
    (work / "munge.key").write_bytes(os.urandom(128))
    (work / "munge.key").chmod(0o400)
    work.chmod(0o755)
    (work / "slurm.conf").write_text(configuration(work))
    for name in ("state", "spool"):
        (work / name).mkdir()
    os.environ["SLURM_CONF"] = str(work / "slurm.conf")
    log = (work / "log").open("a")
    services = [subprocess.Popen([
        "munged", "--foreground", "--force", f"--key-file={work}/munge.key", f"--socket={work}/munge.socket",
        f"--log-file={work}/munged.log", f"--pid-file={work}/munged.pid", f"--seed-file={work}/munge.seed"],
        stdout=log, stderr=log)]
    while not (work / "munge.socket").exists():
        assert services[0].poll() is None, (work / "log").read_text()
        time.sleep(0.1)
    services += [subprocess.Popen([program, "-D"], stdout=log, stderr=log) for program in ("slurmctld", "slurmd")]
    end = time.monotonic() + 120
    while "idle" not in subprocess.run(["sinfo", "-h", "-o", "%T"], stdout=subprocess.PIPE, stderr=log, text=True).stdout:
        assert time.monotonic() < end and all(service.poll() is None for service in services)
        time.sleep(0.5)
    return services


def answers(work: pathlib.Path) -> list[dict]:
    return [json.loads(line) for file in (work / "transcripts").glob("*.jsonl") for line in file.open()]


def main() -> None:
    work = pathlib.Path(tempfile.mkdtemp(prefix="longhand-slurm-"))
    services: list[subprocess.Popen] = []
    try:
        paths = recordings(work / "audio")
        (work / "list.txt").write_text("".join(path + "\n" for path in paths))
        os.environ["LONGHAND"] = LONGHAND
        services = start(work)
        command = ["sbatch", "-D", str(work), f"--array=0-{TASKS - 1}", str(EXAMPLES / "slurm/transcribe.sh"), "list.txt",
                   "transcripts"]
        run(*command)
        kill_one(lambda: below(work), "longhand worker")
        # The other task that runs is put back by Slurm itself.
        while not (running := run("squeue", "-h", "-t", "running", "-o", "%A").split()):
            time.sleep(0.2)
        run("scontrol", "requeue", running[-1])
        wait()
        check(answers(work), paths)
        print("slurm: complete after a killed worker and a task that was put back", flush=True)
        before = sorted(answer["id"] for answer in answers(work))
        run(*command)
        wait()
        assert sorted(answer["id"] for answer in answers(work)) == before
        print("slurm: the job run again does nothing", flush=True)
        added = str(work / "audio" / ("added" + pathlib.Path(paths[0]).suffix))
        shutil.copy(paths[0], added)
        (work / "list.txt").write_text("".join(path + "\n" for path in [added] + paths))
        run(*command)
        wait()
        assert sorted(answer["id"] for answer in answers(work)) == sorted(before + [added])
        print("slurm: a path in front of the list is the only one that is transcribed", flush=True)
        readme = work / "readme"
        readme.mkdir()
        (readme / "list.txt").write_text("".join(path + "\n" for path in paths[:20]))
        typed("sbatch", readme)
        wait()
        assert sorted(answer["id"] for answer in answers(readme)) == sorted(paths[:20])
        print("slurm: the line of docs/archives.md does what it says", flush=True)
    except BaseException:
        for log in ["log", "slurmctld.log", "slurmd.log"] + [file.name for file in work.glob("slurm-*.out")]:
            if (work / log).exists():
                print(log, (work / log).read_text()[-3000:], file=sys.stderr)
        raise
    finally:
        for service in reversed(services):
            service.terminate()
            service.wait()
        shutil.rmtree(work, ignore_errors=True)


main()
