//! The limits of plybook, each with a name and defined only here. They are constants, not measured at run time: sizes
//! beyond which an input is rejected with a reason, and times after which the server stops waiting for a client.

use std::time::Duration;

/// Maximum number of plies in a game. The longest legal game is shorter (11,797 plies under the 75-move rule).
pub const MAX_PLIES: usize = 65_535;

/// Maximum number of legal moves in a start position. Legal standard material allows at most 218.
pub const MAX_LEGAL_MOVES: u32 = 256;

/// Largest game that is read, in bytes of PGN.
pub const MAX_GAME_BYTES: usize = 16 << 20;

/// Longest text of a rejected game that an archive keeps, in bytes.
pub const MAX_REJECT_BYTES: usize = 1 << 20;

/// Maximum bytes of the compressed texts of all rejected games that an archive keeps.
pub const MAX_REJECTS_BYTES: u64 = 256 << 20;

/// Maximum number of games without tag pairs that are read from one line.
pub const MAX_GAMES_TOGETHER: usize = 16_384;

/// Games that may be added before the totals of an archive are updated: `plybook info` counts them in 2 ms.
pub const MAX_UNCOUNTED_GAMES: i64 = 2048;

/// Maximum number of files that a table is split into. They all stay open until the last one is complete.
pub const MAX_SHARDS: u16 = 200;

/// Maximum number of directories that a table is partitioned into: as many files are open simultaneously.
pub const MAX_PARTITIONS: u16 = 500;

/// Largest catalogue of a collection in parts, in bytes.
pub const MAX_CATALOGUE_BYTES: u64 = 64 << 20;

/// Maximum number of parts in a collection.
pub const MAX_PARTS: usize = 10_000;

/// Minimum width of a board image, in pixels.
pub const MIN_PICTURE_SIDE: u32 = 16;

/// Maximum width of a board image, in pixels.
pub const MAX_PICTURE_SIDE: u32 = 4096;

/// Like [`MAX_PICTURE_SIDE`], for images drawn by the server: several are drawn concurrently, and each takes 4 bytes
/// per pixel.
pub const MAX_SERVED_PICTURE_SIDE: u32 = 1200;

/// Longest tag pair that is read, in bytes.
pub const MAX_TAG_BYTES: usize = 64 << 10;

/// Maximum number of tag pairs in a game.
pub const MAX_TAGS: usize = 512;

/// Largest comment, in bytes.
pub const MAX_COMMENT_BYTES: usize = 1 << 20;

/// Maximum nesting depth of variations.
pub const MAX_VARIATION_DEPTH: usize = 1_000;

/// Maximum number of annotations in a game: comments, glyphs, variations and the moves in them.
pub const MAX_ANNOTATIONS: usize = 1_000_000;

/// Maximum size of all comments in a game, in bytes: what [`MAX_GAME_BYTES`] in another encoding may become in UTF-8.
pub const MAX_ANNOTATION_BYTES: usize = 3 * MAX_GAME_BYTES;

/// Largest stored integer that is decoded, in bytes.
pub const MAX_BLOB_BYTES: usize = 256 << 10;

/// Maximum bytes of the games that are in progress between the splitter and the writer of an import, unless a single
/// one is larger.
pub const BATCHES_MEMORY: usize = 8 << 20;

/// Maximum bytes of games that are read from an archive at a time, unless a single one is larger.
pub const READ_MEMORY: usize = 4 << 20;

/// Decompressed bytes of a source before [`MAX_EXPANSION`] is enforced.
pub const FREE_EXPANSION_BYTES: u64 = 64 << 20;

/// Maximum decompressed bytes per compressed byte beyond [`FREE_EXPANSION_BYTES`].
pub const MAX_EXPANSION: u64 = 100;

/// Largest compressed zstd frame that is decompressed ahead; a larger one is decompressed as it is read.
pub const MAX_AHEAD_PACKED: usize = 2 << 20;

/// The corresponding decompressed size, including the block after it that marks the end.
pub const MAX_AHEAD_UNPACKED: usize = (4 << 20) + (128 << 10);

/// Compressed and decompressed bytes of frames beyond which no more are decompressed ahead.
pub const AHEAD_MEMORY: usize = 4 << 20;

/// Maximum bytes of a source without a game, such as white space or binary data. Beyond that it is not considered a
/// file of games; it may be endless.
pub const MAX_BARREN_BYTES: u64 = 1 << 30;

/// Maximum number of game files in a zip archive.
pub const MAX_ZIP_MEMBERS: usize = 100_000;

/// Maximum number of threads of an import.
pub const MAX_THREADS: usize = 64;

/// Plies of the longest game that the search for a path to a position considers.
pub const MAX_PATH_PLIES: usize = 400;

/// Default size of the tables of such a search, in bytes.
pub const PATH_MEMORY: usize = 256 << 20;

/// Largest value, row or statement of an archive, in bytes: a game of [`MAX_GAME_BYTES`] in which every byte needs six
/// in JSON.
pub const MAX_ROW_BYTES: i32 = 128 << 20;

/// Largest archive, including its log, that is opened as a temporary copy, in bytes: an archive that a killed process
/// left half changed and that cannot be recovered in place because it is not writable.
pub const MAX_COPY_BYTES: u64 = 64 << 30;

/// Maximum number of ways in which a movetext with ambiguous moves is read.
pub const MAX_READINGS: usize = 64;

/// Maximum bytes of movetext that are read for that.
pub const MAX_REREAD_BYTES: usize = 4 << 20;

/// Virtual machine steps of SQLite that a statement may take per byte of the archive. A game of a hundred bytes takes
/// a few hundred.
pub const STEPS_A_BYTE: u64 = 100;
/// The steps that a statement may take however small the archive is; see [`STEPS_A_BYTE`].
pub const STEPS_AT_LEAST: u64 = 20_000_000;

/// Largest stored name, and largest tag value that games share, in bytes: what [`MAX_TAG_BYTES`] in another encoding
/// may become in UTF-8.
pub const MAX_NAME_BYTES: usize = 4 * MAX_TAG_BYTES;

/// Maximum bytes of all tag pairs of a stored game: what [`MAX_GAME_BYTES`] in another encoding may become in UTF-8.
pub const MAX_TAGS_BYTES: usize = 3 * MAX_GAME_BYTES;

/// Maximum bytes of the request line and headers of a request.
pub const MAX_REQUEST_HEAD_BYTES: usize = 16 << 10;

/// Maximum number of moves in a line sent to the server.
pub const MAX_LINE_MOVES: usize = 2_000;

/// Maximum number of concurrent connections to the server. Another one gets the place of the one that has waited
/// longest for its client.
pub const MAX_CONNECTIONS: usize = 256;

/// Time limit for the header of a request, from the connection or the previous response, and then for its body. It
/// therefore also limits how long a connection may be idle.
pub const REQUEST_TIME: Duration = Duration::from_secs(10);

/// Largest form that the server accepts for editing, in bytes.
pub const MAX_FORM_BYTES: usize = 64 << 10;

/// Largest form with a PGN that the server compares with games, in bytes.
pub const MAX_COMPARED_BYTES: usize = 1 << 20;

/// Maximum bytes of a form that are read to its end, to refuse it: a browser that is interrupted shows no answer.
pub const MAX_REFUSED_BYTES: usize = 32 << 20;

/// Largest upload that the server imports, in bytes.
pub const MAX_UPLOAD_BYTES: u64 = 512 << 20;

/// Maximum number of files in an upload.
pub const MAX_UPLOAD_FILES: usize = 100;

/// Maximum number of concurrent uploads.
pub const MAX_UPLOADS: usize = 2;

/// Time limit for an upload to arrive.
pub const UPLOAD_TIME: Duration = Duration::from_secs(600);

/// How long a client may stop reading its response.
pub const STALLED_TIME: Duration = Duration::from_secs(30);

/// Length of the longest host name that a server can be configured to accept. No host name is longer.
pub const MAX_HOST_BYTES: usize = 253;

/// Maximum number of rejected host names that are logged.
pub const MAX_REFUSED_NAMES: usize = 10;

/// Time that responses in progress get when the server is stopped.
pub const SHUTDOWN_TIMEOUT: Duration = Duration::from_secs(5);

/// Maximum number of queries to the archive that wait for earlier ones.
pub const MAX_WAITING: usize = 64;

/// Time limit for a query, including waiting time.
pub const ANSWER_TIME: Duration = Duration::from_secs(10);

/// Maximum bytes of cached responses.
pub const ANSWERS_MEMORY: usize = 24 << 20;

/// Maximum bytes of sorted game lists that are cached for their next pages.
pub const LISTS_MEMORY: usize = 24 << 20;

/// Maximum number of games that are chosen in the browser for one change.
pub const MAX_CHOSEN_GAMES: u64 = 1000;

/// Maximum number of games on a page of a list.
pub const MAX_PAGE_GAMES: u64 = 200;

/// Maximum number of annotations of a game that is returned as data with all its variations, each with its position.
pub const MAX_TREE_MARKS: usize = 100_000;

/// Maximum bytes of the comments in such a game.
pub const MAX_TREE_COMMENTS: usize = 8 << 20;

/// Maximum bytes of a game's integer that is shown in decimal with the game: the conversion takes more than linear
/// time.
pub const MAX_SHOWN_INTEGER: usize = 1 << 16;

/// Longest name for which similar ones are searched, in bytes: each name in the archive is compared with each of its
/// words.
pub const MAX_TYPED_NAME_BYTES: usize = 100;

/// Maximum number of names whose games are counted to rank equally similar names.
pub const MAX_SIMILAR_NAMES: usize = 1000;

/// Maximum number of suggested completions of a name.
pub const MAX_COMPLETIONS: usize = 20;

/// Maximum number of concurrent exports of the server.
pub const MAX_EXPORTS: usize = 4;

/// Maximum number of possible contents of a rank in a pattern.
pub const MAX_PATTERN_WAYS: usize = 256;

/// Maximum number of patterns and materials in one search.
pub const MAX_CONDITIONS: usize = 16;

/// Maximum number of players in a crosstable.
pub const MAX_CROSSTABLE_PLAYERS: usize = 100;

/// Maximum number of crosstables in one query.
pub const MAX_CROSSTABLES: usize = 50;

/// Maximum number of openings, endings and names in a report of the server.
pub const MAX_REPORT_LINES: usize = 1_000;

/// Bytes of memory for trails that are kept permanently; in larger archives they are read for every query.
pub const TRAILS_MEMORY: u64 = 48 << 20;

/// Maximum number of positions in a repertoire that games are compared with.
pub const MAX_REPERTOIRE_POSITIONS: usize = 2_000_000;

/// Maximum bytes of SQL that are read from a file or a pipe. SQLite accepts one statement of 1 MB.
pub const MAX_SQL_BYTES: u64 = 16 << 20;

/// Maximum number of moves in a part of an opening book, of 24 bytes each; a larger book takes more parts, for each of
/// which the games are replayed.
pub const MAX_BOOK_MOVES: usize = 8 << 20;
