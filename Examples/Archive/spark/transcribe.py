"""Transcribes an archive with Apache Spark: pipes a table of recordings through `longhand worker`.

    spark-submit transcribe.py FILES OUTPUT [WORKER_OPTION...]

FILES has a line per recording: its path (or URL), a tab, and its day. OUTPUT gets Parquet, partitioned by status and day.
Run it again to go on: recordings that have a row in OUTPUT are left out. Failed ones too; delete OUTPUT/status=failed to
try them again. Settings: spark.longhand.program (default longhand), spark.longhand.batch (files per task, default 10), and
spark.longhand.tasks (tasks per processor between two writes, default 10; Benchmarks/Capacity shows what they change).
"""
import json
import subprocess
import sys

from pyspark.sql import SparkSession, functions

files, output, *options = sys.argv[1:]
# The executors only hand lines on: what Java spends on compiling its own code for speed, the recognizers can use.
spark = SparkSession.builder.appName("longhand").config(
    "spark.executor.defaultJavaOptions", "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC").getOrCreate()
context = spark.sparkContext
program = spark.conf.get("spark.longhand.program", "longhand")
batch = int(spark.conf.get("spark.longhand.batch", "10"))
width = int(spark.conf.get("spark.longhand.tasks", "10")) * context.defaultParallelism
answered, failed, seconds = (context.accumulator(0) for _ in range(3))


def transcribe(rows):
    """Answers a partition with a worker of its own. Spark repeats the partition if the worker or the executor dies."""
    days = {row.path: row.day for row in rows}
    jobs = "".join(json.dumps({"id": path, "path": path}) + "\n" for path in days)
    done = subprocess.run([program, "worker", *options], input=jobs.encode(), stdout=subprocess.PIPE, check=True)
    for line in done.stdout.splitlines():
        answer = json.loads(line)
        text = answer.get("transcript", {}).get("text")
        answered.add(1)
        failed.add(answer["status"] == "failed")
        seconds.add(round(answer["audioSeconds"]))
        yield (answer["id"], days.pop(answer["id"]), answer["status"], float(answer["audioSeconds"]),
               float(answer["processorSeconds"]), answer.get("error", {}).get("message"), text, line.decode())
    assert not days, f"the worker did not answer {list(days)}"


columns = "path string, day string, status string, audioSeconds double, processorSeconds double, error string, text string, line string"
todo = spark.read.csv(files, sep="\t", quote="", schema="path string, day string").dropDuplicates(["path"])
try:
    done = spark.read.schema(columns).parquet(output).select("path")
    todo = todo.join(done, "path", "left_anti")
except Exception as error:  # Nothing was written yet.
    if "PATH_NOT_FOUND" not in str(error):
        raise
todo = todo.cache()
total = todo.count()
steps = -(-total // (batch * width))
print(f"{total} recordings to transcribe", flush=True)
# A step is written as a whole, so that a stop loses no more than one. Which recordings are in it depends on their paths
# alone, so that a partition that is repeated has the same ones.
for step in range(steps):
    part = todo.where(functions.expr(f"pmod(hash(path), {steps}) = {step}"))
    part = part.repartition(-(-total // (steps * batch)), "path").rdd.mapPartitions(transcribe)
    spark.createDataFrame(part, columns).write.mode("append").partitionBy("status", "day").parquet(output)
    print(f"step {step + 1} of {steps}: answered {answered.value}, failed {failed.value}, "
          f"{seconds.value / 3600:.2f} hours", flush=True)
spark.stop()
