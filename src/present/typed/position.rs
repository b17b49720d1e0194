//! A position as typed: a FEN or moves.

use std::ops::ControlFlow;

use shakmaty::uci::UciMove;

use super::{Hit, HitKind, Place};
use crate::{
    archive::{Archive, Filter},
    chess::{Chess, Move, Position, Variant, VariantPosition, move_list},
    limits::MAX_LINE_MOVES,
    name_start::StartFit,
    present::{PresentError, numbered::numbered_line},
    query::{FindProgress, OpeningName, PositionIndex, TargetPosition, count_reaching},
    record::fen,
    request,
    rules::Rules,
};

/// The number of games that may be replayed to count the games of a position.
const REPLAYED: u64 = 2_000;

/// The position that a text describes: legal moves from the start, or a FEN with at least the side to move.
pub(super) fn hit(
    archive: &Archive,
    index: Option<&PositionIndex>,
    text: &str,
) -> Result<Option<Hit>, PresentError> {
    let Some((line, name, place)) = of_moves(text).or_else(|| of_fen(text)) else { return Ok(None) };
    let opening = OpeningName::of(&line);
    let games = match line.last() {
        Some(position) => games(archive, index, position)?,
        None => None,
    };
    Ok(Some(Hit {
        kind: HitKind::Position,
        name,
        detail: opening.map(|opening| format!("{} {}", opening.eco, opening.name)).unwrap_or_default(),
        games,
        place,
        fit: StartFit::Part,
    }))
}

/// The number of games that reach a position, if it is known without a long search.
pub(super) fn games(
    archive: &Archive,
    index: Option<&PositionIndex>,
    position: &VariantPosition,
) -> Result<Option<u64>, PresentError> {
    let Some(index) = index.filter(|index| index.is_complete() && index.has_positions()) else {
        return Ok(None);
    };
    let watch = |progress: FindProgress| match progress.games {
        0..REPLAYED => ControlFlow::Continue(()),
        _ => ControlFlow::Break(()),
    };
    let sought = TargetPosition::exact(position);
    let counted = count_reaching(archive, Some(index), &sought, &Filter::default(), watch)?;
    Ok(counted.map(|counted| counted.hits))
}

type TypedPosition = (Vec<VariantPosition>, String, Place);

fn of_moves(text: &str) -> Option<TypedPosition> {
    let (start, moves) = move_list(&plain(text)).ok().filter(|(_, moves)| !moves.is_empty())?;
    let line = positions(start.clone(), &moves);
    let uci = |(position, m): (&VariantPosition, &Move)| {
        UciMove::from_move(*m, position.castles().mode()).to_string()
    };
    let place = if moves.len() <= MAX_LINE_MOVES {
        let play = line.iter().zip(&moves).map(uci).collect::<Vec<_>>().join(",");
        Place::Position { fen: String::new(), play }
    } else {
        Place::Position { fen: line.last().map(fen)?, play: String::new() }
    };
    Some((line, numbered_line(VariantPosition::Chess(start), &moves), place))
}

/// Moves without what people add to them: commas, glyphs, zeros for castling.
fn plain(text: &str) -> String {
    let word = |word: &str| {
        let word = word.trim_end_matches(['!', '?']);
        if word.contains("0-0") {
            word.replace("0-0-0", "O-O-O").replace("0-0", "O-O")
        } else {
            word.to_owned()
        }
    };
    text.split([' ', ',', '\t', '\n', '\u{a0}']).map(word).collect::<Vec<_>>().join(" ")
}

fn positions(start: Chess, moves: &[Move]) -> Vec<VariantPosition> {
    let mut line = vec![VariantPosition::Chess(start)];
    for m in moves {
        let mut next = line[line.len() - 1].clone();
        next.make(*m);
        line.push(next);
    }
    line
}

fn of_fen(text: &str) -> Option<TypedPosition> {
    if text.matches('/').count() < 7 {
        return None;
    }
    let line = request::line(Variant::Standard, Some(text), None).ok()?;
    let fen = line.last().map(fen)?;
    let place = Place::Position { fen: fen.clone(), play: String::new() };
    Some((line, fen, place))
}
