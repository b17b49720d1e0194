-- Version 3: rows have checksums (made by `to_3`).
CREATE TABLE checksum (
    subject INTEGER NOT NULL,
    bucket  INTEGER NOT NULL,
    count   INTEGER NOT NULL,
    late    INTEGER NOT NULL,
    sum     INTEGER NOT NULL,
    PRIMARY KEY (subject, bucket)
) STRICT, WITHOUT ROWID;
