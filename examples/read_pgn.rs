//! Reads PGN: every game with its moves, and what was odd about it.
//!
//! ```console
//! cargo run --example read_pgn --no-default-features --features pgn -- data/famous.pgn
//! ```

use std::{env, fs::File};

use plybook::pgn::{GameSplitter, Reader};

/// Bytes of games that are read at a time.
const BATCH: usize = 1 << 20;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = env::args().nth(1).unwrap_or_else(|| "data/famous.pgn".to_owned());
    let (mut splitter, mut reader) = (GameSplitter::new(File::open(path)?), Reader::new());
    while let Some(batch) = splitter.next_batch(BATCH)? {
        for text in &batch.games {
            for (_, game) in reader.read(&batch.text[text.range.clone()]) {
                match game {
                    Ok(game) => {
                        let tag = |name| game.tags.get(name).unwrap_or("?");
                        println!(
                            "{} - {}: {} plies, {}",
                            tag("White"),
                            tag("Black"),
                            game.moves.len(),
                            game.outcome
                        );
                        for (warning, times) in game.warnings.iter() {
                            println!("  {}: {times}", warning.text());
                        }
                    }
                    Err(reject) => println!("line {}: {}", text.line, reject.reason),
                }
            }
        }
    }
    Ok(())
}
