//! The lines that follow a position, as a tree to unfold.

use shakmaty::uci::UciMove;

use super::{
    super::{address::Address, bar::Bar, layout::Page},
    own_lines::{Mark, unmet},
    rows::score,
};
use crate::{
    chess::{Color, Move, VariantPosition},
    query::{LineMove, OpeningName, PreparedMove, Repertoire, Results},
    rules::Rules,
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
    /// The reader's lines, if the tree is compared with them.
    pub(super) lines: Option<&'a Repertoire>,
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
    pub(super) fn add<M: TreeMove>(&mut self, lines: &[M], before: Before<'_>) {
        for (place, line) in lines.iter().enumerate() {
            let play = before.with(line.uci());
            let name = line.opening().map_or(before.name, |opening| opening.name);
            let next = before.position.and_then(|position| after(position, line.uci()));
            let position = next.as_ref().map(|(_, position)| position);
            let has_more = !line.lines().is_empty() || !self.unmet(position, line.lines()).is_empty();
            let is_open = self.is_open || before.is_open && place == 0;
            let mut row = Box::new(self.row(line, &before, &play, name));
            row.mark = self
                .lines
                .zip(before.position)
                .zip(next.as_ref())
                .and_then(|((lines, before), (m, after))| Mark::of(lines, before, (*m, after)));
            self.items.push(TreeItem::Move { row, has_more, is_open });
            if has_more {
                let is_open = is_open && self.items.len() < 3;
                let plies = before.plies + 1;
                self.add(line.lines(), Before { play: &play, position, plies, name, is_open });
                self.items.push(TreeItem::End);
            }
        }
        for (san, uci) in self.unmet(before.position, lines) {
            let row = Box::new(self.unmet_row(san, &uci, &before));
            self.items.push(TreeItem::Move { row, has_more: false, is_open: false });
        }
    }

    fn unmet<M: TreeMove>(&self, position: Option<&VariantPosition>, met: &[M]) -> Vec<(String, String)> {
        let compared = self.lines.zip(position);
        compared.map_or_else(Vec::new, |(lines, position)| unmet(lines, position, met))
    }

    /// A move of the reader that the opponent has met in too few games for the tree.
    fn unmet_row(&self, san: String, uci: &str, before: &Before<'_>) -> TreeRow {
        TreeRow {
            number: before.number(),
            san,
            link: self.explorer.with("play", before.with(uci)),
            name: String::new(),
            is_rare: false,
            games: "–".to_owned(),
            bar: Bar::default(),
            score: String::new(),
            mark: Some(Mark::Own),
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
            number: before.number(),
            san: line.san().to_owned(),
            link: self.explorer.with("play", play),
            name: own.to_owned(),
            is_rare: line.is_rare(),
            games: page.language.number(results.games),
            bar,
            score: score(page, parts),
            mark: None,
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

/// A move in UCI notation, and the position after it.
fn after(position: &VariantPosition, uci: &str) -> Option<(Move, VariantPosition)> {
    let m = uci.parse::<UciMove>().ok()?.to_move(position).ok()?;
    let mut after = position.clone();
    Rules::make(&mut after, m);
    Some((m, after))
}
