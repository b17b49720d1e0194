//! A scan of every position of an archive, with Zobrist keys, on all cores; beside it the parse floor, on one.

use std::{fs, hint::black_box};

use plybook::{
    archive::{Archive, Filter},
    import::{Options, import_paths},
    query,
};

use super::{clock::timed, corpus::Corpus, floor, ratio};

/// Prints how many million positions a second are scanned, and how many times that is what the parse floor plays.
pub fn measure(corpus: &Corpus, times: usize) {
    let folder = tempfile::tempdir().unwrap();
    let (file, path) = (folder.path().join("games.pgn"), folder.path().join("games.db"));
    fs::write(&file, &corpus.text).unwrap();
    import_paths(&path, std::slice::from_ref(&file), &Options::default())
        .expect("the corpus can be imported");
    let archive = Archive::open(&path).expect("it was made a moment ago");
    let (mut rates, mut ratios) = (Vec::new(), Vec::new());
    for _ in 0..times {
        let (floor, tally) = timed(1, |_| floor::parse(&file));
        let scan = |_| {
            query::scan(&archive, &Filter::default(), |position| {
                black_box(position.key);
            })
        };
        let (taken, extent) = timed(1, scan);
        let rate = extent.expect("the archive is sound").positions as f64 / taken.wall;
        rates.push(rate / 1e6);
        ratios.push(rate * floor.wall / tally.plies as f64);
    }
    println!("  every position scanned, with its Zobrist key: {} million a second,", ratio(&rates));
    println!("  {} times as many as the floor plays moves", ratio(&ratios));
}
