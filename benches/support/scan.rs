//! A scan of every position of an archive, with Zobrist keys, on all cores.

use std::{fs, hint::black_box};

use plybook::{
    archive::{Archive, Filter},
    import::{Options, import_paths},
    query,
};

use super::{clock::timed, corpus::Corpus, ratio};

/// Prints how many million positions a second are scanned.
pub fn measure(corpus: &Corpus, times: usize) {
    let folder = tempfile::tempdir().unwrap();
    let (file, path) = (folder.path().join("games.pgn"), folder.path().join("games.db"));
    fs::write(&file, &corpus.text).unwrap();
    import_paths(&path, &[file], &Options::default()).expect("the corpus can be imported");
    let archive = Archive::open(&path).expect("it was made a moment ago");
    let mut rates = Vec::new();
    for _ in 0..times {
        let scan = |_| {
            query::scan(&archive, &Filter::default(), |position| {
                black_box(position.key);
            })
        };
        let (taken, extent) = timed(1, scan);
        rates.push(extent.expect("the archive is sound").positions as f64 / taken.wall / 1e6);
    }
    println!("  every position scanned, with its Zobrist key: {} million a second", ratio(&rates));
}
