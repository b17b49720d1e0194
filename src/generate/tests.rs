//! Properties of generated games.

use std::hash::Hasher;

use twox_hash::XxHash3_64;

use super::Generator;
use crate::pgn::{GameSplitter, Reader};

/// The first events of a seed, with at least this many games.
fn generated(seed: u64, games: u64) -> String {
    let (generator, mut out) = (Generator::new(seed), String::new());
    let (mut event, mut left) = (0, games);
    while left > 0 {
        let most = generator.games_of(event).min(left);
        generator.write_event(event, most, &mut out);
        (event, left) = (event + 1, left - most);
    }
    out
}

#[test]
fn a_seed_gives_the_same_bytes_for_ever() {
    let mut hash = XxHash3_64::with_seed(0);
    hash.write(generated(1, 300).as_bytes());
    assert_eq!(hash.finish(), 9_263_569_938_293_328_892);
    assert_ne!(generated(1, 3), generated(2, 3));
}

#[test]
fn an_event_hangs_on_its_number_alone() {
    let generator = Generator::new(5);
    let [mut alone, mut after] = [String::new(), String::new()];
    generator.write_event(1, u64::MAX, &mut alone);
    generator.write_event(0, u64::MAX, &mut after);
    let zeroth = after.len();
    generator.write_event(1, u64::MAX, &mut after);
    assert_eq!(after[zeroth..], alone);
    assert_eq!(alone.matches("[Event ").count() as u64, generator.games_of(1));
}

#[test]
fn games_are_legal_complete_and_as_long_as_real_ones() {
    let text = generated(3, 4_000);
    let mut cutter = GameSplitter::new(text.as_bytes());
    let (mut reader, mut plies, mut drawn, mut white) = (Reader::default(), Vec::new(), 0, 0);
    while let Ok(Some(batch)) = cutter.next_batch(1 << 20) {
        for piece in &batch.games {
            for (_, game) in reader.read(&batch.text[piece.range.clone()]) {
                let game = game.unwrap_or_else(|reject| panic!("{reject:?}"));
                assert_eq!(game.warnings.iter().count(), 0, "{:?}", game.warnings);
                let result = game.tags.get("Result").unwrap_or_default();
                drawn += u32::from(result == "1/2-1/2");
                white += u32::from(result == "1-0");
                plies.push(game.moves.len());
            }
        }
    }
    assert_eq!(plies.len(), 4_000);
    let mean = plies.iter().sum::<usize>() as f64 / plies.len() as f64;
    assert!((75.0..90.0).contains(&mean), "{mean} plies");
    plies.sort_unstable();
    assert!((70..90).contains(&plies[2_000]), "median {}", plies[2_000]);
    assert!((1_000..1_900).contains(&drawn), "{drawn} drawn");
    assert!((1_000..1_800).contains(&white), "{white} won by White");
}
