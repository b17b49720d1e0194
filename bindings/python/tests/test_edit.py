"""Changing an archive."""

import pytest
from conftest import DATA

import plybook


@pytest.fixture
def path(tmp_path):
    plybook.import_pgn(DATA / "famous.pgn", tmp_path / "games.db")
    return tmp_path / "games.db"


def test_every_change_is_logged_and_can_be_undone(path):
    before = [game.pgn() for game in plybook.open(path)]
    editor = plybook.edit(path)
    assert editor.tag([1, 2], Annotator="Me", Round=None) == 2
    assert editor.comment(1, 3, "A comment.") == 3
    assert editor.glyph(1, 3, "!?", "$14") == 4
    assert editor.remove(5) == 5
    assert editor.add("1. e4 e5 2. Ke2 *") == 63
    archive = plybook.open(path)
    assert archive.game(1).tags["Annotator"] == "Me" and "Round" not in archive.game(1).tags
    assert "{A comment.}" in archive.game(1).pgn().replace("{ A comment. }", "{A comment.}")
    assert len(archive) == 62 and archive.game(63).moves == ["e4", "e5", "Ke2"]
    with pytest.raises(KeyError):
        archive.game(5)
    log = editor.log()
    # The import is the first.
    assert [(change["id"], change["games"], change["undone"]) for change in log] == [
        (1, 62, False), (2, 2, False), (3, 1, False), (4, 1, False), (5, 1, False), (6, 1, False)]
    assert [editor.undo() for _ in range(5)] == [6, 5, 4, 3, 2]
    assert [game.pgn() for game in plybook.open(path)] == before
    assert editor.redo() == 2 and editor.redo(3) == 3
    assert editor.undo(2, games=2) == 7 and editor.undo(7) == 7
    assert editor.compact() == 6 and [change["id"] for change in editor.log()] == [1]
    # One of its games is still edited.
    with pytest.raises(ValueError):
        editor.undo()


def test_a_refused_change_changes_nothing(path):
    editor = plybook.edit(path)
    for refused in (
        lambda: editor.tag(1, Result="2-0"),
        lambda: editor.comment(1, 999, "x"),
        lambda: editor.glyph(1, 3, "wow"),
        lambda: editor.glyph(1, 3, "$0"),
        lambda: editor.glyph(1, 3, "$256"),
        lambda: editor.add("1. e4 e5 2. Ke5 *"),
        lambda: editor.undo(7),
        lambda: editor.redo(7),
    ):
        with pytest.raises(ValueError):
            refused()
    with pytest.raises(KeyError):
        editor.remove([1, 99])
    assert editor.tag(1) is None and [change["id"] for change in editor.log()] == [1] and len(plybook.open(path)) == 62
    with pytest.raises(FileNotFoundError):
        plybook.edit(path.with_name("none.db"))


def test_the_games_of_a_part_cannot_be_changed(path, tmp_path):
    part = tmp_path / "parts" / "part-0001.db"
    part.parent.mkdir()
    path.rename(part)
    (part.parent / "catalogue.json").write_text("{}")
    before = part.read_bytes()
    for change in (lambda: plybook.edit(part), lambda: plybook.import_pgn(DATA / "annotated.pgn", part)):
        with pytest.raises(ValueError, match="plybook merge .*parts -o all.db"):
            change()
    assert part.read_bytes() == before
    with pytest.raises(IsADirectoryError):
        plybook.edit(part.parent)
