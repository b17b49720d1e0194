//! Where a game comes by a position that is looked for.

use std::ops::ControlFlow::{Break, Continue};

use super::{Sought, find::Target};
use crate::{
    chess::{Keyed, Move, QuickChess, VariantPosition},
    record::{GameError, StoredMoves},
    rules::Rules,
};

/// The last time that a game stands at a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LastVisit {
    /// The number of moves before it.
    pub ply: usize,
    /// The move that the game plays from there; `None` if it ends there.
    pub next: Option<Move>,
}

/// The ply at which a game first stands at a position. It is replayed only as far as it can still come there.
///
/// # Errors
/// It is damaged before that.
pub fn first_ply(game: &StoredMoves, sought: &Sought) -> Result<Option<usize>, GameError> {
    let mut first = None;
    visit(game, sought, |ply, _| {
        first = Some(ply);
        false
    })?;
    Ok(first)
}

impl Target for Sought {
    fn first_ply(&self, game: &StoredMoves) -> Result<Option<usize>, GameError> {
        first_ply(game, self)
    }
}

/// Where a game stands at a position for the last time, and what it plays there.
///
/// # Errors
/// It is damaged before it can no longer come there.
pub fn last_move(game: &StoredMoves, sought: &Sought) -> Result<Option<LastVisit>, GameError> {
    let mut last: Option<LastVisit> = None;
    visit(game, sought, |ply, next| {
        last = Some(LastVisit { ply, next });
        true
    })?;
    Ok(last)
}

/// Hands over the ply of each time that a game stands at a position: at once without, and then again with the move
/// that it plays there, if it plays one. `each` says whether it wants to know more.
fn visit(
    game: &StoredMoves,
    sought: &Sought,
    each: impl FnMut(usize, Option<Move>) -> bool,
) -> Result<(), GameError> {
    if !sought.is_of(game.variant) {
        return Ok(());
    }
    match game.start()? {
        VariantPosition::Chess(start) => visit_from(QuickChess::from(&start), game, sought, each),
        start => visit_from(start, game, sought, each),
    }
}

fn visit_from<P: Rules<Move = Move> + Keyed>(
    start: P,
    game: &StoredMoves,
    sought: &Sought,
    mut each: impl FnMut(usize, Option<Move>) -> bool,
) -> Result<(), GameError> {
    let (mut ply, mut was_there) = (0, false);
    let replayed = game.replay(start)?.run(|position, m| {
        if m.is_some() {
            if was_there && !each(ply, m) {
                return Break(());
            }
            ply += 1;
        }
        was_there = sought.is_at(position);
        let goes_on = if was_there { each(ply, None) } else { !sought.is_behind(position) };
        if goes_on { Continue(()) } else { Break(()) }
    });
    replayed.map(|_| ()).map_err(|error| GameError::Moves { id: game.id, error })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        chess::{Variant, move_list},
        codec::{
            CodecId,
            game::{self, GameCodec, GameMoves},
        },
        record::Ply,
        rules::Outcome,
    };

    /// Knights go out and back twice, then a pawn is taken.
    const MOVES: &str = "1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8 5. e4 d5 6. exd5 Qxd5 7. a3";

    fn stored(moves: &str) -> StoredMoves {
        let (_, moves): (shakmaty::Chess, Vec<Move>) = move_list(moves).unwrap();
        let (start, plies) = (Variant::Standard.start(), moves.len());
        let line = GameMoves { start, moves, outcome: Outcome::Unknown };
        // A byte a move: without the last one the others still mean the same.
        let moves = game::byte::Byte.encode(&line).unwrap().bits.into_bytes();
        let (variant, codec) = (Variant::Standard, CodecId::Byte);
        StoredMoves { id: 1, variant, codec, moves, plies, setup: None }
    }

    fn at(game: &StoredMoves, ply: usize) -> Sought {
        use shakmaty::{EnPassantMode, Position};
        let position = game.position_at(Ply::After(ply)).unwrap();
        Sought::new(&position.to_setup(EnPassantMode::Always)).unwrap()
    }

    #[test]
    fn the_first_and_the_last_visit_are_told_with_the_move_that_follows() {
        let game = stored(MOVES);
        let (_, moves): (shakmaty::Chess, Vec<Move>) = move_list(MOVES).unwrap();
        for ply in 0..=moves.len() {
            let sought = at(&game, ply);
            // A slow twin: every position of the game against this one.
            let whole = game.position_at(Ply::After(ply)).unwrap();
            let visits: Vec<usize> =
                (0..=moves.len()).filter(|at| game.position_at(Ply::After(*at)).unwrap() == whole).collect();
            assert!(ply > 0 || visits == [0, 4, 8]);
            assert_eq!(first_ply(&game, &sought).unwrap(), visits.first().copied());
            let last = *visits.last().unwrap();
            let visit = LastVisit { ply: last, next: moves.get(last).copied() };
            assert_eq!(last_move(&game, &sought).unwrap(), Some(visit));
        }
        let elsewhere = at(&stored("1. e4 e5"), 2);
        assert_eq!(first_ply(&game, &elsewhere).unwrap(), None);
        assert_eq!(last_move(&game, &elsewhere).unwrap(), None);
    }

    #[test]
    fn a_game_is_replayed_no_further_than_it_must_be() {
        let mut game = stored(MOVES);
        let (first, last) = (at(&game, 3), at(&game, 13));
        game.moves.truncate(5);
        assert_eq!(first_ply(&game, &first).unwrap(), Some(3));
        assert!(first_ply(&game, &last).is_err());
    }

    #[test]
    fn games_of_other_variants_are_no_hits() {
        let mut game = stored(MOVES);
        let sought = at(&game, 0);
        game.variant = Variant::Chess960;
        assert_eq!(first_ply(&game, &sought).unwrap(), Some(0));
        game.variant = Variant::KingOfTheHill;
        assert_eq!(first_ply(&game, &sought).unwrap(), None);
        let setup = shakmaty::Setup::initial();
        let sought = Sought::of_variant(Variant::KingOfTheHill, &setup).unwrap();
        assert_eq!(first_ply(&game, &sought).unwrap(), Some(0));
    }
}
