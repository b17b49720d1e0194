//! What a TimeControl tag means: the standard's notation, and the others found in collections.

use plybook_chess::chess::{Annotation, Annotations, Tags};

const MINUTE: f64 = 60.0;
const HOUR: f64 = 60.0 * MINUTE;
const DAY: f64 = 24.0 * HOUR;

/// Tags of Lichess broadcasts, which give minutes where its games give seconds.
const BROADCAST: [&str; 2] = ["BroadcastName", "BroadcastURL"];

/// The most minutes that a broadcast gives; a larger number is seconds.
const MOST_MINUTES: f64 = 179.0;

/// The time for a game.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TimeControl {
    /// Seconds for the game, or for its first moves.
    pub base: f64,
    /// Seconds added with each move, or all there are for it.
    pub increment: f64,
    /// Whether the base is a whole number without a unit, so that it may also be meant as minutes.
    may_be_minutes: bool,
}

impl TimeControl {
    /// The time control of a tag; `None` if it is unknown. No time control, `-`, is a day a move.
    pub fn parse(text: &str) -> Option<TimeControl> {
        let text = text.trim();
        if text == "-" {
            return Some(TimeControl { increment: DAY, ..TimeControl::default() });
        }
        standard(text).or_else(|| in_words(&text.to_lowercase()))
    }

    /// The same if a base that may be minutes is in minutes.
    #[must_use]
    pub fn in_minutes(self, is_in_minutes: bool) -> TimeControl {
        let unit = if is_in_minutes && self.may_be_minutes { MINUTE } else { 1.0 };
        TimeControl { base: self.base * unit, ..self }
    }

    /// The seconds of a player for a game of 40 moves.
    pub fn for_a_game(self) -> f64 {
        self.base + 40.0 * self.increment
    }

    /// Whether a move may take a day or more.
    pub fn is_correspondence(self) -> bool {
        self.increment >= DAY
    }

    /// Whether the TimeControl tag of a game is in minutes: it is a broadcast's, or the first clock shows more than the
    /// seconds could be.
    pub(crate) fn is_in_minutes(tags: &Tags, annotations: &Annotations) -> bool {
        let Some(control) = TimeControl::ambiguous(tags) else { return false };
        // Twice, because a player may be given time by the opponent.
        let most = |ply: usize| 2.0 * (control.base + control.increment * (ply as f64 / 2.0 + 1.0));
        control.is_of_broadcast(tags)
            || first_clock(annotations).is_some_and(|(ply, clock)| clock > most(ply))
    }

    /// Whether only clocks can say that it is in minutes.
    pub(crate) fn asks_for_clocks(tags: &Tags) -> bool {
        TimeControl::ambiguous(tags).is_some_and(|control| !control.is_of_broadcast(tags))
    }

    /// The time control of a game, if it may be in minutes.
    fn ambiguous(tags: &Tags) -> Option<TimeControl> {
        tags.get("TimeControl").and_then(TimeControl::parse).filter(|control| control.may_be_minutes)
    }

    fn is_of_broadcast(self, tags: &Tags) -> bool {
        self.base <= MOST_MINUTES && BROADCAST.iter().any(|name| tags.get(name).is_some())
    }
}

/// `MOVES/SECONDS`, `*SECONDS` for a sandclock, `SECONDS+INCREMENT`, of which only the first period counts.
fn standard(text: &str) -> Option<TimeControl> {
    let first = text.split(':').next()?;
    let (moves, time) = match first.split_once('/') {
        Some((moves, time)) => (Some(moves.parse::<u32>().ok().filter(|moves| *moves > 0)?), time),
        None => (None, first.strip_prefix('*').unwrap_or(first)),
    };
    let (base, increment) = time.split_once('+').unwrap_or((time, "0"));
    let [base, increment] = [amount(base)?, amount(increment)?];
    let per_move = moves.map_or(0.0, |moves| base / f64::from(moves));
    if moves == Some(1) || per_move >= DAY {
        return Some(TimeControl { increment: per_move + increment, ..TimeControl::default() });
    }
    let is_whole = text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'+');
    Some(TimeControl { base, increment, may_be_minutes: is_whole })
}

/// A number of seconds, also with a fraction.
fn amount(text: &str) -> Option<f64> {
    let is_plain = text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    text.parse().ok().filter(|amount: &f64| is_plain && *amount < 1e9)
}

/// Amounts with units, such as `3min + 2s`, `90'+30"`, `1 h 30 min + 30 sec/move`, `3 days`: the hours and minutes before
/// the first plus sign, and the seconds after them.
fn in_words(text: &str) -> Option<TimeControl> {
    let mut control = TimeControl::default();
    let (mut rest, mut is_later) = (text, false);
    while let Some(at) = rest.find(|c: char| c.is_ascii_digit()) {
        let (before, number) = rest.split_at(at);
        is_later |= before.contains('+');
        let end = number.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(number.len());
        let (number, after) = number.split_at(end);
        rest = after;
        let Some(number) = amount(number) else { continue };
        match unit(after.trim_start()) {
            Some(DAY) => control.increment = number * DAY,
            Some(unit) if unit >= MINUTE && !is_later => control.base += number * unit,
            Some(1.0) if control.base == 0.0 => control.base = number,
            Some(1.0) => control.increment = number,
            None if is_later && control.increment == 0.0 => control.increment = number,
            _ => {}
        }
    }
    (control != TimeControl::default()).then_some(control)
}

/// The seconds of the unit that a text begins with.
fn unit(text: &str) -> Option<f64> {
    if text.starts_with("''") {
        return Some(1.0);
    }
    let word = text.split(|c: char| !c.is_alphabetic()).next().unwrap_or_default();
    match (word, text.chars().next()) {
        ("d" | "day" | "days", _) => Some(DAY),
        ("h" | "hr" | "hrs" | "hour" | "hours", _) => Some(HOUR),
        ("m" | "min" | "mins" | "minute" | "minutes", _) | ("", Some('\'' | '′' | '’')) => Some(MINUTE),
        ("s" | "sec" | "secs" | "second" | "seconds", _) | ("", Some('"' | '″' | '”')) => Some(1.0),
        _ => None,
    }
}

/// The first clock in the comments of the mainline, in seconds, and the number of moves before it.
fn first_clock(annotations: &Annotations) -> Option<(usize, f64)> {
    annotations.mainline().find_map(|(ply, annotation)| {
        let Annotation::Comment(text) = annotation else { return None };
        let (_, after) = text.split_once("[%clk ")?;
        Some((ply, clock_seconds(after.split_once(']')?.0.trim())?))
    })
}

/// Parses `1:23:45`, `23:45` or `45`, with optional fractions of a second, as seconds.
pub fn clock_seconds(clock: &str) -> Option<f64> {
    // Rejects -0 and NaN.
    let is_part = |part: &f64| part.is_sign_positive() && *part < 1e9;
    let parts = clock.split(':').map(|part| part.parse::<f64>().ok().filter(is_part));
    let parts: Vec<f64> = parts.collect::<Option<_>>()?;
    let seconds = parts.iter().fold(0.0, |sum, part| 60.0 * sum + part);
    // Without the error of the sum: 404.934, not 404.93399999999997.
    (parts.len() <= 3).then(|| (1e6 * seconds).round() / 1e6)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_controls_are_read_in_every_notation() {
        for (text, base, increment) in [
            ("300", 300.0, 0.0),
            ("180+2", 180.0, 2.0),
            (" 5+0.05 ", 5.0, 0.05),
            ("0.1+0.01", 0.1, 0.01),
            ("40/7200:3600", 7200.0, 0.0),
            ("40/5400+30:1800+30", 5400.0, 30.0),
            ("*60", 60.0, 0.0),
            ("1/60", 0.0, 60.0),
            ("1/86400", 0.0, 86_400.0),
            ("10/864000", 0.0, 86_400.0),
            ("-", 0.0, 86_400.0),
            ("3min + 2s", 180.0, 2.0),
            ("3 min + 2", 180.0, 2.0),
            ("1h 30min + 30 sec/move", 5400.0, 30.0),
            ("90 min/40 moves + 30 min + 30 seconds per move", 5400.0, 30.0),
            ("90'+30''", 5400.0, 30.0),
            ("15\u{2032}+10\u{2033}", 900.0, 10.0),
            ("30 seconds", 30.0, 0.0),
            ("3 days per move", 0.0, 259_200.0),
        ] {
            let control = TimeControl::parse(text).map(|control| [control.base, control.increment]);
            assert_eq!(control, Some([base, increment]), "{text}");
        }
        for text in ["", "?", "0/300", "unknown", "blitz", "-60", "1e9", "nan", "+"] {
            assert_eq!(TimeControl::parse(text), None, "{text}");
        }
    }

    #[test]
    fn only_whole_numbers_without_a_unit_can_be_minutes_and_only_with_a_mark() {
        let is_in_minutes = |control: &str, other: (&str, &str), comment: &str| {
            let (mut tags, mut annotations) = (Tags::default(), Annotations::default());
            tags.push("TimeControl", control);
            tags.push(other.0, other.1);
            annotations.push(1, Annotation::Comment(comment));
            TimeControl::is_in_minutes(&tags, &annotations)
        };
        for (control, tag, comment, expected) in [
            ("90+30", "Event", "[%clk 1:30:25]", true),
            ("15+10", "Event", "x [%eval 0.1] [%clk 0:15:08]", true),
            ("3+2", "Event", "[%clk 0:03:01]", true),
            ("180+2", "Event", "[%clk 0:03:02]", false),
            ("60", "Event", "[%clk 0:01:15]", false),
            ("90+30", "BroadcastName", "", true),
            ("90+30", "BroadcastURL", "", true),
            ("90+30", "Event", "", false),
            ("5400+30", "BroadcastName", "[%clk 1:30:25]", false),
            ("3+0.02", "BroadcastName", "[%clk 0:03:01]", false),
            ("40/90", "BroadcastName", "", false),
            ("?", "BroadcastName", "[%clk 1:30:25]", false),
        ] {
            assert_eq!(is_in_minutes(control, (tag, "x"), comment), expected, "{control} {tag} {comment}");
        }
    }
}
