-- Version 2: games of one section share a row; the archive has its own indexes (added by `migrate.rs`);
-- annotations are stored; an import continues where it stopped.
DROP VIEW IF EXISTS games;
DROP VIEW IF EXISTS other_tag;
DROP INDEX game_white;
DROP INDEX game_black;

CREATE TABLE new_form (
    id      INTEGER PRIMARY KEY,
    codec   INTEGER NOT NULL,
    variant INTEGER NOT NULL,
    layout  TEXT NOT NULL,
    kinds   TEXT NOT NULL
) STRICT;
INSERT INTO new_form
SELECT id, codec, variant, layout, (
    SELECT json_group_array(CASE
        WHEN tag.value = 'FEN' OR tag.key IN (SELECT value FROM json_each(form.texts)) THEN 'text'
        ELSE 'column'
    END)
    FROM json_each(form.layout) AS tag
)
FROM form;

CREATE TABLE new_player (
    id   INTEGER PRIMARY KEY,
    name TEXT NOT NULL
) STRICT;
INSERT INTO new_player SELECT id, name FROM player;
DROP TABLE player;
ALTER TABLE new_player RENAME TO player;

CREATE TABLE new_event (
    id   INTEGER PRIMARY KEY,
    name TEXT NOT NULL
) STRICT;
INSERT INTO new_event SELECT id, name FROM event;
DROP TABLE event;
ALTER TABLE new_event RENAME TO event;

CREATE TABLE new_site (
    id   INTEGER PRIMARY KEY,
    name TEXT NOT NULL
) STRICT;
INSERT INTO new_site SELECT id, name FROM site;
DROP TABLE site;
ALTER TABLE new_site RENAME TO site;

CREATE TABLE value (
    id   INTEGER PRIMARY KEY,
    text TEXT NOT NULL
) STRICT;

CREATE TABLE section (
    id    INTEGER PRIMARY KEY,
    form  INTEGER NOT NULL REFERENCES form,
    event INTEGER REFERENCES event,
    site  INTEGER REFERENCES site,
    date  INTEGER,
    tags  TEXT
) STRICT;
INSERT INTO section (form, event, site, date)
SELECT form, event, site, date FROM game GROUP BY form, event, site, date ORDER BY min(id);
CREATE INDEX section_parts ON section (form, event, site, date);

CREATE TABLE new_game (
    id        INTEGER PRIMARY KEY,
    plies     INTEGER NOT NULL,
    result    INTEGER NOT NULL,
    section   INTEGER NOT NULL REFERENCES section,
    white     INTEGER REFERENCES player,
    black     INTEGER REFERENCES player,
    round     ANY,
    moves     BLOB NOT NULL,
    white_elo INTEGER,
    black_elo INTEGER,
    eco       INTEGER,
    tags      TEXT
) STRICT;
INSERT INTO new_game
SELECT
    game.id, game.plies, game.result, section.id, game.white, game.black,
    CASE WHEN typeof(game.round) = 'integer' AND game.round <= 0 THEN CAST(game.round AS TEXT) ELSE game.round END,
    game.moves, game.white_elo, game.black_elo, game.eco,
    CASE WHEN game.setup IS NULL THEN game.tags ELSE (
        SELECT json_group_array(CASE
            WHEN tag.key IN (SELECT value FROM json_each(form.texts)) THEN json_extract(
                game.tags,
                '$[' || (SELECT count(*) FROM json_each(form.texts) AS text WHERE text.value < tag.key) || ']'
            )
            ELSE setup.fen
        END)
        FROM json_each(form.layout) AS tag
        WHERE tag.value = 'FEN' OR tag.key IN (SELECT value FROM json_each(form.texts))
    ) END
FROM game
JOIN form ON form.id = game.form
LEFT JOIN setup ON setup.id = game.setup
JOIN section ON section.form = game.form AND section.event IS game.event AND section.site IS game.site
    AND section.date IS game.date
ORDER BY game.id;
DROP INDEX section_parts;
DROP TABLE game;
ALTER TABLE new_game RENAME TO game;
DROP TABLE form;
ALTER TABLE new_form RENAME TO form;
DROP TABLE setup;

CREATE TABLE annotation (
    game  INTEGER PRIMARY KEY REFERENCES game,
    marks BLOB NOT NULL
) STRICT;

CREATE TABLE original (
    game INTEGER PRIMARY KEY REFERENCES game,
    text BLOB NOT NULL
) STRICT;

CREATE TABLE run (
    id          INTEGER PRIMARY KEY,
    kind        INTEGER NOT NULL,
    first_block INTEGER NOT NULL,
    blocks      INTEGER NOT NULL,
    keys        INTEGER NOT NULL
) STRICT;

CREATE TABLE block (
    id    INTEGER PRIMARY KEY,
    first INTEGER NOT NULL,
    count INTEGER NOT NULL,
    keys  BLOB NOT NULL
) STRICT;

CREATE TABLE new_source (
    id        INTEGER PRIMARY KEY,
    name      TEXT NOT NULL,
    imported  TEXT NOT NULL,
    ended     INTEGER NOT NULL,
    stamp     INTEGER,
    bytes     INTEGER NOT NULL,
    lines     INTEGER NOT NULL,
    hash      INTEGER,
    seen      INTEGER NOT NULL,
    stored    INTEGER NOT NULL,
    duplicate INTEGER NOT NULL,
    rejected  INTEGER NOT NULL
) STRICT;
INSERT INTO new_source
SELECT id, name, imported, 0, NULL, bytes, 0, NULL, seen, stored, duplicate, rejected FROM source;
DROP TABLE source;
ALTER TABLE new_source RENAME TO source;
