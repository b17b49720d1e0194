//! The limits of plybook, each with a name and one home. Nothing here is measured at run time:
//! these are the sizes beyond which an input is refused with a reason instead of being followed, and the times after
//! which a client of the server is waited for no longer.

use std::time::Duration;

/// Most plies a game may have. The longest lawful game is shorter (11,797 plies under the 75-move rule).
pub const MAX_PLIES: usize = 65_535;

/// Most legal moves a start position may have. Lawful standard material allows at most 218.
pub const MAX_LEGAL_MOVES: u32 = 256;

/// Largest game that is read, in bytes of PGN.
pub const MAX_GAME_BYTES: usize = 16 << 20;

/// Most games without tag pairs that are read from one line.
pub const MAX_GAMES_TOGETHER: usize = 16_384;

/// Games that may be added before the totals of an archive are written again: `plybook info` counts them in 2 ms.
pub const MAX_UNCOUNTED_GAMES: i64 = 2048;

/// Most files that a table is written into. They are all open until the last of them is whole.
pub const MAX_SHARDS: u16 = 200;

/// Most folders that a table is divided into: as many files are open at once.
pub const MAX_PARTITIONS: u16 = 500;

/// Largest catalogue of a collection in parts, in bytes.
pub const MAX_CATALOGUE_BYTES: u64 = 64 << 20;

/// Most parts of a collection.
pub const MAX_PARTS: usize = 10_000;

/// Least pixels that a picture of a board is wide.
pub const MIN_PICTURE_SIDE: u32 = 16;

/// Most pixels that a picture of a board is wide.
pub const MAX_PICTURE_SIDE: u32 = 4096;

/// The same of a picture that the server draws: several are drawn at a time, and each takes 4 bytes for a pixel.
pub const MAX_SERVED_PICTURE_SIDE: u32 = 1200;

/// Longest tag pair line that is read, in bytes.
pub const MAX_TAG_BYTES: usize = 64 << 10;

/// Most tag pairs of one game.
pub const MAX_TAGS: usize = 512;

/// Largest comment, in bytes.
pub const MAX_COMMENT_BYTES: usize = 1 << 20;

/// Most levels of variations inside each other.
pub const MAX_VARIATION_DEPTH: usize = 1_000;

/// Most annotations of a game: comments, glyphs, variations and the moves in them.
pub const MAX_ANNOTATIONS: usize = 1_000_000;

/// Most bytes of all comments of a game: what [`MAX_GAME_BYTES`] in another encoding can become in UTF-8.
pub const MAX_ANNOTATION_BYTES: usize = 3 * MAX_GAME_BYTES;

/// Largest stored integer that is decoded, in bytes.
pub const MAX_BLOB_BYTES: usize = 256 << 10;

/// Most bytes of the games of an import that are under way from the cutter to the writer, unless one is larger.
pub const BATCHES_MEMORY: usize = 8 << 20;

/// Most bytes of games that are read from an archive at once, unless one is larger.
pub const READ_MEMORY: usize = 4 << 20;

/// Bytes that a compressed source may unpack to before [`MAX_EXPANSION`] is enforced.
pub const FREE_EXPANSION_BYTES: u64 = 64 << 20;

/// Most bytes unpacked for each compressed byte beyond [`FREE_EXPANSION_BYTES`].
pub const MAX_EXPANSION: u64 = 100;

/// Largest packed zstd frame that is unpacked ahead of what is read; a larger one is unpacked as it is read.
pub const MAX_AHEAD_PACKED: usize = 2 << 20;

/// The same of what it unpacks to, with the block behind it that says it is the last.
pub const MAX_AHEAD_UNPACKED: usize = (4 << 20) + (128 << 10);

/// Bytes of frames, packed and unpacked, beyond which no more are unpacked ahead.
pub const AHEAD_MEMORY: usize = 4 << 20;

/// Most bytes of a source without a game: blanks, or what is no text. Then it is no collection of games, and may
/// have no end.
pub const MAX_BARREN_BYTES: u64 = 1 << 30;

/// Most files of games in a zip archive.
pub const MAX_ZIP_MEMBERS: usize = 100_000;

/// Most threads of an import.
pub const MAX_THREADS: usize = 64;

/// Plies of the longest game that is looked for to reach a position.
pub const MAX_PATH_PLIES: usize = 400;

/// Bytes of the tables of such a search, unless something else is asked for.
pub const PATH_MEMORY: usize = 256 << 20;

/// Largest value, row or statement of an archive, in bytes: a game of [`MAX_GAME_BYTES`] whose every byte needs
/// six in a JSON text.
pub const MAX_ROW_BYTES: i32 = 128 << 20;

/// Largest archive, with its log, of which a temporary copy is read, in bytes: one that a kill left half changed
/// where it may not be written.
pub const MAX_COPY_BYTES: u64 = 64 << 30;

/// Most ways in which a movetext is read whose moves could be several.
pub const MAX_READINGS: usize = 64;

/// Most bytes of a movetext that are read for that.
pub const MAX_REREAD_BYTES: usize = 4 << 20;

/// Steps of SQLite's machine that a statement over an archive may take, for each byte of the file: a game of a
/// hundred bytes takes some hundred. And what it may take however small the file is.
pub const STEPS_A_BYTE: u64 = 100;
/// See [`STEPS_A_BYTE`].
pub const STEPS_AT_LEAST: u64 = 20_000_000;

/// Largest stored name, and largest value of a tag that games share, in bytes: what [`MAX_TAG_BYTES`] in another
/// encoding can become in UTF-8.
pub const MAX_NAME_BYTES: usize = 4 * MAX_TAG_BYTES;

/// Most bytes of all tag pairs of a stored game: what [`MAX_GAME_BYTES`] in another encoding can become in UTF-8.
pub const MAX_TAGS_BYTES: usize = 3 * MAX_GAME_BYTES;

/// Most bytes of the request line and the headers of a request.
pub const MAX_REQUEST_HEAD_BYTES: usize = 16 << 10;

/// Most moves of a line that the server is asked about.
pub const MAX_LINE_MOVES: usize = 2_000;

/// Most connections of the server at a time; others wait until one ends.
pub const MAX_CONNECTIONS: usize = 256;

/// How long the head of a request may take, from the connection or the answer before it on, and then its body. So it is
/// also how long a connection may be idle.
pub const REQUEST_TIME: Duration = Duration::from_secs(10);

/// How long a client may take none of its answer.
pub const STALLED_TIME: Duration = Duration::from_secs(30);

/// Bytes of the longest host name that a server can be set to admit. No host name is longer.
pub const MAX_HOST_BYTES: usize = 253;

/// Most names that are logged since the server was asked by them and does not admit them.
pub const MAX_REFUSED_NAMES: usize = 10;

/// How long answers that have begun get when the server is stopped.
pub const GRACE_TIME: Duration = Duration::from_secs(5);

/// Most questions to the archive that wait for those before them.
pub const MAX_WAITING: usize = 64;

/// How long the answer to a question may take, with the time that it waits.
pub const ANSWER_TIME: Duration = Duration::from_secs(10);

/// Most bytes of answers that are kept for the next time.
pub const ANSWERS_MEMORY: usize = 24 << 20;

/// Most bytes of lists of games in their order that are kept for their next pages.
pub const LISTS_MEMORY: usize = 24 << 20;

/// Most games of a page of a list.
pub const MAX_PAGE_GAMES: u64 = 200;

/// Most annotations of a game that is given with all its variations as data, each with its position.
pub const MAX_TREE_MARKS: usize = 100_000;

/// Most bytes of the comments of such a game.
pub const MAX_TREE_COMMENTS: usize = 8 << 20;

/// Most bytes of the integer of a game that is written in decimal with the game: the time grows faster than the bytes.
pub const MAX_SHOWN_INTEGER: usize = 1 << 16;

/// Longest name to which similar ones are looked for, in bytes: each name of the archive is compared with each word of it.
pub const MAX_TYPED_NAME_BYTES: usize = 100;

/// Most names to which the games are counted to find those with most games among equally similar ones.
pub const MAX_SIMILAR_NAMES: usize = 1000;

/// Most names that complete a beginning.
pub const MAX_COMPLETIONS: usize = 20;

/// Most exports that the server writes at a time.
pub const MAX_EXPORTS: usize = 4;

/// Most ways in which a rank of a pattern may look.
pub const MAX_PATTERN_WAYS: usize = 256;

/// Most patterns and materials that are searched for at a time.
pub const MAX_CONDITIONS: usize = 16;

/// Most players of a crosstable.
pub const MAX_CROSSTABLE_PLAYERS: usize = 100;

/// Most crosstables of one question.
pub const MAX_CROSSTABLES: usize = 50;

/// Most openings, endings and names of a report that the server tells.
pub const MAX_REPORT_LINES: usize = 1_000;

/// Bytes of memory that the trails of an archive may take for good; of larger archives they are read for every question.
pub const TRAILS_MEMORY: u64 = 48 << 20;

/// Most positions of a repertoire that games are compared with.
pub const MAX_REPERTOIRE_POSITIONS: usize = 2_000_000;

/// Bytes of statements of SQL that are read from a file or a pipe. SQLite takes one statement of 1 MB.
pub const MAX_SQL_BYTES: u64 = 16 << 20;

/// Most moves of positions that a part of an opening book holds, of 24 bytes each; a larger book takes more parts, for each
/// of which the games are replayed.
pub const MAX_BOOK_MOVES: usize = 8 << 20;
