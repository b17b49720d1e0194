"""Compares a cluster on this machine with the archive that its tables were written from.

python test_cluster.py PLYBOOK PLYBOOK_CLUSTER [GAMES]   both are programs, the first with the feature `columns`; GAMES is how
many games are made up (default 20000). Exit status 1 if an answer differs, or if one comes that should not.
"""

import json, os, pathlib, signal, subprocess, sys, tempfile, time

from processes import Cluster, Failed, ask, command, free_port, rows
from questions import QUESTIONS, SICILIAN, plain

plybook, program = (os.path.abspath(path) for path in sys.argv[1:3])
games = sys.argv[3] if len(sys.argv) > 3 else "20000"
data = pathlib.Path(__file__).resolve().parent.parent / "data"
START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
faults = []


def run(*arguments):
    return subprocess.run([plybook, *arguments], check=True, capture_output=True, text=True).stdout


def by_archive(query):
    return plain(rows(run("sql", query, "--format", "jsonl")))


def check(what, is_right, found=""):
    print(f"{'ok   ' if is_right else 'WRONG'} {what}", flush=True)
    if not is_right:
        faults.append(f"{what}: {str(found)[:600]}")


def same(what, found, expected):
    check(f"{what} ({len(found)} rows)", found == expected and found, f"{found[:3]}, not {expected[:3]}")


def refused(what, why, asked):
    """Checks that a query fails with an error that contains the reason."""
    try:
        check(what, False, asked())
    except Failed as failed:
        check(what, why in str(failed) and str(failed).startswith("error:"), failed)


def ten_questions(cluster):
    for what, query in QUESTIONS.items():
        same(what, plain(cluster.ask({"games": "table"}, query)), by_archive(query))


def other_functions(cluster):
    all_positions = "SELECT count(*), count(DISTINCT {key}), sum({ply}) FROM "
    same("positions", plain(cluster.ask({"games": "table"}, all_positions.format(key="p['key']", ply="p['ply']")
         + "(SELECT unnest(positions(moves, fen, variant)) AS p FROM games)")),
         by_archive(all_positions.format(key="key", ply="positions.ply") + "games, positions(games.moves, games.fen, games.variant)"))
    everywhere = ("SELECT variant, count(fen(moves, 20, fen, variant)), min(fen(moves, 20, fen, variant)) FROM games "
                  "GROUP BY 1 ORDER BY 1")
    same("variants and other start positions", plain(cluster.ask({"games": "table"}, everywhere)), by_archive(everywhere))
    for fen in [START, SICILIAN]:
        table = cluster.ask({"games": "table"}, f"SELECT unnest(unnest(explore(moves, '{fen}'))) FROM games "
                            "WHERE variant = 'Standard'")
        expected = json.loads(run("explore", fen, "--variant", "standard", "--format", "json"))
        names = ["uci", "san", "games", "white", "draws", "black", "other"]
        same(f"the explorer table of {fen}", [row for row in table if row[0] is not None],
             [tuple(move[name] for name in names) for move in expected["moves"]])
        ended = sum(row[2] for row in table if row[0] is None)
        check("games that ended there", ended == expected["ended_here"], (ended, expected["ended_here"]))
    by_year = "SELECT {year}, count(*), sum(plies(moves)) FROM games WHERE {year} BETWEEN '1990' AND '2015' GROUP BY 1 ORDER BY 1"
    same("directories by year", plain(cluster.ask({"games": "by_year"}, by_year.format(year="year"))),
         by_archive(by_year.format(year="substr(date, 1, 4)")))


def one_process():
    query = QUESTIONS["board after ply 8"]
    same("in one process", plain(ask(program, {"games": "table"}, query)), by_archive(query))
    written = pathlib.Path("written.parquet")
    copy = f"COPY (SELECT 1) TO '{written.absolute()}'"
    refused("a query that writes", "--allow-write", lambda: ask(program, {}, copy))
    check("nothing has been written", not written.exists())
    ask(program, {}, copy, "--allow-write")
    check("with --allow-write it writes", written.exists())
    refused("a missing table", "not found", lambda: ask(program, {"games": "nowhere"}, query))
    refused("a file that is not a table", "games.pgn", lambda: ask(program, {"games": "games.pgn"}, query))
    refused("a missing scheduler", "127.0.0.1:9", lambda: ask(program, {"games": "table"}, query, "-s", "127.0.0.1:9"))
    reading = subprocess.Popen(command(program, {"games": "table"}, "SELECT movetext(moves) FROM games"),
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    reading.stdout.readline()
    reading.stdout.close()
    check("a closed pipe is not an error", (reading.wait(), reading.stderr.read()) == (0, b""))


def a_lost_executor():
    slow = "SELECT count(*), count(DISTINCT p['key']) FROM (SELECT unnest(positions(moves, fen, variant)) AS p FROM games)"
    right = by_archive("SELECT count(*), count(DISTINCT key) FROM games, positions(games.moves, games.fen, games.variant)")
    with Cluster(program, 2) as cluster:
        begun = time.monotonic()
        same("a slow query", plain(cluster.ask({"games": "table"}, slow)), right)
        whole = time.monotonic() - begun
    # Early, and about when the last stage of the query reads the output of the first.
    for seconds in [whole * part for part in (0.2, 0.5, 0.8, 0.9, 0.95)]:
        with Cluster(program, 2) as cluster:
            query = cluster.asking({"games": "table"}, slow)
            time.sleep(seconds)
            under_way = query.poll() is None
            cluster.executors[0].send_signal(signal.SIGKILL)
            begun = time.monotonic()
            try:
                out, error = query.communicate(timeout=120)
            except subprocess.TimeoutExpired:
                query.kill()
                check(f"an executor killed after {seconds:.1f} s", False, "still running after 120 s")
                continue
            how = "right" if query.returncode == 0 else "a clear error"
            is_right = plain(rows(out)) == right if query.returncode == 0 else error.startswith("error:")
            check(f"an executor killed after {seconds:.1f} s, {'in the middle' if under_way else 'after the end'}: {how}, "
                  f"{time.monotonic() - begun:.1f} s later", is_right, (out, error))
            same("the remaining executor answers", plain(cluster.ask({"games": "table"}, slow)), right)
            cluster.add_executor()
            same("with a new executor", plain(cluster.ask({"games": "table"}, slow)), right)


def a_scheduler_alone():
    with Cluster(program, 0) as cluster:
        refused("a cluster without executors", "no executor", lambda: cluster.ask({"games": "table"}, "SELECT 1"))


def executors_without_functions():
    query = QUESTIONS["plies of all games"]
    with Cluster(program, 1, "--without-functions") as cluster:
        refused("executors without the functions", "plies", lambda: cluster.ask({"games": "table"}, query))


def a_store():
    """S3 emulated by moto."""
    import boto3
    port = free_port()
    keys = {"AWS_ACCESS_KEY_ID": "key", "AWS_SECRET_ACCESS_KEY": "secret", "AWS_DEFAULT_REGION": "us-east-1"}
    store = subprocess.Popen([sys.executable, "-m", "moto.server", "-p", str(port)], stdout=subprocess.DEVNULL,
                             stderr=subprocess.DEVNULL)
    try:
        address = f"http://127.0.0.1:{port}"
        client = boto3.client("s3", endpoint_url=address, aws_access_key_id="key", aws_secret_access_key="secret",
                              region_name="us-east-1")
        for _ in range(100):
            try:
                client.create_bucket(Bucket="chess")
                break
            except Exception:
                time.sleep(0.2)
        for file in pathlib.Path("table").iterdir():
            client.upload_file(str(file), "chess", f"games/{file.name}")
        environment = os.environ | keys | {"AWS_ENDPOINT": address, "AWS_ALLOW_HTTP": "true"}
        query = QUESTIONS["board after ply 8"]
        with Cluster(program, 2, environment=environment) as cluster:
            same("from S3", plain(cluster.ask({"games": "s3://chess/games/"}, query)), by_archive(query))
    finally:
        store.kill()
        store.wait()


def main(folder):
    os.chdir(folder)
    pathlib.Path("games.pgn").write_text(run("generate", "--games", games, "--seed", "3"))
    run("import", "-q", str(data), "games.pgn")
    run("export", "--format", "parquet", "--shards", "4", "-o", "table/")
    run("export", "--format", "parquet", "--partition-by", "year", "-o", "by_year/")
    with Cluster(program, 2) as cluster:
        ten_questions(cluster)
        other_functions(cluster)
    one_process()
    a_lost_executor()
    a_scheduler_alone()
    executors_without_functions()
    a_store()
    print("\n".join(faults) or "all results are equal")
    return 1 if faults else 0


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        sys.exit(main(folder))
