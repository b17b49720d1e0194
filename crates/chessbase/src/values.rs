//! Values of headers as PGN writes them: dates, results, rounds, opening codes, types of tournaments.

use plybook_chess::rules::{BLACK_WINS, DRAW, Outcome, WHITE_WINS};

/// From this code on, the opening code is the number of a start position of Chess960.
pub(crate) const FIRST_CHESS960: u16 = 64_576;

/// A result.
#[derive(Clone, Copy, Debug)]
pub(crate) struct GameResult {
    pub outcome: Outcome,
    /// The value of the Result tag.
    pub text: &'static str,
    pub is_forfeit: bool,
}

/// The code of a game that is a line of an opening, without a result.
pub(crate) const LINE: u8 = 3;

/// The meaning of a code; without one it is unknown, like that of a line.
pub(crate) fn result(code: u8) -> GameResult {
    let (outcome, text) = match code {
        0 | 4 => (BLACK_WINS, "0-1"),
        1 | 5 => (DRAW, "1/2-1/2"),
        2 | 6 => (WHITE_WINS, "1-0"),
        // No result after the moves says that both sides lost.
        7 => (Outcome::Unknown, "0-0"),
        _ => (Outcome::Unknown, "*"),
    };
    GameResult { outcome, text, is_forfeit: matches!(code, 4..=7) }
}

/// A date; `None` if it is unknown.
pub(crate) fn date(packed: u32) -> Option<String> {
    let [year, month, day] = [packed >> 9, packed >> 5 & 15, packed & 31];
    let part = |number: u32, digits: usize| match number {
        0 => "?".repeat(digits),
        number => format!("{number:0digits$}"),
    };
    (packed != 0).then(|| [part(year, 4), part(month, 2), part(day, 2)].join("."))
}

/// A round, with its part after a point; `None` if it is unknown.
pub(crate) fn round(round: u8, part: u8) -> Option<String> {
    match (round, part) {
        (0, 0) => None,
        (round, 0) => Some(round.to_string()),
        (0, part) => Some(format!("?.{part}")),
        (round, part) => Some(format!("{round}.{part}")),
    }
}

/// An opening code; `None` if there is none.
pub(crate) fn eco(code: u16) -> Option<String> {
    let number = (code >> 7).checked_sub(1).filter(|&number| number < 500 && code < FIRST_CHESS960)?;
    let letter = ["A", "B", "C", "D", "E"].get(usize::from(number / 100))?;
    Some(format!("{letter}{:02}", number % 100))
}

/// The type of a tournament as ChessBase writes it; `None` if it is unknown.
pub(crate) fn event_type(kind: u8, is_of_teams: bool) -> Option<String> {
    const TYPES: [&str; 9] = ["", "game", "match", "tourn", "swiss", "team", "k.o.", "simul", "schev"];
    let name = TYPES.get(usize::from(kind & 31)).copied().unwrap_or_default();
    let name = match name {
        "match" | "tourn" | "swiss" | "k.o." | "schev" if is_of_teams => format!("team-{name}"),
        name => name.to_owned(),
    };
    let speed = [(0x20, "(blitz)"), (0x40, "(rapid)"), (0x80, "(corr)")];
    let speed = speed.iter().filter(|(bit, _)| kind & bit != 0).map(|(_, speed)| (*speed).to_owned());
    let words: Vec<String> = [name].into_iter().filter(|name| !name.is_empty()).chain(speed).collect();
    (!words.is_empty()).then(|| words.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_written_as_in_the_pgn_of_chessbase() {
        assert_eq!(date(1993 << 9 | 2 << 5 | 23).as_deref(), Some("1993.02.23"));
        assert_eq!(date(1993 << 9).as_deref(), Some("1993.??.??"));
        assert_eq!((date(0), round(0, 0), eco(0), event_type(0, false)), (None, None, None, None));
        assert_eq!([round(2, 1), round(11, 0), round(0, 3)].map(Option::unwrap), ["2.1", "11", "?.3"]);
        assert_eq!([eco(1 << 7), eco(500 << 7 | 9)].map(Option::unwrap), ["A00", "E99"]);
        assert_eq!((eco(501 << 7), eco(FIRST_CHESS960 + 518)), (None, None));
        assert_eq!(event_type(3 | 0x40, false).as_deref(), Some("tourn (rapid)"));
        assert_eq!(event_type(4, true).as_deref(), Some("team-swiss"));
        assert_eq!(event_type(0x20, false).as_deref(), Some("(blitz)"));
    }

    #[test]
    fn forfeits_are_results_of_their_own() {
        let texts = [0, 1, 2, 3, 4, 5, 6, 7, 8].map(|code| (result(code).text, result(code).is_forfeit));
        let expected = ["0-1", "1/2-1/2", "1-0", "*", "0-1", "1/2-1/2", "1-0", "0-0", "*"];
        assert_eq!(texts.map(|(text, _)| text), expected);
        assert_eq!(texts.iter().filter(|(_, is_forfeit)| *is_forfeit).count(), 4);
    }
}
