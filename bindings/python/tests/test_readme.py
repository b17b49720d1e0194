"""The examples in the README work."""

import re
import shutil
from pathlib import Path

import pyarrow
from conftest import DATA

import plybook

FOLDER = Path(__file__).parents[1]
README = (FOLDER / "README.md").read_text()


def blocks(language):
    return re.findall(rf"```{language}\n(.*?)```", README, re.DOTALL)


def test_the_python_of_the_readme_runs(tmp_path, monkeypatch, capsys):
    shutil.copytree(DATA, tmp_path / "data")
    monkeypatch.chdir(tmp_path)
    names = {}
    assert len(blocks("python")) >= 3
    for block in blocks("python"):
        exec(compile(block, "README.md", "exec"), names)
    said = capsys.readouterr().out
    assert "Kasparov" in said and "exf4" in said and "has it after 3 half-moves" in said
    assert names["game"].moves[:3] == ["e4", "d6", "d4"] and names["game"].uci[:3] == ["e2e4", "d7d6", "d2d4"]


def test_five_lines_lead_from_pip_to_a_table_of_score_by_opening(tmp_path, monkeypatch, capsys):
    begin = README[: README.index("\n## ")]
    lines = "".join(re.findall(r"```(?:console|python)\n(.*?)```", begin, re.DOTALL)).splitlines()
    assert len(lines) == 5 and lines[0].startswith("$ pip install ./bindings/python")
    shutil.copytree(DATA, tmp_path / "data")
    monkeypatch.chdir(tmp_path)
    exec("\n".join(lines[1:]), {})
    printed = capsys.readouterr().out
    # The same by a look at every game.
    points = {"1-0": 1.0, "1/2-1/2": 0.5, "0-1": 0.0}
    archive, scores = plybook.open("games.db"), {}
    openings = {row["id"]: row["opening"] for row in pyarrow.table(archive.arrow()).to_pylist()}
    for game in archive:
        if game.result in points and openings[game.id]:
            scores.setdefault(openings[game.id], []).append(points[game.result])
    assert len(scores) > 20
    shown = re.findall(r"^(\S.*?) +(\d+) +([\d.]+)$", printed, re.MULTILINE)
    assert len(shown) >= 10
    most = sorted(map(len, scores.values()), reverse=True)
    assert [int(count) for _, count, _ in shown[:5]] == most[:5]
    for opening, count, mean in shown:
        # pandas shortens what is long.
        if "..." not in opening:
            assert int(count) == len(scores[opening])
            assert abs(float(mean) - sum(scores[opening]) / int(count)) < 1e-6


def test_the_commands_of_the_readme_are_those_of_the_check():
    commands = [line for block in blocks("console") for line in block.splitlines()]
    assert all(command.startswith("$ pip install") for command in commands)
    assert "$ pip install ./bindings/python pandas pyarrow" in commands
    assert '--no-deps .' in (FOLDER / "check.sh").read_text()
