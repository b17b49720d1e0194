//! A comment in its parts: commands such as `[%clk 0:09:58]`, and words.

use std::borrow::Cow;

/// What is left of a comment when others are known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rest {
    /// What none of them says.
    Unsaid,
    /// The same, but no second value of a command.
    Unset,
    /// Only commands of which they have no value.
    Commands,
}

/// The commands of some comments, with their names, and their words with one space between them and around all.
#[derive(Debug)]
pub(super) struct Parts<'a> {
    commands: Vec<(&'a str, &'a str)>,
    words: String,
}

impl<'a> Parts<'a> {
    pub(super) fn of(comments: impl Iterator<Item = &'a str>) -> Parts<'a> {
        let mut parts = Parts { commands: Vec::new(), words: " ".to_owned() };
        for comment in comments {
            let mut rest = comment;
            while let Some((before, after)) = rest.split_once("[%") {
                let Some((inside, behind)) = after.split_once(']') else { break };
                parts.add_words(before);
                let (name, value) = inside.split_once(char::is_whitespace).unwrap_or((inside, ""));
                parts.commands.push((name, value.trim()));
                rest = behind;
            }
            parts.add_words(rest);
        }
        parts
    }

    fn add_words(&mut self, text: &str) {
        for word in text.split_whitespace() {
            self.words.push_str(word);
            self.words.push(' ');
        }
    }

    /// What is left of a comment beside these; `None` if that is nothing.
    pub(super) fn rest_of<'t>(&self, comment: &'t str, rest: Rest) -> Option<Cow<'t, str>> {
        let own = Parts::of(std::iter::once(comment));
        let is_known = |(name, value): (&str, &str)| {
            self.commands.iter().any(|known| known.0 == name && (rest != Rest::Unsaid || known.1 == value))
        };
        let new: Vec<_> = own.commands.iter().copied().filter(|command| !is_known(*command)).collect();
        let has_words = rest != Rest::Commands && own.words != " " && !self.words.contains(&own.words);
        if new.is_empty() && !has_words {
            return None;
        }
        if new.len() == own.commands.len() && (has_words || own.words == " ") {
            return Some(Cow::Borrowed(comment));
        }
        let mut text: Vec<String> = new.iter().map(|(name, value)| format!("[%{name} {value}]")).collect();
        text.extend(has_words.then(|| own.words.trim().to_owned()));
        Some(Cow::Owned(format!(" {} ", text.join(" "))))
    }
}
