//! The lines that follow a position, as a tree to unfold.

use super::{
    super::board,
    Address, Bar, Page,
    lists::own_part,
    own_lines::{Mark, OwnLines, OwnMove},
    rows::score,
};
use crate::{
    chess::{Color, VariantPosition},
    query::{ExploredMove, LineMove},
};

/// Part of a tree, in the order of the page.
#[derive(Debug)]
pub(super) enum TreeItem {
    /// A move, and whether others follow in the tree and are shown at first.
    Move { row: Box<TreeRow>, has_more: bool, is_open: bool },
    /// The end of the moves that follow a move.
    End,
}

/// A move of a tree.
#[derive(Debug)]
pub(super) struct TreeRow {
    pub(super) number: String,
    pub(super) san: String,
    pub(super) link: Address,
    /// What the name of the opening adds to that before the move.
    pub(super) name: String,
    /// Whether few others play it, in a preparation.
    pub(super) is_rare: bool,
    pub(super) games: String,
    pub(super) bar: Bar,
    pub(super) score: String,
    /// What it is in the reader's lines.
    pub(super) mark: Option<Mark>,
}

/// A tree on a page.
pub(super) struct Tree<'a> {
    pub(super) page: &'a Page,
    /// The explorer, for the links.
    pub(super) explorer: &'a Address,
    /// The player whose results are shown; without one, they are those of White and Black.
    pub(super) side: Option<Color>,
    /// The reader's lines, if the tree is compared with them.
    pub(super) lines: Option<OwnLines<'a>>,
    /// Whether all moves are shown at first.
    pub(super) is_open: bool,
    pub(super) items: Vec<TreeItem>,
}

/// The position before some moves.
#[derive(Clone, Copy)]
pub(super) struct Before<'a> {
    /// The moves that led there in UCI notation, separated by commas.
    pub(super) play: &'a str,
    /// The position, if the tree is compared with lines.
    pub(super) position: Option<&'a VariantPosition>,
    /// The number of these moves.
    pub(super) plies: usize,
    /// The name of the opening.
    pub(super) name: &'a str,
    /// Whether the most played move is shown with its replies.
    pub(super) is_open: bool,
}

impl Tree<'_> {
    /// Adds moves with all that follow, and the moves of the reader that are not among them.
    pub(super) fn add(&mut self, lines: &[LineMove], before: Before<'_>) {
        for (place, line) in lines.iter().enumerate() {
            let LineMove { played, compared, opening, lines: replies, .. } = line;
            let is_rare = compared.is_some_and(|compared| compared.rare.is_some());
            let play = before.with(&played.uci);
            let name = opening.as_ref().map_or(before.name, |opening| opening.name);
            let next = before.position.and_then(|position| board::played(position, &played.uci));
            let position = next.as_ref().map(|(_, position)| position);
            let has_more = !replies.is_empty() || !self.own_moves(position, replies).is_empty();
            let is_open = self.is_open || before.is_open && place == 0;
            let compared = self.lines.zip(before.position).zip(next.as_ref());
            let mark =
                compared.and_then(|((own, before), (m, after))| Mark::of(own.lines, before, *m, after));
            let name_part = own_part(name, before.name).to_owned();
            let row = Box::new(TreeRow { name: name_part, is_rare, mark, ..self.row(played, &before) });
            self.items.push(TreeItem::Move { row, has_more, is_open });
            if has_more {
                let is_open = is_open && self.items.len() < 3;
                let plies = before.plies + 1;
                self.add(replies, Before { play: &play, position, plies, name, is_open });
                self.items.push(TreeItem::End);
            }
        }
        for OwnMove { san, uci, games } in self.own_moves(before.position, lines) {
            // The opponent has met it in too few games for the tree.
            let games = if games > 0 { self.page.language.number(games) } else { "–".to_owned() };
            let row = TreeRow { mark: Some(Mark::Own), games, ..self.bare_row(san, &uci, &before) };
            self.items.push(TreeItem::Move { row: Box::new(row), has_more: false, is_open: false });
        }
    }

    fn own_moves(&self, position: Option<&VariantPosition>, shown: &[LineMove]) -> Vec<OwnMove> {
        let compared = self.lines.zip(position);
        compared.map_or_else(Vec::new, |(own, position)| own.other_moves(position, shown))
    }

    /// A move without its games.
    fn bare_row(&self, san: String, uci: &str, before: &Before<'_>) -> TreeRow {
        TreeRow {
            number: before.number(),
            san,
            link: self.explorer.with("play", before.with(uci)),
            name: String::new(),
            is_rare: false,
            games: String::new(),
            bar: Bar::default(),
            score: String::new(),
            mark: None,
        }
    }

    fn row(&self, played: &ExploredMove, before: &Before<'_>) -> TreeRow {
        let (page, results) = (self.page, &played.results);
        let parts = self.side.map_or(results.known(), |side| results.of(side));
        TreeRow {
            games: page.language.number(results.games),
            bar: Bar::new(page.language, self.side.is_some(), parts),
            score: score(page, parts),
            ..self.bare_row(played.san.clone(), &played.uci, before)
        }
    }
}

impl Before<'_> {
    /// The moves with one more.
    fn with(&self, uci: &str) -> String {
        let comma = if self.play.is_empty() { "" } else { "," };
        format!("{}{comma}{uci}", self.play)
    }

    /// The number of the next move.
    fn number(&self) -> String {
        format!("{}{}", self.plies / 2 + 1, if self.plies.is_multiple_of(2) { "." } else { "…" })
    }
}
