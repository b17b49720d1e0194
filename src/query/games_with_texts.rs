//! The games with certain tag pairs or comments.

use super::{Context, find};
use crate::{
    archive::{ArchiveError, Filter, GameSet, Result, folded, in_batches_in_order},
    chess::Annotation,
    name_pattern::Pattern,
    player_name::PlayerPattern,
    record::{GameId, StoredGame},
};

/// The texts that games must contain, all of them.
#[derive(Debug, Default)]
pub struct TextSearch {
    tags: Vec<(String, Option<ValuePattern>)>,
    /// With case and accents folded.
    comments: Vec<String>,
}

/// What the value of a tag must match.
#[derive(Debug)]
enum ValuePattern {
    Person(PlayerPattern),
    Words(Pattern),
}

impl ValuePattern {
    fn new(tag: &str, value: &str) -> ValuePattern {
        match tag.eq_ignore_ascii_case("Annotator") {
            true => ValuePattern::Person(PlayerPattern::new(value)),
            false => ValuePattern::Words(Pattern::new(value)),
        }
    }

    fn fits(&self, value: &str) -> bool {
        match self {
            ValuePattern::Person(pattern) => pattern.fits(value),
            ValuePattern::Words(pattern) => pattern.fits(value),
        }
    }
}

impl TextSearch {
    /// Adds a tag pair: `NAME=VALUE`, where the value is a pattern like those of [events](crate::archive::matches), or
    /// for Annotator like those of players; or `NAME` for any value.
    pub fn add_tag(&mut self, text: &str) {
        self.tags.push(match text.split_once('=') {
            Some((name, value)) => {
                (name.trim().to_owned(), Some(ValuePattern::new(name.trim(), value.trim())))
            }
            None => (text.trim().to_owned(), None),
        });
    }

    /// Adds a text that may be anywhere in a comment, ignoring case and accents.
    pub fn add_comment(&mut self, text: &str) {
        self.comments.push(searchable(text));
    }

    /// Whether every game matches.
    pub fn is_empty(&self) -> bool {
        self.tags.is_empty() && self.comments.is_empty()
    }

    fn fits(&self, game: &StoredGame) -> bool {
        self.tags.iter().all(|(name, pattern)| has_tag(game, name, pattern.as_ref()))
            && (self.comments.is_empty() || self.is_said(game))
    }

    /// Whether the comments of a game contain all texts. A damaged game contains none.
    fn is_said(&self, game: &StoredGame) -> bool {
        if game.marks.is_empty() {
            return false;
        }
        let Ok(annotations) = game.line().and_then(|line| game.annotations(&line)) else { return false };
        let comment = |(_, annotation)| match annotation {
            Annotation::Comment(comment) => Some(searchable(comment)),
            _ => None,
        };
        let comments: Vec<String> = annotations.iter().filter_map(comment).collect();
        self.comments.iter().all(|text| comments.iter().any(|comment| comment.contains(text)))
    }
}

fn has_tag(game: &StoredGame, name: &str, pattern: Option<&ValuePattern>) -> bool {
    let mut values = game.tags.iter().filter(|(tag, _)| tag.eq_ignore_ascii_case(name));
    values.any(|(_, value)| pattern.is_none_or(|pattern| pattern.fits(value)))
}

/// The games that match the conditions of a filter and contain the texts, regardless of order, limit and offset,
/// searched on all cores. The watch receives the number of games scanned.
pub fn games_with_texts(context: Context<'_>, search: &TextSearch, filter: &Filter) -> Result<GameSet> {
    let (archive, mut filter) = (context.archive, find::all(filter));
    for (name, _) in &search.tags {
        if !archive.has_tag(name)? {
            return Ok(GameSet::default());
        }
    }
    if !search.comments.is_empty() && filter.among.is_none() {
        filter.among = Some(archive.annotated()?);
    }
    let games = archive.games(&filter).filter(|game| !matches!(game, Err(ArchiveError::Damaged { .. })));
    let work = |games: Vec<StoredGame>| {
        let found: Vec<GameId> = games.iter().filter(|game| search.fits(game)).map(|game| game.id).collect();
        (games.len() as u64, found)
    };
    let (mut ids, mut seen) = (Vec::new(), 0);
    in_batches_in_order(games, StoredGame::memory, work, |(games, found)| {
        ids.extend(found);
        seen += games;
        context.seen(seen)
    })?;
    Ok(ids.into_iter().collect())
}

/// A text as it is compared: folded, with a space for line ends and several spaces, because writers wrap comments.
fn searchable(text: &str) -> String {
    let mut after_space = false;
    let mut text = folded(text);
    if text.contains(|c: char| c.is_whitespace() && c != ' ') {
        text = text.replace(char::is_whitespace, " ");
    }
    text.retain(|c| {
        let is_repeated = after_space && c == ' ';
        after_space = c == ' ';
        !is_repeated
    });
    text
}
