"""Runs ten queries on a standalone Spark cluster over tables of an archive, and compares the results with SQL on the archive.

python test_spark.py PLYBOOK [GAMES]   PLYBOOK is the program, built with the feature `columns`; GAMES is how many games are
made up (default 5000). Master and two workers run on the loopback. Exit status 1 if an answer differs.
"""

import json, os, pathlib, subprocess, sys, tempfile, time

from standalone import HERE, Standalone

sys.path.insert(0, str(HERE.parent))
from questions import QUESTIONS, plain

plybook, games = os.path.abspath(sys.argv[1]), sys.argv[2] if len(sys.argv) > 2 else "5000"


def run(*arguments):
    return subprocess.run([plybook, *arguments], check=True, capture_output=True, text=True).stdout


def by_archive(question):
    return plain(tuple(json.loads(line).values()) for line in run("sql", question, "--format", "jsonl").splitlines())


def ten_questions(cluster, table, faults):
    spark = cluster.session()
    spark.read.parquet(table).createOrReplaceTempView("games")
    for name, question in QUESTIONS.items():
        begun = time.monotonic()
        found = plain(spark.sql(question).collect())
        seconds, expected = time.monotonic() - begun, by_archive(question)
        print(f"{name}: {len(found)} rows in {seconds:.2f} s, {'equal' if found == expected else 'NOT EQUAL'}", flush=True)
        if found != expected:
            faults.append(f"{name}: {found[:3]}, not {expected[:3]}")
    spark.stop()


def executors_without_plybook(cluster, table, faults):
    """The control: executors without plybook in their Python cannot answer."""
    bare = pathlib.Path("bare")
    bare.mkdir()
    (bare / "plybook.py").write_text("raise ImportError('no plybook here')\n")
    spark = cluster.session(log="OFF", **{"spark.executorEnv.PYTHONPATH": str(bare.resolve())})
    spark.read.parquet(table).createOrReplaceTempView("games")
    try:
        spark.sql("SELECT sum(plies(moves)) FROM games").collect()
        faults.append("executors without plybook returned a result")
    except Exception as error:
        print("executors without plybook:", "no result" if "plybook" in str(error) else error)
    spark.stop()


def main(folder):
    os.chdir(folder)
    pathlib.Path("games.pgn").write_text(run("generate", "--games", games, "--seed", "3"))
    run("import", "-q", "games.pgn")
    run("export", "--format", "parquet", "--shards", "4", "-o", "table/")
    faults = []
    with Standalone(workers=2) as cluster:
        ten_questions(cluster, f"{folder}/table", faults)
        executors_without_plybook(cluster, f"{folder}/table", faults)
    print("\n".join(faults) or f"{len(QUESTIONS)} results are equal")
    return 1 if faults else 0


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        sys.exit(main(folder))
