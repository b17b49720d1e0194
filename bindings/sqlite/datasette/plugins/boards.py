"""Shows positions as boards in Datasette: any cell with a FEN, in tables and query results, and `moves` as the last
position of the game."""

import re
from pathlib import Path

from datasette import hookimpl
from datasette.utils.sqlite import sqlite3
from markupsafe import Markup, escape

PIECES = Path(__file__).resolve().parents[4] / "data/pieces/cburnett.svg"
DRAWINGS = dict(re.findall(r'^(?=<g id="piece-(\w)")(.*)$', PIECES.read_text(), re.MULTILINE))

# Eight ranks, with the additions of variants: promoted pieces and a pocket. The other fields are optional.
FEN = re.compile(r"((?:[1-8pnbrqkPNBRQK~]+/){7}[1-8pnbrqkPNBRQK~]+)(?:[\[/]\S*)?(?: [wb](?: \S+){1,5})?")
SIDE = 45
DARK = "".join(
    f"M{SIDE * file} {SIDE * rank}h{SIDE}v{SIDE}h-{SIDE}z" for rank in range(8) for file in range(8) if (rank + file) % 2
)


def pieces_of(fen):
    """Letter, column and row of every piece, with the eighth rank on top; None if the text is not a FEN."""
    found = FEN.fullmatch(fen)
    if not found:
        return None
    pieces = []
    for row, rank in enumerate(found[1].split("/")):
        column = 0
        for letter in rank.replace("~", ""):
            if letter in DRAWINGS:
                pieces.append((letter, column, row))
            column += int(letter) if letter.isdigit() else 1
        if column != 8:
            return None
    return pieces


def board(fen, width=240):
    """An SVG diagram of a FEN, with its text below; None if it is not a FEN."""
    pieces = pieces_of(fen)
    if pieces is None:
        return None
    drawn = "".join(DRAWINGS[letter] for letter in sorted({letter for letter, _, _ in pieces}))
    placed = "".join(f'<use href="#piece-{letter}" x="{SIDE * x}" y="{SIDE * y}"/>' for letter, x, y in pieces)
    return Markup(
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {8 * SIDE} {8 * SIDE}" width="{width}" role="img">'
        f'<title>{escape(fen)}</title><defs>{drawn}</defs><rect width="100%" height="100%" fill="#f0d9b5"/>'
        f'<path d="{DARK}" fill="#b58863"/>{placed}</svg><br><small>{escape(fen)}</small>'
    )


async def last_board(datasette, database, row, moves):
    """The last position of a game, from the extension. The row may contain its start position and variant."""
    columns = row.keys()
    start, variant = (row[name] if name in columns else None for name in ("fen", "variant"))
    try:
        found = await datasette.get_database(database).execute("SELECT fen(?, -1, ?, ?)", [moves, start, variant])
    except sqlite3.Error:
        fen = None
    else:
        fen = found.single_value()
    return (fen and board(fen)) or f"{len(moves)} bytes"


@hookimpl
def render_cell(row, value, column, database, datasette):
    if isinstance(value, str) and len(value) < 200:
        return board(value)
    # Datasette itself links to blobs in tables, but not in views.
    if isinstance(value, bytes) and column == "moves":
        return last_board(datasette, database, row, value)
    return None
