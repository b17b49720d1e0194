//! The plates of the players at the board: name, rating, captured pieces, lead in material and clock at a position.

use super::{
    Address, Messages, Page, clocks,
    list::{player_name, shown, tag},
    movetext::{ScoreMove, is_of_white},
};
use crate::{chess::Tags, present::movetext::MovetextMove};

/// Pieces in the order in which captured ones are shown, with their values.
const PIECES: [(char, &str, u32); 6] = [
    ('q', "queen", 9),
    ('r', "rook", 5),
    ('b', "bishop", 3),
    ('n', "knight", 3),
    ('p', "pawn", 1),
    ('k', "king", 0),
];

/// The plate of a player.
#[derive(Debug)]
pub(super) struct Plate {
    /// `white` or `black`.
    pub(super) side: &'static str,
    pub(super) name: String,
    pub(super) link: Option<Address>,
    pub(super) elo: String,
    pub(super) captured: Vec<Captured>,
    /// By how much the player is ahead in material.
    pub(super) lead: u32,
    pub(super) clock: String,
    /// The clock at the start, if the game has clocks.
    pub(super) first_clock: String,
    pub(super) is_to_move: bool,
}

/// Captured pieces of a kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Captured {
    pub(super) role: &'static str,
    pub(super) name: &'static str,
    pub(super) count: u32,
}

/// Numbers of pieces, White's first, in the order of [`PIECES`].
type Count = [[u32; 6]; 2];

/// The plates of White and Black after `path`, which leads from the start position to the one that is shown.
pub(super) fn plates(
    page: &Page,
    tags: &Tags,
    start: &str,
    path: &[&MovetextMove],
    mainline: &[&ScoreMove<'_>],
) -> [Plate; 2] {
    let fen = path.last().map_or(start, |m| m.fen.as_str());
    let (captured, on_board) = (captured(start, path), pieces(fen));
    let material =
        on_board.map(|side| side.iter().zip(PIECES).map(|(count, piece)| count * piece.2).sum::<u32>());
    let has_clocks = mainline.iter().any(|m| m.clock.is_some());
    let first_clock = tag(tags, "TimeControl").filter(|_| has_clocks).and_then(clocks::at_start);
    let clock = |is_white: bool| {
        // The clocks of a variation are those of the moves before it.
        let moves = mainline.iter().filter(|m| is_of_white(m.played) == is_white);
        let on_path =
            |m: &&&ScoreMove<'_>| path.get(m.played.ply - 1).is_some_and(|at| at.node == m.played.node);
        moves.take_while(|m| m.played.ply <= path.len()).filter(on_path).filter_map(|m| m.clock).last()
    };
    let shown_clock = |seconds: Option<u32>| seconds.map(clocks::clock).unwrap_or_default();
    [(0, "white", "White", "WhiteElo"), (1, "black", "Black", "BlackElo")].map(|(side, class, name, elo)| {
        let known = tag(tags, name);
        Plate {
            side: class,
            name: known.map_or(String::new(), player_name),
            link: known.map(|name| page.name_link("player", name)),
            elo: tag(tags, elo).map_or(String::new(), |elo| shown(Some(elo))),
            captured: named(&captured[1 - side], page.words),
            lead: material[side].saturating_sub(material[1 - side]),
            clock: shown_clock(clock(side == 0).or(first_clock)),
            first_clock: shown_clock(first_clock),
            is_to_move: fen.split(' ').nth(1) == Some(["w", "b"][side]),
        }
    })
}

/// The pieces of each side that the other one captured on a path.
fn captured(start: &str, path: &[&MovetextMove]) -> Count {
    let mut captured = Count::default();
    let mut before = pieces(start);
    for m in path {
        let after = pieces(&m.fen);
        let loser = usize::from(is_of_white(m));
        for (role, sum) in captured[loser].iter_mut().enumerate() {
            *sum += before[loser][role].saturating_sub(after[loser][role]);
        }
        before = after;
    }
    captured
}

/// The pieces on the board of a position.
fn pieces(fen: &str) -> Count {
    let mut count = Count::default();
    for letter in fen.chars().take_while(|letter| !matches!(letter, ' ' | '[')) {
        let side = usize::from(letter.is_ascii_lowercase());
        if let Some(role) = PIECES.iter().position(|piece| piece.0 == letter.to_ascii_lowercase()) {
            count[side][role] += 1;
        }
    }
    count
}

fn named(captured: &[u32; 6], words: &Messages) -> Vec<Captured> {
    let names = [words.queen, words.rook, words.bishop, words.knight, words.pawn, words.king];
    let all = captured.iter().zip(PIECES).zip(names);
    all.filter(|((count, _), _)| **count > 0)
        .map(|((count, piece), name)| Captured { role: piece.1, name, count: *count })
        .collect()
}

impl Plate {
    /// The captured pieces in words.
    pub(super) fn captured_in_words(&self, words: &Messages) -> String {
        let each = self.captured.iter().map(|captured| format!("{} × {}", captured.count, captured.name));
        format!("{}: {}", words.captured, each.collect::<Vec<_>>().join(", "))
    }
}
