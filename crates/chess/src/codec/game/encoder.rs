//! Encodes games while they are played, so that each position is generated once for any number of encodings.

use super::{GameCode, GameCodec, GameMoves};
use crate::{
    bits::Bits,
    chess::{Move, VariantPosition},
    codec::{EncodeError, StoredCodec},
    limits::MAX_PLIES,
    rules::{FinalPosition, LegalMoves, MoveIndex, Outcome, Rules},
};

/// A move of a game, with the positions before and after it.
#[derive(Clone, Copy, Debug)]
pub struct Played<'a> {
    /// The position it is played in.
    pub before: &'a VariantPosition,
    /// The move, which is legal there.
    pub m: Move,
    /// Its index among the legal moves.
    pub step: MoveIndex,
    /// The position it leads to.
    pub after: &'a VariantPosition,
}

/// Encodes a game move by move.
pub trait GameEncoder {
    /// Writes the next move.
    ///
    /// # Errors
    /// The format cannot represent the move.
    fn write(&mut self, played: Played<'_>) -> Result<(), EncodeError>;

    /// Ends the game.
    ///
    /// # Errors
    /// The format cannot represent the game.
    fn finish(self: Box<Self>, outcome: Outcome, last: FinalPosition) -> Result<GameCode, EncodeError>;
}

/// Encodes a game in several encodings, in their order. The game is played once.
///
/// ```
/// use plybook_chess::chess::{Outcome, Variant, move_list};
/// use plybook_chess::codec::game::{GAME_CODECS, GameMoves, encode_all};
///
/// let (_, moves) = move_list("1. e4 e5 2. Nf3 f6").unwrap();
/// let game = GameMoves { start: Variant::Standard.start(), moves, outcome: Outcome::Unknown };
/// let bits = encode_all(&game, GAME_CODECS).into_iter().map(|code| code.unwrap().bits.len());
/// assert_eq!(bits.collect::<Vec<_>>(), [34, 18, 40, 60, 104]);
/// ```
pub fn encode_all(
    game: &GameMoves<VariantPosition>,
    codecs: &[&dyn GameCodec],
) -> Vec<Result<GameCode, EncodeError>> {
    let mut encoders: Vec<_> = codecs.iter().map(|codec| Ok(codec.encoder())).collect();
    match play(game, &mut encoders) {
        Err(error) => codecs.iter().map(|_| Err(error.clone())).collect(),
        Ok(last) => encoders.into_iter().map(|encoder| encoder?.finish(game.outcome, last)).collect(),
    }
}

/// Encodes a game with one encoder.
pub(super) fn encode_by(
    encoder: Box<dyn GameEncoder>,
    game: &GameMoves<VariantPosition>,
) -> Result<GameCode, EncodeError> {
    let mut encoders = [Ok(encoder)];
    let last = play(game, &mut encoders)?;
    let [encoder] = encoders;
    encoder?.finish(game.outcome, last)
}

/// If an encoding cannot represent the game, it is dropped, and the others continue.
fn play(
    game: &GameMoves<VariantPosition>,
    encoders: &mut [Result<Box<dyn GameEncoder>, EncodeError>],
) -> Result<FinalPosition, EncodeError> {
    if game.moves.len() > MAX_PLIES {
        return Err(EncodeError::TooLong);
    }
    let mut before = game.start.clone();
    for (ply, &m) in (1..).zip(&game.moves) {
        let legal = before.legal();
        let index = legal.index_of(m).ok_or(EncodeError::IllegalMove { ply })?;
        let mut after = before.clone();
        after.make(m);
        let step = MoveIndex { index, count: legal.count() };
        let played = Played { before: &before, m, step, after: &after };
        for encoder in encoders.iter_mut() {
            if let Ok(writing) = encoder
                && let Err(error) = writing.write(played)
            {
                *encoder = Err(error);
            }
        }
        before = after;
    }
    Ok(FinalPosition::of(&before))
}

/// Encodes a game in an encoding that archives store, which needs only the indices of the moves.
pub(super) struct StoredEncoder<C> {
    steps: Vec<MoveIndex>,
    /// Whether the number of plies is stored separately.
    counted: bool,
    codec: std::marker::PhantomData<C>,
}

impl<C: StoredCodec + 'static> StoredEncoder<C> {
    pub(super) fn boxed(counted: bool) -> Box<dyn GameEncoder> {
        Box::new(StoredEncoder::<C> { steps: Vec::new(), counted, codec: std::marker::PhantomData })
    }
}

impl<C: StoredCodec> GameEncoder for StoredEncoder<C> {
    fn write(&mut self, played: Played<'_>) -> Result<(), EncodeError> {
        self.steps.push(played.step);
        Ok(())
    }

    fn finish(self: Box<Self>, outcome: Outcome, last: FinalPosition) -> Result<GameCode, EncodeError> {
        let plies = self.counted.then_some(self.steps.len());
        let bytes = C::compose(self.steps, outcome, last)?;
        Ok(GameCode { bits: Bits::from_stored(C::bits(&bytes), bytes), plies })
    }
}
