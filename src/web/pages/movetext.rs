//! The moves of a game on a page: the mainline in two columns, with comments and variations across them.

use super::{Address, Language, Messages, clocks};
use crate::{
    pgn::{CommentLanguage, CommentPart, comment_parts},
    present::movetext::{Movetext, MovetextComment, MovetextItem, MovetextMove, nag_sign},
    printable,
};

/// Moves from which a variation is folded.
const MIN_FOLDED: usize = 17;

/// A part of the moves.
#[derive(Debug)]
pub(super) enum ScorePart<'a> {
    /// A move number, for the first column.
    Number(u32),
    /// The place of a move that is in another row.
    Gap,
    Move(ScoreMove<'a>),
    Landmark(Landmark),
    Note(Vec<NotePart<'a>>),
}

/// A move of the mainline.
#[derive(Debug)]
pub(super) struct ScoreMove<'a> {
    pub(super) played: &'a MovetextMove,
    pub(super) nags: Vec<u16>,
    pub(super) eval: Option<&'a str>,
    /// In seconds.
    pub(super) clock: Option<u32>,
}

/// A part of a note.
#[derive(Debug)]
pub(super) enum NotePart<'a> {
    Comment(&'a str),
    Nag(u16),
    Variation(Variation<'a>),
}

/// A variation with everything in it.
#[derive(Debug)]
pub(super) struct Variation<'a> {
    pub(super) items: &'a [MovetextItem],
    pub(super) moves: usize,
    /// Whether it contains the move that is shown.
    pub(super) is_shown: bool,
}

/// A line between two moves, or after the last one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Landmark {
    /// The opening has its final name.
    Opening,
    /// No earlier game reached the position after the last move.
    NewMove,
}

impl ScoreMove<'_> {
    /// Whether an engine played it from its opening book.
    pub(super) fn is_book(&self) -> bool {
        self.played.notes.engine.starts_with("book")
    }
}

impl<'a> Variation<'a> {
    /// The variation at the start of some items, and the items after it.
    fn split(items: &'a [MovetextItem], shown: Option<usize>) -> (Variation<'a>, &'a [MovetextItem]) {
        let mut depth = 1_usize;
        let end = items.iter().position(|item| {
            match item {
                MovetextItem::Open => depth += 1,
                MovetextItem::Close => depth -= 1,
                _ => {}
            }
            depth == 0
        });
        let (inner, rest) = items.split_at(end.unwrap_or(items.len()));
        let moves = || inner.iter().filter_map(as_move);
        let is_shown = moves().any(|m| shown == Some(m.node));
        (Variation { items: inner, moves: moves().count(), is_shown }, rest.get(1..).unwrap_or_default())
    }

    /// Whether it is long.
    pub(super) fn is_folded(&self) -> bool {
        self.moves >= MIN_FOLDED
    }

    /// The first move with its number.
    pub(super) fn begin(&self) -> String {
        self.items.iter().find_map(as_move).map(named).unwrap_or_default()
    }
}

/// A part of a comment in one language.
pub(super) struct ShownComment {
    pub(super) language: Option<CommentLanguage>,
    pub(super) text: String,
}

/// The words of a comment, or the meaning of its sign.
pub(super) fn comment(words: &str, messages: &Messages) -> Vec<ShownComment> {
    if words == "(=)" {
        return vec![ShownComment { language: None, text: messages.draw_offer.to_owned() }];
    }
    let shown = |part: CommentPart<'_>| ShownComment { language: part.language, text: paragraphs(part.text) };
    comment_parts(words).into_iter().map(shown).collect()
}

/// The words of a text. Programs break texts into lines of 80 columns, so a line break is a space; an empty line begins a
/// paragraph.
pub(super) fn paragraphs(words: &str) -> String {
    let paragraphs = printable::lines(words);
    paragraphs.split("\n\n").map(|paragraph| paragraph.replace('\n', " ")).collect::<Vec<_>>().join("\n\n")
}

fn as_move(item: &MovetextItem) -> Option<&MovetextMove> {
    match item {
        MovetextItem::Move(m) => Some(m),
        _ => None,
    }
}

/// A move with its number: `12. Nf3` or `12… Nf6`.
pub(super) fn named(m: &MovetextMove) -> String {
    let dots = if is_of_white(m) { "." } else { "…" };
    format!("{}{dots}\u{a0}{}", number(m), m.san)
}

/// Whether White made a move.
pub(super) fn is_of_white(m: &MovetextMove) -> bool {
    m.fen.split(' ').nth(1) == Some("b")
}

/// The number of a move. After a move of Black, the number of the position is one higher.
pub(super) fn number(m: &MovetextMove) -> u32 {
    let next: u32 = m.fen.rsplit(' ').next().and_then(|text| text.parse().ok()).unwrap_or(1);
    if is_of_white(m) { next } else { next.saturating_sub(1) }
}

/// The moves of a game, with landmarks before or after the moves of some plies.
pub(super) fn score<'a>(text: &'a Movetext, landmarks: &[(usize, Landmark)]) -> Vec<ScorePart<'a>> {
    let mut writer = ScoreWriter::default();
    let mut items = text.items.as_slice();
    while let Some((item, rest)) = items.split_first() {
        items = rest;
        match item {
            MovetextItem::Move(m) => {
                let has = |landmark| landmarks.contains(&(m.ply, landmark));
                writer.pass_landmark();
                writer.landmark = has(Landmark::Opening).then_some(Landmark::Opening);
                writer.pass_landmark();
                writer.play(m);
                writer.landmark = has(Landmark::NewMove).then_some(Landmark::NewMove);
            }
            MovetextItem::Comment(comment) => writer.comment(comment),
            MovetextItem::Nag(nag) => match writer.parts.last_mut() {
                Some(ScorePart::Move(m)) => m.nags.push(*nag),
                _ => writer.note(NotePart::Nag(*nag)),
            },
            MovetextItem::Open => {
                let (variation, rest) = Variation::split(rest, text.shown.node);
                items = rest;
                writer.note(NotePart::Variation(variation));
            }
            MovetextItem::Close | MovetextItem::Result(_) => {}
        }
    }
    writer.pass_landmark();
    writer.parts
}

/// The moves in progress.
#[derive(Default)]
struct ScoreWriter<'a> {
    parts: Vec<ScorePart<'a>>,
    /// Whether the current row has only the move of White.
    is_row_open: bool,
    /// A landmark after the last move and its glyphs.
    landmark: Option<Landmark>,
}

impl<'a> ScoreWriter<'a> {
    fn play(&mut self, played: &'a MovetextMove) {
        let is_of_white = is_of_white(played);
        if is_of_white || !self.is_row_open {
            self.parts.push(ScorePart::Number(number(played)));
            self.parts.extend((!is_of_white).then_some(ScorePart::Gap));
        }
        self.parts.push(ScorePart::Move(ScoreMove { played, nags: Vec::new(), eval: None, clock: None }));
        self.is_row_open = is_of_white;
    }

    fn comment(&mut self, comment: &'a MovetextComment) {
        let last = self.parts.iter_mut().rev().find_map(|part| match part {
            ScorePart::Move(m) => Some(m),
            _ => None,
        });
        if let Some(last) = last {
            last.eval = last.eval.or(comment.eval.as_deref());
            last.clock = last.clock.or_else(|| clocks::seconds(comment.clock.as_deref()?));
        }
        if !comment.words.is_empty() {
            self.note(NotePart::Comment(&comment.words));
        }
    }

    fn pass_landmark(&mut self) {
        if let Some(landmark) = self.landmark.take() {
            self.end_row();
            self.parts.push(ScorePart::Landmark(landmark));
        }
    }

    fn note(&mut self, part: NotePart<'a>) {
        self.pass_landmark();
        self.end_row();
        match self.parts.last_mut() {
            Some(ScorePart::Note(note)) => note.push(part),
            _ => self.parts.push(ScorePart::Note(vec![part])),
        }
    }

    fn end_row(&mut self) {
        if std::mem::take(&mut self.is_row_open) {
            self.parts.push(ScorePart::Gap);
        }
    }
}

/// The moves of the mainline among some parts.
pub(super) fn mainline<'a, 'b>(parts: &'b [ScorePart<'a>]) -> impl Iterator<Item = &'b ScoreMove<'a>> {
    parts.iter().filter_map(|part| match part {
        ScorePart::Move(m) => Some(m),
        _ => None,
    })
}

/// An evaluation with its sign: `+0.6`, `−1.2`, `#−3`.
pub(super) fn eval(text: &str, language: Language) -> String {
    match centipawns(text) {
        Some(centi) if !text.starts_with('#') => {
            let pawns = language.decimal(f64::from(centi.abs()) / 100.0);
            match centi {
                5.. => format!("+{pawns}"),
                ..-4 => format!("−{pawns}"),
                _ => pawns,
            }
        }
        Some(_) => text.split([',', ' ']).next().unwrap_or_default().replace('-', "−"),
        None => printable::line(text).into_owned(),
    }
}

/// The address of the position after a move.
pub(super) fn link(m: &MovetextMove, address: &Address) -> Address {
    let bare = address.without(&["ply", "at"]);
    if m.is_variation { bare.with("at", m.node) } else { bare.with("ply", m.ply) }
}

/// Arrows and circles in the form that the script reads.
pub(super) fn listed(shapes: &[crate::present::board_picture::Shape]) -> String {
    shapes.iter().map(ToString::to_string).collect::<Vec<_>>().join(",")
}

/// The value of a mate, and the limit of all other evaluations.
const MATE: i32 = 10_000;

/// An evaluation in hundredths of a pawn for White, from `0.17`, `-1.2,24` (with a depth) or `#-3`.
pub(super) fn centipawns(text: &str) -> Option<i32> {
    let text = text.split([',', ' ']).next()?;
    if let Some(mate) = text.strip_prefix('#') {
        return Some(if mate.starts_with('-') { -MATE } else { MATE });
    }
    let pawns: f64 = text.parse().ok().filter(|pawns: &f64| pawns.is_finite())?;
    Some((100.0 * pawns).round().clamp(f64::from(-MATE), f64::from(MATE)) as i32)
}

/// The symbol of a glyph and its meaning; rare ones have only a generic name.
pub(super) fn nag(nag: u16, words: &'static Messages) -> (String, &'static str) {
    let sign = nag_sign(nag).map_or_else(|| format!("${nag}"), str::to_owned);
    let title = match nag {
        1 => words.nag_good,
        2 => words.nag_mistake,
        3 => words.nag_brilliant,
        4 => words.nag_blunder,
        5 => words.nag_interesting,
        6 => words.nag_dubious,
        7 => words.nag_only,
        10 => words.nag_equal,
        13 => words.nag_unclear,
        14 => words.nag_white_slightly,
        15 => words.nag_black_slightly,
        16 => words.nag_white_better,
        17 => words.nag_black_better,
        18 => words.nag_white_winning,
        19 => words.nag_black_winning,
        146 => words.nag_novelty,
        _ => words.nag_other,
    };
    (sign, title)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn evaluations_are_hundredths_of_a_pawn() {
        for (text, centi) in [
            ("0.17", Some(17)),
            ("-1.2,24", Some(-120)),
            ("#3", Some(10_000)),
            ("#-3", Some(-10_000)),
            ("1e300", Some(10_000)),
            ("inf", None),
            ("NaN", None),
            ("", None),
            ("x", None),
        ] {
            assert_eq!(centipawns(text), centi, "{text}");
        }
    }
}
