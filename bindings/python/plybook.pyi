"""Read chess games from plybook archives, with fast access to any position of any game."""

from collections.abc import Callable, Iterator, Sequence
from os import PathLike
from typing import Any, Literal, TypedDict, final, overload, type_check_only
from typing_extensions import Unpack

__all__ = [
    "Archive",
    "ArchiveError",
    "Columns",
    "DamagedError",
    "Editor",
    "Game",
    "GameIterator",
    "Games",
    "call",
    "codecs",
    "decode",
    "decode_position",
    "edit",
    "encode",
    "encode_position",
    "import_pgn",
    "open",
]

@type_check_only
class Conditions(TypedDict, total=False):
    """Filter conditions, with the same names as on the command line.

    Names match by words in any order, ignoring case, accents and script. A single letter matches names that begin with
    it, and ``*`` matches any letters. Separate several names by semicolons. Ranges are written ``a``, ``a..b``,
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
    import_number: str | None
    """Number of the import that added the game, as in the log: 3, or 3..5."""
    imported: str | None
    """Day of that import, in local time: 2026-11-20, 2026-11-20..."""
    id: str | int | None
    """Ids of games: 7, 100..200, or several: 1,5,9."""
    tag: str | Sequence[str]
    """Tag pair, with the value matched like a name: Annotator=tal, 'Termination=*time*'; NAME alone matches any
    value."""
    comment: str | Sequence[str]
    """Text in a comment, ignoring case; a space also matches a line end or several spaces."""
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
    """Sort in the opposite direction."""
    limit: int | None
    """The maximum number of games."""
    offset: int
    """The number of games to skip at the beginning."""

@type_check_only
class Filter(Conditions, total=False):
    """The filter conditions, and a position."""

    position: str | None
    """A position that the game reaches, written as for ``Archive.find``."""

@type_check_only
class Opening(TypedDict):
    eco: str
    name: str

@type_check_only
class ExploredMove(TypedDict):
    """A move, and the games in which it was played. ``score`` is White's, from 0 to 1, over games with a result."""

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
    """A position, and the games that reach it. Each game counts once."""

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
    """The progress of an import."""

    source: str
    """The current file."""
    bytes: int
    """Bytes read from all files, as stored on disk."""
    total_bytes: int | None
    games: int
    """Games read so far."""
    indexed: int | None
    """Games indexed so far; ``None`` until all games are stored."""

class ArchiveError(Exception):
    """The file is not a plybook archive, or it cannot be used."""

class DamagedError(ArchiveError):
    """Data in the archive is corrupt."""

@final
class Archive:
    """An archive, opened for reading. It is safe to use from several threads."""

    @property
    def path(self) -> PathLike[str]: ...
    def __len__(self) -> int:
        """The number of games."""
    def __bool__(self) -> Literal[True]: ...
    def __iter__(self) -> Iterator[Game]:
        """Iterates over all games in the order of their ids."""
    def game(self, id: int) -> Game:
        """Returns the game with this id. Raises KeyError if it does not exist, DamagedError if it is corrupt."""
    def show(self, id: int, ply: int | str | None = None) -> dict[str, Any]:
        """Returns a game as a dictionary, at a ply or at its end, in the form of ``plybook show --format json``.

        Raises KeyError if the game does not exist, IndexError if the game has no such ply.
        """
    def games(self, **filter: Unpack[Filter]) -> Games:
        """Returns the games that match a filter, in the order of ``sort``; without a filter all games, by id.

        Raises ValueError if the value of a condition is invalid, TypeError if the condition does not exist.
        """
    def find(self, position: str, **filter: Unpack[Conditions]) -> list[tuple[int, int]]:
        """Finds the games that match a filter and reach a position.

        A position is a FEN, moves from the start (``1. e4 c5``), the name of an opening, or a position of a stored game
        (``3:12w``). Returns for each game its id, and the ply at which it first reaches the position.
        """
    def explore(self, position: str | None = None, **filter: Unpack[Conditions]) -> Exploration:
        """Returns the moves that games matching a filter played in a position, with their results.

        The position is written as for ``find``; by default it is the start position.
        """
    def arrow(self, **filter: Unpack[Filter]) -> Columns:
        """Returns the games that match a filter as Arrow columns, with one row per game.

        The columns are ``id``, ``white``, ``black``, ``white_elo``, ``black_elo``, ``result``, ``score`` (White's
        points), ``date``, ``year``, ``event``, ``site``, ``round``, ``eco`` (from the tag), ``opening_eco`` and
        ``opening`` (of the last position that has a name), ``plies`` and ``variant``.
        """
    def positions(self, fen: bool = False, **filter: Unpack[Filter]) -> Columns:
        """Returns all positions of the chess games that match a filter as Arrow columns, with one row per position.

        The columns are ``game``, ``ply`` (0 is the start), ``side`` (to move), ``key`` (the value of the SQL function
        ``position_key``: equal positions have equal keys), ``result`` (of the game), and ``fen`` if requested.
        """
    def to_pandas(self, **filter: Unpack[Filter]) -> Any:
        """Returns ``arrow`` as a pandas data frame. Raises ImportError if pandas or pyarrow is not installed."""
    def to_polars(self, **filter: Unpack[Filter]) -> Any:
        """Returns ``arrow`` as a polars data frame. Raises ImportError if polars is not installed."""

@final
class Games:
    """A sequence of games. Each game is read when it is accessed; its length and ids are available immediately."""

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
    """Iterates over games. Raises DamagedError instead of returning a game that cannot be read."""

    def __iter__(self) -> GameIterator: ...
    def __next__(self) -> Game: ...

@final
class Columns:
    """Games or positions as columns, produced lazily in batches.

    Any library that supports the Arrow C stream interface can read them: ``pyarrow.table(columns)``,
    ``polars.DataFrame(columns)``, DuckDB and others. A damaged game ends the stream with an error.
    """

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> Any: ...
    def to_pandas(self) -> Any:
        """Returns a pandas data frame. Raises ImportError if pandas or pyarrow is not installed."""
    def to_polars(self) -> Any:
        """Returns a polars data frame. Raises ImportError if polars is not installed."""

@final
class Game:
    """A game in an archive.

    Moves and positions raise ValueError if it is not a chess game, and DamagedError if it is corrupt.
    """

    @property
    def id(self) -> int:
        """The id of the game in the archive."""
    @property
    def variant(self) -> str:
        """The chess variant, as named in PGN, or ``Xelto``."""
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
        """The tag pairs in their order. If a name occurs twice, the first value."""
    @property
    def moves(self) -> list[str]:
        """The moves in SAN."""
    @property
    def uci(self) -> list[str]:
        """The moves in UCI notation."""
    @property
    def move_bits(self) -> list[float]:
        """How surprising each move is: 1 bit if half of all players would make it, 3 bits if one in eight would.

        According to a model of how people play; in variants other than Chess960, all legal moves count as equally likely.
        Raises ValueError if the game is not chess.
        """
    def fen(self, ply: int | str = -1) -> str:
        """Returns the position after a number of half-moves, as FEN.

        0 is the start, -1 the last position, -2 the one before it; ``"12w"`` is the position after White's twelfth move.
        The en passant square is set after every double step. Raises IndexError if the game has no such ply.
        """
    def board(self, ply: int | str = -1) -> Any:
        """Returns the same position as a python-chess board, with the moves up to it on its stack.

        Raises ImportError if python-chess is not installed.
        """
    def pgn(self) -> str:
        """Returns the complete game as PGN, with comments, glyphs and variations."""

@type_check_only
class LoggedChange(TypedDict):
    """A change in the log."""

    id: int
    """Its number."""
    made: str
    """When it was made: UTC, ISO 8601."""
    command: str
    """The command that made it."""
    undone: bool
    """Whether it has been undone."""
    games: int
    """The number of games that it changed."""

@final
class Editor:
    """Changes games of an archive. Every change is logged and can be undone.

    Changes return their number in the log, or None if nothing has changed. They raise KeyError if a game does not
    exist, and ValueError if they are refused; then nothing has changed.
    """

    def remove(self, ids: int | Sequence[int]) -> int | None:
        """Removes games. Their ids are not used again."""
    def tag(self, ids: int | Sequence[int], **tags: str | None) -> int | None:
        """Sets tags of games. None deletes a tag."""
    def comment(self, id: int, ply: int, text: str) -> int | None:
        """Replaces the comment after a ply; an empty text deletes it. Ply 0 is before the first move."""
    def glyph(self, id: int, ply: int, *glyphs: str) -> int | None:
        """Replaces the glyphs of a ply, such as ``!?`` or ``$14``; without glyphs, they are deleted."""
    def add(self, pgn: str) -> int:
        """Adds a game, and returns its id."""
    def undo(self, change: int | None = None, games: int | Sequence[int] | None = None) -> int | None:
        """Undoes a change, by default the last one that is in effect; or what it did with some games, as a new change."""
    def redo(self, change: int | None = None) -> int | None:
        """Redoes a change, by default the one that was undone last."""
    def log(self) -> list[LoggedChange]:
        """Returns the changes, in the order in which they were made."""
    def compact(self) -> int:
        """Deletes the log and shrinks the file. Returns the number of changes that were logged."""

def edit(path: str | PathLike[str]) -> Editor:
    """Opens an archive to change games in it.

    Raises FileNotFoundError if it does not exist, IsADirectoryError for a collection in parts and ValueError for one of
    its parts, PermissionError if it cannot be written, ArchiveError if it is not an archive.
    """

def open(path: str | PathLike[str]) -> Archive:
    """Opens an archive for reading. A directory with a catalogue of parts is read as one archive.

    Raises FileNotFoundError if the file does not exist, ArchiveError if it is not an archive.
    """

def import_pgn(
    paths: str | PathLike[str] | Sequence[str | PathLike[str]],
    archive: str | PathLike[str],
    progress: Callable[[Progress], object] | None = None,
    index: bool = False,
    rejects: str | PathLike[str] | None = None,
    deleted: bool = False,
    keep_broken: bool = False,
    on_update: Literal["join", "replace", "both", "skip"] = "join",
    **conditions: Any,
) -> dict[str, Any]:
    """Imports files and directories into an archive, which is created if it does not exist; returns a report.

    Files may be compressed, and may be plybook archives or databases of Scid and ChessBase, whose games that are marked
    as deleted are left out unless ``deleted`` is set. The report lists games that cannot be stored; with
    ``rejects`` they are also appended to that file. With ``keep_broken``, a game with an illegal move is kept up to this
    move, with the rest of its text as a comment and the move in the tag Broken. ``index`` builds the index, which makes
    position queries fast. A version of a stored game updates it; ``on_update`` says what happens if each says something
    that the other does not. With conditions such as ``player="karpov"``, those of ``Archive.games`` that do not concern
    what only stored games have, games that do not meet all of them are left out, and counted as ``unmatched``.

    ``progress`` is called regularly. If it raises an exception, or Ctrl-C is pressed, the import stops; games stored so
    far are kept, and the next import of the same files continues from there.
    """

@type_check_only
class Codec(TypedDict, total=False):
    """An encoding: its name, what it encodes, its source and its cost in bits."""

    codec: str
    of: Literal["games", "positions"]
    year: int
    source: str
    carries: str
    """The preserved fields, one letter each. Games: M moves, R result. Positions: L piece layout, T side to move,
    C castling rights, E en passant square, K clocks."""
    cost: str
    """The cost of a game."""
    start: int
    """The cost of the initial position in bits."""
    worst: str | int | None
    summary: str

def codecs() -> list[Codec]:
    """Lists all encodings of games, then all encodings of positions."""

def encode(
    moves: str | Sequence[str],
    codec: str = "index",
    result: str = "*",
    start: str | None = None,
    variant: str = "Standard",
) -> bytes:
    """Encodes a game, given its moves in SAN or UCI notation, from the start position or a FEN.

    Raises ValueError if a move is not legal, or if the encoding cannot represent the game.
    """

def decode(
    data: bytes,
    codec: str = "index",
    plies: int | None = None,
    start: str | None = None,
    variant: str = "Standard",
) -> tuple[list[str], str]:
    """Decodes a game. Returns its moves in SAN and its result, ``*`` if it is neither stored nor clear from the board.

    Some encodings need ``plies``, the number of half-moves. Raises ValueError if the bytes are not a valid game.
    """

def encode_position(fen: str, codec: str) -> bytes:
    """Encodes a position. Raises ValueError if the encoding cannot represent it."""

def decode_position(data: bytes, codec: str) -> str:
    """Decodes a position to FEN. Raises ValueError if the bytes are not a valid position."""

def call(name: str, *arguments: object) -> list[str | int | None]:
    """Calls a SQL function of plybook for many rows. ``call("fen", moves, 20)`` returns the position at ply 20 of each game.

    An argument is one value for all rows (str, bytes, int, float, None), or a sequence with one value per row. Moves are
    the values of the column ``moves`` of tables and of SQL. Runs on all cores. Raises ValueError if the function does not
    exist or an argument is invalid.
    """
