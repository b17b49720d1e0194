//! The languages of texts in comments. `[%lang GER]`, as imports of ChessBase databases write it, begins a text in German.

/// A language of comments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CommentLanguage {
    /// The code of its country, in the command.
    code: &'static str,
    /// The code of the language, as in HTML: `de`.
    pub tag: &'static str,
    /// Its English name.
    pub name: &'static str,
}

/// The languages that are recognized.
pub const COMMENT_LANGUAGES: [CommentLanguage; 12] = {
    const fn new(code: &'static str, tag: &'static str, name: &'static str) -> CommentLanguage {
        CommentLanguage { code, tag, name }
    }
    [
        new("ENG", "en", "English"),
        new("GER", "de", "German"),
        new("FRA", "fr", "French"),
        new("ESP", "es", "Spanish"),
        new("ITA", "it", "Italian"),
        new("NED", "nl", "Dutch"),
        new("POR", "pt", "Portuguese"),
        new("RUS", "ru", "Russian"),
        new("POL", "pl", "Polish"),
        new("CZE", "cs", "Czech"),
        new("HUN", "hu", "Hungarian"),
        new("TUR", "tr", "Turkish"),
    ]
};

/// A part of a comment in one language.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CommentPart<'a> {
    /// `None` if the comment does not say it.
    pub language: Option<CommentLanguage>,
    /// Its text. Other commands are part of it.
    pub text: &'a str,
}

/// The parts of a comment that are not empty. A comment without languages is one part, unchanged.
pub fn comment_parts(comment: &str) -> Vec<CommentPart<'_>> {
    let (mut parts, mut rest, mut language) = (Vec::new(), comment, None);
    for (at, command) in comment.match_indices("[%lang ") {
        let after = comment.get(at + command.len()..).and_then(|after| after.split_once(']'));
        let known = |code: &str| COMMENT_LANGUAGES.into_iter().find(|language| language.code == code);
        let Some((next, after)) = after.and_then(|(code, after)| Some((known(code)?, after))) else {
            continue;
        };
        let before = comment.get(comment.len() - rest.len()..at).unwrap_or_default();
        parts.push(CommentPart { language, text: before.trim() });
        (rest, language) = (after, Some(next));
    }
    let text = if language.is_some() { rest.trim() } else { rest };
    parts.push(CommentPart { language, text });
    parts.retain(|part| !part.text.is_empty());
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_in_a_language_ends_where_the_next_one_begins() {
        for (comment, expected) in [
            ("", vec![]),
            (" plain ", vec![("", " plain ")]),
            ("[%lang GER] gut", vec![("German", "gut")]),
            (
                "[%clk 0:01] [%lang ENG]good [%lang GER] gut",
                vec![("", "[%clk 0:01]"), ("English", "good"), ("German", "gut")],
            ),
            ("a [%lang XYZ] b [%lang GER", vec![("", "a [%lang XYZ] b [%lang GER")]),
            ("[%lang [%lang FRA] bien", vec![("", "[%lang"), ("French", "bien")]),
            ("[%lang GER]", vec![]),
        ] {
            let parts = comment_parts(comment);
            let found: Vec<_> = parts
                .iter()
                .map(|part| (part.language.map_or("", |language| language.name), part.text))
                .collect();
            assert_eq!(found, expected, "{comment}");
        }
    }
}
