//! Recognizes formats that are not PGN and reports them by name, with what to do. Only files that cannot be PGN are
//! listed here; whether a text is PGN is decided by the reader of games.

use std::path::Path;

/// Magic bytes: their offset, the bytes, and the error message.
const MARKS: &[(usize, &[u8], &str)] = &[
    (0, b"PK\x03\x04", "a zip archive can only be read from a file: save it to a file first"),
    (0, b"7z\xbc\xaf", "7z archives are not supported: extract it first"),
    (0, b"Rar!", "rar archives are not supported: extract it first"),
    (257, b"ustar", "tar archives are not supported: extract it first"),
    (0, b"MSCF", "cab archives are not supported: extract it first"),
    (0, b"LZIP", "lzip is not supported: decompress it first"),
    (0, b"\x04\x22\x4d\x18", "lz4 is not supported: decompress it first"),
    (0, b"\x1f\x9d", "compress (.Z) is not supported: decompress it first"),
    (0, b"SQLite format 3\0", "this is a SQLite database, not PGN: export its games as PGN first"),
    (0, b"Scid.si\0\x01\x2c", SCID_3),
    (0, b"Scid.", SCID),
    (0, b"\0\0\x24\0\x2e", CHESSBASE),
    (0, b"\0\0\x2c\0\x2e", CHESSBASE),
    (4, b"\xad\0\x03\0", CHESSBASE),
    (0, b"\x89PNG", PICTURE),
    (0, b"\xff\xd8\xff", PICTURE),
    (0, b"GIF87a", PICTURE),
    (0, b"GIF89a", PICTURE),
    (8, b"WEBP", PICTURE),
    (0, b"II*\0", PICTURE),
    (0, b"MM\0*", PICTURE),
    (0, b"%PDF-", "this is a PDF document, not PGN: save the games in it as text"),
    (0, b"{\\rtf", "this is an RTF document, not PGN: save it as plain text"),
    (0, b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "this is an Office document, not PGN: save it as plain text"),
    (0, b"\x7fELF", PROGRAM),
    (0, b"MZ\x90\0", PROGRAM),
    (0, b"\xcf\xfa\xed\xfe", PROGRAM),
    (0, b"\xca\xfe\xba\xbe", PROGRAM),
];

/// The error message for a plybook archive inside another file or stream.
const ARCHIVE: &str =
    "this is a plybook archive, which can only be read directly from a file: save or extract it first";

const PICTURE: &str = "this is an image, not PGN";
const PROGRAM: &str = "this is a program, not PGN";
const SCID: &str = "this is a Scid database, which has several files: give the name of its .si4 file";
const SCID_3: &str =
    "this is a database of Scid 3: open it in Scid 4, which converts it, then import the new .si4 file";
const SCID_WITHOUT_INDEX: &str = "this file of a Scid database has no index (.si4 or .si5) next to it";
const CHESSBASE: &str = "a ChessBase database can only be read from its files, not compressed: give the name of the .cbh or .cbv file";
const CHESSBASE_WITHOUT_HEADERS: &str =
    "this file belongs to a ChessBase database, but its .cbh file is not in the same directory";
const CHESSBASE_17: &str = "this is a database of ChessBase 17 or later: in ChessBase, copy its games into a new database of \
                            the type .cbh, and import that";
const CHESSBASE_5: &str = "this is a database of ChessBase 5 or earlier: open it in ChessBase, copy its games into a new \
                           database of the type .cbh, and import that";
const CHESSBASE_ONE: &str = "this is a ChessBase database in one file: in ChessBase, copy its games into a new database of \
                             the type .cbh, and import that";
const CHESSBASE_ENCRYPTED: &str = "this archive of ChessBase is encrypted with a password: unpack it in ChessBase, and import the .cbh file";
const WEB_PAGE: &str = "this is a web page (HTML), not PGN: download the PGN file itself";

/// File extensions of databases that have no magic bytes.
const ENDINGS: &[(&[&str], &str)] = &[
    (
        &["cbg", "cba", "cbp", "cbt", "cbc", "cbs", "cbe", "cbl", "cbb", "cbj", "cbtt"],
        CHESSBASE_WITHOUT_HEADERS,
    ),
    (&["si3", "sg3", "sn3"], SCID_3),
    (&["sg4", "sn4", "sg5", "sn5"], SCID_WITHOUT_INDEX),
    (&["2cbh", "2cbg", "2cba", "2lid"], CHESSBASE_17),
    (&["cbf", "cbi"], CHESSBASE_5),
    (&["cbone"], CHESSBASE_ONE),
    (&["cbz"], CHESSBASE_ENCRYPTED),
];

/// The error message for a file whose name shows that it is not PGN.
pub(super) fn named(path: &Path) -> Option<&'static str> {
    let ending = path.extension()?.to_str()?.to_lowercase();
    ENDINGS.iter().find(|(endings, _)| endings.contains(&&*ending)).map(|(_, what)| *what)
}

/// Whether a file starts like a plybook archive: SQLite's header with plybook's `application_id`.
pub fn is_archive(beginning: &[u8]) -> bool {
    beginning.starts_with(b"SQLite format 3\0") && beginning.get(68..72) == Some(b"PLYB")
}

/// The error message for a source whose first decompressed bytes show that it is not PGN.
pub(super) fn begun(beginning: &[u8]) -> Option<&'static str> {
    let is_there = |(at, mark, _): &&(usize, &[u8], &str)| {
        beginning.get(*at..).is_some_and(|bytes| bytes.starts_with(mark))
    };
    if is_archive(beginning) {
        return Some(ARCHIVE);
    }
    let marked = MARKS.iter().find(is_there).map(|(.., what)| *what);
    marked.or_else(|| is_web_page(beginning).then_some(WEB_PAGE))
}

fn is_web_page(beginning: &[u8]) -> bool {
    let begins = |mark: &[u8]| {
        beginning.trim_ascii_start().get(..mark.len()).is_some_and(|bytes| bytes.eq_ignore_ascii_case(mark))
    };
    begins(b"<!doctype html") || begins(b"<html")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_that_may_be_pgn_is_not_rejected() {
        let games =
            ["[Event \"a\"]", "1. e4", "% 1", "%PD", "{GIF89a}", "; <html>", "", "arxe : a", "\u{feff}["];
        for text in games {
            assert_eq!(begun(text.as_bytes()), None, "{text}");
        }
        for name in ["a.pgn", "a.txt", "a", ".cbz", "cbh", "a.pgn.gz", "a.bin"] {
            assert_eq!(named(Path::new(name)), None, "{name}");
        }
        assert_eq!(named(Path::new("Mega.2CBH")), Some(CHESSBASE_17));
        assert_eq!(begun(b"\n<!DOCTYPE HTML><html>"), Some(WEB_PAGE));
    }
}
