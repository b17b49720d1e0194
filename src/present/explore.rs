//! The moves played in a position, with their results.

use std::io::{self, Write};

use serde::Serialize;

use super::{
    Answer, PositionText, RequestError, Result,
    answer::{known, taken},
    bar::bar,
    list::{self, ListFormat, ListOptions, Row, TextStyle},
    numbered::{Branch, numbered_line},
};
use crate::{
    archive::Archive,
    chess::{Variant, VariantPosition, move_list},
    columns::{ColumnOf, number, text},
    counts::{GAMES, GAMES_REACHING, thousands},
    openings::Openings,
    query::{
        Exploration, ExploredMove, ExploredPosition, LineMove, LineTree, OpeningName, Results, TargetPosition,
    },
    record::{GameKind, fen},
};

/// The position that a text means (see [`PositionText`]): in the given variant, or in standard chess; a position of a
/// stored game has the variant of that game. Without a text it is the start position.
///
/// # Errors
/// The kind is not chess, the text is not a valid or reachable position, the archive has no such game, or it cannot be
/// read.
pub fn explored_position(
    text: Option<&str>,
    kind: Option<GameKind>,
    archive: &Archive,
) -> Result<ExploredPosition> {
    let not_chess = |kind: GameKind| RequestError::NotChess(kind.name().to_owned());
    let variant = kind.map_or(Ok(Variant::Standard), |kind| kind.variant().ok_or_else(|| not_chess(kind)))?;
    let Some(text) = text else { return Ok(ExploredPosition::new(variant.start())) };
    match text.parse()? {
        PositionText::Stored { game, ply } => {
            let game = archive.game(game)?;
            let (plies, position, line) = (game.ply(ply)?, game.position_at(ply)?, game.line()?);
            Ok(ExploredPosition::after(position, line.start, line.moves.get(..plies).unwrap_or_default()))
        }
        PositionText::Setup(setup) => {
            let position = TargetPosition::position(variant, setup).map_err(RequestError::from)?;
            let opening = || move_list(Openings::standard().shortest(text).ok()?.moves).ok();
            Ok(match move_list(text).ok().or_else(opening) {
                Some((start, moves)) => {
                    ExploredPosition::after(position, VariantPosition::Chess(start), &moves)
                }
                None => ExploredPosition::new(position),
            })
        }
    }
}

/// How the position was reached, for a heading: empty for a start position, otherwise "after 1. e4 c5", or "from" and a
/// FEN if the moves are unknown.
pub(super) fn origin(explored: &ExploredPosition) -> String {
    let position = &explored.position;
    match &explored.line {
        Some((start, moves)) if !moves.is_empty() => {
            format!("after {}", numbered_line(start.clone(), moves))
        }
        _ if *position == Variant::of(position).start() => String::new(),
        _ => format!("from {}", fen(position)),
    }
}

impl Row for ExploredMove {
    const COLUMNS: &'static [ColumnOf<Self>] = &[
        text("uci", |row| row.uci.as_str().into()),
        text("san", |row| row.san.as_str().into()),
        number("games", |row| row.results.games.into()),
        number("white", |row| row.results.white.into()),
        number("draws", |row| row.results.draws.into()),
        number("black", |row| row.results.black.into()),
        number("other", |row| row.results.other.into()),
        number("mean_rating", |row| row.mean_rating.into()),
        number("mean_opponent", |row| row.mean_opponent.into()),
        number("performance", |row| row.performance.into()),
        number("last_year", |row| row.last_year.into()),
        number("best_game", |row| row.best_game.into()),
        number("reached", |row| row.reached.into()),
    ];
}

/// The maximum width of a line in a terminal.
const WIDTH: usize = 80;

/// The width of a bar, as far as there is space.
const BAR: std::ops::RangeInclusive<usize> = 8..=20;

/// The columns; the last one is the bar.
const HEAD: [&str; 12] =
    ["move", "games", "share", "1-0", "1/2", "0-1", "elo", "perf", "last", "game", "reached", ""];

/// A position, its opening, and a table of its moves: games, their share, the percentages won by White, drawn and won
/// by Black, the mean rating of the player to move and the performance, the last year, the game of the strongest
/// players, the games that reach the resulting position by any move order, and a bar.
impl Answer for Exploration {
    fn count(&self) -> u64 {
        self.results.games
    }

    fn write_list(&self, out: &mut dyn Write, format: &ListFormat, options: ListOptions) -> io::Result<()> {
        list::write(format, options, out, &self.moves)
    }

    fn write_text(&self, out: &mut dyn Write, style: TextStyle) -> io::Result<()> {
        write_head(out, self.opening.as_ref(), &self.position, &self.results, self.ended_here)?;
        if self.moves.is_empty() {
            return Ok(());
        }
        writeln!(out)?;
        let mut rows: Vec<Vec<String>> = self.moves.iter().map(|m| cells(m, self.results.games)).collect();
        let width = WIDTH.saturating_sub(taken(&HEAD, &rows, HEAD.len() - 1)).clamp(*BAR.start(), *BAR.end());
        for (row, m) in rows.iter_mut().zip(&self.moves) {
            row.push(bar(m.results.known(), m.results.games, width));
        }
        style.table(out, &HEAD, |at| at > 0, &rows)
    }
}

/// The opening, the position, and the number of games won by White, drawn, won by Black, without a result, and ended
/// here.
fn write_head(
    out: &mut dyn Write,
    opening: Option<&OpeningName>,
    position: &str,
    results: &Results,
    ended_here: u64,
) -> io::Result<()> {
    if let Some(opening) = opening {
        writeln!(out, "{} {}", opening.eco, opening.name)?;
    }
    writeln!(out, "{position}")?;
    let games = results.games;
    if games == 0 {
        return writeln!(out, "no games");
    }
    let with_percent = |part| format!("{} ({}%)", thousands(part), percent(part, games));
    let [white, draws, black] = results.known().map(with_percent);
    // Only some of these games have the opening as their last named position.
    let noun = if opening.is_some() { GAMES_REACHING } else { GAMES };
    let (games, won) = (noun.count(games), format!("White won {white}, drawn {draws}, Black won {black}"));
    let gap = if games.len() + won.len() + 2 > WIDTH { '\n' } else { ' ' };
    writeln!(out, "{games}:{gap}{won}")?;
    // On a separate line, to keep lines short.
    let others = [(results.other, "without a result"), (ended_here, "ended here")];
    let others = others.into_iter().filter(|(games, _)| *games > 0);
    let others: Vec<String> = others.map(|(games, which)| format!("{} {which}", thousands(games))).collect();
    if others.is_empty() { Ok(()) } else { writeln!(out, "{}", others.join(", ")) }
}

/// All columns except the bar.
fn cells(m: &ExploredMove, of: u64) -> Vec<String> {
    let more = [
        known(m.mean_rating),
        known(m.performance),
        known(m.last_year),
        known(m.best_game),
        thousands(m.reached),
    ];
    std::iter::once(m.san.clone()).chain(figures(&m.results, of)).chain(more).collect()
}

/// The games of a move, their share of all games, and the percentages won by White, drawn and won by Black.
fn figures(results: &Results, of: u64) -> Vec<String> {
    let known = results.known().map(|part| percent(part, results.games).to_string());
    [thousands(results.games), share(results.games, of)].into_iter().chain(known).collect()
}

/// The score of a player in percent, rounded half up.
pub(super) fn score([won, drawn, lost]: [u64; 3]) -> Option<u64> {
    let games = won + drawn + lost;
    (games > 0).then(|| percent(2 * won + drawn, 2 * games))
}

/// Percent, rounded.
pub(super) fn percent(part: u64, of: u64) -> u64 {
    (200 * part + of) / (2 * of.max(1))
}

/// A share with one decimal.
pub(super) fn share(part: u64, of: u64) -> String {
    let tenths = (2000 * part + of) / (2 * of.max(1));
    format!("{}.{}%", tenths / 10, tenths % 10)
}

/// The columns; the last two are a bar and the name of the opening.
const TREE_HEAD: [&str; 8] = ["line", "games", "share", "1-0", "1/2", "0-1", "", ""];

/// The width of a bar in a tree.
const TREE_BAR: usize = 8;

/// The main lines from a position.
#[derive(Serialize)]
#[serde(transparent)]
pub struct ShownTree<'a> {
    /// The lines.
    pub tree: LineTree,
    /// The first position of the lines.
    #[serde(skip)]
    pub from: &'a VariantPosition,
}

/// A tree: each move with its games, their share of the games with the previous move, results in percent and as a bar,
/// and the name of the opening.
impl Answer for ShownTree<'_> {
    fn count(&self) -> u64 {
        self.tree.results.games
    }

    fn write_text(&self, out: &mut dyn Write, style: TextStyle) -> io::Result<()> {
        let LineTree { position, opening, results, ended_here, lines, .. } = &self.tree;
        write_head(out, opening.as_ref(), position, results, *ended_here)?;
        if lines.is_empty() {
            return Ok(());
        }
        writeln!(out)?;
        let lines = in_order(lines, Branch::first(self.from, results.games, "")).into_iter();
        let rows = lines.map(|(line, at, opening)| tree_row(line, at, opening)).collect();
        style.fitted(out, &TREE_HEAD, 1, TREE_HEAD.len() - 1, rows)
    }
}

/// The row of a move.
fn tree_row(line: &LineMove, at: Branch, opening: &str) -> Vec<String> {
    let results = &line.played.results;
    let mut row = vec![format!("{}{}", "  ".repeat(at.depth), at.numbered(&line.played.san))];
    row.extend(figures(results, at.games));
    row.push(bar(results.known(), results.games, TREE_BAR));
    row.push(joined(&[&other_orders(line.by_transposition), opening]));
    row
}

/// The moves of a position, each before all that follow, with the branch before it and what it adds to the name of the
/// opening.
pub(super) fn in_order<'a>(lines: &'a [LineMove], at: Branch) -> Vec<(&'a LineMove, Branch, &'static str)> {
    let with_next = |line: &'a LineMove| {
        let next = at.next(line.played.results.games, line.opening.as_ref());
        let here = (line, at, new_part(next.name, at.name));
        std::iter::once(here).chain(in_order(&line.lines, next))
    };
    lines.iter().flat_map(with_next).collect()
}

/// The number of games that reach the position after a move by other move orders; empty if there are none.
pub(super) fn other_orders(games: u64) -> String {
    if games > 0 { format!("+{} by transposition", thousands(games)) } else { String::new() }
}

/// The notes of a row that are not empty.
pub(super) fn joined(notes: &[&str]) -> String {
    let notes: Vec<&str> = notes.iter().copied().filter(|note| !note.is_empty()).collect();
    notes.join("; ")
}

/// The part of a name that is not in the name above it: "Najdorf Variation" under "Sicilian Defense".
pub fn new_part<'a>(name: &'a str, above: &str) -> &'a str {
    match name.strip_prefix(above) {
        Some(rest) if rest.is_empty() || rest.starts_with([':', ',']) => {
            rest.trim_start_matches([':', ',', ' '])
        }
        _ => name,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_rounded() {
        assert_eq!(
            [share(1, 3), share(2, 3), share(1, 1), share(0, 7)],
            ["33.3%", "66.7%", "100.0%", "0.0%"]
        );
        assert_eq!([percent(1, 3), percent(2, 3), percent(1, 200), percent(0, 0)], [33, 67, 1, 0]);
    }

    #[test]
    fn a_name_is_not_repeated() {
        for (name, above, new) in [
            ("Sicilian Defense: Najdorf Variation", "Sicilian Defense", "Najdorf Variation"),
            (
                "Sicilian Defense: Najdorf Variation, English Attack",
                "Sicilian Defense: Najdorf Variation",
                "English Attack",
            ),
            ("Sicilian Defense", "Sicilian Defense", ""),
            ("French Defense", "", "French Defense"),
            ("King's Indian Defense", "King's In", "King's Indian Defense"),
        ] {
            assert_eq!(super::new_part(name, above), new);
        }
    }
}
