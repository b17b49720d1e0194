//! The conditions on the course of games.

use super::{
    condition::{Given, Label},
    draft::Draft,
};
use crate::{
    chess::{Color, Role},
    query::{Match, MovesRun},
    request::{RequestError, WordError},
    trail::{Castled, Facts, Final, MOST_CHECKS, TrailReader},
};

/// The ways of castling.
pub(super) const CASTLING: [(&str, Castled, Label); 3] = [
    ("short", Castled::Short, ["short", "kurz"]),
    ("long", Castled::Long, ["long", "lang"]),
    ("no", Castled::No, ["not", "nicht"]),
];

/// How games end on the board.
pub(super) const ENDS: [(&str, Final, Label); 5] = [
    ("mate", Final::Mate, ["mate", "Matt"]),
    ("stalemate", Final::Stalemate, ["stalemate", "Patt"]),
    ("insufficient", Final::Insufficient, ["insufficient material", "ungenügendes Material"]),
    ("fifty", Final::FiftyMoves, ["fifty-move rule", "50-Züge-Regel"]),
    ("repetition", Final::Repetition, ["repetition", "Stellungswiederholung"]),
];

/// Promotions.
pub(super) const PROMOTIONS: [(&str, &[Role], Label); 6] = [
    ("any", &[Role::Queen, Role::Rook, Role::Bishop, Role::Knight], ["any piece", "beliebige Figur"]),
    ("under", &[Role::Rook, Role::Bishop, Role::Knight], ["underpromotion", "Unterverwandlung"]),
    ("queen", &[Role::Queen], ["queen", "Dame"]),
    ("rook", &[Role::Rook], ["rook", "Turm"]),
    ("bishop", &[Role::Bishop], ["bishop", "Läufer"]),
    ("knight", &[Role::Knight], ["knight", "Springer"]),
];

/// A side castles in a way.
pub(super) fn castles(given: &Given<'_>, draft: &mut Draft, color: Color) -> Result<(), RequestError> {
    let wanted = given.word(WordError::Castling, &CASTLING)?;
    let has_castled = move |facts: Facts| facts.castled(color) != Castled::No;
    draft.course.add_facts(move |facts| facts.castled(color) == wanted, has_castled);
    Ok(())
}

/// A pawn is captured en passant.
pub(super) fn en_passant(_: &Given<'_>, draft: &mut Draft) -> Result<(), RequestError> {
    let is_captured = |facts: Facts| Color::ALL.into_iter().any(|color| facts.took_en_passant(color));
    draft.course.add_facts(is_captured, is_captured);
    Ok(())
}

/// The game ends in a way on the board.
pub(super) fn ends_in(given: &Given<'_>, draft: &mut Draft) -> Result<(), RequestError> {
    let kind = given.word(WordError::Ending, &ENDS)?;
    draft.course.add_facts(move |facts| facts.ends_in(kind), |_| false);
    Ok(())
}

/// A pawn is promoted to one of some pieces.
pub(super) fn promotes(given: &Given<'_>, draft: &mut Draft) -> Result<(), RequestError> {
    let roles = given.word(WordError::Promotion, &PROMOTIONS)?;
    let is_wanted = |role: Option<Role>| role.is_some_and(|role| roles.contains(&role));
    let by_index = move |_, trail: Option<TrailReader<'_>>| {
        let Some(trail) = trail else { return Match::Maybe };
        let promotes = trail.changes().any(|change| is_wanted(change.promoted()));
        if promotes { Match::Yes } else { Match::No }
    };
    let begin = move || -> MovesRun {
        let mut is_done = false;
        Box::new(move |played| {
            is_done |= is_wanted(played.and_then(|(m, ..)| m.promotion()));
            is_done
        })
    };
    draft.course.add_moves(by_index, begin);
    Ok(())
}

/// A side gives check in consecutive moves.
pub(super) fn checks(given: &Given<'_>, draft: &mut Draft) -> Result<(), RequestError> {
    let wanted = given.number();
    let by_index = move |facts: Facts, _: Option<TrailReader<'_>>| match facts.checks() {
        _ if !facts.are_known() => Match::Maybe,
        most if most as usize >= wanted => Match::Yes,
        MOST_CHECKS => Match::Maybe,
        _ => Match::No,
    };
    let begin = move || -> MovesRun {
        // The number of consecutive checks by White and by Black.
        let (mut given, mut is_done) = ([0; 2], wanted == 0);
        Box::new(move |played| {
            if let Some((_, by, is_check)) = played {
                let given = &mut given[by.fold_wb(0, 1)];
                *given = if is_check { *given + 1 } else { 0 };
                is_done |= *given >= wanted;
            }
            is_done
        })
    };
    draft.course.add_moves(by_index, begin);
    Ok(())
}
