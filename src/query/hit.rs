//! The ply at which a game first reaches a position.

use std::ops::ControlFlow::{Break, Continue};

use super::{TargetPosition, find::Target};
use crate::{
    chess::{Keyed, Move, QuickChess, VariantPosition},
    record::{GameError, StoredMoves},
    rules::Rules,
};

/// The ply at which a game first reaches a position. The game is replayed only as far as it can still reach it.
///
/// # Errors
/// It is damaged before that.
pub fn first_ply(game: &StoredMoves, sought: &TargetPosition) -> Result<Option<usize>, GameError> {
    if !sought.is_of(game.variant) {
        return Ok(None);
    }
    match game.start()? {
        VariantPosition::Chess(start) => first_ply_from(QuickChess::from(&start), game, sought),
        start => first_ply_from(start, game, sought),
    }
}

impl Target for TargetPosition {
    fn first_ply(&self, game: &StoredMoves) -> Result<Option<usize>, GameError> {
        first_ply(game, self)
    }
}

fn first_ply_from<P: Rules<Move = Move> + Keyed>(
    start: P,
    game: &StoredMoves,
    sought: &TargetPosition,
) -> Result<Option<usize>, GameError> {
    let (mut ply, mut first) = (0, None);
    let replayed = game.replay(start)?.run(|position, m| {
        ply += usize::from(m.is_some());
        // Boards are compared, not keys: a comparison costs less than keeping a key up to date after every move.
        first = sought.is_at(position).then_some(ply);
        if first.is_some() || sought.is_behind(position) { Break(()) } else { Continue(()) }
    });
    replayed.map(|_| first).map_err(|error| GameError::Moves(game.id, error))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        chess::{Variant, move_list},
        codec::{
            CodecId,
            game::{self, GameMoves},
        },
        record::Ply,
        rules::Outcome,
    };

    /// The knights go out and back twice, then a pawn is captured.
    const MOVES: &str = "1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8 5. e4 d5 6. exd5 Qxd5 7. a3";

    fn stored(moves: &str) -> StoredMoves {
        let (_, moves): (shakmaty::Chess, Vec<Move>) = move_list(moves).unwrap();
        let (start, plies) = (Variant::Standard.start(), moves.len());
        let line = GameMoves { start, moves, outcome: Outcome::Unknown };
        // One byte per move: the first moves stay valid if the last byte is removed.
        let moves = game::byte::BYTE.encode(&line).unwrap().bits.into_bytes();
        let (variant, codec) = (Variant::Standard, CodecId::Byte);
        StoredMoves { id: 1, variant, codec, moves, plies, result: Outcome::Unknown, setup: None }
    }

    fn at(game: &StoredMoves, ply: usize) -> TargetPosition {
        use shakmaty::{EnPassantMode, Position};
        let position = game.position_at(Ply::After(ply)).unwrap();
        TargetPosition::new(&position.to_setup(EnPassantMode::Always)).unwrap()
    }

    #[test]
    fn the_first_visit_is_found() {
        let game = stored(MOVES);
        let (_, moves): (shakmaty::Chess, Vec<Move>) = move_list(MOVES).unwrap();
        for ply in 0..=moves.len() {
            let sought = at(&game, ply);
            // The slow way: compare every position of the game with this one.
            let whole = game.position_at(Ply::After(ply)).unwrap();
            let first = (0..=moves.len()).find(|at| game.position_at(Ply::After(*at)).unwrap() == whole);
            assert_eq!(first_ply(&game, &sought).unwrap(), first);
        }
        let elsewhere = at(&stored("1. e4 e5"), 2);
        assert_eq!(first_ply(&game, &elsewhere).unwrap(), None);
    }

    #[test]
    fn a_game_is_replayed_no_further_than_necessary() {
        let mut game = stored(MOVES);
        let (first, last) = (at(&game, 3), at(&game, 13));
        game.moves.truncate(5);
        assert_eq!(first_ply(&game, &first).unwrap(), Some(3));
        assert!(first_ply(&game, &last).is_err());
    }

    #[test]
    fn games_of_other_variants_are_not_hits() {
        let mut game = stored(MOVES);
        let sought = at(&game, 0);
        game.variant = Variant::Chess960;
        assert_eq!(first_ply(&game, &sought).unwrap(), Some(0));
        game.variant = Variant::KingOfTheHill;
        assert_eq!(first_ply(&game, &sought).unwrap(), None);
        let setup = shakmaty::Setup::initial();
        let sought = TargetPosition::of_variant(Variant::KingOfTheHill, &setup).unwrap();
        assert_eq!(first_ply(&game, &sought).unwrap(), Some(0));
    }
}
