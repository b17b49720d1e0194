//! Games as PGN, annotated from an archive: the opening name, the first new move, and earlier games.

use std::{io::Write, ops::ControlFlow};

use super::{Result, novelty::KnownGame};
use crate::{
    chess::{Annotation, Annotations, Tags},
    counts::GAMES,
    edit::{is_glyph, replaced},
    openings::{OpeningId, Openings},
    pgn::{Game, TagOrder, write_game},
    query::{Compared, ComparedGame, Explorer, Novelty, NoveltyOptions, NoveltyQueue},
    record::{GameError, StoredGame},
    rules::Outcome,
};

/// A game counts once more for each of these bytes, which bounds the memory of large games too.
const BYTES: usize = 4 << 10;

/// The numeric annotation glyph (NAG) of a novelty.
const NOVELTY: u16 = 146;

/// What is added to the games.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AnnotateOptions {
    /// What new moves are compared with, and how many earlier games are named.
    pub novelty: NoveltyOptions,
    /// Whether to leave the tags unchanged; otherwise ECO and Opening are added if they are missing.
    pub keep_tags: bool,
}

/// A game to be written.
#[derive(Clone, Debug)]
pub struct GameToAnnotate {
    tags: Tags,
    result: Outcome,
    annotations: Annotations,
    /// Its moves and positions.
    game: ComparedGame,
}

impl GameToAnnotate {
    /// A game from an archive.
    ///
    /// # Errors
    /// It is damaged, or not a chess game.
    pub fn of_archive(stored: &StoredGame) -> Result<GameToAnnotate, GameError> {
        let (moves, line) = (stored.stored_moves()?, stored.line()?);
        let date = stored.tags.date();
        Ok(GameToAnnotate {
            tags: stored.tags.clone(),
            result: stored.result,
            annotations: stored.annotations(&line)?,
            game: ComparedGame::of_stored(&moves, date)?,
        })
    }

    /// A game that was read from PGN and is not in the archive.
    pub fn of_pgn(read: &Game) -> GameToAnnotate {
        let date = read.tags.date();
        GameToAnnotate {
            tags: read.tags.clone(),
            result: read.outcome,
            annotations: read.annotations.clone(),
            game: ComparedGame::of_moves(read.variant, read.start(), &read.moves, date),
        }
    }

    /// Its approximate size in memory.
    fn memory(&self) -> usize {
        let annotations = self.annotations.text().len() + size_of::<u64>() * self.annotations.len();
        self.tags.memory() + annotations + self.game.memory()
    }
}

/// Annotates games and writes them as PGN.
pub struct Annotate<'a> {
    games: NoveltyQueue<'a, (Tags, Outcome, Annotations)>,
    keep_tags: bool,
}

impl<'a> Annotate<'a> {
    /// Annotates games from an archive.
    pub fn new(explorer: &'a Explorer, options: AnnotateOptions) -> Annotate<'a> {
        Annotate { games: NoveltyQueue::new(explorer, options.novelty), keep_tags: options.keep_tags }
    }

    /// Adds a game, and writes the collected games once there are enough of them.
    ///
    /// # Errors
    /// The archive cannot be read, or the games cannot be written.
    pub fn add(&mut self, game: GameToAnnotate, out: &mut dyn Write) -> Result<()> {
        let more = game.memory() / BYTES;
        let GameToAnnotate { tags, result, annotations, game } = game;
        if self.games.add(game, (tags, result, annotations), more) { self.write(out) } else { Ok(()) }
    }

    /// Writes the games that have been collected.
    ///
    /// # Errors
    /// The archive cannot be read, or the games cannot be written.
    pub fn write(&mut self, out: &mut dyn Write) -> Result<()> {
        let keep_tags = self.keep_tags;
        self.games.compare(&|_| ControlFlow::Continue(()), |compared| {
            let Compared { game, with: (tags, result, annotations), novelty, known } = compared;
            let known: Vec<KnownGame> = known.into_iter().map(KnownGame::of).collect();
            let annotations = annotated(annotations, game, novelty, &known);
            let opening = game.opening.filter(|_| !keep_tags);
            let tags = match opening {
                Some((_, id)) => with_opening(&tags, id),
                None => tags,
            };
            let mut text = String::new();
            write_game(&mut text, &tags, TagOrder::SameGame, &game.start, &game.moves, &annotations, result);
            Ok(out.write_all(text.as_bytes())?)
        })
    }

    /// The number of games written.
    pub fn written(&self) -> u64 {
        self.games.done()
    }
}

/// The annotations of a game, with those found in the archive added.
fn annotated(
    mut annotations: Annotations,
    game: &ComparedGame,
    novelty: &Novelty,
    known: &[KnownGame],
) -> Annotations {
    if let Some(ply) = novelty.ply {
        annotations = with(&annotations, ply, Some(NOVELTY), &answer(novelty, known));
    }
    if let Some((ply, id)) = game.opening.filter(|(ply, _)| *ply > 0) {
        annotations = with(&annotations, ply, None, &name(id));
    }
    annotations
}

/// The comment on a new move.
fn answer(novelty: &Novelty, known: &[KnownGame]) -> String {
    if novelty.games == 0 {
        return "New; no game reached the previous position".to_owned();
    }
    let references: Vec<String> =
        known.iter().map(|game| format!("{} {}", game.reference(), game.tags.result)).collect();
    let count = GAMES.count(novelty.games);
    match references.as_slice() {
        [] => format!("New; {count} reached the previous position"),
        _ => format!("New; {count} reached the previous position: {}", references.join("; ")),
    }
}

fn name(id: OpeningId) -> String {
    Openings::standard()
        .get(id)
        .map_or_else(String::new, |opening| format!("{} {}", opening.eco, opening.name))
}

/// Adds a glyph and a comment after a move: the glyph before the existing glyphs, the comment after them and before the
/// existing comments.
fn with(annotations: &Annotations, ply: usize, nag: Option<u16>, comment: &str) -> Annotations {
    let here = annotations.iter().filter(|(at, _)| *at == ply).map(|(_, annotation)| annotation);
    let glyphs: Vec<Annotation<'_>> = here.take_while(is_glyph).collect();
    let new = nag.map(Annotation::Nag).filter(|new| !glyphs.contains(new));
    let with_glyph = replaced(annotations, ply, |_| false, |_| false, new);
    replaced(&with_glyph, ply, |_| false, is_glyph, [Annotation::Comment(&plain(comment))])
}

/// A comment that every program can read: without the braces and line breaks that names may contain.
fn plain(comment: &str) -> String {
    let plain = |c: char| match c {
        '{' => '(',
        '}' => ')',
        c if c.is_control() => ' ',
        c => c,
    };
    comment.chars().map(plain).collect()
}

/// The tags, with the code and name of the opening added if they are missing.
fn with_opening(tags: &Tags, id: OpeningId) -> Tags {
    let Some(opening) = Openings::standard().get(id) else { return tags.clone() };
    let new = [("ECO", opening.eco), ("Opening", opening.name)];
    let says = |name: &str| tags.get(name).is_some_and(|value| !matches!(value.trim(), "" | "?" | "-"));
    let new: Vec<_> = new.into_iter().filter(|(name, _)| !says(name)).collect();
    let old = tags.iter().filter(|(name, _)| !new.iter().any(|(other, _)| other == name));
    old.chain(new.iter().copied()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn additions_come_after_the_glyphs_and_before_the_comments_of_a_move() {
        let mut old = Annotations::default();
        for (ply, annotation) in [
            (0, Annotation::Comment("first")),
            (2, Annotation::Nag(1)),
            (2, Annotation::Comment("second")),
            (2, Annotation::Open),
            (2, Annotation::Nag(5)),
            (2, Annotation::Close),
            (3, Annotation::Comment("third")),
        ] {
            old.push(ply, annotation);
        }
        let new = with(&old, 2, Some(146), "new {1}\n");
        let all: Vec<_> = new.iter().collect();
        assert_eq!(
            all[1..5],
            [
                (2, Annotation::Nag(146)),
                (2, Annotation::Nag(1)),
                (2, Annotation::Comment("new (1) ")),
                (2, Annotation::Comment("second")),
            ]
        );
        let rest: Vec<_> =
            all.iter().filter(|(_, annotation)| !matches!(annotation, Annotation::Nag(146))).collect();
        assert_eq!(rest.len(), old.iter().count() + 1);
        // An existing glyph is not written twice.
        let again = with(&new, 2, Some(146), "again");
        assert_eq!(again.iter().filter(|(_, annotation)| *annotation == Annotation::Nag(146)).count(), 1);
    }

    #[test]
    fn tags_with_a_value_stay() {
        let (id, opening) = Openings::standard().iter().next().unwrap();
        let tags = |pairs: &[(&'static str, &'static str)]| pairs.iter().copied().collect::<Tags>();
        let added = with_opening(&tags(&[("White", "A"), ("ECO", "?")]), id);
        assert_eq!(
            (added.get("ECO"), added.get("Opening"), added.len()),
            (Some(opening.eco), Some(opening.name), 3)
        );
        let kept = with_opening(&tags(&[("ECO", "B90/06"), ("Opening", "mine")]), id);
        assert_eq!((kept.get("ECO"), kept.get("Opening"), kept.len()), (Some("B90/06"), Some("mine"), 2));
    }
}
