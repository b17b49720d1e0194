//! Turns the annotations of a move into what PGN has for them: glyphs and comments before or after the move.

use std::collections::BTreeSet;

use plybook_chess::limits::MAX_COMMENT_BYTES;

use crate::{
    annotations::{Item, kind},
    clock::{clock_of, evaluations, single_evaluation, time_control, time_spent},
    nations::nation,
    pieces::square,
    quotation::quotation,
    text::TextDecoder,
    training::training,
};

/// The glyphs and comments of a move, in order.
#[derive(Debug, Default)]
pub(crate) struct MoveComments {
    pub before: Vec<String>,
    pub glyphs: Vec<u16>,
    pub after: Vec<String>,
}

/// Converts the annotations of a game.
pub(crate) struct Commenter<'a> {
    pub texts: &'a TextDecoder,
    /// Whether annotations without a form in PGN are kept as their bytes.
    pub keeps_unknown: bool,
    /// The types of annotations that have none.
    pub unknown: BTreeSet<u8>,
}

/// Where a comment belongs.
enum Comment {
    Before(String),
    After(String),
    Glyphs,
    /// The game has it as a tag, or as a comment of another move.
    Elsewhere,
}

impl Commenter<'_> {
    /// What PGN has for the annotations of a move.
    pub(crate) fn comments(&mut self, items: &[Item<'_>]) -> MoveComments {
        let mut comments = MoveComments::default();
        for item in items {
            match self.comment(item) {
                Some(Comment::Before(text)) => comments.before.push(storable(text)),
                Some(Comment::After(text)) => comments.after.push(storable(text)),
                Some(Comment::Glyphs) => {
                    comments
                        .glyphs
                        .extend(item.data.iter().map(|&nag| u16::from(nag)).filter(|nag| *nag > 0));
                }
                Some(Comment::Elsewhere) => {}
                None => comments.after.extend(self.unknown(item)),
            }
        }
        comments
    }

    fn comment(&self, item: &Item<'_>) -> Option<Comment> {
        match item.kind {
            kind::TEXT_AFTER => self.text(item.data).map(Comment::After),
            kind::TEXT_BEFORE => self.text(item.data).map(Comment::Before),
            kind::GLYPHS => Some(Comment::Glyphs),
            kind::SQUARES => marks(item.data, 1).map(|list| Comment::After(format!("[%csl {list}]"))),
            kind::ARROWS => marks(item.data, 2).map(|list| Comment::After(format!("[%cal {list}]"))),
            kind::TIME_SPENT => time_spent(item.data).map(|time| Comment::After(format!("[%emt {time}]"))),
            // The question asks for the move.
            kind::TRAINING => training(item.data, self.texts).map(Comment::Before),
            kind::QUOTATION => quotation(item.data, self.texts).map(Comment::After),
            kind::EVALUATION => {
                single_evaluation(item.data).map(|value| Comment::After(format!("[%eval {value}]")))
            }
            kind::WHITE_CLOCK | kind::BLACK_CLOCK => clock_of(item.data).map(|_| Comment::Elsewhere),
            kind::TIME_CONTROL => time_control(item.data).map(|_| Comment::Elsewhere),
            kind::EVALUATIONS => evaluations(item.data).map(|_| Comment::Elsewhere),
            _ => None,
        }
    }

    /// A text, after the code of its language.
    fn text(&self, data: &[u8]) -> Option<String> {
        let (&[_, language], text) = data.split_first_chunk::<2>()?;
        let text = self.texts.prose(text);
        Some(nation(language).map(|code| format!("[%lang {code}] {text}")).unwrap_or(text))
    }

    /// Counts an annotation that has no form in PGN, and returns its bytes if they are kept.
    fn unknown(&mut self, item: &Item<'_>) -> Option<String> {
        self.unknown.insert(item.kind);
        let digits: String = item.data.iter().map(|byte| format!("{byte:02x}")).collect();
        self.keeps_unknown.then(|| format!("[%cba {:02x} {digits}]", item.kind))
    }
}

/// Squares or arrows with their colours, as PGN lists them; `None` if a colour or a square has no meaning.
fn marks(data: &[u8], squares: usize) -> Option<String> {
    let mut list = Vec::new();
    for mark in data.chunks(1 + squares) {
        let (color, rest) = mark.split_first()?;
        let mut text = match color {
            2 => "G",
            3 => "Y",
            4 => "R",
            _ => return None,
        }
        .to_owned();
        if rest.len() != squares {
            return None;
        }
        for number in rest {
            text.push_str(&square(number.checked_sub(1)?)?.to_string());
        }
        list.push(text);
    }
    (!list.is_empty()).then(|| list.join(","))
}

/// A comment that an archive stores: it has at most one of line breaks and closing braces, and a limited length.
fn storable(mut text: String) -> String {
    if text.contains('}') && text.contains('\n') {
        text = text.replace('\n', " ");
    }
    if text.len() > MAX_COMMENT_BYTES {
        text.truncate(text.floor_char_boundary(MAX_COMMENT_BYTES));
    }
    text
}
