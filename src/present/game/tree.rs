//! A whole game of chess as data: every move of the mainline and of all variations, with what is said of it.

use serde::Serialize;
use shakmaty::{san::SanPlus, uci::UciMove};

use crate::{
    archive::Archive,
    chess::{Annotation, Move, Position, TreeCursor, VariantPosition},
    pgn::{CommentCommand, comment_commands},
    present::{PresentError, annotated_game::AnnotatedGame},
    record::{GameId, fen},
    rules::Rules,
};

/// A game of chess or a variant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct GameTree {
    /// Its number in the archive.
    pub id: GameId,
    /// What it is called in one line: see [`title`](crate::record::title).
    pub title: String,
    /// The variant, as PGN names it.
    pub variant: &'static str,
    /// The result, as PGN writes it.
    pub result: &'static str,
    /// The number of plies.
    pub plies: usize,
    /// Names and values of the tag pairs, in their order.
    pub tags: Vec<(String, String)>,
    /// The start position.
    pub fen: String,
    /// The mainline.
    #[serde(flatten)]
    pub line: TreeLine,
}

/// A line of moves. What stands before its first move is its own.
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
    /// Variations that stand before the first move.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub variations: Vec<TreeLine>,
    /// A result at the end of a variation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub result: Option<&'static str>,
}

/// A move, and what is said of it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct TreeMove {
    /// Plies from the start of the game to the position after it.
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
    /// The comments on it, word for word.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub comments: Vec<String>,
    /// What the clock showed, as a comment says it: `0:09:58`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clock: Option<String>,
    /// What an engine thought of the position, as a comment says it: `0.17`, `#-3`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub eval: Option<String>,
    /// Lines that could have been played instead.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub variations: Vec<TreeLine>,
}

/// A game of an archive, with everything that is said of its moves.
///
/// # Errors
/// There is no such game, it is none of chess, it is damaged, or there is more of it than is given in this form.
pub fn game_tree(archive: &Archive, id: GameId) -> Result<GameTree, PresentError> {
    let game = archive.checked_game(id)?;
    let annotated = AnnotatedGame::new(&game)?;
    let line = &annotated.line;
    let mut tree = Growing(TreeCursor::new(line.start.clone(), 0, TreeLine::default()));
    annotated.parts().for_each(|part| tree.add(part));
    while tree.0.depth() > 0 {
        tree.add(Annotation::Close);
    }
    Ok(GameTree {
        id,
        title: game.title(),
        variant: game.kind.name(),
        result: line.outcome.as_str(),
        plies: line.moves.len(),
        tags: game.tags.iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect(),
        fen: fen(&line.start),
        line: std::mem::take(tree.0.own_mut()),
    })
}

/// A tree that is growing, at the place where it does.
struct Growing(TreeCursor<VariantPosition, TreeLine>);

impl Growing {
    fn add(&mut self, annotation: Annotation<'_>) {
        match annotation {
            Annotation::Comment(text) => self.comment(text),
            Annotation::Nag(nag) => match self.last() {
                Some(last) => last.nags.push(nag),
                None => self.0.own_mut().nags.push(nag),
            },
            Annotation::Open => self.0.open_anyway(TreeLine::default()),
            Annotation::Close => {
                let Some(line) = self.0.close() else { return };
                match self.last() {
                    Some(last) => last.variations.push(line),
                    None => self.0.own_mut().variations.push(line),
                }
            }
            Annotation::Move(m) => self.play(m),
            Annotation::Null => {
                if self.0.null_move().is_some() {
                    self.push("--".to_owned(), "0000".to_owned());
                }
            }
            Annotation::Result(outcome) => self.0.own_mut().result = Some(outcome.as_str()),
            // The moves that follow are moves of the line.
            Annotation::Continue => {}
        }
    }

    /// The last move of the line.
    fn last(&mut self) -> Option<&mut TreeMove> {
        self.0.own_mut().moves.last_mut()
    }

    fn comment(&mut self, text: &str) {
        let Some(last) = self.last() else { return self.0.own_mut().comments.push(text.to_owned()) };
        for CommentCommand { name, value } in comment_commands(text).1 {
            match name {
                "clk" => last.clock.get_or_insert_with(|| value.to_owned()),
                "eval" => last.eval.get_or_insert_with(|| value.to_owned()),
                _ => continue,
            };
        }
        last.comments.push(text.to_owned());
    }

    fn play(&mut self, m: Move) {
        let position = self.0.position();
        let uci = UciMove::from_move(m, position.castles().mode()).to_string();
        let san = SanPlus::from_move(position.clone(), m).to_string();
        self.0.play_with(true, |now| Rules::make(now, m));
        self.push(san, uci);
    }

    fn push(&mut self, san: String, uci: String) {
        let (ply, fen) = (self.0.plies(), fen(self.0.position()));
        self.0.own_mut().moves.push(TreeMove { ply, san, uci, fen, ..TreeMove::default() });
    }
}
