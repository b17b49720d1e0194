//! Decodes the blob of a game, as it stands in `game.moves` of an archive, without an archive.
//!
//! ```console
//! cargo run --example decode_blob --no-default-features
//! ```

use plybook::{
    chess::{Position, SanPlus, Variant, VariantPosition},
    codec::{CodecId, game::Step},
    record::fen,
};

/// 1. e4 e5 2. Nf3 f6, unfinished, with codec 1: the number 8712609247 in little-endian bytes.
const BLOB: [u8; 5] = [0xdf, 0xdd, 0x4f, 0x07, 0x02];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let start: VariantPosition = Variant::Standard.start();
    // Four plies: some codecs need their number, this one does not.
    let mut replay = CodecId::Index.replay(start, &BLOB, 4)?;
    loop {
        let before = replay.position().clone();
        match replay.step()? {
            Step::Move(m) => {
                let number = before.fullmoves();
                let dots = if before.turn().is_white() { "." } else { "..." };
                println!(
                    "{number}{dots} {:7}{}",
                    SanPlus::from_move(before, m).to_string(),
                    fen(replay.position())
                );
            }
            Step::End(outcome) => {
                println!("{outcome}");
                return Ok(());
            }
        }
    }
}
