#!/usr/bin/env bash
# Transcribes an archive with Slurm: each task of an array takes a part of a list of recordings.
#
#   ls /archive/*.flac >list.txt
#   sbatch --array=0-99 transcribe.sh list.txt transcripts [WORKER_OPTION...]
#
# Task N takes every 100th line from line N on, and writes transcripts/N-of-100.jsonl, a line per recording. A task that is
# killed is put into the queue again and goes on after the recordings that it has answered. Send the same command again
# after changes to the list: recordings that have an answer are left out, whichever task gave it.
#SBATCH --job-name=longhand
#SBATCH --ntasks=1 --cpus-per-task=1
#SBATCH --requeue --open-mode=append
set -euo pipefail

list=$1 output=$2
shift 2
shards=$SLURM_ARRAY_TASK_COUNT shard=$((SLURM_ARRAY_TASK_ID - SLURM_ARRAY_TASK_MIN))
mkdir -p "$output"
result=$output/$shard-of-$shards.jsonl
touch "$result"

# Prints the jobs of this task that no complete line of any result answers, and removes an incomplete last line of its own.
# After a change of the list, a recording may belong to another task than before.
jobs() {
  python3 - "$list" "$output" "$shard" "$shards" <<'END'
import json, os, pathlib, sys
file, output, shard, shards = sys.argv[1], pathlib.Path(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4])
own, done, end = output / f"{shard}-of-{shards}.jsonl", set(), 0
for result in output.glob("*.jsonl"):
    with open(result, "rb") as lines:
        for line in lines:
            if line.endswith(b"\n"):
                done.add(json.loads(line)["id"])
                end += len(line) if result == own else 0
os.truncate(own, end)
for number, path in enumerate(open(file)):
    path = path.rstrip("\n")
    if number % shards == shard and path and path not in done:
        print(json.dumps({"id": path, "path": path}))
END
}

# Slurm kills all processes of a task at once; then nothing is written any more.
jobs | "${LONGHAND:-longhand}" worker "$@" >>"$result" || {
  echo "longhand worker ended with $?; the task is put into the queue again" >&2
  [ "${SLURM_RESTART_COUNT:-0}" -lt 3 ] && scontrol requeue "${SLURM_ARRAY_JOB_ID}_$SLURM_ARRAY_TASK_ID"
  exit 1
}
