"""Tests Examples/Archive/spark on a cluster of processes: kills of a worker and of an executor, and a stop in the middle."""
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile

from archive import EXAMPLES, FILES, LONGHAND, check, descendants, kill_one, recordings, typed

SUBMIT = [
    str(pathlib.Path(sys.executable).parent / "spark-submit"), "--master", "local-cluster[2,1,1024]",
    "--conf", "spark.ui.enabled=false", "--conf", "spark.driver.bindAddress=127.0.0.1",
    "--conf", "spark.driver.host=127.0.0.1", "--conf", f"spark.longhand.program={LONGHAND}",
    "--conf", f"spark.longhand.batch={max(3, FILES // 16)}", "--conf", "spark.longhand.tasks=2",
    "--conf", "spark.log.level=ERROR",
]


def start(work: pathlib.Path, output: pathlib.Path) -> subprocess.Popen:
    environment = dict(os.environ, PYSPARK_PYTHON=sys.executable, SPARK_LOCAL_IP="127.0.0.1", SPARK_LOCAL_DIRS=str(work))
    return subprocess.Popen(
        SUBMIT + [str(EXAMPLES / "spark/transcribe.py"), str(work / "files.tsv"), str(output)], env=environment,
        cwd=work, stdout=subprocess.PIPE, stderr=(work / "log").open("a"), text=True)


def finish(job: subprocess.Popen) -> str:
    output = job.communicate(timeout=3600)[0]
    assert job.returncode == 0, output
    return output


def rows(output: pathlib.Path) -> list[dict]:
    import pyspark.sql
    spark = pyspark.sql.SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false") \
        .config("spark.log.level", "ERROR").getOrCreate()
    found = [row.asDict() for row in spark.read.parquet(str(output)).collect()]
    assert all(row["path"] == json.loads(row["line"])["path"] for row in found)
    return found


def answers(output: pathlib.Path) -> list[dict]:
    return [json.loads(row["line"]) for row in rows(output)]


def ask(work: pathlib.Path) -> None:
    """The questions of questions.sql, in the folder that has the transcripts."""
    import pyspark.sql
    os.chdir(work)
    spark = pyspark.sql.SparkSession.builder.getOrCreate()
    text = "\n".join(line for line in (EXAMPLES / "spark/questions.sql").read_text().splitlines() if line[:2] != "--")
    text = text.replace("(path 'transcripts')", f"(path '{work}/transcripts')")
    results = [spark.sql(statement).collect() for statement in text.split(";") if statement.strip()]
    hours, rates, places = results[1:]
    assert len(hours) == 2 and abs(sum(row.hours for row in hours) - FILES * 0.8 / 3600) < 0.03, hours
    assert rates and all(row.words_per_minute > 0 for row in rates)
    assert all("young" in row.text and row.second >= 0 for row in places), places


def main() -> None:
    work = pathlib.Path(tempfile.mkdtemp(prefix="longhand-spark-"))
    try:
        paths = recordings(work / "audio")
        days = "".join(f"{path}\t2026-0{number % 2 + 1}-01\n" for number, path in enumerate(paths))
        (work / "files.tsv").write_text(days)

        job = start(work, work / "transcripts")
        kill_one(lambda: descendants(job.pid), "longhand worker")
        kill_one(lambda: descendants(job.pid), "CoarseGrainedExecutorBackend")
        print(finish(job))
        check(answers(work / "transcripts"), paths)
        print("spark: complete after the kills of a worker and of an executor", flush=True)

        before = sorted(file.name for file in (work / "transcripts").rglob("*.parquet"))
        assert "0 recordings to transcribe" in finish(start(work, work / "transcripts"))
        assert sorted(file.name for file in (work / "transcripts").rglob("*.parquet")) == before
        print("spark: the job run again does nothing", flush=True)

        job = start(work, work / "second")
        assert job.stdout is not None
        while not job.stdout.readline().startswith("step 1"):
            assert job.poll() is None, "it ended"
        left = list(descendants(job.pid)) + [job.pid]
        for process in left:
            os.kill(process, signal.SIGKILL)
        job.wait()
        done = len(answers(work / "second"))
        assert 0 < done < FILES, done
        output = finish(start(work, work / "second"))
        assert f"{FILES - done} recordings to transcribe" in output, output
        check(answers(work / "second"), paths)
        print(f"spark: stopped after {done} recordings, and finished", flush=True)
        ask(work)
        print("spark: the questions have answers", flush=True)

        readme = work / "readme"
        readme.mkdir()
        (readme / "files.tsv").write_text("".join(days.splitlines(keepends=True)[:20]))
        os.environ.update(PYSPARK_PYTHON=sys.executable, SPARK_LOCAL_IP="127.0.0.1")
        printed = typed("spark", readme, pathlib.Path(sys.executable).parent)
        assert sorted(answer["id"] for answer in answers(readme / "transcripts")) == sorted(paths[:20])
        assert all(f"{day}\t" in printed for day in ("2026-01-01", "2026-02-01")), printed
        print("spark: the lines of docs/archives.md do what they say", flush=True)
    except BaseException:
        print((work / "log").read_text()[-5000:], file=sys.stderr)
        raise
    finally:
        shutil.rmtree(work, ignore_errors=True)


main()
