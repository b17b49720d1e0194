"""The stub describes exactly what the module contains."""

import ast
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import plybook

STUB = ast.parse((Path(__file__).parents[1] / "plybook.pyi").read_text())


def classes():
    return {node.name: node for node in STUB.body if isinstance(node, ast.ClassDef)}


def is_of_types_only(node):
    return any(isinstance(mark, ast.Name) and mark.id == "type_check_only" for mark in node.decorator_list)


def public(names):
    return {name for name in names if not name.startswith("_")}


def test_the_stub_has_the_names_of_the_module():
    named = {node.name for node in STUB.body if isinstance(node, ast.FunctionDef)}
    named |= {name for name, node in classes().items() if not is_of_types_only(node)}
    listed = next(node for node in STUB.body if isinstance(node, ast.Assign))
    assert ast.literal_eval(listed.value) == sorted(named) == sorted(public(dir(plybook)) - {"plybook"})
    assert all(getattr(plybook, name).__doc__ for name in named)


def test_the_stub_has_every_argument_of_the_filter(archive):
    words = classes()["Conditions"].body + classes()["Filter"].body
    listed = sorted(node.target.id for node in words if isinstance(node, ast.AnnAssign))
    with pytest.raises(TypeError) as error:
        archive.games(nonsense=True)
    assert sorted(re.findall(r"`(\w+)`", str(error.value).split("expected one of")[1])) == listed


def test_the_stub_has_the_signatures_of_the_module(tmp_path):
    # The module that the package is made of.
    allowed = tmp_path / "allowed"
    allowed.write_text(r"plybook\.plybook")
    check = [sys.executable, "-m", "mypy.stubtest", "plybook", "--allowlist", str(allowed)]
    checked = subprocess.run(check, capture_output=True, text=True, cwd=tmp_path, env={**os.environ, "NO_COLOR": "1"})
    assert checked.returncode == 0, checked.stdout + checked.stderr


def test_the_package_says_that_it_is_typed():
    spec = plybook.__spec__.submodule_search_locations
    assert any((Path(folder) / "py.typed").exists() for folder in spec)
