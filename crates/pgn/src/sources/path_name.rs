//! File names as text: unchanged if they are UTF-8, and unique for each file; and the part that indicates the format.

use std::{
    fmt::Write,
    path::{MAIN_SEPARATOR, Path},
};

/// Additional extensions of compressed files.
const PACKED: [&str; 4] = [".zst", ".gz", ".bz2", ".xz"];

/// A path as text, with `/` as separator on every system, so that an archive's sources have the same names wherever
/// they are imported. A byte that is not UTF-8 is written as two hexadecimal digits in angle brackets, `<e9>`, and so
/// is a `<` that begins such a sequence in the name itself: no two paths have the same text.
pub fn path_name(path: &Path) -> String {
    let mut name = String::new();
    for chunk in path.as_os_str().as_encoded_bytes().utf8_chunks() {
        let mut rest = chunk.valid();
        while let Some(at) = rest.find('<') {
            let (before, word) = rest.split_at(at);
            name.push_str(before);
            name.push_str(if is_escape(word) { "<3c>" } else { "<" });
            rest = &word[1..];
        }
        name.push_str(rest);
        for byte in chunk.invalid() {
            // Writing to a string cannot fail.
            let _ = write!(name, "<{byte:02x}>");
        }
    }
    with_slashes(name, MAIN_SEPARATOR)
}

/// A path with `separator` replaced by `/`. On other systems that character is part of a name.
fn with_slashes(path: String, separator: char) -> String {
    if separator == '/' { path } else { path.replace(separator, "/") }
}

/// Whether a text begins like an escaped byte.
fn is_escape(text: &str) -> bool {
    let is_digit = |byte: &u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
    matches!(text.as_bytes(), [b'<', high, low, b'>', ..] if is_digit(high) && is_digit(low))
}

/// The file name in lower case, without the extension of a compressed file.
pub(super) fn plain_name(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default().to_string_lossy().to_lowercase();
    let packed = PACKED.iter().find_map(|packed| name.strip_suffix(packed));
    packed.map(str::to_owned).unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_use_slashes_on_every_system() {
        assert_eq!(with_slashes(r"C:\games\a b.pgn.zst".to_owned(), '\\'), "C:/games/a b.pgn.zst");
        assert_eq!(with_slashes(r"games/a\b.pgn".to_owned(), '/'), r"games/a\b.pgn");
        let path: std::path::PathBuf = ["games", "2024", "a.pgn"].iter().collect();
        assert_eq!(path_name(&path), "games/2024/a.pgn");
    }
}

#[cfg(all(test, unix))]
mod unix_tests {
    use std::{collections::HashMap, ffi::OsStr, os::unix::ffi::OsStrExt};

    use super::*;

    fn name(bytes: &[u8]) -> String {
        path_name(Path::new(OsStr::from_bytes(bytes)))
    }

    #[test]
    fn valid_names_are_kept_and_others_are_escaped() {
        for plain in ["a.pgn", "Zürich/a b.pgn", "a<b>.pgn", "<", "<<", "<3C>", "<3g>", "-", "a\\xe9.pgn"] {
            assert_eq!(name(plain.as_bytes()), plain);
        }
        assert_eq!(name(b"Z\xfcrich.pgn"), "Z<fc>rich.pgn");
        assert_eq!(name(b"Z<fc>rich.pgn"), "Z<3c>fc>rich.pgn");
    }

    #[test]
    fn different_names_have_different_texts() {
        let parts: [&[u8]; 9] = [b"<", b"f", b"c", b">", b"\xfc", b"<fc>", b"<3c>", b"\xe9", "é".as_bytes()];
        let mut names: HashMap<String, Vec<u8>> = HashMap::new();
        for number in 0..9_usize.pow(5) {
            let places = (0..5).map(|place| parts[number / 9_usize.pow(place) % 9]);
            let bytes = places.collect::<Vec<_>>().concat();
            let other = names.insert(name(&bytes), bytes.clone());
            assert!(other.as_ref().is_none_or(|other| *other == bytes), "{other:?} and {bytes:?}");
        }
    }
}
