"""Columns, compared with every game and every position."""

import subprocess
import sys

import chess
import chess.polyglot
import pyarrow
import pytest

import plybook


@pytest.fixture(scope="module")
def table(archive):
    return pyarrow.table(archive.arrow())


def test_columns_of_games_have_every_game(archive, table):
    rows = table.to_pylist()
    assert [row["id"] for row in rows] == archive.games().ids
    points = {"1-0": 1, "1/2-1/2": 0.5, "0-1": 0, "*": None}
    for row, game in zip(rows, archive, strict=True):
        assert [row["plies"], row["result"], row["variant"]] == [game.plies, game.result, game.variant]
        assert row["score"] == points[game.result]
        if game.variant == "Xelto":
            continue
        tags = {"white": "White", "black": "Black", "event": "Event", "site": "Site", "date": "Date", "eco": "ECO"}
        for column, tag in tags.items():
            assert row[column] in (game.tags.get(tag), None), (game, column)
            assert row[column] or game.tags.get(tag, "?")[0] in "?", (game, column)
        year = game.tags.get("Date", "?")[:4]
        assert row["year"] == (int(year) if year.isdigit() else None)
        assert str(row["white_elo"] or "") == game.tags.get("WhiteElo", "").strip("?-")


def test_columns_have_the_opening_with_and_without_an_index(archive, table, tmp_path):
    gambits = [row["id"] for row in table.to_pylist() if "King's Gambit" in (row["opening"] or "")]
    assert gambits and gambits == archive.games(opening="king's gambit").ids
    codes = [row["id"] for row in table.to_pylist() if (row["opening_eco"] or "").startswith("C")]
    assert codes == archive.games(opening="C00..C99").ids
    path = tmp_path / "unindexed.db"
    plybook.import_pgn(archive.path, path)
    assert pyarrow.table(plybook.open(path).arrow()) == table


def test_columns_are_those_of_a_filter_in_its_order(archive):
    asked = {"sort": "plies", "desc": True, "limit": 7, "elo": None}
    assert pyarrow.table(archive.arrow(**asked))["id"].to_pylist() == archive.games(**asked).ids
    positions = pyarrow.table(archive.positions(**asked, variant="standard"))["game"].to_pylist()
    assert list(dict.fromkeys(positions)) == archive.games(**asked, variant="standard").ids
    with pytest.raises(TypeError):
        archive.arrow(nonsense=1)
    assert pyarrow.table(archive.arrow(player="nobody at all")).num_rows == 0


def test_columns_of_positions_have_every_position(archive):
    rows = iter(pyarrow.table(archive.positions(fen=True)).to_pylist())
    for game in archive:
        if game.variant == "Xelto":
            continue
        for ply in range(game.plies + 1):
            row = next(rows)
            assert (row["game"], row["ply"], row["result"]) == (game.id, ply, game.result)
            assert row["fen"] == game.fen(ply)
            assert row["side"] == ("white" if " w " in row["fen"] else "black")
            if game.variant == "Standard":
                key = chess.polyglot.zobrist_hash(chess.Board(row["fen"]))
                assert row["key"] % 2**64 == key
    assert next(rows, None) is None
    assert "fen" not in pyarrow.table(archive.positions(limit=1)).column_names


def test_data_frames_have_the_columns(archive, table):
    pandas, polars = archive.to_pandas(), archive.to_polars()
    assert list(pandas.columns) == polars.columns == table.column_names
    assert pandas["id"].tolist() == polars["id"].to_list() == table["id"].to_pylist()
    assert polars.to_dicts() == table.to_pylist()
    assert archive.positions(white="kasparov").to_polars()["side"][1] == "black"
    assert set(archive.positions(white="kasparov").to_pandas()["result"]) == {"1-0"}
    assert len(archive.to_pandas(limit=3)) == len(archive.to_polars(limit=3)) == 3


def test_a_stream_can_be_abandoned_and_created_again(archive):
    columns = archive.arrow()
    reader = pyarrow.RecordBatchReader.from_stream(columns)
    assert reader.read_next_batch().num_rows > 0
    del reader
    assert pyarrow.table(columns) == pyarrow.table(columns)
    columns.__arrow_c_stream__()


def test_without_pandas_or_polars_there_is_an_import_error(archive):
    script = (
        "import sys; sys.modules['pandas'] = sys.modules['polars'] = None\n"
        "import plybook\n"
        f"archive = plybook.open({str(archive.path)!r})\n"
        "for frame in (archive.to_pandas, archive.to_polars):\n"
        "    try: frame()\n"
        "    except ImportError as error: print(error)\n"
    )
    said = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout
    assert "pip install pandas pyarrow" in said and "pip install polars" in said


def test_a_damaged_game_fails_the_stream_with_a_reason(archive, tmp_path):
    import sqlite3

    path = tmp_path / "damaged.db"
    path.write_bytes(archive.path.read_bytes())
    id = archive.games(white="kasparov").ids[0]
    with sqlite3.connect(path) as db:
        db.execute("UPDATE game SET moves = x'ffffffffffffffffffffff01' WHERE id = ?", (id,))
    db.close()
    with pytest.raises(Exception, match=f"game {id}"):
        pyarrow.table(plybook.open(path).positions())
    with pytest.raises(plybook.DamagedError, match=f"game {id}"):
        plybook.open(path).game(id).fen()
