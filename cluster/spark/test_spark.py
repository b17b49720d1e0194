"""Asks a standalone cluster of Spark ten questions over tables of an archive, and compares each answer with SQL in the archive.

python test_spark.py PLYBOOK [GAMES]   PLYBOOK is the program, built with the feature `columns`; GAMES is how many games are
made up (default 5000). Master and two workers run on the loopback. Exit status 1 if an answer differs.
"""

import json, os, pathlib, subprocess, sys, tempfile, time, urllib.request

os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"

import pyspark
from pyspark.sql import SparkSession

plybook, games = os.path.abspath(sys.argv[1]), sys.argv[2] if len(sys.argv) > 2 else "5000"
here = pathlib.Path(__file__).resolve().parent
spark_home = pathlib.Path(pyspark.__file__).parent
SICILIAN = "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2"

# {games} is the view of the archive, or the table of files.
QUESTIONS = {
    "games by volume of openings": "SELECT substr(eco, 1, 1) AS volume, count(*) FROM {games} GROUP BY 1 ORDER BY 1",
    "plies": "SELECT sum(plies(moves)), min(plies(moves)), max(plies(moves)) FROM {games}",
    "different positions after ply 20": "SELECT count(DISTINCT fen(moves, 20)) FROM {games}",
    "what stands after ply 8": "SELECT fen(moves, 8), count(*) FROM {games} GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT 20",
    "games that reach the Sicilian": f"SELECT count(*), sum(reaches(moves, '{SICILIAN}')) FROM {{games}} "
                                     f"WHERE reaches(moves, '{SICILIAN}') IS NOT NULL",
    "second moves of White": "SELECT san(moves, 3), count(*) FROM {games} GROUP BY 1 ORDER BY 2 DESC, 1",
    "score by rating": "SELECT CAST(white_elo / 100.0 AS INTEGER) AS band, count(*), "
                       "sum(CASE result WHEN '1-0' THEN 2 WHEN '1/2-1/2' THEN 1 ELSE 0 END) "
                       "FROM {games} WHERE white_elo IS NOT NULL GROUP BY 1 ORDER BY 1",
    "material after ply 60": "SELECT material(fen(moves, 60)), count(*) FROM {games} "
                             "WHERE fen(moves, 60) IS NOT NULL GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT 20",
    "names of openings": "SELECT eco_name(moves), count(*) FROM {games} GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT 20",
    "keys and players": "SELECT count(DISTINCT position_key(fen(moves, 6))), sum(same_player(white, 'a*')) FROM {games}",
}


def run(*arguments):
    return subprocess.run([plybook, *arguments], check=True, capture_output=True, text=True).stdout


def started(name, *arguments):
    return subprocess.Popen([spark_home / "bin" / "spark-class", f"org.apache.spark.deploy.{name}", *arguments],
                            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def wait_for_workers(port, number):
    for _ in range(120):
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/json/") as answer:
                if json.load(answer)["aliveworkers"] == number:
                    return
        except OSError:
            pass
        time.sleep(0.5)
    sys.exit("the workers did not come")


def session(master, python, **more):
    os.environ["PYSPARK_PYTHON"] = os.environ["PYSPARK_DRIVER_PYTHON"] = python
    builder = SparkSession.builder.master(master).appName("plybook").config("spark.ui.enabled", "false")
    settings = {"spark.driver.host": "127.0.0.1", "spark.driver.bindAddress": "127.0.0.1", "spark.executor.cores": "1",
                "spark.executor.memory": "1g", "spark.sql.shuffle.partitions": "4", "spark.ui.showConsoleProgress": "false",
                 "spark.pyspark.python": python} | more
    for name, value in settings.items():
        builder = builder.config(name, value)
    return builder.getOrCreate()


def rows(found):
    return [tuple(None if value is None else int(value) if isinstance(value, float) or str(value).isdigit() else value
                  for value in row) for row in found]


def main(folder):
    os.chdir(folder)
    pathlib.Path("games.pgn").write_text(run("generate", "--games", games, "--seed", "3"))
    run("import", "-q", "games.pgn")
    run("export", "--format", "parquet", "--shards", "4", "-o", "table/")
    master_url, processes, faults = "spark://127.0.0.1:17077", [], []
    try:
        processes.append(started("master.Master", "--host", "127.0.0.1", "--port", "17077", "--webui-port", "18080"))
        for port in ["18081", "18082"]:
            processes.append(started("worker.Worker", "--host", "127.0.0.1", "--cores", "1", "--memory", "1g",
                                     "--webui-port", port, master_url))
        wait_for_workers(18080, 2)
        sys.path.insert(0, str(here))
        spark = session(master_url, sys.executable)
        spark.sparkContext.setLogLevel("ERROR")
        spark.sparkContext.addPyFile(str(here / "plybook_spark.py"))
        import plybook_spark
        plybook_spark.register(spark)
        spark.read.parquet(f"{folder}/table").createOrReplaceTempView("games")
        for name, question in QUESTIONS.items():
            expected = [tuple(json.loads(line).values()) for line in
                        run("sql", question.format(games="games"), "--format", "jsonl").splitlines()]
            begun = time.monotonic()
            found = rows(spark.sql(question.format(games="games")).collect())
            seconds = time.monotonic() - begun
            same = found == rows(expected)
            print(f"{name}: {len(found)} rows in {seconds:.2f} s, {'equal' if same else 'NOT EQUAL'}", flush=True)
            if not same:
                faults.append(f"{name}: {found[:3]}, not {rows(expected)[:3]}")
        # The control: executors whose Python has no plybook.
        spark.stop()
        bare = pathlib.Path("bare")
        bare.mkdir()
        (bare / "plybook.py").write_text("raise ImportError('no plybook here')\n")
        spark = session(master_url, sys.executable, **{"spark.executorEnv.PYTHONPATH": str(bare.resolve())})
        spark.sparkContext.setLogLevel("OFF")
        spark.sparkContext.addPyFile(str(here / "plybook_spark.py"))
        plybook_spark.register(spark)
        spark.read.parquet(f"{folder}/table").createOrReplaceTempView("games")
        try:
            spark.sql("SELECT sum(plies(moves)) FROM games").collect()
            faults.append("executors without plybook gave an answer")
        except Exception as error:
            print("executors without plybook:", "no answer" if "plybook" in str(error) else error)
        spark.stop()
    finally:
        for process in processes:
            process.terminate()
            process.wait()
    print("\n".join(faults) or f"{len(QUESTIONS)} answers equal")
    return 1 if faults else 0


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        sys.exit(main(folder))
