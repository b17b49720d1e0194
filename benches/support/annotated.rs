//! Imports of games with a long comment at every move, beside zstd packing the same text: both take turns.

use std::fs;

use super::{
    clock::{Spread, timed},
    corpus::{self, Corpus},
    import,
};

/// The collection of games of engines.
pub const FILE: &str = "tcec.pgn.zst";

/// Levels of zstd that are compared with.
const LEVELS: [i32; 2] = [3, 6];

/// Threads that parse.
const THREADS: usize = 2;

/// Prints what a core imports and packs in a second, and how many bytes it becomes; nothing where the collection is
/// absent.
pub fn measure(pairs: usize) {
    let path = corpus::folder().join(FILE);
    if !path.is_file() {
        return println!("{} is absent, so no import of long comments is measured.", path.display());
    }
    let Corpus { name, text } = corpus::beginning(&path, usize::MAX);
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("games.pgn");
    fs::write(&file, &text).unwrap();
    let (mut imports, mut bytes, mut others) = (Vec::new(), 0, LEVELS.map(|level| (level, Vec::new(), 0)));
    for _ in 0..pairs {
        let (taken, report) = import(4, THREADS, &file);
        imports.push(taken.cpu.unwrap_or(taken.wall));
        bytes = report.archive_bytes;
        for (level, seconds, packed) in &mut others {
            let (taken, frame) = timed(4, |_| zstd::bulk::compress(&text, *level).unwrap());
            seconds.push(taken.cpu.unwrap_or(taken.wall));
            *packed = frame.len() as u64;
        }
    }
    println!("\n{name}\n  {} bytes; MB of them a second of one core: median (range), and bytes:", text.len());
    print_line("import", text.len(), imports, bytes);
    for (level, seconds, packed) in others {
        print_line(&format!("zstd -{level}"), text.len(), seconds, packed);
    }
}

fn print_line(what: &str, text: usize, seconds: Vec<f64>, bytes: u64) {
    let Spread { median, least, greatest } = Spread::of(seconds.iter().map(|time| text as f64 / time / 1e6));
    println!("  {what:<8} {median:>6.1} ({least:.1}–{greatest:.1}) {bytes:>10}");
}
