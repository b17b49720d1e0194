//! Games as the content of an [HTML document](super::html): players, moves with comments and variations, and diagrams.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Write,
    num::NonZeroU32,
    str::FromStr,
    sync::{Mutex, PoisonError},
};

use super::{
    board_picture::{BoardPicture, Theme, drawings},
    game::{GameHeading, heading},
    html,
    movetext::{Movetext, MovetextItem, MovetextMove, PlyChoice, nag_sign},
};
use crate::{
    chess::{Annotations, Color, VariantPosition},
    codec::game::GameMoves,
    export::GameFormat,
    pgn::{CommentLanguage, CommentPart, comment_parts},
    record::{GameError, GameId, Ply, StoredGame},
    rules::Rules,
};

/// Positions of a game that are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Diagrams {
    /// At a ply.
    At(Ply),
    /// After Black's move with each multiple of a move number.
    Every(NonZeroU32),
    /// After each move of the mainline that has a comment.
    Comments,
}

impl FromStr for Diagrams {
    type Err = String;

    fn from_str(text: &str) -> Result<Diagrams, String> {
        if text == "comments" {
            return Ok(Diagrams::Comments);
        }
        match text.strip_prefix("every") {
            Some(number) => number.trim().parse().map(Diagrams::Every).map_err(|error| error.to_string()),
            None => text.parse().map(Diagrams::At).map_err(|_| {
                "write 20w or 20b (after that move), 24 (after 24 half-moves), -1 (the last position), 'every 10' \
                 or comments"
                    .to_owned()
            }),
        }
    }
}

/// The number of shorter games to name.
pub(crate) const MAX_NAMED: usize = 20;

/// A game without a requested ply.
#[derive(Debug)]
pub(crate) struct ShorterGame {
    pub heading: GameHeading,
    pub ply: Ply,
}

/// Writes games, or only their diagrams.
#[derive(Debug)]
pub(crate) struct GamePages<'a> {
    pub diagrams: &'a [Diagrams],
    /// Whether the moves are left out.
    pub only_diagrams: bool,
    /// The heading.
    pub title: Option<&'a str>,
    /// Whether Black is at the bottom of the diagrams.
    pub flip: bool,
    /// The first games without a requested ply, one more than are named. Several threads write games.
    pub shorter: Mutex<BTreeMap<GameId, ShorterGame>>,
}

impl GameFormat for GamePages<'_> {
    fn write(&self, game: &StoredGame, out: &mut String) -> Result<(), GameError> {
        let line = game.line()?;
        let mut annotations = game.annotations(&line)?;
        let is_large = Movetext::is_large(&annotations);
        if is_large {
            annotations = Annotations::default();
        }
        let text = Movetext::of(&line, &annotations, PlyChoice::Ply(0));
        let (boards, missing) = self.boards(game, &line, &text);
        // Writing to a string cannot fail.
        let _ = match self.only_diagrams {
            true => write_boards(out, game, &text, &boards)
                .and_then(|()| missing.map_or(Ok(()), |ply| write_shorter(out, game, ply))),
            false => write_game(out, game, &text, is_large, &boards),
        };
        Ok(())
    }
}

impl GamePages<'_> {
    /// A document up to its first game, and its title if it has no heading.
    pub(crate) fn begin(&self, title: &str) -> String {
        let pieces = if self.diagrams.is_empty() { String::new() } else { drawings() };
        let heading = self.title.map(|text| format!("<h1>{}</h1>\n", html::line(text))).unwrap_or_default();
        let boards = if self.only_diagrams { "<div class=\"boards\">\n" } else { "" };
        format!("{}{pieces}{heading}{boards}", html::begin(self.title.unwrap_or(title)))
    }

    /// The end of the document.
    pub(crate) fn end(&self) -> String {
        format!("{}{}", if self.only_diagrams { "</div>\n" } else { "" }, html::END)
    }

    /// The diagrams of a game by their plies, and the first requested ply that it does not have.
    fn boards(
        &self,
        game: &StoredGame,
        line: &GameMoves<VariantPosition>,
        text: &Movetext,
    ) -> (BTreeMap<usize, BoardPicture>, Option<Ply>) {
        let (plies, missing) = self.plies(game, line, text);
        let mut shapes: BTreeMap<usize, _> =
            text.moves().filter(|m| !m.is_variation).map(|m| (m.ply, &m.notes.shapes)).collect();
        shapes.insert(0, &text.start_notes.shapes);
        let (mut boards, mut position, mut last) = (BTreeMap::new(), line.start.clone(), None);
        let mut moves = line.moves.iter();
        for ply in 0..=plies.last().copied().unwrap_or_default() {
            if plies.contains(&ply) {
                let mut board = BoardPicture::of_position(&position, last);
                board.shapes = shapes.get(&ply).map(|shapes| shapes.to_vec()).unwrap_or_default();
                (board.flip, board.theme, board.has_drawings) = (self.flip, Theme::Page, false);
                boards.insert(ply, board);
            }
            last = moves.next().copied();
            if let Some(m) = last {
                Rules::make(&mut position, m);
            }
        }
        (boards, missing)
    }

    fn plies(
        &self,
        game: &StoredGame,
        line: &GameMoves<VariantPosition>,
        text: &Movetext,
    ) -> (BTreeSet<usize>, Option<Ply>) {
        let (mut plies, all) = (BTreeSet::new(), line.moves.len());
        let mut missing = None;
        for diagrams in self.diagrams {
            match diagrams {
                Diagrams::At(ply) => match ply.resolve(&line.start, all) {
                    Some(ply) => drop(plies.insert(ply)),
                    None => missing = missing.or(Some(*ply)),
                },
                Diagrams::Every(multiple) => plies.extend((1..=all).filter(|ply| {
                    matches!(Ply::of_move(&line.start, *ply), Some(Ply::Move(number, Color::Black))
                        if number.is_multiple_of(multiple.get()))
                })),
                Diagrams::Comments => plies.extend(commented(text)),
            }
        }
        if let Some(ply) = missing {
            let mut shorter = self.shorter.lock().unwrap_or_else(PoisonError::into_inner);
            shorter.insert(game.id, ShorterGame { heading: heading(game), ply });
            if shorter.len() > MAX_NAMED + 1 {
                shorter.pop_last();
            }
        }
        (plies, missing)
    }
}

/// The plies of the mainline with a comment in words.
fn commented(text: &Movetext) -> Vec<usize> {
    let (mut plies, mut at, mut depth) = (Vec::new(), None, 0_usize);
    for item in &text.items {
        match item {
            MovetextItem::Open => depth += 1,
            MovetextItem::Close => depth = depth.saturating_sub(1),
            MovetextItem::Move(m) if depth == 0 => at = Some(m.ply),
            MovetextItem::Comment(comment) if depth == 0 && !comment.words.is_empty() => plies.extend(at),
            _ => {}
        }
    }
    plies
}

/// The diagrams of a game, each with its players.
fn write_boards(
    out: &mut String,
    game: &StoredGame,
    text: &Movetext,
    boards: &BTreeMap<usize, BoardPicture>,
) -> std::fmt::Result {
    let players = caption(game);
    for (ply, board) in boards {
        let is_black = matches!(Ply::of_move(&text.start, ply + 1), Some(Ply::Move(_, Color::Black)));
        let turn = if is_black { "Black" } else { "White" };
        write_board(out, board, &format!("{players}<br>{}; {turn} to move", after(text, *ply)))?;
    }
    Ok(())
}

/// A game without a requested position, in place of the diagram.
fn write_shorter(out: &mut String, game: &StoredGame, ply: Ply) -> std::fmt::Result {
    let place = match ply {
        Ply::Move(number, Color::White) => format!("after White's move {number}"),
        Ply::Move(number, Color::Black) => format!("after {number} moves"),
        Ply::After(plies) => format!("after {plies} half-moves"),
        Ply::FromEnd(_) => format!("at {ply}"),
    };
    let caption = caption(game);
    writeln!(out, "<figure>\n<figcaption>{caption}<br>no position {place}</figcaption>\n</figure>")
}

/// The players and the event of a game.
fn caption(game: &StoredGame) -> String {
    let GameHeading { players, about } = escaped_heading(game);
    format!("<b>{players}</b><br>{about}")
}

/// The heading of a game, with the event in place of the players of a study, which has none.
fn escaped_heading(game: &StoredGame) -> GameHeading {
    let GameHeading { players, about } = heading(game);
    if players == "? – ?" {
        return GameHeading { players: html::line(&about), about: String::new() };
    }
    GameHeading { players: html::line(&players), about: html::line(&about) }
}

fn write_board(out: &mut String, board: &BoardPicture, caption: &str) -> std::fmt::Result {
    writeln!(out, "<figure>\n{}<figcaption>{caption}</figcaption>\n</figure>", board.svg())
}

/// "after 20… Rd8"
fn after(text: &Movetext, ply: usize) -> String {
    let m = text.moves().find(|m| m.ply == ply && !m.is_variation);
    let Some((m, at)) = m.zip(Ply::of_move(&text.start, ply)) else { return "start position".to_owned() };
    format!("after {}\u{a0}{}", dotted(at), html::line(&m.san))
}

/// The number of a move: "20." or "20…".
fn dotted(at: Ply) -> String {
    at.to_string().replace('w', ".").replace('b', "…")
}

/// A game with its diagrams.
fn write_game(
    out: &mut String,
    game: &StoredGame,
    text: &Movetext,
    is_large: bool,
    boards: &BTreeMap<usize, BoardPicture>,
) -> std::fmt::Result {
    let (GameHeading { players, about }, result) = (escaped_heading(game), game.result);
    writeln!(out, "<article id=\"game-{}\">\n<h2>{players} \u{a0}{result}</h2>", game.id)?;
    writeln!(out, "<p class=\"about\">{about}</p>")?;
    if is_large {
        writeln!(out, "<p>This game has too many comments and variations; they were left out.</p>")?;
    }
    out.push_str("<p>");
    write_moves(out, text, boards, |m| format!("<b>{}</b>", named(m)))?;
    writeln!(out, " <b>{result}</b></p>\n</article>")
}

/// The moves of a game with comments and variations. `played` is a move of the mainline.
pub(crate) fn write_moves(
    out: &mut String,
    text: &Movetext,
    boards: &BTreeMap<usize, BoardPicture>,
    played: impl Fn(&MovetextMove) -> String,
) -> std::fmt::Result {
    let (mut depth, mut due) = (0_usize, boards.get(&0).map(|board| (0, board)));
    let mut is_after_board = false;
    for item in &text.items {
        if !matches!(item, MovetextItem::Nag(_)) {
            is_after_board |= due.is_some();
            write_due(out, text, due.take())?;
        }
        match item {
            MovetextItem::Move(m) if depth == 0 => {
                let is_unnumbered = std::mem::take(&mut is_after_board) && m.number.is_empty();
                match Ply::of_move(&text.start, m.ply).filter(|_| is_unnumbered) {
                    Some(at) => {
                        write!(out, " {}", played(&MovetextMove { number: dotted(at), ..m.clone() }))?
                    }
                    None => write!(out, " {}", played(m))?,
                }
                due = boards.get(&m.ply).map(|board| (m.ply, board));
            }
            MovetextItem::Move(m) => write!(out, "{}{}", gap(out), named(m))?,
            MovetextItem::Nag(nag) => write_nag(out, *nag, depth == 0)?,
            MovetextItem::Comment(comment) if comment.words.is_empty() => {}
            MovetextItem::Comment(comment) => write_comment(out, &comment.words)?,
            // Elements are not nested: browsers limit their depth.
            MovetextItem::Open => {
                out.push_str(if depth == 0 { " <span class=\"v\">(" } else { " (" });
                depth += 1;
            }
            MovetextItem::Close => {
                depth = depth.saturating_sub(1);
                out.push_str(if depth == 0 { ")</span>" } else { ")" });
            }
            MovetextItem::Result(result) => write!(out, " {result}")?,
        }
    }
    write_due(out, text, due)
}

/// Writes the words of a comment, with the names of their languages.
fn write_comment(out: &mut String, words: &str) -> std::fmt::Result {
    for CommentPart { language, text } in comment_parts(words) {
        let (gap, text) = (gap(out), html::paragraphs(text));
        match language {
            Some(CommentLanguage { tag, name, .. }) => {
                write!(out, "{gap}<small>{name}</small> <bdi lang=\"{tag}\">{text}</bdi>")?;
            }
            None => write!(out, "{gap}<bdi>{text}</bdi>")?,
        }
    }
    Ok(())
}

/// Writes the diagram after a move between two paragraphs.
fn write_due(out: &mut String, text: &Movetext, due: Option<(usize, &BoardPicture)>) -> std::fmt::Result {
    let Some((ply, board)) = due else { return Ok(()) };
    out.push_str("</p>\n");
    write_board(out, board, &after(text, ply))?;
    out.push_str("<p>");
    Ok(())
}

/// What separates a word from the text before it.
fn gap(out: &str) -> &'static str {
    if out.ends_with('(') { "" } else { " " }
}

/// A move, on one line with its number.
pub(crate) fn named(m: &MovetextMove) -> String {
    let gap = if m.number.is_empty() { "" } else { "\u{a0}" };
    format!("{}{gap}{}", m.number, html::line(&m.san))
}

/// Signs of a move follow it directly, and those of a position after a space.
fn write_nag(out: &mut String, nag: u16, is_bold: bool) -> std::fmt::Result {
    let sign = nag_sign(nag).map_or_else(|| format!("${nag}"), str::to_owned);
    let gap = if matches!(nag, 1..=6) { "" } else { "\u{a0}" };
    if is_bold { write!(out, "<b>{gap}{sign}</b>") } else { write!(out, "{gap}{sign}") }
}
