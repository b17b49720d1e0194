//! The lines that follow a position, as a tree to unfold.

use super::{
    super::{address::Address, bar::Bar, layout::Page},
    rows::score,
};
use crate::{
    chess::Color,
    query::{LineMove, OpeningName, PreparedMove, Results},
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
}

/// A move of any tree.
pub(super) trait TreeMove: Sized {
    fn san(&self) -> &str;
    fn uci(&self) -> &str;
    fn results(&self) -> &Results;
    fn opening(&self) -> Option<&OpeningName>;
    fn lines(&self) -> &[Self];
    fn is_rare(&self) -> bool;
}

macro_rules! tree_move {
    ($($type:ty: $rare:expr;)*) => {$(
        impl TreeMove for $type {
            fn san(&self) -> &str {
                &self.played.san
            }

            fn uci(&self) -> &str {
                &self.played.uci
            }

            fn results(&self) -> &Results {
                &self.played.results
            }

            fn opening(&self) -> Option<&OpeningName> {
                self.opening.as_ref()
            }

            fn lines(&self) -> &[Self] {
                &self.lines
            }

            fn is_rare(&self) -> bool {
                $rare(self)
            }
        }
    )*};
}

tree_move! {
    LineMove: |_| false;
    PreparedMove: |line: &PreparedMove| line.rare.is_some();
}

/// A tree on a page.
pub(super) struct Tree<'a> {
    pub(super) page: &'a Page,
    /// The explorer, for the links.
    pub(super) explorer: &'a Address,
    /// The player whose results are shown; without one, they are those of White and Black.
    pub(super) side: Option<Color>,
    /// Whether all moves are shown at first.
    pub(super) is_open: bool,
    pub(super) items: Vec<TreeItem>,
}

/// The position before some moves.
#[derive(Clone, Copy)]
pub(super) struct Before<'a> {
    /// The moves that led there in UCI notation, separated by commas.
    pub(super) play: &'a str,
    /// The number of these moves.
    pub(super) plies: usize,
    /// The name of the opening.
    pub(super) name: &'a str,
    /// Whether the most played move is shown with its replies.
    pub(super) is_open: bool,
}

impl Tree<'_> {
    /// Adds moves with all that follow.
    pub(super) fn add<M: TreeMove>(&mut self, lines: &[M], before: Before<'_>) {
        for (place, line) in lines.iter().enumerate() {
            let comma = if before.play.is_empty() { "" } else { "," };
            let play = format!("{}{comma}{}", before.play, line.uci());
            let name = line.opening().map_or(before.name, |opening| opening.name);
            let has_more = !line.lines().is_empty();
            let is_open = self.is_open || before.is_open && place == 0;
            let row = Box::new(self.row(line, &before, &play, name));
            self.items.push(TreeItem::Move { row, has_more, is_open });
            if has_more {
                let is_open = is_open && self.items.len() < 3;
                self.add(line.lines(), Before { play: &play, plies: before.plies + 1, name, is_open });
                self.items.push(TreeItem::End);
            }
        }
    }

    fn row<M: TreeMove>(&self, line: &M, before: &Before<'_>, play: &str, name: &str) -> TreeRow {
        let (page, words) = (self.page, self.page.words);
        let results = line.results();
        let (parts, bar) = match self.side {
            Some(side) => (results.of(side), Bar::of_player(page.language, results.of(side))),
            None => {
                let names = [words.white_wins, words.draws, words.black_wins];
                (results.known(), Bar::new(page.language, names, results.known()))
            }
        };
        let own = name.strip_prefix(before.name).unwrap_or(name).trim_start_matches([':', ',', ' ']);
        TreeRow {
            number: format!(
                "{}{}",
                before.plies / 2 + 1,
                if before.plies.is_multiple_of(2) { "." } else { "…" }
            ),
            san: line.san().to_owned(),
            link: self.explorer.with("play", play),
            name: own.to_owned(),
            is_rare: line.is_rare(),
            games: page.language.number(results.games),
            bar,
            score: score(page, parts),
        }
    }
}
