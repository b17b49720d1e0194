//! Commands in PGN comments: `[%clk 0:09:58]`, `[%eval 0.17]`, `[%cal Ge2e4]`, `[%csl Rd5]`.

/// The supported commands: clock time, engine evaluation, arrows, highlighted squares.
const COMMANDS: [&str; 4] = ["clk", "eval", "cal", "csl"];

/// A command in a comment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CommentCommand<'a> {
    /// Its name: `clk`, `eval`, `cal` or `csl`.
    pub name: &'a str,
    /// The value, without surrounding spaces.
    pub value: &'a str,
}

/// Returns a comment without its supported commands, and those commands.
pub fn comment_commands(text: &str) -> (String, Vec<CommentCommand<'_>>) {
    let (mut words, mut commands, mut rest) = (String::with_capacity(text.len()), Vec::new(), text);
    while let Some((before, after)) = rest.split_once("[%") {
        words.push_str(before);
        let known = after.split_once(']').and_then(|(inside, behind)| {
            let (name, value) = inside.split_once(char::is_whitespace)?;
            COMMANDS.contains(&name).then_some((name, value.trim(), behind))
        });
        match known {
            Some((name, value, behind)) => {
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
    (words, commands)
}

#[cfg(test)]
mod tests {
    use super::*;

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
        ] {
            let (rest, found) = comment_commands(text);
            let found: Vec<_> = found.iter().map(|command| (command.name, command.value)).collect();
            assert_eq!((rest.as_str(), found), (words, commands), "{text}");
        }
    }
}
