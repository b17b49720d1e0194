//! A game of chess or a variant, at a ply.

use std::{
    borrow::Cow,
    io::{self, Write},
};

use serde::Serialize;
use shakmaty::{EnPassantMode, fen::Fen, san::SanPlus, uci::UciMove};

use super::{
    super::{
        Result,
        board_picture::{BoardPicture, shapes_of},
        games::date_of_tags,
    },
    Replay, ShownPly, tag,
};
use crate::chess::{BoardStyle, board};
use crate::{
    chess::{Annotation, Annotations, Color, Move, Position, VariantPosition},
    codec::game::GameMoves,
    pgn::{CommentPart, TagOrder, comment_commands, comment_parts, continuation, movetext, write_game},
    printable,
    record::{GameKind, Ply, StoredGame, fen},
};

/// A game of chess or a variant, replayed to a ply.
#[derive(Clone, Debug)]
pub struct ChessReplay {
    game: StoredGame,
    line: GameMoves<VariantPosition>,
    /// The position shown.
    position: VariantPosition,
    /// Its ply.
    ply: usize,
    annotations: Annotations,
    /// The moves up to it, in SAN.
    san: Vec<String>,
    uci: Vec<String>,
}

/// A chess game at a ply.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ChessPly {
    /// The position in which the game starts.
    pub start_fen: String,
    /// The ply that is shown: 0 for the start position.
    pub ply: usize,
    /// The position, with the en passant square set after every double step.
    pub fen: String,
    /// The position, with the en passant square set only if the capture is legal.
    pub legal_ep_fen: String,
    /// The move that led to it; `None` at the start.
    pub last_move: Option<LastMove>,
    /// The moves up to it, in SAN.
    pub san: Vec<String>,
    /// The same in UCI notation.
    pub uci: Vec<String>,
    /// The comments on it.
    pub comments: Vec<String>,
    /// The text after a null move that ends the game, at the last ply.
    pub continuation: Option<String>,
}

/// The move that led to a position.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LastMove {
    /// In SAN.
    pub san: String,
    /// In UCI notation.
    pub uci: String,
}

impl ChessReplay {
    pub(super) fn new(game: StoredGame, ply: Ply) -> Result<ChessReplay> {
        let ply = game.ply(ply)?;
        let line = game.line()?;
        let mode = line.start.castles().mode();
        let (mut position, mut san, mut uci) = (line.start.clone(), Vec::new(), Vec::new());
        for &m in line.moves.iter().take(ply) {
            uci.push(UciMove::from_move(m, mode).to_string());
            san.push(SanPlus::from_move_and_play_unchecked(&mut position, m).to_string());
        }
        let annotations = game.annotations(&line)?;
        Ok(ChessReplay { game, line, position, ply, annotations, san, uci })
    }

    /// The game.
    pub(crate) fn stored(&self) -> &StoredGame {
        &self.game
    }

    /// The position in FEN.
    pub fn fen(&self) -> String {
        fen(&self.position)
    }

    /// The moves up to the ply, in UCI notation.
    pub fn uci(&self) -> &[String] {
        &self.uci
    }

    /// The game up to the ply, as PGN.
    pub fn pgn(&self) -> String {
        let (moves, annotations) = self.up_to_ply();
        let (mut text, order, line) = (String::new(), TagOrder::AsTheyAre, &self.line);
        write_game(&mut text, &self.game.tags, order, &line.start, moves, &annotations, line.outcome);
        text
    }

    /// The moves up to the ply, and their annotations.
    fn up_to_ply(&self) -> (&[Move], Annotations) {
        let moves = self.line.moves.get(..self.ply).unwrap_or(&self.line.moves);
        let mut annotations = Annotations::default();
        for (ply, annotation) in self.annotations.iter().filter(|(ply, _)| *ply <= self.ply) {
            annotations.push(ply, annotation);
        }
        (moves, annotations)
    }

    /// The position in which the game starts.
    pub(super) fn start(&self) -> &VariantPosition {
        &self.line.start
    }

    /// The side that made the move before a ply.
    fn mover(&self, ply: usize) -> Color {
        let first = self.line.start.turn();
        if ply % 2 == 1 { first } else { !first }
    }

    /// The annotations with readable comments; those of engines are only in the mainline.
    fn readable_annotations(&self, annotations: &Annotations) -> Annotations {
        let (mut depth, mut shown) = (0_usize, Annotations::default());
        for (ply, annotation) in annotations.iter() {
            match annotation {
                Annotation::Comment(comment) if !comment.is_empty() => {
                    let comment = match depth {
                        0 => readable(comment, self.mover(ply)),
                        _ => with_languages(comment),
                    };
                    if !comment.is_empty() {
                        shown.push(ply, Annotation::Comment(&comment));
                    }
                    continue;
                }
                Annotation::Open | Annotation::Continue => depth += 1,
                Annotation::Close => depth = depth.saturating_sub(1),
                _ => {}
            }
            shown.push(ply, annotation);
        }
        shown
    }

    /// The board as an image, with the arrows and circles of its comments.
    pub fn picture(&self) -> BoardPicture {
        let mut picture = BoardPicture::of_position(&self.position, self.last_move());
        picture.shapes = self.comments().into_iter().flat_map(shapes_of).collect();
        picture
    }

    fn last_move(&self) -> Option<Move> {
        self.ply.checked_sub(1).and_then(|ply| self.line.moves.get(ply)).copied()
    }

    /// The text after a null move that ends the game, if its last position is shown.
    fn continuation(&self) -> Option<String> {
        let is_last = self.ply == self.line.moves.len();
        is_last.then(|| continuation(&self.position, &self.annotations)).flatten()
    }

    /// The comments on the ply shown, without those of variations.
    fn comments(&self) -> Vec<&str> {
        let here = self.annotations.mainline().filter(|(ply, _)| *ply == self.ply);
        let comments = here.filter_map(|(_, annotation)| match annotation {
            Annotation::Comment(comment) => Some(comment),
            _ => None,
        });
        comments.collect()
    }

    /// "ply 24 of 85, after 12... Nf6; White to move"
    fn status(&self) -> String {
        let turn = self.position.turn().fold_wb("White", "Black");
        let after = match self.san.last() {
            Some(san) => {
                let halves = self.position.fullmoves().get() * 2 + self.position.turn().fold_wb(0, 1) - 1;
                let dots = if halves.is_multiple_of(2) { "." } else { "..." };
                format!("after {}{dots} {san}", halves / 2)
            }
            None => "the start position".to_owned(),
        };
        let next = if self.position.is_game_over() {
            "the game is over".to_owned()
        } else {
            format!("{turn} to move")
        };
        format!("ply {} of {}, {after}; {next}", self.ply, self.game.plies)
    }
}

/// A comment as people read it: of the comment of an engine game only the evaluation, the clock and the words; of others
/// everything, with the names of their languages.
fn readable(comment: &str, mover: Color) -> Cow<'_, str> {
    let (words, commands) = comment_commands(comment, mover);
    if commands.iter().all(|command| command.name != "engine") {
        return with_languages(comment);
    }
    let values = commands.iter().filter_map(|command| match command.name {
        "eval" | "clk" => Some(format!("[%{} {}]", command.name, command.value)),
        "book" => Some("book".to_owned()),
        _ => None,
    });
    let parts = values.chain(Some(words).filter(|words| !words.is_empty()));
    parts.collect::<Vec<_>>().join(" ").into()
}

/// A comment with the names of its languages: `(German) gut`.
fn with_languages(comment: &str) -> Cow<'_, str> {
    if !comment.contains("[%lang ") {
        return comment.into();
    }
    let part_of = |part: CommentPart<'_>| match part.language {
        Some(language) => format!("({}) {}", language.name, part.text),
        None => part.text.to_owned(),
    };
    comment_parts(comment).into_iter().map(part_of).collect::<Vec<_>>().join(" ").into()
}

/// The players of a game with their ratings, and where and when they played it.
#[derive(Debug)]
pub(crate) struct GameHeading {
    pub players: String,
    pub about: String,
}

pub(crate) fn heading(game: &StoredGame) -> GameHeading {
    let player = |name, elo| {
        let rating = tag(game, elo).map(|elo| format!(" ({elo})")).unwrap_or_default();
        format!("{}{rating}", tag(game, name).unwrap_or("?"))
    };
    let players = format!("{} – {}", player("White", "WhiteElo"), player("Black", "BlackElo"));
    let about = ["Event", "Site", "Date", "Round", "ECO"].into_iter();
    let shown = |name| match name {
        "Date" => date_of_tags(&game.tags),
        _ => tag(game, name).map(str::to_owned),
    };
    let is_known = |text: &String| !matches!(text.as_str(), "" | "?" | "-");
    let about: Vec<String> = about.filter_map(shown).filter(is_known).collect();
    GameHeading { players, about: about.join(", ") }
}

impl Replay for ChessReplay {
    fn kind(&self) -> GameKind {
        self.game.kind
    }

    fn moves(&self) -> &[String] {
        &self.san
    }

    fn write_players(&self, out: &mut dyn Write) -> io::Result<()> {
        let GameHeading { players, about } = heading(&self.game);
        writeln!(out, "{}  {}", printable::line(&players), self.line.outcome)?;
        writeln!(out, "{}\n", printable::line(&about))
    }

    fn write_moves(&self, out: &mut dyn Write) -> io::Result<()> {
        self.write_players(out)?;
        let ((moves, annotations), mut text) = (self.up_to_ply(), String::new());
        let annotations = self.readable_annotations(&annotations);
        movetext(&mut text, &self.line.start, moves, &annotations, self.line.outcome);
        writeln!(out, "{}", printable::lines(text.trim_end()))
    }

    /// Includes the FEN and the comments.
    fn write_text(&self, out: &mut dyn Write, style: BoardStyle) -> io::Result<()> {
        self.write_players(out)?;
        write!(out, "{}", board(&self.position, self.last_move(), style))?;
        writeln!(out, "\n{}\n{}", self.status(), self.fen())?;
        if let Some(moves) = self.continuation() {
            writeln!(out, "\nafter a null move:\n{}", printable::lines(&moves))?;
        }
        for comment in self.comments() {
            let comment = readable(comment, self.mover(self.ply));
            let mut lines = comment.trim().lines();
            writeln!(out)?;
            lines.try_for_each(|line| writeln!(out, "{}", printable::lines(line)))?;
        }
        Ok(())
    }

    fn chess(&self) -> Option<&ChessReplay> {
        Some(self)
    }

    fn into_shown(self: Box<Self>) -> (StoredGame, ShownPly) {
        let last_move = self.san.last().zip(self.uci.last());
        let shown = ChessPly {
            start_fen: fen(&self.line.start),
            ply: self.ply,
            fen: self.fen(),
            legal_ep_fen: Fen::from_position(&self.position, EnPassantMode::Legal).to_string(),
            last_move: last_move.map(|(san, uci)| LastMove { san: san.clone(), uci: uci.clone() }),
            comments: self.comments().into_iter().map(str::to_owned).collect(),
            continuation: self.continuation(),
            san: self.san,
            uci: self.uci,
        };
        (self.game, ShownPly::Chess(shown))
    }
}
