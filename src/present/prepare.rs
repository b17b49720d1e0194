//! What a player plays, for people.

use std::io::{self, Write};

use super::{explore::share, list::aligned};
use crate::{
    chess::{Color, Position},
    counts::{GAMES, thousands},
    query::{Preparation, PreparedMove, Rare},
};

const HEAD: [&str; 9] = ["line", "games", "share", "score", "perf", "all", "share", "year", ""];

impl Preparation {
    /// Writes it as text, for a player who is called so. The score and the performance are the player's.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn write_text(&self, out: &mut dyn Write, player: &str, from: &impl Position) -> io::Result<()> {
        let side = Color::from_white(self.colour == "white");
        let (won, lost) = side.fold_wb((self.white, self.black), (self.black, self.white));
        let name = side.fold_wb("White", "Black");
        writeln!(out, "{player} with {name}: {}", GAMES.count(self.games))?;
        if let Some(score) = score(side, [self.white, self.draws, self.black]) {
            let [won, drawn, lost] = [won, self.draws, lost].map(thousands);
            writeln!(out, "won {won}, drawn {drawn}, lost {lost}: {score}%")?;
        }
        if let Some(opening) = &self.opening {
            writeln!(out, "{} {}", opening.eco, opening.name)?;
        }
        if self.lines.is_empty() {
            return Ok(());
        }
        writeln!(out)?;
        let mut rows = Rows { side, rows: Vec::new() };
        rows.add(&self.lines, self.games, 0, (from.fullmoves().get(), from.turn()));
        let right: Vec<bool> = (0..HEAD.len()).map(|column| (1..8).contains(&column)).collect();
        aligned(out, &HEAD, &right, &rows.rows)
    }
}

/// The score of a side in percent.
fn score(side: Color, [white, draws, black]: [u64; 3]) -> Option<u64> {
    let (games, wins) = (white + draws + black, side.fold_wb(white, black));
    (games > 0).then(|| (100 * (2 * wins + draws) + games) / (2 * games))
}

struct Rows {
    side: Color,
    rows: Vec<Vec<String>>,
}

impl Rows {
    /// Adds the moves of a position that so many games of the player have, with all that follow.
    fn add(&mut self, lines: &[PreparedMove], games: u64, depth: usize, (number, turn): (u32, Color)) {
        for line in lines {
            let (m, dots) = (&line.played, turn.fold_wb(".", "..."));
            let score = score(self.side, [m.white, m.draws, m.black]);
            let performance = m.performance.filter(|_| line.by_player);
            self.rows.push(vec![
                format!("{}{number}{dots} {}", "  ".repeat(depth), m.san),
                thousands(m.games),
                share(m.games, games),
                known(score.map(|score| format!("{score}%"))),
                known(performance),
                thousands(line.all_games),
                share(line.all_games, line.all_here),
                known(m.last_year),
                note(line),
            ]);
            let next = (turn.fold_wb(number, number.saturating_add(1)), !turn);
            self.add(&line.lines, m.reached, depth + 1, next);
        }
    }
}

/// What is to be said of a move.
fn note(line: &PreparedMove) -> String {
    let rare = match line.rare {
        Some(Rare::Position) => format!("rare: {} in all have it", GAMES.count(line.all_after)),
        Some(Rare::Move) => "a rare move".to_owned(),
        None => String::new(),
    };
    let opening = line.opening.as_ref().map_or("", |opening| opening.name);
    let transposes = if line.transposes { "(transposes)" } else { "" };
    let parts: Vec<&str> =
        [rare.as_str(), opening, transposes].into_iter().filter(|part| !part.is_empty()).collect();
    parts.join("; ")
}

fn known<T: ToString>(value: Option<T>) -> String {
    value.map_or(String::new(), |value| value.to_string())
}
