//! The moves that lead to a position of the explorer, from any start position.

use super::{
    Address, Result,
    board::{self, read_uci},
};
use crate::{
    chess::{Color, Move, Position, San, SanPlus, Variant, VariantPosition},
    limits::MAX_LINE_MOVES,
    record::fen,
    request::variant,
    rules::Rules,
};

/// The number of last moves of a line that are links. Each link contains the moves before it, so more would make the
/// page long.
const LINKED: usize = 100;

/// A line of moves.
pub(super) struct ExplorerLine {
    pub(super) variant: Variant,
    /// The positions before the moves, and the one at the end.
    pub(super) positions: Vec<VariantPosition>,
    end: VariantPosition,
    moves: Vec<Move>,
}

/// A move of a line, on a page.
#[derive(Debug)]
pub(super) struct LineMove {
    pub(super) number: String,
    pub(super) san: String,
    pub(super) link: Option<Address>,
    pub(super) is_last: bool,
}

impl ExplorerLine {
    /// The line in a URL.
    pub(super) fn read(address: &Address) -> Result<ExplorerLine> {
        let variant = address.get("variant").map_or(Ok(Variant::Standard), variant)?;
        let positions = address.parameters().line(variant)?;
        let texts = address.get("play").unwrap_or_default().split(',').filter(|text| !text.is_empty());
        let moves = texts.zip(&positions).map_while(|(text, position)| read_uci(position, text)).collect();
        let end = positions.last().cloned().unwrap_or_else(|| variant.start());
        Ok(ExplorerLine { variant, positions, end, moves })
    }

    /// Plays a move in SAN or UCI notation; returns whether it is legal.
    pub(super) fn play_typed(&mut self, text: &str) -> bool {
        let Some(m) = typed(self.position(), text.trim()) else { return false };
        if self.moves.len() >= MAX_LINE_MOVES {
            return false;
        }
        Rules::make(&mut self.end, m);
        self.positions.push(self.end.clone());
        self.moves.push(m);
        true
    }

    /// The position at the end.
    pub(super) fn position(&self) -> &VariantPosition {
        &self.end
    }

    pub(super) fn last(&self) -> Option<Move> {
        self.moves.last().copied()
    }

    /// The first position as FEN.
    pub(super) fn root(&self) -> String {
        self.positions.first().map_or(String::new(), fen)
    }

    /// The moves as URLs contain them.
    pub(super) fn play(&self) -> String {
        self.notations().collect::<Vec<_>>().join(",")
    }

    /// The moves as text: `1. e4 e5`.
    pub(super) fn text(&self) -> String {
        let words = self.numbered().flat_map(|(number, san)| [number, san]);
        words.filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
    }

    /// The same with one more move.
    pub(super) fn play_with(&self, uci: &str) -> String {
        let next = read_uci(self.position(), uci).map(|m| board::uci(self.position(), m));
        self.notations().chain(next).collect::<Vec<_>>().join(",")
    }

    /// The moves in SAN, each with its number.
    fn numbered(&self) -> impl Iterator<Item = (String, String)> {
        self.positions.iter().zip(&self.moves).enumerate().map(|(place, (position, m))| {
            (number(position, place == 0), SanPlus::from_move(position.clone(), *m).to_string())
        })
    }

    /// Each move in one notation: castling is the king's move; in Chess960, king takes rook.
    fn notations(&self) -> impl Iterator<Item = String> {
        self.positions.iter().zip(&self.moves).map(|(position, m)| board::uci(position, *m))
    }

    /// The moves with their numbers, and with addresses for the last ones.
    pub(super) fn moves(&self, address: &Address) -> Vec<LineMove> {
        let uci: Vec<String> = self.notations().collect();
        let moves = self.numbered().zip(1..).map(|((number, san), count)| {
            let is_linked = count + LINKED > uci.len();
            let link = is_linked.then(|| address.with("play", uci[..count].join(",")));
            LineMove { number, san, link, is_last: count == uci.len() }
        });
        moves.collect()
    }
}

/// The number before a move: `12.`, or `12…` for Black's move at the start of a line; otherwise empty.
pub(super) fn number(position: &VariantPosition, is_first: bool) -> String {
    let number = position.fullmoves();
    match Rules::turn(position) {
        Color::White => format!("{number}."),
        Color::Black if is_first => format!("{number}…"),
        Color::Black => String::new(),
    }
}

/// The move that a text means.
fn typed(position: &VariantPosition, text: &str) -> Option<Move> {
    let castling = text.replace('0', "O");
    let san = if text.starts_with("0-0") { &castling } else { text };
    let san = san.trim_end_matches(['!', '?']).parse::<SanPlus>().ok();
    san.and_then(|SanPlus { san, .. }: SanPlus| San::to_move(san, position).ok())
        .or_else(|| read_uci(position, text))
}
