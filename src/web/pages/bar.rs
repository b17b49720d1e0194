//! The results of games as a bar.

use super::Language;

/// Results next to each other.
#[derive(Debug, Default)]
pub(super) struct Bar {
    /// As text; empty if no game has a result.
    pub(super) text: String,
    pub(super) parts: Vec<BarPart>,
}

#[derive(Debug)]
pub(super) struct BarPart {
    pub(super) class: &'static str,
    /// In percent, for the style attribute.
    pub(super) width: String,
    /// In whole percent, if there is space for it.
    pub(super) label: String,
}

/// The smallest share in percent that leaves space for a number.
const ROOM: f64 = 13.0;

impl Bar {
    /// Results of a player, or by colour.
    pub(super) fn new(language: Language, is_of_player: bool, results: [u64; 3]) -> Bar {
        if is_of_player { Bar::of_player(language, results) } else { Bar::of_games(language, results) }
    }

    /// Results by colour: won by White, drawn, won by Black.
    pub(super) fn of_games(language: Language, results: [u64; 3]) -> Bar {
        let words = language.words();
        Bar::of(language, [("w", words.white_wins), ("d", words.draws), ("b", words.black_wins)], results)
    }

    /// Results of a player: won, drawn, lost.
    pub(super) fn of_player(language: Language, results: [u64; 3]) -> Bar {
        let words = language.words();
        Bar::of(language, [("won", words.won), ("d", words.drawn), ("lost", words.lost)], results)
    }

    /// Results with their classes and names.
    fn of(language: Language, kinds: [(&'static str, &'static str); 3], results: [u64; 3]) -> Bar {
        let sum: u64 = results.iter().sum();
        if sum == 0 {
            return Bar::default();
        }
        let known = kinds.into_iter().zip(results);
        let in_words = |((_, name), games)| format!("{name} {}", language.percent(games, sum));
        let text: Vec<String> = known.clone().map(in_words).collect();
        let part = |((class, _), games): ((&'static str, &'static str), u64)| {
            let percent = 100.0 * games as f64 / sum as f64;
            let label = if percent >= ROOM { format!("{percent:.0}") } else { String::new() };
            BarPart { class, width: format!("{percent:.2}"), label }
        };
        let parts = known.filter(|(_, games)| *games > 0).map(part).collect();
        Bar { text: text.join(", "), parts }
    }
}

/// The points of the first side, in percent.
pub(super) fn score([won, drawn, lost]: [u64; 3]) -> Option<f64> {
    let games = won + drawn + lost;
    (games > 0).then(|| 50.0 * (2 * won + drawn) as f64 / games as f64)
}

/// Whether a performance rating follows from games won, drawn and lost: not from less than five, nor if all were won or
/// all lost, when it is only an end of FIDE's table.
pub(super) fn is_telling([won, drawn, lost]: [u64; 3]) -> bool {
    !are_few([won, drawn, lost]) && ![won, lost].contains(&(won + drawn + lost))
}

/// Whether a score follows from so few games that it says nothing.
pub(super) fn are_few(results: [u64; 3]) -> bool {
    results.iter().sum::<u64>() < 5
}

#[cfg(test)]
mod tests {
    use super::*;

    fn english(results: [u64; 3]) -> Bar {
        Bar::of_games(Language::English, results)
    }

    #[test]
    fn a_bar_states_its_shares_in_numbers_and_words() {
        let bar = english([50, 40, 10]);
        assert_eq!(bar.text, "White wins 50.0%, draws 40.0%, Black wins 10.0%");
        let parts: Vec<_> =
            bar.parts.iter().map(|part| (part.class, part.width.as_str(), part.label.as_str())).collect();
        assert_eq!(parts, [("w", "50.00", "50"), ("d", "40.00", "40"), ("b", "10.00", "")]);
        assert!(english([0; 3]).parts.is_empty());
        assert_eq!(english([0, 0, 1]).parts.len(), 1);
    }
}
