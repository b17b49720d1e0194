//! The comments that programs for matches of engines write at each move:
//!
//! | program | comment |
//! |---|---|
//! | cutechess | `+0.31/23 1.2s`, `-M4/30 0.05s, White mates`, `book`; without an evaluation `1.2s` |
//! | fastchess | also fields: `+0.31/23 1.234s, tl=58.2s, pv="e2e4 e7e5"`; early releases without commas |
//! | TCEC | `d=38, mt=34514, tl=1508721, pv=Qxd2 Kxd2, wv=0.87,`, `book, mb=+0+0+0+0+0,`; `tl=01:25:53` before 2021 |
//!
//! A comment that is not exactly like that is the comment of a person.

use std::borrow::Cow;

use plybook_chess::chess::Color;

use super::comment_command::CommentCommand;

/// The words of such a comment, which say how the game ended, and its values as commands: `eval`, `clk`, `book`, and
/// `engine` with the complete text. `None` if it is not one.
pub(crate) fn engine_comment(text: &str, mover: Color) -> Option<(String, Vec<CommentCommand<'_>>)> {
    let mut fields = text.split(',').map(str::trim).filter(|field| !field.is_empty());
    let first = fields.next()?;
    let (values, words): (Vec<_>, Vec<_>) = fields.partition(|field| value(field).is_some());
    let find = |name| values.iter().filter_map(|field| value(field)).find(|(key, _)| *key == name);
    let is_book = first == "book" && words.is_empty();
    let is_options = first.starts_with("WhiteEngineOptions:");
    let eval = match value(first) {
        Some(("d" | "ev", _)) => Some(white_eval(find("wv")?.1, Color::White)?),
        Some(_) => return None,
        None if is_book || is_options => None,
        None => score_of_mover(first)?.and_then(|score| white_eval(score, mover)),
    };
    let clock = find("tl").and_then(|(_, left)| clock(left));
    let command = |name, value: Cow<'static, str>| CommentCommand { name, value };
    let mut commands = vec![CommentCommand { name: "engine", value: text.trim().into() }];
    commands.extend(eval.map(|eval| command("eval", eval.into())));
    commands.extend(clock.map(|clock| command("clk", clock.into())));
    commands.extend(is_book.then(|| command("book", "".into())));
    Some((if is_options { String::new() } else { words.join(", ") }, commands))
}

/// A field like `d=38`.
fn value(field: &str) -> Option<(&str, &str)> {
    field.split_once('=').filter(|(key, _)| key.bytes().all(|byte| byte.is_ascii_alphanumeric()))
}

/// The score of `+0.31/23 1.2s`; `Some(None)` if there is a time but no evaluation.
fn score_of_mover(first: &str) -> Option<Option<&str>> {
    let mut parts = first.split_ascii_whitespace().peekable();
    let score = parts.peek().and_then(|part| part.split_once('/'));
    if score.is_some() {
        parts.next();
    }
    let time = parts.next()?.strip_suffix('s')?;
    let is_time = is_number(time.split_once('.').map_or(time, |(seconds, _)| seconds));
    if !is_time || time.parse::<f64>().is_err() || !parts.all(|part| value(part).is_some()) {
        return None;
    }
    match score {
        None => Some(None),
        Some((score, depth))
            if is_number(depth) && (score == "ERR" || white_eval(score, Color::White).is_some()) =>
        {
            // At depth 0 the engine has said nothing.
            Some(Some(score).filter(|_| depth != "0"))
        }
        Some(_) => None,
    }
}

/// A score of a side, `+0.31` or `-M4`, in the notation of `[%eval]`. Programs count the plies to a mate.
fn white_eval(score: &str, side: Color) -> Option<String> {
    let is_negative = score.starts_with('-');
    let size = score.strip_prefix(['+', '-']).unwrap_or(score);
    let sign = if is_negative == side.is_white() { "-" } else { "" };
    if let Some(plies) = size.strip_prefix('M') {
        return Some(format!("#{sign}{}", plies.parse::<u32>().ok()?.div_ceil(2)));
    }
    let (pawns, cents) = size.split_once('.')?;
    if !is_number(pawns) || !is_number(cents) || cents.len() != 2 {
        return None;
    }
    let is_zero = size.bytes().all(|byte| matches!(byte, b'0' | b'.'));
    Some(if is_zero { size.to_owned() } else { [sign, size].concat() })
}

/// The time left as in `[%clk]`, from milliseconds, `12.345s` or `01:25:53`.
fn clock(left: &str) -> Option<String> {
    if left.contains(':') {
        return Some(left.to_owned());
    }
    let millis = match left.strip_suffix('s') {
        Some(seconds) => 1000.0 * seconds.parse::<f64>().ok()?,
        None => left.parse().ok()?,
    };
    let millis = (0.0..1e12).contains(&millis).then(|| millis.round() as u64)?;
    let (seconds, rest) = (millis / 1000, millis % 1000);
    Some(format!("{}:{:02}:{:02}.{rest:03}", seconds / 3600, seconds / 60 % 60, seconds % 60))
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The evaluation, the clock and the words of a comment.
    fn read(text: &str, mover: Color) -> Option<(Option<String>, Option<String>, String)> {
        let (words, commands) = engine_comment(text, mover)?;
        let said = |name| commands.iter().find(|command| command.name == name);
        assert_eq!(said("engine").unwrap().value, text.trim());
        Some((
            said("eval").map(|eval| eval.value.to_string()),
            said("clk").map(|clk| clk.value.to_string()),
            words,
        ))
    }

    #[test]
    fn comments_of_engine_games_have_evaluations_of_white_and_clocks() {
        for (text, white, black, clock, words) in [
            ("+0.31/23 1.2s", "0.31", "-0.31", "", ""),
            ("-0.31/23\n0.012s", "-0.31", "0.31", "", ""),
            ("0.00/1 0s", "0.00", "0.00", "", ""),
            ("-0.00/1 0s", "0.00", "0.00", "", ""),
            ("+152.65/40 12s", "152.65", "-152.65", "", ""),
            ("+M5/23 0.50s", "#3", "#-3", "", ""),
            ("-M4/30 0.05s, Black mates", "#-2", "#2", "", "Black mates"),
            ("0.00/0 0.000s", "", "", "", ""),
            ("ERR/7 0.100s", "", "", "", ""),
            ("1.2s, White's connection stalls", "", "", "", "White's connection stalls"),
            ("0s", "", "", "", ""),
            ("book", "", "", "", ""),
            ("book, mb=+0+0+0+0+0,", "", "", "", ""),
            (
                "+0.31/23 1.234s, tl=58.200s, latency=0.001s, n=812, sd=30, pv=\"e2e4 e7e5\", Draw by 3-fold repetition",
                "0.31",
                "-0.31",
                "0:00:58.200",
                "Draw by 3-fold repetition",
            ),
            ("+0.31/23 1.234s n=812 sd=30", "0.31", "-0.31", "", ""),
            (
                "d=38, sd=66, mt=34514, tl=1508721, pv=Qxd2+ Kxd2, h=12.2, wv=-0.87, R50=50, mb=+1+0+0+0-1, White mates",
                "-0.87",
                "-0.87",
                "0:25:08.721",
                "White mates",
            ),
            (" d=29, mt=00:04:36, tl=01:25:53, s=0 kN/s, pv=, R50=50, wv=M11, ", "#6", "#6", "01:25:53", ""),
            ("ev=-0.13, d=20, wv=0.13,", "0.13", "0.13", "", ""),
            ("d=4, tl=-5, wv=-M2", "#-1", "#-1", "", ""),
            ("WhiteEngineOptions: Protocol=uci; Hash=1;, BlackEngineOptions: Ponder=false;", "", "", "", ""),
        ] {
            let filled = |text: &str| Some(text.to_owned()).filter(|text| !text.is_empty());
            for (mover, eval) in [(Color::White, white), (Color::Black, black)] {
                let expected = (filled(eval), filled(clock), words.to_owned());
                assert_eq!(read(text, mover), Some(expected), "{text} {mover:?}");
            }
        }
    }

    #[test]
    fn comments_of_people_are_not_those_of_engines() {
        for text in [
            "",
            "+0.31 was better",
            "+0.31/23 was better",
            "+0.31/23 1.2s was better",
            "+0.31/23",
            "+0.31/x 1.2s",
            "+0.3/23 1.2s",
            "M5/23 is a street",
            "1/2 s",
            "1-0/23 1.2s",
            "+0.31/23 .s",
            "+0.31/23 1.2.3s",
            "infs",
            "s",
            "books",
            "book, but Nf3 is better",
            "d=38",
            "d=38, the engine says",
            "d=38, wv=good",
            "x=1, wv=0.87",
            "a = b, wv=0.87",
            "=",
            "(=)",
            "+M99999999999/23 x",
        ] {
            assert_eq!(read(text, Color::White), None, "{text}");
        }
    }
}
