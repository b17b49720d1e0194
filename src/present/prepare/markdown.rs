//! What a player plays, as Markdown: the moves as a list in a list, each with what is known of it.

use std::io::{self, Write};

use super::{
    super::{
        explore::{new_part, percent},
        list::TextStyle,
        markdown,
    },
    PreparationAnswer,
    text::{note, score},
};
use crate::{
    chess::{Color, Position},
    counts::{GAMES, thousands},
    query::PreparedMove,
};

impl PreparationAnswer {
    /// Writes it as Markdown. The score and the performance are the player's.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn write_markdown(&self, out: &mut dyn Write, from: &impl Position) -> io::Result<()> {
        let told = &self.told;
        self.write_head(out, TextStyle::MARKDOWN)?;
        if !told.lines.is_empty() {
            writeln!(out)?;
        }
        let name = told.opening.as_ref().map_or("", |opening| opening.name);
        let (number, turn) = (from.fullmoves().get(), from.turn());
        self.write_moves(out, &told.lines, Branch { games: told.games, depth: 0, number, turn, name })
    }

    /// The moves of a position, each with all that follow below it.
    fn write_moves(&self, out: &mut dyn Write, lines: &[PreparedMove], at: Branch<'_>) -> io::Result<()> {
        let dots = at.turn.fold_wb(".", "...");
        for line in lines {
            let name = line.opening.as_ref().map_or(at.name, |opening| opening.name);
            let told = self.told_of(line, at.games, new_part(name, at.name));
            markdown::item(out, at.depth, &format!("{}{dots} {}", at.number, line.played.san), &told)?;
            let number = at.turn.fold_wb(at.number, at.number.saturating_add(1));
            let games = line.played.games;
            self.write_moves(
                out,
                &line.lines,
                Branch { games, depth: at.depth + 1, number, turn: !at.turn, name },
            )?;
        }
        Ok(())
    }

    /// What is known of a move: a part of the games that had the position before it.
    fn told_of(&self, line: &PreparedMove, of: u64, opening: &str) -> String {
        let m = &line.played;
        let performance = m.performance.filter(|_| line.by_player);
        let all = format!(
            "{} of all games ({}%)",
            thousands(line.all_games),
            percent(line.all_games, line.all_here)
        );
        let note = note(line, opening);
        [
            Some(format!("{} ({}%)", GAMES.count(m.games), percent(m.games, of))),
            score(self.score(line)).map(|score| format!("score {score}%")),
            performance.map(|performance| format!("performance {performance}")),
            Some(all),
            m.last_year.map(|year| format!("last {year}")),
            Some(note).filter(|note| !note.is_empty()),
        ]
        .into_iter()
        .flatten()
        .collect::<Vec<_>>()
        .join(", ")
    }
}

/// A position whose moves are written.
#[derive(Clone, Copy)]
struct Branch<'a> {
    /// The games of the player that came here by this line.
    games: u64,
    /// The moves before it in the tree.
    depth: usize,
    /// The number of the next move.
    number: u32,
    turn: Color,
    /// The name of the last position before it that has one.
    name: &'a str,
}
