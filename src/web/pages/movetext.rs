//! The moves of a game on a page.

use super::{address::Address, language::Language, words::Words};
use crate::{
    present::movetext::{Movetext, MovetextComment, MovetextItem, MovetextMove},
    printable,
};

/// Something that stands in the moves.
#[derive(Debug)]
pub(super) enum Item {
    Move(MoveItem),
    Comment(String),
    Clock(String),
    Eval { text: String, centipawns: i32 },
    Nag { sign: String, title: &'static str },
    Open,
    Close,
    Result(&'static str),
}

/// A move, with all that the script needs to show it.
#[derive(Debug)]
pub(super) struct MoveItem {
    pub(super) node: usize,
    pub(super) ply: usize,
    pub(super) number: String,
    pub(super) san: String,
    pub(super) uci: String,
    pub(super) fen: String,
    pub(super) shapes: String,
    pub(super) link: Address,
    pub(super) is_shown: bool,
}

/// The items of a movetext; `address` is that of the game.
pub(super) fn items(text: &Movetext, address: &Address, language: Language) -> Vec<Item> {
    let words = language.words();
    let item = |item: &MovetextItem| match item {
        MovetextItem::Move(m) => vec![Item::Move(MoveItem {
            node: m.node,
            ply: m.ply,
            number: m.number.clone(),
            san: m.san.clone(),
            uci: m.uci.clone(),
            fen: m.fen.clone(),
            shapes: listed(&m.shapes),
            link: link(m, address),
            is_shown: text.shown.node == Some(m.node),
        })],
        MovetextItem::Comment(comment) => commented(comment),
        MovetextItem::Nag(nag) => vec![Item::Nag { sign: sign(*nag), title: title(*nag, words) }],
        MovetextItem::Open => vec![Item::Open],
        MovetextItem::Close => vec![Item::Close],
        MovetextItem::Result(result) => vec![Item::Result(result)],
    };
    text.items.iter().flat_map(item).collect()
}

/// What a comment says, part by part.
fn commented(comment: &MovetextComment) -> Vec<Item> {
    let clock = comment.clock.iter().map(|clock| Item::Clock(printable::line(clock).into_owned()));
    let eval = comment.eval.iter().map(|eval| Item::Eval {
        text: printable::line(eval).into_owned(),
        centipawns: centipawns(eval).unwrap_or(0),
    });
    let words = Some(&comment.words).filter(|words| !words.is_empty());
    let words = words.map(|words| Item::Comment(printable::lines(words).into_owned()));
    clock.chain(eval).chain(words).collect()
}

/// The address of the position after a move.
pub(super) fn link(m: &MovetextMove, address: &Address) -> Address {
    let bare = address.without(&["ply", "at"]);
    if m.is_variation { bare.with("at", m.node) } else { bare.with("ply", m.ply) }
}

/// Arrows and circles as the script reads them.
pub(super) fn listed(shapes: &[crate::present::board_picture::Shape]) -> String {
    shapes.iter().map(ToString::to_string).collect::<Vec<_>>().join(",")
}

/// What counts as a mate, and the most of all else.
const MATE: i32 = 10_000;

/// An evaluation in hundredths of a pawn for White: of `0.17`, `-1.2,24` (with a depth) or `#-3`.
pub(super) fn centipawns(text: &str) -> Option<i32> {
    let text = text.split([',', ' ']).next()?;
    if let Some(mate) = text.strip_prefix('#') {
        return Some(if mate.starts_with('-') { -MATE } else { MATE });
    }
    let pawns: f64 = text.parse().ok().filter(|pawns: &f64| pawns.is_finite())?;
    Some((100.0 * pawns).round().clamp(f64::from(-MATE), f64::from(MATE)) as i32)
}

/// How a glyph is written.
fn sign(nag: u16) -> String {
    let known = match nag {
        1 => "!",
        2 => "?",
        3 => "!!",
        4 => "??",
        5 => "!?",
        6 => "?!",
        7 => "□",
        10..=12 => "=",
        13 => "∞",
        14 => "⩲",
        15 => "⩱",
        16 => "±",
        17 => "∓",
        18 => "+−",
        19 => "−+",
        22 | 23 => "⨀",
        32 | 33 => "⟳",
        36 | 37 => "↑",
        40 | 41 => "→",
        44 | 45 => "=∞",
        132 | 133 => "⇆",
        138 | 139 => "⊕",
        140 => "∆",
        146 => "N",
        _ => return format!("${nag}"),
    };
    known.to_owned()
}

/// What a glyph says; nothing for those that are rare.
fn title(nag: u16, words: &'static Words) -> &'static str {
    match nag {
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
    }
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
