//! The bits of each move of a game as a table.

use std::io::{self, Write};

use super::{super::Result, ChessReplay, Replay};
use crate::chess::{Color, Position};

/// Moves of at least this number of bits are marked: according to the model, at most one in 256 games would go on like that.
pub(crate) const SURPRISING: f64 = 8.0;

/// Whether a move is marked: by its bits as they are printed, so that no 8.0 lacks a mark.
pub(crate) fn is_surprising(bits: f64) -> bool {
    shown(bits) >= SURPRISING
}

/// The bits as they are printed.
fn shown(bits: f64) -> f64 {
    (bits * 10.0).round() / 10.0
}

/// The moves of a game up to a ply, with the bits of each.
pub(crate) struct MoveBits {
    /// The number of the first move.
    number: u32,
    /// Who makes it.
    turn: Color,
    moves: Vec<(String, f64)>,
}

impl ChessReplay {
    /// The bits of each move up to the ply: see [`StoredGame::move_bits`](crate::record::StoredGame::move_bits).
    pub(super) fn bits_of_moves(&self) -> Result<Vec<f64>> {
        let mut bits = self.stored().move_bits()?;
        bits.truncate(self.moves().len());
        Ok(bits)
    }

    /// The moves up to the ply, with the bits of each: see [`StoredGame::move_bits`](crate::record::StoredGame::move_bits).
    ///
    /// # Errors
    /// The game is damaged.
    pub(crate) fn move_bits(&self) -> Result<MoveBits> {
        let bits = self.bits_of_moves()?;
        let (start, moves) = (self.start(), self.moves().iter().cloned().zip(bits).collect());
        Ok(MoveBits { number: start.fullmoves().get(), turn: start.turn(), moves })
    }
}

impl MoveBits {
    /// A line for each number of a move, and the sum.
    ///
    /// # Errors
    /// It cannot be written.
    pub(crate) fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        let cells: Vec<String> = self.moves.iter().map(|(san, bits)| cell(san, *bits)).collect();
        let is_blacks = self.turn.is_black() && !self.moves.is_empty();
        let missing = is_blacks.then(|| format!("{:<17}", "..."));
        let cells: Vec<&String> = missing.iter().chain(&cells).collect();
        for (number, pair) in (u64::from(self.number)..).zip(cells.chunks(2)) {
            let number = number.min(u32::MAX.into());
            let pair: Vec<&str> = pair.iter().map(|cell| cell.as_str()).collect();
            writeln!(out, "{number:>4}. {}", pair.join("  ").trim_end())?;
        }
        // The sum of no numbers is -0.
        let sum = self.moves.iter().map(|(_, bits)| bits).sum::<f64>() + 0.0;
        let plies = self.moves.len().max(1) as f64;
        writeln!(
            out,
            "\n{sum:.1} bits, {:.2} per ply; *: a surprising move, {SURPRISING} bits or more",
            sum / plies
        )
    }
}

fn cell(san: &str, bits: f64) -> String {
    let mark = if is_surprising(bits) { "*" } else { " " };
    format!("{san:<10}{:>6.1}{mark}", shown(bits))
}
