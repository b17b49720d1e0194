//! An encoding of one's own beside plybook's: a nibble a move where the index among the legal moves is below 15,
//! else fifteen and a byte.
//!
//! ```console
//! cargo run --example own_codec --no-default-features
//! ```

use plybook::{
    bits::{BitReader, Bits},
    chess::{Outcome, Variant, VariantPosition, move_list},
    codec::{
        DecodeError, EncodeError,
        game::{GAME_CODECS, GameCode, GameCodec, GameMoves, PlayedGame},
    },
    rules::{LegalMoves, Rules},
};

/// The nibble before a byte.
const ESCAPE: u64 = 15;

const NIBBLES: GameCodec = GameCodec {
    name: "nibbles",
    year: 2026,
    source: "an example",
    holds_end: false,
    outcome: false,
    cost: "4 or 12 per ply",
    worst: "12 per ply",
    summary: "the index of a move as a nibble, or as fifteen and a byte",
    encode,
    decode,
};

fn encode(game: &PlayedGame<'_>) -> Result<GameCode, EncodeError> {
    let mut bits = Bits::default();
    for step in &game.steps {
        match u64::from(step.index) {
            index @ 0..ESCAPE => bits.push(index, 4),
            index => bits.push(ESCAPE << 8 | index, 12),
        }
    }
    Ok(GameCode { bits, plies: Some(game.moves.len()) })
}

fn decode(
    start: &VariantPosition,
    bytes: &[u8],
    plies: Option<usize>,
) -> Result<GameMoves<VariantPosition>, DecodeError> {
    let (mut position, mut bits, mut moves) = (start.clone(), BitReader::new(bytes), Vec::new());
    for ply in 0..plies.ok_or(DecodeError::NoPlies)? {
        let index = match bits.take(4)? {
            ESCAPE => bits.take(8)?,
            index => index,
        };
        let index = u32::try_from(index).map_err(|_| DecodeError::NoSuchMove(ply))?;
        let m = position.legal().nth(index).ok_or(DecodeError::NoSuchMove(ply))?;
        position.make(m);
        moves.push(m);
    }
    Ok(GameMoves { start: start.clone(), moves, outcome: Outcome::Unknown })
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (_, moves) = move_list("1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6")?;
    let start = Variant::Standard.start();
    let game = GameMoves { start, moves, outcome: Outcome::Unknown };

    let code = NIBBLES.encode(&game)?;
    assert_eq!(NIBBLES.decode(&game.start, code.bits.bytes(), code.plies)?, game);

    for codec in GAME_CODECS.iter().copied().chain([&NIBBLES]) {
        println!("{:12} {:4} bits", codec.name, codec.encode(&game)?.bits.len());
    }
    Ok(())
}
