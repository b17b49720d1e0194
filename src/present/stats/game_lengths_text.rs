//! The size in bits of the games in an archive, as text.

use std::io::{self, Write};

use super::{super::list::aligned, game_lengths::INDEX};
use crate::{
    counts::{BYTES, GAMES, PLIES, bar, thousands},
    stats::{Estimates, GameLengths, per},
};

impl GameLengths {
    /// Writes all figures as text, with a histogram.
    pub(super) fn write_figures(&self, out: &mut dyn Write) -> io::Result<()> {
        let (games, plies) = (GAMES.count(self.games), PLIES.count(self.plies));
        writeln!(out, "{games}, {plies}, {:.1} plies per game", per(self.plies, self.games))?;
        writeln!(
            out,
            "\nmoves ({}): {:.2} bits per game, {:.4} bits per ply",
            self.shown_codec(),
            self.bits_per_game,
            self.bits_per_ply
        )?;
        if self.codec == INDEX {
            writeln!(
                out,
                "each move is its number among the n legal moves and takes about log2(n) bits:\n\
                 {:.2} bits per ply, times {:.1} plies per game",
                self.bits_per_ply,
                per(self.plies, self.games)
            )?;
        }
        self.write_percentiles(out)?;
        if self.kinds.len() > 1 {
            self.write_kinds(out)?;
        }
        if let Some(estimates) = &self.estimates {
            self.write_estimates(out, estimates)?;
        }
        if self.left_out > 0 {
            let them = if self.left_out == 1 { "it" } else { "them" };
            writeln!(
                out,
                "  {} skipped: {} cannot encode {them}",
                GAMES.count(self.left_out),
                self.shown_codec()
            )?;
        }
        writeln!(out, "\ngames by size in bits")?;
        self.write_histogram(out)?;
        self.write_sizes(out)
    }

    fn write_percentiles(&self, out: &mut dyn Write) -> io::Result<()> {
        let name = |percent| match percent {
            50 => "median".to_owned(),
            100 => "largest".to_owned(),
            percent => format!("{percent}%"),
        };
        let names: Vec<String> = self.percentiles.iter().map(|percentile| name(percentile.percent)).collect();
        let head: Vec<&str> = names.iter().map(String::as_str).collect();
        let bits = self.percentiles.iter().map(|percentile| percentile.bits.to_string()).collect();
        aligned(out, &head, &vec![true; head.len()], &[bits])
    }

    fn write_kinds(&self, out: &mut dyn Write) -> io::Result<()> {
        let rows = self.kinds.iter().map(|kind| {
            vec![
                kind.kind.to_owned(),
                thousands(kind.games),
                thousands(kind.plies),
                format!("{:.2}", kind.bits_per_game),
                format!("{:.4}", kind.bits_per_ply),
            ]
        });
        let head = ["variant", "games", "plies", "bits per game", "bits per ply"];
        writeln!(out)?;
        aligned(out, &head, &[false, true, true, true, true], &rows.collect::<Vec<_>>())
    }

    /// The estimates in the literature, which consider only standard chess.
    fn write_estimates(&self, out: &mut dyn Write, estimates: &Estimates) -> io::Result<()> {
        writeln!(out, "\nestimates from the literature for a game of {:.1} plies", estimates.plies)?;
        for (name, bits) in [
            ("20 legal moves in each position", estimates.without_end),
            ("20 legal moves, or the game ends", estimates.with_end),
        ] {
            let share = 100.0 * self.chess_bits_per_game / bits;
            writeln!(out, "  {name:<32} {bits:>8.1} bits; the archive takes {share:.1} % of this")?;
        }
        Ok(())
    }

    fn write_histogram(&self, out: &mut dyn Write) -> io::Result<()> {
        const WIDTH: u64 = 50;
        let most = self.histogram.iter().map(|bar| bar.games).max().unwrap_or(0);
        let last = self.histogram.len().saturating_sub(1);
        for (number, shown) in self.histogram.iter().enumerate() {
            let more = if number == last { "+" } else { " " };
            let blocks = bar(shown.games, most, WIDTH);
            writeln!(out, "  {:>5}{more} {blocks} {}", shown.from, shown.games)?;
        }
        Ok(())
    }

    fn write_sizes(&self, out: &mut dyn Write) -> io::Result<()> {
        let sizes = &self.archive;
        writeln!(out, "\nfile: {}, {:.1} per game", BYTES.count(sizes.bytes), sizes.bytes_per_game)?;
        for part in &sizes.parts {
            let (name, bytes) = (part.name, thousands(part.bytes));
            writeln!(out, "  {name:<18} {bytes:>14} {:>8.1} per game", part.bytes_per_game)?;
        }
        Ok(())
    }
}
