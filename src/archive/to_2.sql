-- Version 2: games of one section share a row; the archive has indexes of its own (made by `to_2.rs`);
-- annotations are stored; an import goes on where it stopped.
DROP VIEW games;
DROP VIEW other_tag;
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
        CASE WHEN instr(form.kinds, '"address"') THEN json_extract(game.tags, '$[0]') ELSE '' END AS site,
    CASE
        WHEN typeof(game.round) = 'text' OR game.round > 0 THEN game.round
        WHEN game.round = 0 THEN '?'
        ELSE printf('%d.%d', -(game.round + 1) / 1000, -(game.round + 1) % 1000)
    END AS round,
    game.white_elo,
    game.black_elo,
    CASE WHEN game.eco IS NOT NULL THEN char(65 + game.eco / 100) || printf('%02d', game.eco % 100) END AS eco,
    game.plies,
    CASE form.variant
        WHEN 0 THEN 'Standard' WHEN 1 THEN 'Chess960' WHEN 2 THEN 'Atomic' WHEN 3 THEN 'Antichess'
        WHEN 4 THEN 'King of the Hill' WHEN 5 THEN 'Three-check' WHEN 6 THEN 'Crazyhouse'
        WHEN 7 THEN 'Racing Kings' WHEN 8 THEN 'Horde' WHEN 9 THEN 'Xelto'
    END AS variant,
    CASE WHEN instr(form.layout, '"FEN"') THEN
        (SELECT value FROM other_tag WHERE other_tag.game = game.id AND name = 'FEN')
    END AS fen,
    game.moves
FROM game
JOIN section ON section.id = game.section
JOIN form ON form.id = section.form
LEFT JOIN player AS white ON white.id = game.white
LEFT JOIN player AS black ON black.id = game.black
LEFT JOIN event ON event.id = section.event
LEFT JOIN site ON site.id = section.site;

CREATE VIEW other_tag AS
SELECT
    game.id AS game,
    json_extract(form.layout, '$[' || kind.place || ']') AS name,
    CASE kind.kind
        WHEN 'common' THEN (SELECT text FROM value WHERE id = json_extract(section.tags, '$[' || kind.number || ']'))
        WHEN 'value' THEN (SELECT text FROM value WHERE id = json_extract(game.tags, '$[' || kind.number || ']'))
        WHEN 'signed' THEN printf('%+d', json_extract(game.tags, '$[' || kind.number || ']'))
        WHEN 'time' THEN time(json_extract(game.tags, '$[' || kind.number || ']'), 'unixepoch')
        ELSE json_extract(game.tags, '$[' || kind.number || ']')
    END AS value
FROM game
JOIN section ON section.id = game.section
JOIN form ON form.id = section.form
JOIN (
    SELECT form.id AS form, each.key AS place, each.value AS kind,
           row_number() OVER (
               PARTITION BY form.id, each.value = 'common' ORDER BY each.value <> 'address', each.key
           ) - 1 AS number
    FROM form JOIN json_each(form.kinds) AS each
    WHERE each.value NOT IN ('column', 'date', 'tail')
) AS kind ON kind.form = form.id
WHERE kind.kind <> 'address';
