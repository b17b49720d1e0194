//! Positions as people type them: moves from the start, or a FEN, whose last fields may be missing.

use std::{cmp::Reverse, ops::ControlFlow};

use shakmaty::uci::UciMove;

use super::{Hit, HitKind, Place, Searched};
use crate::{
    archive::{ArchiveError, Filter},
    chess::{Chess, Move, Position, Variant, VariantPosition, move_list},
    limits::MAX_LINE_MOVES,
    name_start::StartFit,
    present::{Result, numbered::numbered_line},
    query::{Context, FindProgress, OpeningName, TargetPosition, count_reaching},
    record::fen,
    request,
    rules::Rules,
};

/// The number of games that may be replayed to count the games of a position.
const REPLAYED: u64 = 2_000;

/// What a text describes as a position.
#[derive(Default)]
pub(super) struct TypedPositions {
    pub(super) hits: Vec<Hit>,
    /// Whether the text is a FEN without castling rights that could have several.
    pub(super) any_castling: bool,
}

/// The position that a text describes: after legal moves from the start, or of a FEN. A FEN without castling rights
/// describes a position for each set of them that games have, most games first.
pub(super) fn positions(of: &Searched<'_>, text: &str) -> Result<TypedPositions> {
    let found = match of_moves(text) {
        Some(position) => vec![position],
        None if text.matches('/').count() < 7 => Vec::new(),
        None => of_fen(text),
    };
    let any_castling = found.len() > 1;
    let mut hits = found.into_iter().map(|position| position.hit(of)).collect::<Result<Vec<_>, _>>()?;
    if hits.iter().any(|hit| hit.games > Some(0)) {
        hits.retain(|hit| hit.games != Some(0));
    }
    hits.sort_by_key(|hit| Reverse(hit.games));
    hits.truncate(of.most);
    Ok(TypedPositions { hits, any_castling })
}

/// A position that a text describes.
struct TypedPosition {
    /// The positions that lead to it, and the position.
    line: Vec<VariantPosition>,
    name: String,
    place: Place,
}

impl TypedPosition {
    fn hit(self, of: &Searched<'_>) -> Result<Hit> {
        let opening = OpeningName::of(&self.line);
        let games = match self.line.last() {
            Some(position) => games(of, position)?,
            None => None,
        };
        let detail = opening.map(|opening| format!("{} {}", opening.eco, opening.name)).unwrap_or_default();
        Ok(Hit { detail, games, ..Hit::new(HitKind::Position, self.name, self.place, StartFit::Part) })
    }
}

/// The number of games that reach a position, if it is known without a long search.
pub(super) fn games(of: &Searched<'_>, position: &VariantPosition) -> Result<Option<u64>> {
    let Some(index) = of.index.filter(|index| index.is_complete() && index.has_positions()) else {
        return Ok(None);
    };
    let watch = |progress: FindProgress| match progress.games {
        0..REPLAYED => ControlFlow::Continue(()),
        _ => ControlFlow::Break(()),
    };
    let context = Context::new(of.archive).with_index(Some(index)).watched_by(&watch);
    match count_reaching(context, &TargetPosition::exact(position), &Filter::default()) {
        Err(ArchiveError::Stopped) => Ok(None),
        counted => Ok(Some(counted?.hits)),
    }
}

fn of_moves(text: &str) -> Option<TypedPosition> {
    let (start, moves) = move_list(&plain(text)).ok().filter(|(_, moves)| !moves.is_empty())?;
    let line = line_of(start.clone(), &moves);
    let uci = |(position, m): (&VariantPosition, &Move)| {
        UciMove::from_move(*m, position.castles().mode()).to_string()
    };
    let place = if moves.len() <= MAX_LINE_MOVES {
        let play = line.iter().zip(&moves).map(uci).collect::<Vec<_>>().join(",");
        Place::Position { fen: String::new(), play }
    } else {
        Place::Position { fen: line.last().map(fen)?, play: String::new() }
    };
    Some(TypedPosition { line, name: numbered_line(VariantPosition::Chess(start), &moves), place })
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

fn line_of(start: Chess, moves: &[Move]) -> Vec<VariantPosition> {
    let mut line = vec![VariantPosition::Chess(start)];
    for m in moves {
        let mut next = line[line.len() - 1].clone();
        next.make(*m);
        line.push(next);
    }
    line
}

/// The positions of a FEN; without castling rights, one for each set that the board allows, most rights first.
fn of_fen(text: &str) -> Vec<TypedPosition> {
    let fens = match text.split_whitespace().collect::<Vec<_>>().as_slice() {
        [board] => with_castling(board, "w"),
        [board, side] => with_castling(board, side),
        _ => vec![text.to_owned()],
    };
    let mut found: Vec<TypedPosition> = Vec::new();
    for text in fens {
        let Ok(line) = request::line(Variant::Standard, Some(&text), None) else { continue };
        let Some(name) = line.last().map(fen) else { continue };
        let place = Place::Position { fen: name.clone(), play: String::new() };
        if found.iter().all(|other| other.name != name) {
            found.push(TypedPosition { line, name, place });
        }
    }
    found
}

fn with_castling(board: &str, side: &str) -> Vec<String> {
    let set = |left_out: u8| -> String {
        let rights = "KQkq".chars().enumerate().filter(|(bit, _)| left_out >> bit & 1 == 0);
        rights.map(|(_, right)| right).collect()
    };
    let named = |rights: String| if rights.is_empty() { "-".to_owned() } else { rights };
    let mut sets: Vec<String> = (0..16).map(set).collect();
    sets.sort_by_key(|rights| Reverse(rights.len()));
    sets.into_iter().map(|rights| format!("{board} {side} {} -", named(rights))).collect()
}
