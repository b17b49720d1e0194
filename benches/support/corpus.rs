//! The games that are measured: the bundled sample, and the beginning of a large collection where it is at
//! hand.

use std::{env, path::Path, path::PathBuf, sync::Arc};

use plybook::pgn::GameSplitter;
use plybook::sources::{OpenSource, Source, find_sources};

/// The large collection's file.
const LARGE: &str = "otb.pgn.zst";

/// Where the large collection is looked for when `PLYBOOK_CORPUS` names no folder.
const USUAL_FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../shared/data");

/// Unpacked bytes cut at a time.
const PORTION: usize = 1 << 20;

/// Some PGN, unpacked, and what to call it.
pub struct Corpus {
    pub name: String,
    pub text: Vec<u8>,
}

/// Whether figures are wanted. `cargo test --benches` starts the same programs without this flag; then they
/// only show, on the sample, that they still work.
pub fn measuring() -> bool {
    env::args().any(|arg| arg == "--bench")
}

/// The sample, and so many games of the large collection if it is there.
pub fn all(games: usize) -> Vec<Corpus> {
    let mut corpora = vec![sample()];
    let large = folder().join(LARGE);
    if !measuring() {
        println!("Only a trial on the bundled sample, without figures: cargo bench measures.");
    } else if large.is_file() {
        corpora.push(beginning(&large, games));
    } else {
        println!("{} is absent, so only the bundled sample is measured.", large.display());
        println!("PLYBOOK_CORPUS=FOLDER names the directory that holds {LARGE}.");
    }
    corpora
}

/// Where the large collections are.
pub fn folder() -> PathBuf {
    env::var_os("PLYBOOK_CORPUS").map_or_else(|| USUAL_FOLDER.into(), PathBuf::from)
}

/// Everything in `data/`, as one text.
fn sample() -> Corpus {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("data");
    let mut text = Vec::new();
    for source in find_sources(&[folder], &[".pgn", ".xelto"]).expect("the sample is part of the project") {
        text.extend(first_games(&source, usize::MAX).1);
        text.push(b'\n');
    }
    Corpus { name: "sample (data/)".into(), text }
}

/// The first games of a collection.
pub fn beginning(path: &Path, games: usize) -> Corpus {
    let sources = find_sources(&[path.to_owned()], &[".pgn"]).expect("the large collection can be opened");
    let (found, text) = first_games(&sources[0], games);
    let file = path.file_name().unwrap_or_default().to_string_lossy();
    Corpus { name: format!("{file}, first {found} games"), text }
}

/// The text of the first games of a source, and how many there are.
fn first_games(source: &Source, games: usize) -> (usize, Vec<u8>) {
    let (mut found, mut text) = (0, Vec::new());
    let cut = |reader: &mut OpenSource<'_>| {
        let mut cutter = GameSplitter::new(reader);
        while found < games
            && let Some(batch) = cutter.next_batch(PORTION).expect("the source can be read")
        {
            let wanted = batch.games.len().min(games - found);
            let end = batch.games[..wanted].last().map_or(0, |piece| piece.range.end);
            text.extend_from_slice(&batch.text[..end]);
            found += wanted;
        }
    };
    source.open(None, &Arc::default(), 1, cut).expect("the source can be opened");
    (found, text)
}
