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
        game::{GAME_CODECS, GameCode, GameCodec, GameCodecInfo, GameEncoder, GameMoves, Played},
    },
    rules::{FinalPosition, LegalMoves, Rules},
};

struct Nibbles;

/// The nibble before a byte.
const ESCAPE: u64 = 15;

impl GameCodec for Nibbles {
    fn info(&self) -> &'static GameCodecInfo {
        &GameCodecInfo {
            name: "nibbles",
            year: 2026,
            source: "an example",
            outcome: false,
            cost: "4 or 12 per ply",
            worst: "12 per ply",
            summary: "the index of a move as a nibble, or as fifteen and a byte",
        }
    }

    fn encoder(&self) -> Box<dyn GameEncoder> {
        Box::new(Writer::default())
    }

    fn decode(
        &self,
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
            let index = u32::try_from(index).map_err(|_| DecodeError::NoSuchMove { ply })?;
            let m = position.legal().nth(index).ok_or(DecodeError::NoSuchMove { ply })?;
            position.make(m);
            moves.push(m);
        }
        Ok(GameMoves { start: start.clone(), moves, outcome: Outcome::Unknown })
    }
}

/// Writes a game, move by move.
#[derive(Default)]
struct Writer {
    bits: Bits,
    plies: usize,
}

impl GameEncoder for Writer {
    fn write(&mut self, played: Played<'_>) -> Result<(), EncodeError> {
        let index = u64::from(played.step.index);
        match index {
            0..ESCAPE => self.bits.push(index, 4),
            _ => self.bits.push(ESCAPE << 8 | index, 12),
        }
        self.plies += 1;
        Ok(())
    }

    fn finish(self: Box<Self>, _: Outcome, _: FinalPosition) -> Result<GameCode, EncodeError> {
        Ok(GameCode { bits: self.bits, plies: Some(self.plies) })
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (_, moves) = move_list("1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6")?;
    let start = Variant::Standard.start();
    let game = GameMoves { start, moves, outcome: Outcome::Unknown };

    let code = Nibbles.encode(&game)?;
    assert_eq!(Nibbles.decode(&game.start, code.bits.bytes(), code.plies)?, game);

    let own: &dyn GameCodec = &Nibbles;
    for codec in GAME_CODECS.iter().copied().chain([own]) {
        println!("{:12} {:4} bits", codec.info().name, codec.encode(&game)?.bits.len());
    }
    Ok(())
}
