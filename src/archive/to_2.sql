-- Version 2: an import goes on where it stopped. A source keeps how far it has been read, and what it was.
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
