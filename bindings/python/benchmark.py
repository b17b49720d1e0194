"""Measures how fast games are read: by python-chess from PGN, and by plybook from an archive.

python bindings/python/benchmark.py COLLECTION.pgn[.zst] [GAMES]

Imports the collection into a temporary archive. python-chess reads GAMES (2,000) games of the PGN.
"""

import io
import sys
import tempfile
import time
from pathlib import Path

import chess.pgn

import plybook


def opened(path):
    if path.suffix != ".zst":
        return path.open(encoding="utf-8", errors="replace")
    import zstandard

    packed = zstandard.ZstdDecompressor().stream_reader(path.open("rb"))
    return io.TextIOWrapper(packed, encoding="utf-8", errors="replace")


def timed(work):
    begin = time.perf_counter()
    answer = work()
    return answer, time.perf_counter() - begin


def by_python_chess(path, most):
    """The number of games read, with the position after 20 half-moves of each."""
    games = 0
    with opened(path) as text:
        while games < most and (game := chess.pgn.read_game(text)):
            board = game.board()
            for _, move in zip(range(20), game.mainline_moves()):
                board.push(move)
            board.fen()
            games += 1
    return games


def by_plybook(archive):
    games = 0
    for game in archive:
        game.fen(min(20, game.plies))
        games += 1
    return games


def main():
    path, most = Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 2000
    with tempfile.TemporaryDirectory() as folder:
        imported, seconds = timed(lambda: plybook.import_pgn(path, Path(folder) / "games.db"))
        print(f"import            {imported['seen'] / seconds:12,.0f} games/s")
        archive = plybook.open(Path(folder) / "games.db")
        games, seconds = timed(lambda: by_python_chess(path, most))
        slow = games / seconds
        print(f"python-chess      {slow:12,.0f} games/s, fen after 20 half-moves, {games:,} games of the PGN")
        games, seconds = timed(lambda: by_plybook(archive))
        print(f"plybook           {games / seconds:12,.0f} games/s, fen(20), {games:,} games: {games / seconds / slow:,.0f} times as fast")


if __name__ == "__main__":
    main()
