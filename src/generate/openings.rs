//! The openings: lines of real games, with the frequency at which real games leave the book there.

use super::random::Random;
use crate::chess::{Chess, Move, Position, San};

/// The tree; its header tells how it was made.
const TREE: &str = include_str!("openings.txt");

/// A line of the book.
#[derive(Clone, Debug, Default)]
pub(super) struct BookLine {
    pub moves: Vec<Move>,
    /// The position at the end.
    pub position: Chess,
    pub eco: &'static str,
}

/// All lines.
#[derive(Debug)]
pub(super) struct Openings {
    lines: Vec<BookLine>,
    /// For each line, the number of games that leave the book there or in an earlier line.
    games: Vec<u64>,
}

impl Openings {
    pub(super) fn new() -> Openings {
        let mut openings = Openings { lines: Vec::new(), games: Vec::new() };
        // The current line, up to each of its plies.
        let mut path = vec![BookLine::default()];
        let mut total = 0;
        for text in TREE.lines().filter(|line| !line.starts_with('#')) {
            let mut words = text.split(' ');
            let ply = words.next().and_then(|ply| ply.parse::<usize>().ok()).unwrap_or(usize::MAX);
            path.truncate(ply);
            let before = path.last().cloned().unwrap_or_default();
            let Some(mut line) = words.next().and_then(|san| before.followed_by(san)) else { continue };
            if let Some(games) = words.next().and_then(|games| games.parse::<u64>().ok()) {
                line.eco = words.next().unwrap_or_default();
                total += games;
                openings.games.push(total);
                openings.lines.push(line.clone());
            }
            path.push(line);
        }
        openings
    }

    /// Draws a line, according to its frequency.
    pub(super) fn draw(&self, random: &mut Random) -> Option<&BookLine> {
        let games = random.below(self.games.last().copied()?);
        self.lines.get(self.games.partition_point(|&until| until <= games))
    }
}

impl BookLine {
    fn followed_by(mut self, san: &str) -> Option<BookLine> {
        let m = san.parse::<San>().ok()?.to_move(&self.position).ok()?;
        self.position.play_unchecked(m);
        self.moves.push(m);
        Some(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_of_the_tree_is_understood() {
        let openings = Openings::new();
        let said = TREE.lines().filter(|line| !line.starts_with('#') && line.split(' ').count() == 4).count();
        assert_eq!(openings.lines.len(), said);
        assert_eq!(openings.games.last(), Some(&296_912));
        assert!(openings.lines.iter().all(|line| line.eco.len() == 3 && !line.moves.is_empty()));
    }
}
