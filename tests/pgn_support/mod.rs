//! Real games for the tests of reading and writing PGN.
#![allow(dead_code, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::path::{Path, PathBuf};

use super::common::{corpus, data, trials};
use plybook::pgn::{Game, GameSplitter, Reader, Reject};
use plybook::sources::Source;

/// The PGN files of a collection's folder, in order of name.
pub fn folder(name: &str) -> Vec<PathBuf> {
    let Some(folder) = corpus(name) else { return Vec::new() };
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
}

/// Hands every game of a file to `each` with its text, up to a number of games.
pub fn each_game(path: &Path, most: usize, mut each: impl FnMut(&[u8], Result<Game, Reject>)) {
    let source = Source::File(path.to_owned());
    let mut count = 0;
    source
        .open(None, &Default::default(), 1, |reader| {
            let (mut cutter, mut games) = (GameSplitter::new(reader), Reader::new());
            while let Some(batch) = cutter.next_batch(1 << 20).unwrap() {
                for piece in &batch.games {
                    let text = &batch.text[piece.range.clone()];
                    for (bytes, game) in games.read(text) {
                        count += 1;
                        if count <= most {
                            each(&text[bytes], game);
                        }
                    }
                }
                if count >= most {
                    return;
                }
            }
        })
        .unwrap();
}

/// Games of the large collections as one text that python-chess reads, for which a second blank line after the tags is
/// the end of the game: of the masters so many. All of them can be stored, and none is there twice.
pub fn real_games(otb: usize) -> Option<String> {
    let mut text = String::new();
    for (name, most) in [("lichess.pgn.zst", 1_200), ("otb.pgn.zst", otb)] {
        let mut taken = 0;
        each_game(&corpus(name)?, trials(most, 2 * most), |source, game| {
            let Ok(source) = std::str::from_utf8(source) else { return };
            let source = source.trim().replace("\r\n", "\n").replacen("\n\n\n", "\n\n", 1);
            if game.is_ok() {
                text += &source;
                text += "\n\n";
                taken += 1;
            }
        });
        assert!(10 * taken > 9 * most, "{name}: {taken}");
    }
    Some(text)
}

pub fn read_one(text: &str) -> Result<Game, Reject> {
    let mut games = Vec::new();
    games.extend(Reader::new().read(text.as_bytes()).map(|(_, game)| game));
    assert_eq!(games.len(), 1, "{text}");
    games.remove(0)
}

/// Everything that is read here, with the number of games looked at in each.
pub fn collections() -> Vec<(PathBuf, usize)> {
    let mut files: Vec<(PathBuf, usize)> = ["annotated.pgn", "famous.pgn", "setup.pgn", "chess960.pgn"]
        .iter()
        .map(|name| (data(name), usize::MAX))
        .collect();
    for name in ["annotated", "hard"] {
        files.extend(folder(name).into_iter().map(|path| (path, usize::MAX)));
    }
    files.extend(corpus("lichess.pgn.zst").map(|path| (path, usize::MAX)));
    files.extend(corpus("otb.pgn.zst").map(|path| (path, 5_000)));
    files.extend(corpus("variants.pgn").map(|path| (path, usize::MAX)));
    files
}
