"""Runs the same ten queries on an archive, DuckDB, Spark and Ballista, and prints how long each took.

python compare.py PLYBOOK PLYBOOK_CLUSTER ARCHIVE [RUNS]   run by compare.sh

Spark and Ballista answer with one executor of one core, then with two; DuckDB with one thread, as its functions in Python
take turns. All but the archive read the same four Parquet files. A number is the median of RUNS (default 3) after one that is
not counted. Exit status 1 if an answer differs.
"""

import os, pathlib, statistics, subprocess, sys, tempfile, time

sys.path.append(str(pathlib.Path(__file__).resolve().parent / "spark"))

import duckdb
import plybook as package
from processes import Cluster, rows
from questions import QUESTIONS, plain
from standalone import Standalone

plybook, program, archive = (os.path.abspath(path) for path in sys.argv[1:4])
runs = int(sys.argv[4]) if len(sys.argv) > 4 else 3

# The functions used in the queries, with their DuckDB types.
IN_DUCKDB = {
    "fen": (["BLOB", "BIGINT"], "VARCHAR"),
    "san": (["BLOB", "BIGINT"], "VARCHAR"),
    "plies": (["BLOB"], "BIGINT"),
    "reaches": (["BLOB", "VARCHAR"], "BIGINT"),
    "eco_name": (["BLOB"], "VARCHAR"),
    "material": (["VARCHAR"], "VARCHAR"),
    "position_key": (["VARCHAR"], "BIGINT"),
    "same_player": (["VARCHAR", "VARCHAR"], "BIGINT"),
}


def run(*arguments):
    done = subprocess.run([plybook, *arguments], stdout=subprocess.PIPE, text=True)
    if done.returncode != 0:
        sys.exit(done.returncode)
    return done.stdout


def in_duckdb(table):
    import pyarrow
    base = duckdb.connect()
    base.execute("SET threads = 1")
    def function(name, parameters, gives):
        type_given = pyarrow.string() if gives == "VARCHAR" else pyarrow.int64()
        def call(*columns):
            return pyarrow.array(package.call(name, *(column.to_pylist() for column in columns)), type_given)
        # DuckDB inspects the number of parameters.
        return (lambda one: call(one)) if len(parameters) == 1 else (lambda one, other: call(one, other))
    for name, (parameters, gives) in IN_DUCKDB.items():
        base.create_function(name, function(name, parameters, gives), parameters, gives, type="arrow",
                             null_handling="special")
    base.execute(f"CREATE VIEW games AS SELECT * FROM '{table}/*.parquet'")
    return lambda query: base.execute(query).fetchall()


def asked(ask, query):
    answer, seconds = plain(ask(query)), []
    for _ in range(runs):
        begun = time.monotonic()
        answer = plain(ask(query))
        seconds.append(time.monotonic() - begun)
    return answer, statistics.median(seconds)


def by_each_engine(table):
    """Yields each engine's name and query function; an engine runs until the next one is requested."""
    yield "archive", lambda query: rows(run("sql", query, "-a", archive, "--format", "jsonl"))
    yield "DuckDB", in_duckdb(table)
    for number in [1, 2]:
        with Cluster(program, number) as cluster:
            tasks = f"SET datafusion.execution.target_partitions = {number}; "
            yield f"Ballista, {number}", lambda query: cluster.ask({"games": table}, tasks + query)
    for number in [1, 2]:
        with Standalone(workers=number) as cluster:
            spark = cluster.session()
            spark.read.parquet(table).createOrReplaceTempView("games")
            yield f"Spark, {number}", lambda query: spark.sql(query).collect()
            spark.stop()


def main(folder):
    table = f"{folder}/table"
    run("export", "-a", archive, "--format", "parquet", "--shards", "4", "-o", f"{table}/")
    seconds, answers, faults = {}, {}, []
    for engine, ask in by_each_engine(table):
        for name, question in QUESTIONS.items():
            answer, seconds[engine, name] = asked(ask, question)
            if answer != answers.setdefault(name, answer):
                faults.append(f"{name}, {engine}: {answer[:3]}, not {answers[name][:3]}")
    engines = list(dict.fromkeys(engine for engine, _ in seconds))
    print("| seconds |", *(f"{engine} |" for engine in engines))
    print("|---|" + "---|" * len(engines))
    for name in QUESTIONS:
        print(f"| {name} |", *(f"{seconds[engine, name]:.2f} |" for engine in engines))
    print("\n".join(faults) or f"\n{len(QUESTIONS)} results are equal in {len(engines)} engines")
    return 1 if faults else 0


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        sys.exit(main(folder))
