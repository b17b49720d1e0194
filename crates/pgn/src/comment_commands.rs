//! Commands in PGN comments: `[%clk 0:09:58]`, `[%eval 0.17]`, `[%cal Ge2e4]`, `[%csl Rd5]`; and the same values in the
//! comments of engine games.

use std::borrow::Cow;

use plybook_chess::chess::Color;

use crate::{comment_command::CommentCommand, engine_comment::engine_comment};

/// The supported commands: clock time, engine evaluation, arrows, highlighted squares, and either of them as Scid writes it.
const COMMANDS: [&str; 5] = ["clk", "eval", "cal", "csl", "draw"];

/// Marks of Chessable in the text of a comment, and what they mean.
const MARKS: [(&str, &str); 12] = [
    ("@@StartBracket@@", "("),
    ("@@EndBracket@@", ")"),
    ("@@StartSquare@@", "["),
    ("@@EndSquare@@", "]"),
    ("@@HeaderStart@@", "\n\n"),
    ("@@HeaderEnd@@", "\n\n"),
    ("@@StartBlockQuote@@", "\n\n"),
    ("@@EndBlockQuote@@", "\n\n"),
    ("@@StartFEN@@", ""),
    ("@@EndFEN@@", ""),
    ("@@LinkStart@@", ""),
    ("@@LinkEnd@@", ""),
];

/// An evaluation in the notation of Lichess: pawns from White's point of view, and a depth. ChessBase and Fritz write
/// centipawns from the point of view of the side that has moved, and always a depth: `17,23`. Only they write a depth but
/// no decimal point.
fn evaluation(value: &str, mover: Color) -> Cow<'_, str> {
    let centipawns = || {
        let (centipawns, depth) = value.split_once(',')?;
        depth.trim().parse::<u32>().ok()?;
        let centipawns = f64::from(centipawns.trim().parse::<i32>().ok()?);
        // Adding 0 turns -0 into 0.
        Some(format!("{:.2},{depth}", mover.fold_wb(1.0, -1.0) * centipawns / 100.0 + 0.0))
    };
    centipawns().map_or(Cow::Borrowed(value), Cow::Owned)
}

/// Returns the words of a comment of the side that has moved, without its supported commands, and those commands.
pub fn comment_commands(text: &str, mover: Color) -> (String, Vec<CommentCommand<'_>>) {
    if let Some(read) = engine_comment(text, mover) {
        return read;
    }
    let (mut words, mut commands, mut rest) = (String::with_capacity(text.len()), Vec::new(), text);
    while let Some((before, after)) = rest.split_once("[%") {
        words.push_str(before);
        let known = after.split_once(']').and_then(|(inside, behind)| {
            let (name, value) = inside.split_once(char::is_whitespace)?;
            COMMANDS.contains(&name).then_some((name, value.trim(), behind))
        });
        match known {
            Some((name, value, behind)) => {
                let value = if name == "eval" { evaluation(value, mover) } else { value.into() };
                commands.push(CommentCommand { name, value });
                // The spaces on both sides of the command were one gap.
                let has_gap = words.is_empty() || words.ends_with(char::is_whitespace);
                rest = if has_gap { behind.trim_start_matches(' ') } else { behind };
            }
            None => {
                words.push_str("[%");
                rest = after;
            }
        }
    }
    words.push_str(rest);
    if words.contains("@@") {
        words = MARKS.iter().fold(words, |words, (mark, meaning)| words.replace(mark, meaning));
    }
    (words, commands)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn centipawns_of_the_side_that_has_moved_become_pawns_for_white() {
        for (value, white, black) in [
            ("17,23", "0.17,23", "-0.17,23"),
            ("-16,13", "-0.16,13", "0.16,13"),
            ("0,20", "0.00,20", "0.00,20"),
            ("+1234, 8", "12.34, 8", "-12.34, 8"),
            ("0.17,23", "0.17,23", "0.17,23"),
            ("17", "17", "17"),
            ("17,", "17,", "17,"),
            ("#3,12", "#3,12", "#3,12"),
        ] {
            let read = [Color::White, Color::Black].map(|mover| evaluation(value, mover));
            assert_eq!(read, [white, black], "{value}");
        }
    }

    #[test]
    fn only_supported_commands_are_removed_from_a_comment() {
        for (text, words, commands) in [
            ("[%clk 0:09:58]", "", vec![("clk", "0:09:58")]),
            (
                "Good. [%eval #-3] [%clk 1:00:00] Yes!",
                "Good. Yes!",
                vec![("eval", "#-3"), ("clk", "1:00:00")],
            ),
            (
                "a [%emt 0:01] b [%csl Rb8,Rc7][%cal Rf4b8]",
                "a [%emt 0:01] b ",
                vec![("csl", "Rb8,Rc7"), ("cal", "Rf4b8")],
            ),
            ("[%clk 0:1", "[%clk 0:1", vec![]),
            ("[%clk] x [% ] [%", "[%clk] x [% ] [%", vec![]),
            ("[%evalx 3][%eval  0.17 ]", "[%evalx 3]", vec![("eval", "0.17")]),
            ("a\n\nb", "a\n\nb", vec![]),
            ("a @@StartBracket@@b@@EndBracket@@ @@c@@", "a (b) @@c@@", vec![]),
        ] {
            let (rest, found) = comment_commands(text, Color::White);
            let found: Vec<_> = found.iter().map(|command| (command.name, &*command.value)).collect();
            assert_eq!((rest.as_str(), found), (words, commands), "{text}");
        }
    }
}
