"""Chess games of plybook's archives: any position of any game at once."""

from collections.abc import Callable, Iterator, Sequence
from os import PathLike
from typing import Any, Literal, TypedDict, final, overload, type_check_only
from typing_extensions import Unpack

__all__ = [
    "Archive",
    "ArchiveError",
    "Columns",
    "DamagedError",
    "Game",
    "GameIterator",
    "Games",
    "call",
    "codecs",
    "decode",
    "decode_position",
    "encode",
    "encode_position",
    "import_pgn",
    "open",
]

@type_check_only
class Conditions(TypedDict, total=False):
    """Which games: the words of the filters of the command line.

    Names match by words in any order, without regard to case, accents and script; a letter stands for a name that
    begins with it, ``*`` for any letters; several have semicolons between them. Ranges are written ``a``, ``a..b``,
    ``a..`` or ``..b``.
    """

    # The conditions, made from their table.
    player: str | None
    """Player with either colour: kasparov, 'Adams, Michael', 'kasp*'; may be repeated, like all names, codes and
    ids."""
    colour: Literal["white", "black"] | None
    """Colour of ``player``."""
    opponent: str | None
    """Opponent of ``player``."""
    white: str | None
    """Player with White."""
    black: str | None
    """Player with Black."""
    event: str | None
    """Name of the event."""
    site: str | None
    """Name of the site."""
    date: str | int | None
    """Date: 1984, 1984.05, 1984..1990, 1984.05.01.. or ..1990."""
    elo: str | int | None
    """Ratings of both players: 2500.., 2400..2600."""
    white_elo: str | int | None
    """Rating of White."""
    black_elo: str | int | None
    """Rating of Black."""
    result: str | None
    """Result: 1-0, 0-1, 1/2-1/2 (or draw), *, won or lost."""
    eco: str | int | None
    """Code in the ECO tag: B90, B90..B99, B9, B, or several: B9,C4."""
    opening: str | None
    """Opening of the last named position of the game: najdorf, 'french winawer', B90..B99."""
    speed: str | None
    """Speed, by the TimeControl tag: ultraBullet, bullet, blitz, rapid, classical, correspondence, or several:
    bullet,blitz. Games without a time control are classical."""
    casual: bool | None
    """Casual games: those whose event begins with "casual"."""
    plies: str | int | None
    """Number of plies: 40, 20..60, ..30."""
    variant: str | None
    """Variant, such as Standard or Chess960, or Xelto."""
    source: str | None
    """File that the game was imported from."""
    id: str | int | None
    """Ids of games: 7, 100..200, or several: 1,5,9."""
    tag: str | Sequence[str]
    """Tag pair, with the value matched like a name: Annotator=tal, 'Termination=*time*'; NAME alone matches any
    value."""
    comment: str | Sequence[str]
    """Text in a comment, ignoring case."""
    board_only: bool
    """Compare only the pieces of positions; ignore the side to move and castling rights."""
    material: str | Sequence[str]
    """Pieces of each side: 'KRPPP KRPP', 'KRP{0,8} KRP{0,8}' for up to eight pawns each, 'KQ* K*' for any additional
    pieces; either side may be White, unless given as in 'w:KRP KR'."""
    pattern: str | Sequence[str]
    """Pattern on the board: ranks 8 to 1 as in a FEN, where ? is anything, 3 is three empty squares, [NB] is one of
    these, [^P] is anything else, and * is any squares."""
    to_move: Literal["white", "black"] | None
    """Side to move in the position with the material or pattern."""
    mirror: bool
    """Also match positions and patterns with colours swapped and the board flipped vertically."""
    any_file: bool
    """Also match patterns shifted left or right, as long as all squares other than ? and * stay on the board, and
    mirrored left to right; several patterns are shifted together, and a rank that begins and ends with * is not
    shifted."""
    min_plies: int | None
    """The material or pattern stays on the board for at least N plies in a row, that is, N + 1 positions [default:
    one position]."""
    then: str | Sequence[str]
    """Pattern that occurs later in the game; several must occur in this order."""
    within: int | Sequence[int]
    """Match within N plies of the previous pattern; give it once for all patterns, or once per ``then``."""
    not_pattern: str | Sequence[str]
    """Pattern that never occurs in the game."""
    white_castles: Literal["short", "long", "no"] | None
    """Side on which White castles; no means never."""
    black_castles: Literal["short", "long", "no"] | None
    """Side on which Black castles; no means never."""
    en_passant: bool
    """A pawn is captured en passant."""
    promotes: Literal["any", "under", "queen", "rook", "bishop", "knight"] | None
    """A pawn is promoted to this piece; under is any piece except a queen."""
    checks: int | None
    """One side gives check in at least N consecutive moves."""
    ends_in: Literal["mate", "stalemate", "insufficient", "fifty", "repetition"] | None
    """How the game ends on the board; fifty is 50 moves without a capture or pawn move, repetition is a position that
    occurs for the third time."""
    # The order and the number.
    sort: (
        Literal["id", "date", "white", "black", "event", "site", "elo", "eco", "result", "plies", "bytes"] | None
    )
    desc: bool
    """Sort the other way round."""
    limit: int | None
    """At most so many games."""
    offset: int
    """Without the first so many games."""

@type_check_only
class Filter(Conditions, total=False):
    """The same, and a position."""

    position: str | None
    """A position that the game comes to, as in ``Archive.find``."""

@type_check_only
class Opening(TypedDict):
    eco: str
    name: str

@type_check_only
class ExploredMove(TypedDict):
    """A move, and the games that played it. White's score is a share of 1, without games of other results."""

    uci: str
    san: str
    games: int
    white: int
    draws: int
    black: int
    other: int
    mean_rating: int | None
    mean_opponent: int | None
    performance: int | None
    last_year: int | None
    best_game: int | None
    reached: int
    score: float | None

@type_check_only
class Exploration(TypedDict):
    """A position, and the games that reach it: each counts once."""

    position: str
    opening: Opening | None
    games: int
    white: int
    draws: int
    black: int
    other: int
    ended_here: int
    moves: list[ExploredMove]
    score: float | None

@type_check_only
class Progress(TypedDict):
    """How far an import is."""

    source: str
    """The file that is being read."""
    bytes: int
    """Bytes read of all files, as they are on disk."""
    total_bytes: int | None
    games: int
    """Games seen."""
    indexed: int | None
    """Games that have been indexed, once all are stored."""

class ArchiveError(Exception):
    """The file is no archive of plybook, or cannot be used as one."""

class DamagedError(ArchiveError):
    """Something stored in the archive is not as it was written."""

@final
class Archive:
    """An archive, open for reading. Several threads may use it."""

    @property
    def path(self) -> PathLike[str]: ...
    def __len__(self) -> int:
        """The number of games."""
    def __bool__(self) -> Literal[True]: ...
    def __iter__(self) -> Iterator[Game]:
        """All games, by their ids."""
    def game(self, id: int) -> Game:
        """A game by its id. Raises KeyError if there is none, DamagedError if it is not what was stored."""
    def show(self, id: int, ply: int | str | None = None) -> dict[str, Any]:
        """A game as a dictionary, shown at a ply or at its end: the form of ``plybook show --format json``.

        Raises KeyError if there is no such game, IndexError if the game has no such ply.
        """
    def games(self, **filter: Unpack[Filter]) -> Games:
        """The games that pass a filter, in its order; without one all, by their ids.

        Raises ValueError if a condition cannot be understood, TypeError if there is no such condition.
        """
    def find(self, position: str, **filter: Unpack[Conditions]) -> list[tuple[int, int]]:
        """The games that pass a filter and come to a position.

        A position is a FEN, moves from the start (``1. e4 c5``), the name of an opening, or a place in a stored game
        (``3:12w``). Of each game its id, and the number of half-moves before the position first stands on its board.
        """
    def explore(self, position: str | None = None, **filter: Unpack[Conditions]) -> Exploration:
        """What the games that pass a filter played in a position, and what became of them.

        The position is as in ``find``; without one it is the start.
        """
    def arrow(self, **filter: Unpack[Filter]) -> Columns:
        """The games that pass a filter as columns, a row for each.

        ``id``, ``white``, ``black``, ``white_elo``, ``black_elo``, ``result``, ``score`` (White's points), ``date``,
        ``year``, ``event``, ``site``, ``round``, ``eco`` (of the tag), ``opening_eco`` and ``opening`` (of the last
        position that has a name), ``plies``, ``variant``.
        """
    def positions(self, fen: bool = False, **filter: Unpack[Filter]) -> Columns:
        """The positions of the games of chess that pass a filter as columns, a row for each, the start first.

        ``game``, ``ply``, ``side`` (to move), ``key`` (of the position, as the function ``position_key`` of SQL gives
        it: equal where the position is), ``result`` (of the game), and ``fen`` where it is asked for.
        """
    def to_pandas(self, **filter: Unpack[Filter]) -> Any:
        """``arrow`` as a data frame of pandas. Raises ImportError if pandas or pyarrow is not installed."""
    def to_polars(self, **filter: Unpack[Filter]) -> Any:
        """``arrow`` as a data frame of polars. Raises ImportError if it is not installed."""

@final
class Games:
    """Games of an archive, in an order. Each is read when it is wanted; their number and their ids are known."""

    @property
    def ids(self) -> list[int]: ...
    def __len__(self) -> int: ...
    def __iter__(self) -> GameIterator: ...
    @overload
    def __getitem__(self, key: int, /) -> Game: ...
    @overload
    def __getitem__(self, key: slice, /) -> Games: ...

@final
class GameIterator:
    """Iterates over games. Raises DamagedError in the place of a game that cannot be read."""

    def __iter__(self) -> GameIterator: ...
    def __next__(self) -> Game: ...

@final
class Columns:
    """Games or positions as columns, made when they are taken, a batch at a time.

    Whatever knows the Arrow C stream interface takes them: ``pyarrow.table(columns)``, ``polars.DataFrame(columns)``,
    DuckDB and others. A game that is damaged ends the stream with an error.
    """

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> Any: ...
    def to_pandas(self) -> Any:
        """A data frame of pandas. Raises ImportError if pandas or pyarrow is not installed."""
    def to_polars(self) -> Any:
        """A data frame of polars. Raises ImportError if it is not installed."""

@final
class Game:
    """A game of an archive.

    Moves and positions raise ValueError if it is no game of chess, and DamagedError if it is not as it was written.
    """

    @property
    def id(self) -> int:
        """Its number in the archive."""
    @property
    def variant(self) -> str:
        """The variant of chess, as PGN names it, or ``Xelto``."""
    @property
    def white(self) -> str | None: ...
    @property
    def black(self) -> str | None: ...
    @property
    def result(self) -> Literal["1-0", "0-1", "1/2-1/2", "*"]: ...
    @property
    def plies(self) -> int:
        """The number of half-moves."""
    @property
    def tags(self) -> dict[str, str]:
        """The tag pairs in their order. Of a name that stands twice, the first."""
    @property
    def moves(self) -> list[str]:
        """The moves in SAN."""
    @property
    def uci(self) -> list[str]:
        """The moves in UCI notation."""
    def fen(self, ply: int | str = -1) -> str:
        """The position after a number of half-moves.

        0 is the start, -1 the last position, -2 the one before it; ``"12w"`` is the one after White's twelfth move.
        The en passant square is given after every double step. Raises IndexError if the game has no such ply.
        """
    def board(self, ply: int | str = -1) -> Any:
        """The same position as a board of python-chess, with the moves that led there on its stack.

        Raises ImportError if python-chess is not installed.
        """
    def pgn(self) -> str:
        """The whole game as PGN, with comments, glyphs and variations."""

def open(path: str | PathLike[str]) -> Archive:
    """Opens an archive for reading, or a folder with a catalogue of parts, which is one archive then.

    Raises FileNotFoundError if there is no such file, ArchiveError if it is no archive.
    """

def import_pgn(
    paths: str | PathLike[str] | Sequence[str | PathLike[str]],
    archive: str | PathLike[str],
    progress: Callable[[Progress], object] | None = None,
    index: bool = False,
    rejects: str | PathLike[str] | None = None,
) -> dict[str, Any]:
    """Imports files and folders into an archive, which is made if it does not exist; returns the report.

    Files may be packed, and may be archives. Games that cannot be stored are listed in the report, and added to the
    file ``rejects`` if one is named. With ``index``, positions are found at once afterwards.

    ``progress`` is called now and then. If it raises, or Ctrl-C is pressed, the import ends; what has been stored
    stays, and the next import reads on from there.
    """

@type_check_only
class Codec(TypedDict, total=False):
    """An encoding: its name, what it encodes, its source and cost."""

    codec: str
    of: Literal["games", "positions"]
    year: int
    source: str
    carries: str
    """What survives, a letter each: of games M the moves and R the result; of positions L piece layout, T side to move,
    C castling rights, E en passant square, K clocks."""
    cost: str
    """Of a game."""
    start: int
    """Bits of the initial position."""
    worst: str | int | None
    summary: str

def codecs() -> list[Codec]:
    """Every encoding of games, then every encoding of positions."""

def encode(
    moves: str | Sequence[str],
    codec: str = "index",
    result: str = "*",
    start: str | None = None,
    variant: str = "Standard",
) -> bytes:
    """A game in an encoding: its moves in SAN or UCI notation, from the start or from a FEN.

    Raises ValueError if a move is not legal, or the encoding cannot hold the game.
    """

def decode(
    data: bytes,
    codec: str = "index",
    plies: int | None = None,
    start: str | None = None,
    variant: str = "Standard",
) -> tuple[list[str], str]:
    """The moves of an encoded game in SAN, and its result: ``*`` if neither the bytes nor the board say it.

    Some encodings need the number of half-moves. Raises ValueError if the bytes are no game.
    """

def encode_position(fen: str, codec: str) -> bytes:
    """A position in an encoding. Raises ValueError if the encoding cannot hold it."""

def decode_position(data: bytes, codec: str) -> str:
    """An encoded position as FEN. Raises ValueError if the bytes are no position."""

def call(name: str, *arguments: object) -> list[str | int | None]:
    """A function of plybook's SQL for many rows: ``call("fen", moves, 20)`` gives the position after ply 20 of each game.

    An argument is one value for all rows (str, bytes, int, float, None), or a sequence with one for each; moves are the column
    ``moves`` of tables and of SQL. All cores take part. Raises ValueError if there is no such function or an argument is none.
    """
