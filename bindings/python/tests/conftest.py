"""Shared fixtures: an archive of the games of data/, and games of large collections if they are available."""

import os
import re
from pathlib import Path

import pytest

import plybook

ROOT = Path(__file__).resolve().parents[3]
DATA = ROOT / "data"
CORPUS = Path(os.environ.get("PLYBOOK_CORPUS", ROOT / "../shared/data"))


@pytest.fixture(scope="session")
def archive(tmp_path_factory):
    """An archive of data/ with an index."""
    path = tmp_path_factory.mktemp("archive") / "games.db"
    plybook.import_pgn(DATA, path, index=True)
    return plybook.open(path)


def corpus(name):
    """A file of the large collections; the test is skipped if it is missing."""
    path = CORPUS / name
    if not path.exists():
        pytest.skip(f"{path} is absent (set PLYBOOK_CORPUS to the folder of the collections)")
    return path


def text_of(path, most):
    """The beginning of a PGN file, compressed with zstd or not."""
    if path.suffix == ".zst":
        import zstandard

        with path.open("rb") as packed:
            return zstandard.ZstdDecompressor().stream_reader(packed).read(most).decode("utf-8", "replace")
    return path.read_text("utf-8", "replace")[:most]


def games_of(path, most_games, most_bytes=20_000_000):
    """The games of a file as separate texts, each with a tag that has its number."""
    games = re.split(r"\n\s*\n(?=\[Event )", text_of(path, most_bytes).replace("\r\n", "\n"))
    whole = games[:-1] if len(games) > most_games else games
    # python-chess ends a game at a second blank line after the tags.
    tidy = (re.sub(r"\n\s*\n", "\n\n", game.strip(), count=1) for game in whole[:most_games])
    return [f'[Number "{number}"]\n{game}\n\n' for number, game in enumerate(tidy)]
