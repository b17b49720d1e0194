"""What the README shows works."""

import re
import shutil
from pathlib import Path

from conftest import DATA

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


def test_the_commands_of_the_readme_are_those_of_the_check():
    commands = [line for block in blocks("console") for line in block.splitlines()]
    assert all(command.startswith("$ pip install") for command in commands)
    assert "$ pip install ./bindings/python" in commands
    assert '--no-deps .' in (FOLDER / "check.sh").read_text()
