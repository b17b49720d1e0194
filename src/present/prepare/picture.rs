//! The first moves as a picture: how often each was played, and how the player scored.

use std::cmp::Reverse;

use super::{
    super::{
        ExploredPosition, PictureWords,
        stacked::{Bar, StackedChart},
    },
    PreparationAnswer,
};
use crate::{chess::Position, counts::thousands, query::PreparedMove, rules::Color};

/// Plies of the lines that have a bar, and the most bars.
const PLIES: usize = 4;
const BARS: usize = 60;

/// Characters of the moves that lead to the position.
const ORIGIN: usize = 80;

impl PreparationAnswer {
    /// Bars as SVG: the lines of up to four plies, each with the games that the player won, drew and lost; of too many
    /// those with most games. The heading has the moves that lead to the position.
    pub fn picture(&self, asked: &ExploredPosition) -> String {
        let words = PictureWords::ENGLISH;
        let title = format!("{}: {} {}", self.heading(), thousands(self.told.games), words.games);
        let mut chart = StackedChart::new(&title, words.score);
        let mut bars = Vec::new();
        let from = &asked.position;
        self.add(&mut bars, &self.told.lines, ("", 0), (from.fullmoves().get(), from.turn()));
        let mut games: Vec<u64> = bars.iter().map(|bar| bar.games).collect();
        games.sort_unstable_by_key(|games| Reverse(*games));
        if let Some(&next) = games.get(BARS) {
            bars.retain(|bar| bar.games > next);
        }
        chart.lying(&heading(&asked.origin()), &bars);
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

/// What stands above the lines from a position that comes about in some way. Of many moves it has the last.
fn heading(origin: &str) -> String {
    let too_many = origin.chars().count().saturating_sub(ORIGIN);
    let origin = match origin.char_indices().nth(too_many) {
        Some((cut, _)) if too_many > 0 => {
            let rest = &origin[cut..];
            format!("after …{}", &rest[rest.find(' ').unwrap_or(0)..])
        }
        _ => origin.to_owned(),
    };
    format!("Lines of up to four plies {origin}").trim_end().to_owned()
}
