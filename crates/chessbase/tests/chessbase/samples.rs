//! The samples, changed at random.

use std::{fs, path::Path};

use crate::{Files, needs::corpus, safety::read_if_possible};

/// Random changes of each sample; the first one has 503 games. `PLYBOOK_CHANGES` is how many times as many.
const SAMPLES: [(&str, usize); 5] = [
    ("old/linares", 3),
    ("veryold/Mate2", 100),
    ("test-annotations/test-annotations", 100),
    ("text/text", 100),
    ("cbhlib_test/cbhlib_test", 100),
];

fn files_of(base: &Path) -> Files {
    let extensions = ["cbh"].iter().chain(&plybook_chessbase::EXTENSIONS);
    let files = extensions.filter_map(|extension| {
        Some(((*extension).to_owned(), fs::read(base.with_extension(extension)).ok()?))
    });
    files.collect()
}

#[test]
fn samples_with_random_changes_are_errors_or_read() {
    let Some(folder) = corpus("chessbase") else { return };
    let times = std::env::var("PLYBOOK_CHANGES").ok().and_then(|times| times.parse().ok()).unwrap_or(1);
    let mut state = 88_172_645_463_325_252_u64;
    let mut below = |bound: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state % bound as u64) as usize
    };
    for (name, changes) in SAMPLES {
        let whole = files_of(&folder.join(name));
        for _ in 0..changes * times {
            let mut files = whole.clone();
            for _ in 0..=below(6) {
                let file = below(files.len());
                let bytes = files.values_mut().nth(file).unwrap();
                let at = below(bytes.len());
                bytes[at] = below(256) as u8;
            }
            read_if_possible(&files);
        }
    }
}
