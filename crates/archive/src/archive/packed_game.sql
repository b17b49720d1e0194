-- The table "game" of an archive in which plybook packed the columns of small numbers into one: since version 10. Its
-- rows take five bytes less. The columns of schema.sql are all there; SQLite computes those with AS when they are read.
-- "header" has, from the lowest bit on: result 2 bits; eco + 1, or 0 if there is none, 9; black_elo + 1, the lowest 14;
-- white_elo + 1, the lowest 14; plies 16; white_elo + 1, the highest 3; black_elo + 1, the rest.
CREATE TABLE game (
    id        INTEGER PRIMARY KEY,
    plies     INTEGER NOT NULL AS ((header >> 39) & 65535),
    result    INTEGER NOT NULL AS (header & 3),
    section   INTEGER NOT NULL REFERENCES section,
    white     INTEGER REFERENCES player,
    black     INTEGER REFERENCES player,
    round     ANY,
    moves     BLOB NOT NULL,
    white_elo INTEGER AS (nullif((((header >> 55) & 7) << 14) | ((header >> 25) & 16383), 0) - 1),
    black_elo INTEGER AS (nullif(((header >> 58) << 14) | ((header >> 11) & 16383), 0) - 1),
    eco       INTEGER AS (nullif((header >> 2) & 511, 0) - 1),
    tags      TEXT,
    header    INTEGER NOT NULL
) STRICT;
