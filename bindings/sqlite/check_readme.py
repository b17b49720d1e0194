"""Runs the examples of README.md in a separate directory, and compares their output with that of plybook.

    check_readme.py ARCHIVE LIBRARY PLYBOOK

LIBRARY is the folder of the extension that was built.
"""

import contextlib
import html
import io
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
README = (HERE / "README.md").read_text()
TWENTY = "SELECT id, fen(moves, 20, fen, variant) AS position FROM games ORDER BY id"


def sections():
    """The code blocks of each section of the README, by its title: pairs of language and text."""
    chapters = re.split(r"^## ", README, flags=re.MULTILINE)[1:]
    found = {}
    for chapter in chapters:
        found[chapter.splitlines()[0]] = re.findall(r"^```(\w+)\n(.*?)^```", chapter, re.DOTALL | re.MULTILINE)
    return found


def texts(blocks, language):
    return [text for kind, text in blocks if kind == language]


def run(*command, given=None):
    """The output of a command; exits if the command fails."""
    done = subprocess.run(command, input=given, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{shlex.join(command[:1])}: {done.stderr}{done.stdout}")
    return done.stdout


def asked(plybook, statement):
    """The rows that plybook itself returns."""
    lines = run(plybook, "sql", statement, "-a", "plybook.db", "--format", "jsonl").splitlines()
    return [list(json.loads(line).values()) for line in lines]


def executed(block, names):
    """The output of a block of Python."""
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        exec(compile(block, "README.md", "exec"), names)
    return said.getvalue()


def check_shell(blocks, plybook):
    show, index = texts(blocks, "sql")
    white, position = asked(plybook, "SELECT white, fen(moves, 20) FROM games WHERE id = 5")[0]
    assert run("sqlite3", "plybook.db", given=show) == f"{white}|{position}\n"
    load = show.splitlines()[0]
    question = "SELECT id FROM position_20 WHERE position_key(fen) = position_key('{}');"
    shutil.copyfile("plybook.db", "mine.db")
    run("sqlite3", "mine.db", given=f"{load}\n{index}")
    plan = run("sqlite3", "mine.db", given=f"{load}\nEXPLAIN QUERY PLAN {question.format(position)}")
    assert "position_20_key" in plan, plan
    assert run("sqlite3", "mine.db", given=f"{load}\n{question.format(position)}") == "5\n"


def check_python(blocks, plybook):
    (block,) = texts(blocks, "python")
    names = {}
    said = executed(block, names)
    rows = asked(plybook, "SELECT ply, san, p.fen FROM games, positions(games.moves) AS p WHERE id = 5")
    assert said == "".join(f"{tuple(row)}\n" for row in rows), said
    assert [list(row) for row in names["archive"].execute(TWENTY)] == asked(plybook, TWENTY)


def check_datasette(blocks, plybook):
    install, serve = texts(blocks, "console")[0].removeprefix("$ ").rstrip().split("\n$ ")
    assert install == "pip install datasette"
    serve = [str(Path(sys.executable).with_name("datasette")), *shlex.split(serve)[1:]]

    def page(path):
        return run(*serve, "--get", path)

    def boards(path):
        return [html.unescape(fen) for fen in re.findall(r"<svg[^>]*><title>([^<]*)</title>", page(path))]

    def used(svg):
        return sorted(re.findall(r'<use href="#piece-(\w)"', svg))

    queries = json.loads((HERE / "datasette/metadata.json").read_text())["databases"]["plybook"]["queries"]
    of_game = asked(plybook, "SELECT p.fen FROM games, positions(games.moves) AS p WHERE id = 5")
    assert boards("/plybook/positions_of_a_game?id=5") == [row[0] for row in of_game]
    start = re.search(r"<svg.*?</svg>", page("/plybook/positions_of_a_game?id=5"), re.DOTALL)[0]
    assert used(start) == sorted("RNBQKBNRPPPPPPPPrnbqkbnrpppppppp")
    assert set(re.findall(r'<g id="piece-(\w)"', start)) == set("RNBQKPrnbqkp")
    assert len(boards("/plybook/games_of_a_player?player=morphy*&ply=20")) > 1
    assert len(boards("/plybook/openings_by_score")) > 10
    # A view with blobs: the last position of each game, also with its own start position.
    shown = boards("/plybook/games")
    last = [row[0] for row in asked(plybook, "SELECT fen(moves, -1, fen, variant) FROM games") if row[0]]
    assert set(last) <= set(shown) and len(last) > 60, (len(last), len(shown))
    hurt = page("/plybook?sql=select+'<b>8/8/8/8/8/8/8/8'+union+select+'8/8/8/8/8/8/8/9+w+-+-'")
    assert "<svg xmlns" not in hurt and "<b>8/8" not in hurt
    assert len(queries) == 3


def check_duckdb(blocks, plybook):
    pinned = (HERE / "requirements.txt").read_text().split()
    assert all(word in pinned for word in texts(blocks, "console")[0].split()[3:-1])
    scan, function = texts(blocks, "python")
    names = {}
    said = executed(scan, names)
    results = "SELECT result, count(*) FROM games GROUP BY result"
    assert all(re.search(rf"{re.escape(result)} +│ +{count} ", said) for result, count in asked(plybook, results))
    said = executed(function, names)
    duck = names["duck"]
    assert asked(plybook, "SELECT fen(moves, 20) FROM games WHERE id = 5")[0][0] in said.replace("\n", "")
    plain = "SELECT id, fen(moves, 20) AS position FROM games ORDER BY id"
    assert [list(row) for row in duck.sql(plain).fetchall()] == asked(plybook, plain)
    # The README says that this does not work: if it does one day, update the README.
    import duckdb

    duck.execute("ATTACH 'plybook.db' AS archive (TYPE sqlite, READ_ONLY)")
    assert duck.sql("SELECT count(*) FROM archive.game").fetchall() == [tuple(asked(plybook, "SELECT count(*) FROM game")[0])]
    for refused in ("SELECT count(*) FROM archive.games", "SHOW ALL TABLES"):
        try:
            duck.sql(refused).fetchall()
        except duckdb.Error:
            continue
        sys.exit(f"DuckDB does {refused}, and the README says that it does not")


CHECKS = {
    "The sqlite3 shell": check_shell,
    "Python's sqlite3": check_python,
    "Datasette": check_datasette,
    "DuckDB": check_duckdb,
}


def main():
    archive, library, plybook = map(os.path.abspath, sys.argv[1:])
    chapters = sections()
    assert list(chapters) == list(CHECKS), "a section without a check"
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        shutil.copyfile(archive, "plybook.db")
        Path("bindings/sqlite/target").mkdir(parents=True)
        Path("bindings/sqlite/target/release").symlink_to(library)
        Path("bindings/sqlite/datasette").symlink_to(HERE / "datasette")
        for title, check in CHECKS.items():
            check(chapters[title], plybook)
            print(f"example works: {title}")
        os.chdir("/")


main()
