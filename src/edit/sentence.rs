//! What a change did, as a sentence: "Removed Hebden – Adams, Hastings 1984".

use crate::{
    archive::{Archive, ArchiveError, ChangedGame, LoggedChange},
    chess::Date,
    record::title,
};

/// A sentence about a change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChangeSentence {
    /// The English sentence, with `{game}`, `{tag}` and `{value}` for the following.
    pub template: &'static str,
    /// The name of the changed tag.
    pub tag: String,
    value: String,
    /// The game, or the first of several.
    game: String,
    /// The number of games.
    pub games: u64,
}

const REMOVED: &str = "Removed {game}";
const ADDED: &str = "Added {game}";
const RESTORED: &str = "Brought back {game}";
const IMPORTED: &str = "Imported {value}";
const EDITED: &str = "Edited {game}";
const DELETED_TAG: &str = "Deleted {tag} of {game}";
const CHANGED_TAG: &str = "Changed {tag} to {value}: {game}";

/// What the commands that change a single game say, by their names.
const EDITS: [(&str, &str); 8] = [
    ("tag", "Changed tags of {game}"),
    ("comment", "Changed a comment in {game}"),
    ("glyph", "Changed glyphs in {game}"),
    // In the browser.
    ("(comment", "Changed a comment in {game}"),
    ("(glyph", "Changed glyphs in {game}"),
    ("(variation", "Added a variation to {game}"),
    ("(promote", "Made a variation the main line: {game}"),
    ("(cut", "Deleted moves of {game}"),
];

/// What the options of `plybook duplicates` say.
const PAIRS: [(&str, &str); 2] =
    [("--join", "Joined {game}"), ("--different", "Marked as different: {game}")];

impl ChangeSentence {
    /// The sentence about a change of an archive.
    pub fn of(archive: &Archive, change: &LoggedChange) -> Result<ChangeSentence, ArchiveError> {
        if let Some(import) = &change.import {
            let (games, value) = (change.games, sources(&import.names));
            let (tag, game) = Default::default();
            return Ok(ChangeSentence { template: IMPORTED, tag, value, game, games });
        }
        let first = archive.changed_games(change, 1)?.pop().unwrap_or_default();
        let (mut tag, mut value) = (String::new(), String::new());
        let of_pairs = done_with_pairs(&change.command);
        let template = match first.exists {
            _ if of_pairs.is_some() => of_pairs.unwrap_or_default(),
            [true, false] => REMOVED,
            [false, true] if change.command.starts_with("plybook undo") => RESTORED,
            [false, true] => ADDED,
            _ => {
                let (edit, pair) = edit_of(&change.command, &first);
                match pair {
                    Some((name, "")) => {
                        tag.push_str(name);
                        DELETED_TAG
                    }
                    Some((name, new)) => {
                        (tag, value) = (name.to_owned(), new.replace("'\\''", "'"));
                        CHANGED_TAG
                    }
                    None => edit,
                }
            }
        };
        Ok(ChangeSentence { template, tag, value, game: name_of(&first), games: change.games })
    }

    /// All templates.
    #[cfg(test)]
    pub(crate) fn templates() -> impl Iterator<Item = &'static str> {
        EDITS.iter().chain(&PAIRS).map(|(_, template)| *template).chain([
            REMOVED,
            ADDED,
            RESTORED,
            EDITED,
            IMPORTED,
            DELETED_TAG,
            CHANGED_TAG,
        ])
    }

    /// The text of a template, which may be a translation. `games` is their number in words.
    pub fn fill(&self, template: &str, tag: &str, games: &str) -> String {
        let mut parts = template.split('{');
        let first = parts.next().unwrap_or_default().to_owned();
        let games = match self.games {
            0 | 1 => self.game.clone(),
            _ => format!("{games} ({}, …)", self.game),
        };
        parts.filter_map(|part| part.split_once('}')).fold(first, |text, (name, rest)| {
            let part = match name {
                "tag" => tag,
                "value" => &self.value,
                _ => &games,
            };
            text + part + rest
        })
    }
}

/// What the command of an edit says, and the tag that it sets if it is only one. Commands with options may mean
/// something else by the same words.
fn edit_of<'a>(command: &'a str, game: &ChangedGame) -> (&'static str, Option<(&'a str, &'a str)>) {
    let mut words = command.splitn(4, ' ').skip(1);
    let (name, id, rest) = (words.next(), words.next(), words.next().unwrap_or_default());
    let name = if name == Some("edit") { rest.split(' ').next() } else { name };
    let edit = EDITS.iter().find(|(known, _)| Some(*known) == name);
    match edit.filter(|_| id == Some(game.id.to_string().as_str())) {
        Some((name, edit)) => {
            (edit, single(rest).filter(|_| *name == "tag").and_then(|pair| pair.split_once('=')))
        }
        None => (EDITED, None),
    }
}

/// What was done with near duplicates, other than removing them.
fn done_with_pairs(command: &str) -> Option<&'static str> {
    let has = |word: &str| command.split(' ').any(|own| own == word);
    PAIRS.iter().find(|(option, _)| has("duplicates") && has(option)).map(|(_, template)| *template)
}

/// The only word of a command line.
fn single(text: &str) -> Option<&str> {
    match text.strip_prefix('\'').and_then(|text| text.strip_suffix('\'')) {
        Some(quoted) => Some(quoted).filter(|quoted| !quoted.replace("'\\''", "").contains('\'')),
        None => Some(text).filter(|text| !text.contains([' ', '\''])),
    }
}

/// The sources of an import in a sentence.
fn sources(names: &[String]) -> String {
    match names {
        [] => "?".to_owned(),
        [first] => first.clone(),
        [first, others @ ..] => format!("{first} (+ {})", others.len()),
    }
}

/// A game in a sentence: `Hebden – Adams, Hastings 1984`.
pub fn name_of(game: &ChangedGame) -> String {
    let [white, black, event, site] = game.names.each_ref().map(|name| name.as_deref());
    let surname = |name: Option<&str>| name.map(|name| name.split(',').next().unwrap_or(name).to_owned());
    let title = title(surname(white).as_deref(), surname(black).as_deref(), event, site);
    if title == "?" {
        return format!("game {}", game.id);
    }
    let is_known = |name: &&str| !matches!(*name, "" | "?" | "-") && **name != *title;
    let place = event.filter(is_known).or(site.filter(is_known)).unwrap_or_default();
    let year = game
        .date
        .and_then(Date::year)
        .map(|year| year.to_string())
        .filter(|year| !place.contains(year))
        .unwrap_or_default();
    let at = [place, year.as_str()].into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ");
    if at.is_empty() { title } else { format!("{title}, {at}") }
}
