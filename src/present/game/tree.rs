//! A complete chess game as data: all moves of the mainline and the variations, with their annotations.

use serde::Serialize;

use crate::present::movetext::{Movetext, MovetextComment, MovetextItem, MovetextMove};

/// A line of moves. Annotations before the first move belong to the line.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct TreeLine {
    /// Comments before the first move.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub comments: Vec<String>,
    /// Glyphs before the first move.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub nags: Vec<u16>,
    /// The moves.
    pub moves: Vec<TreeMove>,
    /// Variations before the first move.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub variations: Vec<TreeLine>,
    /// A result at the end of a variation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub result: Option<&'static str>,
}

/// A move and its annotations.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct TreeMove {
    /// The ply of the position after it.
    pub ply: usize,
    /// In SAN; `--` for a null move.
    pub san: String,
    /// In UCI notation; `0000` for a null move.
    pub uci: String,
    /// The position after it.
    pub fen: String,
    /// Numeric annotation glyphs: 1 for `!`, 2 for `?`, …
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub nags: Vec<u16>,
    /// The comments, unchanged.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub comments: Vec<String>,
    /// The clock, from a comment: `0:09:58`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clock: Option<String>,
    /// The engine evaluation, from a comment: `0.17`, `#-3`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub eval: Option<String>,
    /// Alternatives to this move.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub variations: Vec<TreeLine>,
}

impl TreeLine {
    /// The moves of a game with their annotations.
    pub(super) fn new(text: Movetext) -> TreeLine {
        let (mut line, mut outer) = (TreeLine::default(), Vec::new());
        for item in text.items {
            match item {
                MovetextItem::Open => outer.push(std::mem::take(&mut line)),
                MovetextItem::Close => {
                    let variation = std::mem::replace(&mut line, outer.pop().unwrap_or_default());
                    match line.moves.last_mut() {
                        Some(last) => last.variations.push(variation),
                        None => line.variations.push(variation),
                    }
                }
                MovetextItem::Move(m) => line.moves.push(TreeMove::new(m)),
                MovetextItem::Comment(comment) => line.comment(comment),
                MovetextItem::Nag(nag) => match line.moves.last_mut() {
                    Some(last) => last.nags.push(nag),
                    None => line.nags.push(nag),
                },
                MovetextItem::Result(result) => line.result = Some(result),
            }
        }
        line
    }

    fn comment(&mut self, MovetextComment { text, clock, eval, .. }: MovetextComment) {
        let Some(last) = self.moves.last_mut() else { return self.comments.push(text) };
        last.comments.push(text);
        last.clock = last.clock.take().or(clock);
        last.eval = last.eval.take().or(eval);
    }
}

impl TreeMove {
    fn new(m: MovetextMove) -> TreeMove {
        let uci = if m.uci.is_empty() { "0000".to_owned() } else { m.uci };
        TreeMove { ply: m.ply, san: m.san, uci, fen: m.fen, ..TreeMove::default() }
    }
}
