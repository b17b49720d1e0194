//! The first moves as a picture: how often each was played, and how the player scored.

use std::cmp::Reverse;

use super::{
    super::{
        PictureWords,
        stacked::{Bar, StackedChart},
    },
    PreparationAnswer,
};
use crate::{chess::Position, counts::thousands, query::PreparedMove, rules::Color};

/// Plies of the lines that have a bar, and the most bars.
const PLIES: usize = 4;
const BARS: usize = 60;

impl PreparationAnswer {
    /// Bars as SVG: the lines of up to four plies, each with the games that the player won, drew and lost; of too many
    /// those with most games.
    pub fn picture(&self, from: &impl Position) -> String {
        let words = PictureWords::ENGLISH;
        let title = format!("{}: {} {}", self.heading(), thousands(self.told.games), words.games);
        let mut chart = StackedChart::new(&title, words.score);
        let mut bars = Vec::new();
        self.add(&mut bars, &self.told.lines, ("", 0), (from.fullmoves().get(), from.turn()));
        let mut games: Vec<u64> = bars.iter().map(|bar| bar.games).collect();
        games.sort_unstable_by_key(|games| Reverse(*games));
        if let Some(&next) = games.get(BARS) {
            bars.retain(|bar| bar.games > next);
        }
        chart.lying("Lines of up to four plies", &bars);
        chart.svg()
    }

    fn add(
        &self,
        bars: &mut Vec<Bar>,
        lines: &[PreparedMove],
        (before, plies): (&str, usize),
        (number, turn): (u32, Color),
    ) {
        for line in lines.iter().filter(|_| plies < PLIES) {
            let name = match (turn, before) {
                (Color::White, "") => format!("{number}. {}", line.played.san),
                (Color::White, _) => format!("{before} {number}. {}", line.played.san),
                (Color::Black, "") => format!("{number}... {}", line.played.san),
                (Color::Black, _) => format!("{before} {}", line.played.san),
            };
            let [won, drawn, lost] = self.score(line);
            let ended = won + drawn + lost;
            let percent = (ended > 0).then(|| (2 * won + drawn) as f64 * 50.0 / ended as f64);
            bars.push(Bar {
                name: name.clone(),
                parts: [won, drawn, lost],
                games: line.played.games,
                percent,
            });
            let next = (turn.fold_wb(number, number.saturating_add(1)), !turn);
            self.add(bars, &line.lines, (&name, plies + 1), next);
        }
    }
}
