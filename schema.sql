-- The archive of plybook, version 2. Every table is STRICT; every column has its comment.
-- PRAGMA application_id is 0x504C5942 ("PLYB"), PRAGMA user_version the version of this schema.
-- A game's moves are one integer; see src/codec/game/index.rs. Everything else is plain SQL: start with the
-- views "games" and "other_tag" at the end of this file.

-- How some games are stored: what they share besides names. A handful of rows for a whole collection.
CREATE TABLE form (
    id      INTEGER PRIMARY KEY,
    codec   INTEGER NOT NULL,  -- how the moves are encoded: 1 = index
    variant INTEGER NOT NULL,  -- 0 standard, 1 Chess960, 2 atomic, 3 antichess, 4 king of the hill, 5 three-check, 6 crazyhouse, 7 racing kings, 8 horde
    layout  TEXT NOT NULL,     -- JSON array: the names of all tag pairs, in their order
    texts   TEXT NOT NULL,     -- JSON array: places in "layout" whose values stand in game.tags instead of a column
    UNIQUE (codec, variant, layout, texts)
) STRICT;

-- Names, each stored once.
CREATE TABLE player (
    id   INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE  -- as in the White and Black tags
) STRICT;

CREATE TABLE event (
    id   INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE  -- as in the Event tag
) STRICT;

CREATE TABLE site (
    id   INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE  -- as in the Site tag
) STRICT;

CREATE TABLE setup (
    id  INTEGER PRIMARY KEY,
    fen TEXT NOT NULL UNIQUE   -- a start position other than the variant's usual one, as in the FEN tag
) STRICT;

-- The games. A column is NULL where the tag is missing or empty, or where its value does not fit the column;
-- such a value stands in "tags", word for word.
CREATE TABLE game (
    id        INTEGER PRIMARY KEY,  -- in the order of import
    moves     BLOB NOT NULL,        -- the moves and the end as one integer, little-endian bytes
    plies     INTEGER NOT NULL,     -- number of half-moves
    result    INTEGER NOT NULL,     -- 0 White won, 1 draw, 2 Black won, 3 unfinished or unknown
    form      INTEGER NOT NULL REFERENCES form,
    white     INTEGER REFERENCES player,
    black     INTEGER REFERENCES player,
    event     INTEGER REFERENCES event,
    site      INTEGER REFERENCES site,
    date      INTEGER,              -- year * 512 + month * 32 + day, 0 for an unknown part; sorts by time
    round     ANY,                  -- an integer where it is one, else the text
    white_elo INTEGER,              -- rating of White
    black_elo INTEGER,              -- rating of Black
    eco       INTEGER,              -- opening code: (letter, A = 0) * 100 + number
    setup     INTEGER REFERENCES setup,
    tags      TEXT                  -- JSON array: the values of form.texts
) STRICT;

CREATE INDEX game_white ON game (white);
CREATE INDEX game_black ON game (black);

-- One row a game: the hash that finds a game stored before, and a damaged one. It covers all tag pairs, the
-- moves and the result (xxh3, 64 bits).
CREATE TABLE fingerprint (
    hash INTEGER PRIMARY KEY,
    game INTEGER NOT NULL REFERENCES game
) STRICT;

-- Where the games came from, and how far each source has been read: the next import of it goes on there.
CREATE TABLE source (
    id        INTEGER PRIMARY KEY,
    name      TEXT NOT NULL,     -- path as given, or "-" for standard input
    imported  TEXT NOT NULL,     -- when it was begun, UTC, ISO 8601
    ended     INTEGER NOT NULL,  -- 1 when it has been read to its end, else 0
    stamp     INTEGER,           -- xxh3 of the file's size, time of change and both ends; NULL if it is no file
    bytes     INTEGER NOT NULL,  -- unpacked bytes done with; the next game begins here
    lines     INTEGER NOT NULL,  -- lines done with
    hash      INTEGER,           -- xxh3 of those bytes; NULL if the source cannot be read on
    seen      INTEGER NOT NULL,  -- games found: stored + duplicate + rejected
    stored    INTEGER NOT NULL,  -- games added to this archive
    duplicate INTEGER NOT NULL,  -- games the archive had already
    rejected  INTEGER NOT NULL   -- games that could not be stored
) STRICT;

-- A run of games with consecutive ids that stood one after the other in a source.
CREATE TABLE span (
    first_game INTEGER PRIMARY KEY,  -- id of the first game of the run
    source     INTEGER NOT NULL REFERENCES source,
    number     INTEGER NOT NULL,     -- 1-based number of that game in the source
    byte       INTEGER NOT NULL,     -- 0-based byte of that game in the unpacked source
    line       INTEGER NOT NULL      -- 1-based line of that game in the source
) STRICT;

-- The games as people read them.
CREATE VIEW games AS
SELECT
    game.id,
    white.name AS white,
    black.name AS black,
    CASE game.result WHEN 0 THEN '1-0' WHEN 1 THEN '1/2-1/2' WHEN 2 THEN '0-1' ELSE '*' END AS result,
    CASE WHEN game.date IS NOT NULL THEN
        CASE WHEN game.date >> 9 = 0 THEN '????' ELSE printf('%04d', game.date >> 9) END || '.' ||
        CASE WHEN game.date >> 5 & 15 = 0 THEN '??' ELSE printf('%02d', game.date >> 5 & 15) END || '.' ||
        CASE WHEN game.date & 31 = 0 THEN '??' ELSE printf('%02d', game.date & 31) END
    END AS date,
    event.name AS event,
    site.name AS site,
    game.round,
    game.white_elo,
    game.black_elo,
    CASE WHEN game.eco IS NOT NULL THEN char(65 + game.eco / 100) || printf('%02d', game.eco % 100) END AS eco,
    game.plies,
    CASE form.variant
        WHEN 0 THEN 'Standard' WHEN 1 THEN 'Chess960' WHEN 2 THEN 'Atomic' WHEN 3 THEN 'Antichess'
        WHEN 4 THEN 'King of the Hill' WHEN 5 THEN 'Three-check' WHEN 6 THEN 'Crazyhouse'
        WHEN 7 THEN 'Racing Kings' WHEN 8 THEN 'Horde'
    END AS variant,
    setup.fen AS fen,
    game.moves
FROM game
JOIN form ON form.id = game.form
LEFT JOIN player AS white ON white.id = game.white
LEFT JOIN player AS black ON black.id = game.black
LEFT JOIN event ON event.id = game.event
LEFT JOIN site ON site.id = game.site
LEFT JOIN setup ON setup.id = game.setup;

-- The tag pairs that have no column of their own, one a row.
CREATE VIEW other_tag AS
SELECT
    game.id AS game,
    json_extract(form.layout, '$[' || text.value || ']') AS name,
    tag.value AS value
FROM game
JOIN form ON form.id = game.form
JOIN json_each(form.texts) AS text
JOIN json_each(game.tags) AS tag ON tag.key = text.key;
