//! A position and its moves as text.

use std::io::{self, Write};

use super::super::{Answer, ListStyle, list::TextStyle};
use crate::{
    counts::{GAMES, GAMES_REACHING, thousands},
    query::{Exploration, ExploredMove, OpeningName, Results},
};

/// The maximum width of a line in a terminal.
const WIDTH: usize = 80;

/// The width of a bar, as far as there is space.
const BAR: std::ops::RangeInclusive<usize> = 8..=20;

/// Won by White, drawn, won by Black, and their colours: white, grey, dark.
const BLOCKS: [(char, &str); 3] = [('█', "\x1b[97m"), ('▒', "\x1b[37m"), ('░', "\x1b[90m")];

/// The columns before the bar.
const HEAD: [&str; 11] =
    ["move", "games", "share", "1-0", "1/2", "0-1", "elo", "perf", "last", "game", "reached"];

/// A position, its opening, and a table of its moves: games, their share, the percentages won by White, drawn and won
/// by Black, the mean rating of the player to move and the performance, the last year, the game of the strongest
/// players, the games that reach the resulting position by any move order, and a bar.
impl Answer for Exploration {
    fn count(&self) -> u64 {
        self.results.games
    }

    fn write_list(&self, out: &mut dyn Write, list: ListStyle<'_>) -> io::Result<()> {
        list.write(out, &self.moves)
    }

    fn write_text(&self, out: &mut dyn Write, style: TextStyle) -> io::Result<()> {
        write_head(out, self.opening.as_ref(), &self.position, &self.results, self.ended_here)?;
        if self.moves.is_empty() {
            return Ok(());
        }
        writeln!(out)?;
        let mut rows: Vec<Vec<String>> = self.moves.iter().map(|m| cells(m, self.results.games)).collect();
        let width = WIDTH.saturating_sub(taken(&HEAD, &rows)).clamp(*BAR.start(), *BAR.end());
        for (row, m) in rows.iter_mut().zip(&self.moves) {
            row.push(bar(m.results.known(), m.results.games, width));
        }
        let head: Vec<&str> = HEAD.into_iter().chain([""]).collect();
        let right: Vec<bool> = (0..head.len()).map(|column| !matches!(column, 0 | 11)).collect();
        style.table(out, &head, &right, &rows)
    }
}

/// The opening, the position, and the number of games won by White, drawn, won by Black, without a result, and ended
/// here.
pub(super) fn write_head(
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
    let known = |number: Option<i64>| number.map_or(String::new(), |number| number.to_string());
    let percent = |part| percent(part, m.results.games).to_string();
    vec![
        m.san.clone(),
        thousands(m.results.games),
        share(m.results.games, of),
        percent(m.results.white),
        percent(m.results.draws),
        percent(m.results.black),
        known(m.mean_rating),
        known(m.performance),
        known(m.last_year.map(i64::from)),
        known(m.best_game),
        thousands(m.reached),
    ]
}

/// The width of these columns in a terminal, including the gaps after them.
pub(in crate::present) fn taken(head: &[&str], rows: &[Vec<String>]) -> usize {
    let width = |(column, head): (usize, &&str)| {
        let cells = rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count());
        2 + cells.max().unwrap_or(0).max(head.len())
    };
    head.iter().enumerate().map(width).sum()
}

/// Percent, rounded.
pub(in crate::present) fn percent(part: u64, of: u64) -> u64 {
    (200 * part + of) / (2 * of.max(1))
}

/// A share with one decimal.
pub(in crate::present) fn share(part: u64, of: u64) -> String {
    let tenths = (2000 * part + of) / (2 * of.max(1));
    format!("{}.{}%", tenths / 10, tenths % 10)
}

/// Three parts of a whole as a bar. Each boundary is rounded, so the rest of the bar corresponds to the rest of the
/// whole.
pub(in crate::present) fn bar(parts: [u64; 3], whole: u64, width: usize) -> String {
    let place = |sum: u64| {
        let place =
            (2 * u128::from(sum) * width as u128 + u128::from(whole)) / (2 * u128::from(whole.max(1)));
        usize::try_from(place).unwrap_or(width)
    };
    let (mut bar, mut sum, mut end) = (String::new(), 0, 0);
    for ((block, _), part) in BLOCKS.into_iter().zip(parts) {
        sum += part;
        bar.extend(std::iter::repeat_n(block, place(sum) - end));
        end = place(sum);
    }
    bar
}

/// A text with coloured bars.
pub(in crate::present) fn coloured(text: &str) -> String {
    let code_of = |c| BLOCKS.into_iter().find(|(block, _)| *block == c).map(|(_, code)| code);
    let (mut coloured, mut under) = (String::with_capacity(2 * text.len()), None);
    for c in text.chars() {
        let code = code_of(c);
        if code != under {
            coloured.push_str(code.unwrap_or("\x1b[0m"));
            under = code;
        }
        coloured.push(c);
    }
    coloured
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bar_is_as_long_as_its_games_and_its_parts_are_in_order() {
        for (parts, whole, text) in [
            ([1, 1, 1], 3, "███▒▒▒░░░"),
            ([3, 0, 0], 3, "█████████"),
            ([0, 0, 3], 3, "░░░░░░░░░"),
            ([0, 0, 0], 3, ""),
            ([1, 0, 1], 3, "███░░░"),
            ([1000, 1, 1000], 2001, "████▒░░░░"),
            ([0, 0, 0], 0, ""),
        ] {
            assert_eq!(bar(parts, whole, 9), text, "{parts:?}");
        }
    }

    #[test]
    fn colours_end_where_a_bar_ends() {
        assert_eq!(coloured("a █▒\nb"), "a \x1b[97m█\x1b[37m▒\x1b[0m\nb");
        assert_eq!(coloured("e4  12"), "e4  12");
    }

    #[test]
    fn shares_are_rounded() {
        assert_eq!(
            [share(1, 3), share(2, 3), share(1, 1), share(0, 7)],
            ["33.3%", "66.7%", "100.0%", "0.0%"]
        );
        assert_eq!([percent(1, 3), percent(2, 3), percent(1, 200), percent(0, 0)], [33, 67, 1, 0]);
    }
}
