-- The archive of plybook, version 4. Every table is STRICT, and every column has a comment.
-- PRAGMA application_id is 0x504C5942 ("PLYB"), PRAGMA user_version is the version of this schema.
-- A game's moves are one integer; see crates/chess/src/codec/game/index.rs. In a game of Xelto, White is arxe, who moves first, and
-- Black is sorn; its headers, result sentence and continuation are tag pairs (crates/record/src/family/xelto_tags.rs).
-- Everything else is plain SQL: start with the views "games" and "other_tag" at the end of this file.
-- You can add your own tables, views and indexes (docs/sql.md), but no triggers. If rows of these tables are changed by
-- other programs, or one of the two views is changed, "plybook verify" reports it: see "checksum". Comments are not
-- checked, because nothing depends on them.

-- What many games share besides names: codec, variant and tags. A collection has only a handful of rows.
CREATE TABLE tag_layout (
    id      INTEGER PRIMARY KEY,
    codec   INTEGER NOT NULL,  -- how the moves are encoded: 1 = index; see crates/chess/src/codec/id.rs
    variant INTEGER NOT NULL,  -- 0 standard, 1 Chess960, 2 atomic, 3 antichess, 4 king of the hill, 5 three-check, 6 crazyhouse, 7 racing kings, 8 horde; 9 Xelto
    names   TEXT NOT NULL,     -- JSON array: the names of all tag pairs, in order
    slots   TEXT NOT NULL      -- JSON array: where each value is stored; spaces before it name the rules by which values were read; see crates/record/src/tag_layout.rs
) STRICT;

-- Names. Each is stored once, and found by its hash in "key_block".
CREATE TABLE player (
    id   INTEGER PRIMARY KEY,
    name TEXT NOT NULL  -- as in the White and Black tags
) STRICT;

CREATE TABLE event (
    id   INTEGER PRIMARY KEY,
    name TEXT NOT NULL  -- as in the Event tag
) STRICT;

CREATE TABLE site (
    id   INTEGER PRIMARY KEY,
    name TEXT NOT NULL  -- as in the Site tag; for a URL, without its last segment
) STRICT;

CREATE TABLE tag_value (
    id   INTEGER PRIMARY KEY,
    text TEXT NOT NULL  -- a value of another tag shared by many games: an opening, a time control, a start position
) STRICT;

-- Games of one event, site, date and layout.
CREATE TABLE section (
    id     INTEGER PRIMARY KEY,
    layout INTEGER NOT NULL REFERENCES tag_layout,
    event  INTEGER REFERENCES event,  -- NULL if the tag is missing
    site   INTEGER REFERENCES site,   -- NULL if the tag is missing
    date   INTEGER,                   -- year * 512 + month * 32 + day, 0 for an unknown part; sorts by time
    tags   TEXT                       -- JSON array: the ids in "tag_value" of the tags that the games share, in the order of tag_layout.slots
) STRICT;

-- The games. A column is NULL if the tag is missing or empty, or if its value does not fit the column; such a value is in
-- "tags", unchanged. In an archive of version 10, some columns are computed from another one, which takes less space: see
-- crates/archive/src/archive/packed_game.sql.
CREATE TABLE game (
    id        INTEGER PRIMARY KEY,  -- in the order of import
    plies     INTEGER NOT NULL,     -- number of half-moves
    result    INTEGER NOT NULL,     -- 0 White won, 1 draw, 2 Black won, 3 unfinished or unknown
    section   INTEGER NOT NULL REFERENCES section,
    white     INTEGER REFERENCES player,
    black     INTEGER REFERENCES player,
    round     ANY,                  -- a number if it is one, 0 for "?", -(a * 1000 + b) - 1 for a.b; otherwise the text
    moves     BLOB NOT NULL,        -- the moves as written by the layout's codec; index: moves and end as one integer, little-endian bytes
    white_elo INTEGER,              -- rating of White
    black_elo INTEGER,              -- rating of Black
    eco       INTEGER,              -- ECO code: (letter, A = 0) * 100 + number
    tags      TEXT                  -- JSON array: the values without a column, in the order of tag_layout.slots
) STRICT;

-- Comments, glyphs and variations of games.
CREATE TABLE annotation (
    game  INTEGER PRIMARY KEY REFERENCES game,
    marks BLOB NOT NULL  -- the first byte is the form: 1, 2, 3 (values of fields in columns), or 16 and more; see crates/chess/src/codec/annotation/mod.rs
) STRICT;

-- The original bytes of games whose text was not UTF-8 or had to be repaired.
CREATE TABLE original (
    game INTEGER PRIMARY KEY REFERENCES game,
    text BLOB NOT NULL  -- a zstd frame
) STRICT;

-- The archive's own indexes: sorted sets of 64-bit keys, in runs of consecutive blocks; see crates/archive/src/archive/keys.
CREATE TABLE key_run (
    id          INTEGER PRIMARY KEY,
    kind        INTEGER NOT NULL,  -- 1 fingerprints of games, 2 player << 28 | game >> 4, 3 to 6 hash of a name << 32 | id (players, events, sites, values), 8 fingerprints whose lowest 8 bits are 0
    first_block INTEGER NOT NULL,  -- key_block.id of its first block
    blocks      INTEGER NOT NULL,  -- number of its blocks
    keys        INTEGER NOT NULL   -- number of its keys
) STRICT;

CREATE TABLE key_block (
    id    INTEGER PRIMARY KEY,
    first INTEGER NOT NULL,  -- the first key, with its highest bit flipped
    count INTEGER NOT NULL,  -- number of keys
    keys  BLOB NOT NULL      -- the other keys; see crates/archive/src/archive/keys/block.rs
) STRICT;

-- Where the games came from, and how far each source has been read: the next import of it continues there.
CREATE TABLE source (
    id        INTEGER PRIMARY KEY,
    name      TEXT NOT NULL,     -- path as given, ARCHIVE.zip!MEMBER for a member of a zip archive, or - for standard input
    imported  TEXT NOT NULL,     -- when its import started, UTC, ISO 8601
    ended     INTEGER NOT NULL,  -- 1 if it has been read completely, else 0
    stamp     INTEGER,           -- xxh3 of size, times and ends, which differs if it has changed; NULL if unknown
    bytes     INTEGER NOT NULL,  -- decompressed bytes read, the next game begins here; for an archive the id of the last game read
    lines     INTEGER NOT NULL,  -- lines read; for an archive the same as bytes
    hash      INTEGER,           -- xxh3 of those bytes (for an archive: of its games so far); NULL if it cannot be resumed
    seen      INTEGER NOT NULL,  -- games found: stored, duplicate, rejected or left out
    stored    INTEGER NOT NULL,  -- games added to this archive
    duplicate INTEGER NOT NULL,  -- games that the archive already had
    rejected  INTEGER NOT NULL   -- games that could not be stored
) STRICT;

-- A run of games with consecutive ids that are consecutive in a source.
CREATE TABLE source_span (
    first_game INTEGER PRIMARY KEY,  -- id of the first game of the run
    source     INTEGER NOT NULL REFERENCES source,
    number     INTEGER NOT NULL,     -- 1-based number of that game in the source
    byte       INTEGER NOT NULL,     -- 0-based byte of that game in the decompressed source; 0 for an archive
    line       INTEGER NOT NULL      -- 1-based line of that game in the source; 0 for an archive
) STRICT;

-- Checksums, which prove that rows are unchanged: sums of their hashes; see crates/archive/src/archive/checksum.rs. They cover the
-- tables up to "source_span" except "key_run" and "key_block", whose keys can be derived from the rest, the tables of
-- changes, "plybook_reject" and "plybook_different".
CREATE TABLE checksum (
    subject INTEGER NOT NULL,  -- the table: 1 tag_layout, 2 player, 3 event, 4 site, 5 tag_value, 6 section, 7 game, 8 annotation, 9 original, 10 source, 11 source_span, 12 to 16 the tables of changes in their order, 17 plybook_reject, 18 plybook_different
    bucket  INTEGER NOT NULL,  -- which of its rows: id / 4096, rounded down; for 9, 10, 17 and 18 the id, for 15 the fingerprint / 2^52
    count   INTEGER NOT NULL,  -- number of these rows
    late    INTEGER NOT NULL,  -- number of them written before version 3: changes before they were summed are not detected
    sum     INTEGER NOT NULL,  -- sum of the xxh3 of the rows and late times 0x9e3779b97f4a7c15, modulo 2^64; a row: the table's number as seed, then all columns (of game those listed here), each 0 NULL, 1 + integer, 2 + float, 3 + length + text, 4 + length + blob
    PRIMARY KEY (subject, bucket)
) STRICT, WITHOUT ROWID;

-- The following tables are created when they are first needed; an archive without them is complete.

-- The index, in immutable segments, each for the games in a range of ids; see crates/index/src/position_index and crates/index/src/trail.
CREATE TABLE segment (
    id         INTEGER PRIMARY KEY,
    kind       INTEGER NOT NULL,  -- what is indexed, and the version of the format of its rows: 3 = positions, 4 = trails; 1 and 2 were those of releases up to 0.2
    first_game INTEGER NOT NULL,
    last_game  INTEGER NOT NULL,
    games      INTEGER NOT NULL,  -- number of games in it
    parameters TEXT NOT NULL      -- JSON object: the parameters of its rows, and a checksum of this row
) STRICT;

CREATE TABLE segment_block (
    id   INTEGER PRIMARY KEY,  -- segment << 32 | part << 24 | 0-based number in the part; parts: see crates/index/src/position_index/mod.rs and crates/index/src/trail/segment.rs
    data BLOB NOT NULL         -- followed by 4 bytes of its xxh3, with the id as seed
) STRICT;

-- The identities of games, by which a later version of a game is found: sets of keys like those in "key_run" and
-- "key_block". "setting" has the id up to which they include all games.
CREATE TABLE plybook_identity_run (
    id          INTEGER PRIMARY KEY,
    kind        INTEGER NOT NULL,  -- 7: hash of an identity << 32 | game
    first_block INTEGER NOT NULL,
    blocks      INTEGER NOT NULL,
    keys        INTEGER NOT NULL
) STRICT;

CREATE TABLE plybook_identity_block (
    id    INTEGER PRIMARY KEY,
    first INTEGER NOT NULL,
    count INTEGER NOT NULL,
    keys  BLOB NOT NULL
) STRICT;

-- Other names of players.
CREATE TABLE alias (
    name   TEXT PRIMARY KEY,
    player INTEGER NOT NULL REFERENCES player
) STRICT, WITHOUT ROWID;

-- Collections of games made by users.
CREATE TABLE collection (
    id   INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE
) STRICT;

CREATE TABLE collection_game (
    collection INTEGER NOT NULL REFERENCES collection,
    game       INTEGER NOT NULL REFERENCES game,
    PRIMARY KEY (collection, game)
) STRICT, WITHOUT ROWID;

-- Data about the entire archive: "totals", which "plybook info" shows; see crates/archive/src/archive/totals.rs. "identities":
-- the id of the last game whose identities are stored.
CREATE TABLE setting (
    name  TEXT PRIMARY KEY,
    value ANY NOT NULL
) STRICT, WITHOUT ROWID;

-- Changes of games: see crates/archive/src/archive/changes. An archive has these tables from its first change on, and then
-- has version 5, because an earlier plybook would take the ids of removed games for damage.
CREATE TABLE plybook_change (
    id      INTEGER PRIMARY KEY,
    made    TEXT NOT NULL,     -- when, UTC, ISO 8601
    command TEXT NOT NULL,     -- the command that made it
    undone  INTEGER NOT NULL   -- 0 if it is in effect, otherwise a number that is higher the later it was undone
) STRICT;

CREATE TABLE plybook_change_row (
    id       INTEGER PRIMARY KEY,  -- change << 32 | 0-based number in the change
    subject  INTEGER NOT NULL,     -- the table, with its number in "checksum": 7 game, 8 annotation, 9 original, 10 source, 14 plybook_removed, 15 plybook_former, 17 plybook_reject, 18 plybook_different
    target   INTEGER NOT NULL,     -- the id of a row in it
    image    BLOB,                 -- the row that undoing (if undone, redoing) the change restores, as it is encoded for "checksum"; NULL if there is none
    replaces INTEGER               -- xxh3 of the row that it replaces, as for "checksum"; NULL if there is none
) STRICT;

CREATE TABLE plybook_removed (
    game INTEGER PRIMARY KEY  -- an id without a game, which is not used again
) STRICT;

CREATE TABLE plybook_former (
    fingerprint INTEGER PRIMARY KEY,  -- a fingerprint in "key_block" that no game has now
    game        INTEGER NOT NULL,     -- the game that had it; 0 if it was in another archive
    why         INTEGER NOT NULL      -- 1 it was removed, 2 it was edited, 3 the change that led to it was undone
) STRICT;

CREATE TABLE plybook_stale (
    id   INTEGER PRIMARY KEY,  -- segment << 32 | game: a game whose row differs from the one that the segment was built from
    seen BLOB                  -- the row of "game" that the segment was built from, as it is encoded for "checksum"; NULL if there was none
) STRICT;

-- Games that imports rejected and kept on request, each text once: see crates/archive/src/archive/rejects.rs. An archive has
-- this table, and version 7, from the first one on.
CREATE TABLE plybook_reject (
    id     INTEGER PRIMARY KEY,  -- xxh3 of the text
    text   BLOB NOT NULL,        -- its bytes in the source, without white space around them: a zstd frame
    name   TEXT NOT NULL,        -- source.name
    number INTEGER NOT NULL,     -- 1-based number of the game in the source
    line   INTEGER NOT NULL,     -- 1-based line of the fault in the source
    byte   INTEGER NOT NULL,     -- 0-based byte of the fault in the decompressed source
    reason TEXT NOT NULL,        -- a sentence
    source INTEGER NOT NULL      -- source.id of the import that kept it, 0 if it is from a copied archive
) STRICT;

-- Games that somebody has marked as different, although they resemble each other: near duplicates leave such pairs out. An
-- archive has this table from the first mark on, and then has version 8.
CREATE TABLE plybook_different (
    game  INTEGER PRIMARY KEY REFERENCES game,
    marks BLOB NOT NULL  -- 8 bytes each, in ascending order: two games with a common mark are different; see crates/archive/src/archive/different.rs
) STRICT;

-- The views are replaced if they differ when an archive is opened for writing.

-- The games in readable form. For SQL functions "moves" encodes how to read them unless they are the bytes of "index",
-- which never end in a zero byte: the codec (+ 32 for a variant, + 64 for another start position) and a zero byte follow,
-- or two zero bytes if the game is not chess. A codec from 32 on takes three bytes: modulo 128; divided by 128 (+ 2 for
-- a variant, + 4 for another start position); 32.
CREATE VIEW games AS
SELECT
    game.id,
    white.name AS white,
    black.name AS black,
    CASE game.result WHEN 0 THEN '1-0' WHEN 1 THEN '1/2-1/2' WHEN 2 THEN '0-1' ELSE '*' END AS result,
    CASE WHEN section.date IS NOT NULL THEN
        CASE WHEN section.date >> 9 = 0 THEN '????' ELSE printf('%04d', section.date >> 9) END || '.' ||
        CASE WHEN section.date >> 5 & 15 = 0 THEN '??' ELSE printf('%02d', section.date >> 5 & 15) END || '.' ||
        CASE WHEN section.date & 31 = 0 THEN '??' ELSE printf('%02d', section.date & 31) END
    END AS date,
    event.name AS event,
    site.name ||
        CASE WHEN instr(tag_layout.slots, '"address"') THEN json_extract(game.tags, '$[0]') ELSE '' END AS site,
    CAST(CASE
        WHEN game.round = 0 THEN '?'
        WHEN game.round < 0 THEN printf('%d.%d', -(game.round + 1) / 1000, -(game.round + 1) % 1000)
        ELSE game.round
    END AS TEXT) AS round,
    game.white_elo,
    game.black_elo,
    CASE WHEN game.eco IS NOT NULL THEN char(65 + game.eco / 100) || printf('%02d', game.eco % 100) END AS eco,
    game.plies,
    CASE tag_layout.variant
        WHEN 0 THEN 'Standard' WHEN 1 THEN 'Chess960' WHEN 2 THEN 'Atomic' WHEN 3 THEN 'Antichess'
        WHEN 4 THEN 'King of the Hill' WHEN 5 THEN 'Three-check' WHEN 6 THEN 'Crazyhouse'
        WHEN 7 THEN 'Racing Kings' WHEN 8 THEN 'Horde' WHEN 9 THEN 'Xelto'
    END AS variant,
    CASE WHEN instr(tag_layout.names, '"FEN"') THEN
        (SELECT value FROM other_tag WHERE other_tag.game = game.id AND name = 'FEN')
    END AS fen,
    tag_layout.codec,
    CASE
        WHEN tag_layout.variant = 9 THEN CAST(game.moves || x'0000' AS BLOB)
        WHEN tag_layout.variant = 0 AND tag_layout.codec = 1 AND NOT instr(tag_layout.names, '"FEN"') THEN game.moves
        WHEN tag_layout.codec < 32 THEN CAST(game.moves || char(
            tag_layout.codec + 32 * (tag_layout.variant > 0) + 64 * (instr(tag_layout.names, '"FEN"') > 0), 0
        ) AS BLOB)
        ELSE CAST(game.moves || char(
            tag_layout.codec % 128,
            tag_layout.codec / 128 + 2 * (tag_layout.variant > 0) + 4 * (instr(tag_layout.names, '"FEN"') > 0), 32, 0
        ) AS BLOB)
    END AS moves
FROM game
JOIN section ON section.id = game.section
JOIN tag_layout ON tag_layout.id = section.layout
LEFT JOIN player AS white ON white.id = game.white
LEFT JOIN player AS black ON black.id = game.black
LEFT JOIN event ON event.id = section.event
LEFT JOIN site ON site.id = section.site;

-- The tag pairs without a column of their own, one per row.
CREATE VIEW other_tag AS
SELECT
    game.id AS game,
    json_extract(tag_layout.names, '$[' || kind.place || ']') AS name,
    CAST(CASE kind.kind
        WHEN 'common' THEN (SELECT text FROM tag_value WHERE id = json_extract(section.tags, '$[' || kind.number || ']'))
        WHEN 'value' THEN (SELECT text FROM tag_value WHERE id = json_extract(game.tags, '$[' || kind.number || ']'))
        WHEN 'signed' THEN printf('%+d', json_extract(game.tags, '$[' || kind.number || ']'))
        WHEN 'time' THEN time(json_extract(game.tags, '$[' || kind.number || ']'), 'unixepoch')
        ELSE json_extract(game.tags, '$[' || kind.number || ']')
    END AS TEXT) AS value
FROM game
JOIN section ON section.id = game.section
JOIN tag_layout ON tag_layout.id = section.layout
JOIN (
    SELECT tag_layout.id AS layout, each.key AS place, each.value AS kind,
           row_number() OVER (
               PARTITION BY tag_layout.id, each.value = 'common' ORDER BY each.value <> 'address', each.key
           ) - 1 AS number
    FROM tag_layout JOIN json_each(tag_layout.slots) AS each
    WHERE each.value NOT IN ('column', 'date', 'tail')
) AS kind ON kind.layout = tag_layout.id
WHERE kind.kind <> 'address';
