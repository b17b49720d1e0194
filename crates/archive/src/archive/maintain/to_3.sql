-- Version 3: rows have checksums (added by `migrate.rs`).
CREATE TABLE checksum (
    subject INTEGER NOT NULL,
    bucket  INTEGER NOT NULL,
    count   INTEGER NOT NULL,
    late    INTEGER NOT NULL,
    sum     INTEGER NOT NULL,
    PRIMARY KEY (subject, bucket)
) STRICT, WITHOUT ROWID;
