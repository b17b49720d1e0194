//! `POST /edit/game/{n}` and `POST /edit/remove`: changing and removing games; `POST /edit/undo` and `POST /edit/redo`.

use std::{collections::BTreeMap, ops::ControlFlow, sync::Arc};

use axum::{
    extract::{Path, State},
    response::Response,
};

use super::Editing;
use crate::{
    archive::{ArchiveError, ChangeSummary, Editor, GameSet},
    edit::{
        ShownGames, TagEdit, broken_variation, check_shown, check_unchanged, command_line,
        fingerprint as fingerprint_of, game_of, parse_glyph, record_of, text_of, with_comment,
        with_comment_at, with_glyphs, with_glyphs_at, with_main_line, with_variation, without_end,
    },
    record::{GameId, Record, StoredGame},
    web::{
        Failure, Result,
        form::{Form, fingerprint},
        pages::{Done, TAG, Visit},
        reply::Refused,
    },
};

/// An edit of a game; it returns `None` if nothing changes.
type Edit = Box<dyn Fn(&StoredGame) -> Result<Option<Record>, ArchiveError> + Sync>;

/// `POST /edit/game/{n}`
pub(super) async fn game(
    State(editing): State<Arc<Editing>>,
    Path(id): Path<String>,
    visit: Visit,
    form: Form,
) -> Response {
    let Ok(id) = id.parse() else {
        let why = format!("{id:?} is not a valid game number");
        return visit.failed(&Failure::BadRequest(why));
    };
    let fields = form.fields().to_vec();
    let ply = form.number("ply").ok().flatten().unwrap_or(0);
    let back = match form.get("action") {
        Some("remove") => visit.back(&form),
        // The moves of the game may have other numbers after an edit of its lines.
        Some("comment" | "glyph") => {
            Some(visit.edited(id, ply).with("node", form.get("node").unwrap_or_default()))
        }
        _ => Some(visit.edited(id, ply)),
    };
    match change_game(&editing, id, form).await {
        Err(failure @ (Failure::BadRequest(_) | Failure::Refused { .. } | Failure::Conflict(_)))
            if !visit.wants_json =>
        {
            visit.refused(id, fields, &failure).await
        }
        outcome => visit.answer(outcome, back),
    }
}

async fn change_game(editing: &Arc<Editing>, id: GameId, form: Form) -> Result<Done> {
    let shown = form.fingerprint()?;
    if form.get("action") == Some("remove") {
        return remove_games(editing, BTreeMap::from([(id, shown)])).await;
    }
    let ply = form.number("ply")?.unwrap_or(0);
    check_variations(&form)?;
    let change = move |editor: &mut Editor| {
        let game = editor.archive().game(id)?;
        check_unchanged(&game, shown)?;
        let (edit, command) = edit_of(&form, &game, ply)?;
        let games = GameSet::from_iter([id]);
        let ((), summary) = editor.change(&command, false, |change| {
            change.edit(&games, |game| check_unchanged(game, shown).and_then(|()| edit(game)), go_on)
        })?;
        let fingerprint = Some(fingerprint_of(&editor.archive().game(id)?)?);
        Ok(Done { summary, fingerprint })
    };
    editing.change(change).await
}

/// Checks that all variations of a text can be played, unless the others are to be kept as comments.
fn check_variations(form: &Form) -> Result<()> {
    let keeps = form.get("action") != Some("pgn") || form.get("keep").is_some();
    let text = form.get("text").filter(|_| !keeps).unwrap_or_default().as_bytes();
    match game_of(text).ok().and_then(|game| broken_variation(text, &game)) {
        Some(broken) => Err(Failure::refused("", broken)),
        None => Ok(()),
    }
}

/// The edit that a form wants, and what the log says of it.
fn edit_of(form: &Form, game: &StoredGame, ply: usize) -> Result<(Edit, String)> {
    let id = game.id.to_string();
    let of = |words: &[&str]| command_line(words.iter().map(|word| (*word).to_owned()));
    let (place, node) = (ply.to_string(), form.number("node")?);
    Ok(match form.get("action").unwrap_or_default() {
        "tags" => edit_of_tags(form, game)?,
        "comment" if node.is_some() => {
            let (node, text) = (node.unwrap_or_default(), form.text("text")?);
            let command = format!("{} (comment on move {node}: {text})", of(&["edit", &id]));
            (Box::new(move |game| with_comment_at(game, node, &text)), command)
        }
        "comment" => {
            let text = form.text("text")?;
            let command = of(&["comment", &id, &place, &text]);
            (Box::new(move |game| with_comment(game, ply, &text)), command)
        }
        "glyph" => {
            // One field per menu.
            let glyphs = form.all("glyphs").collect::<Vec<_>>().join(" ");
            let words: Vec<&str> = glyphs.split_whitespace().collect();
            let numbers = words.iter().map(|word| parse_glyph(word)).collect::<Result<Vec<_>, _>>();
            let numbers = numbers.map_err(|why| Failure::refused("", why))?;
            match node {
                Some(node) => (
                    Box::new(move |game| with_glyphs_at(game, node, &numbers)),
                    format!("{} (glyph on move {node}: {})", of(&["edit", &id]), words.join(" ")),
                ),
                None => (
                    Box::new(move |game| with_glyphs(game, ply, &numbers)),
                    of(&[&["glyph", &id, &place], &words[..]].concat()),
                ),
            }
        }
        "variation" => {
            let moves = form.text("moves")?;
            let words: Vec<&str> = moves.split_whitespace().collect();
            let command = format!("{} (variation after ply {ply}: {})", of(&["edit", &id]), words.join(" "));
            (Box::new(move |game| with_variation(game, ply, &moves)), command)
        }
        "promote" | "cut" => {
            let node = node.ok_or_else(|| Failure::invalid("node", "expected a number"))?;
            let action = form.get("action").unwrap_or_default();
            let edit = if action == "cut" { without_end } else { with_main_line };
            (Box::new(move |game| edit(game, node)), format!("{} ({action} move {node})", of(&["edit", &id])))
        }
        "pgn" => {
            let text = form.text("text")?;
            let edit = move |game: &StoredGame| match text_of(game)?.trim_end() == text.trim_end() {
                true => Ok(None),
                false => record_of(text.as_bytes(), game.codec).map(Some),
            };
            (Box::new(edit), of(&["edit", &id]))
        }
        other => return Err(Failure::invalid("action", format_args!("{other:?} is not a valid action"))),
    })
}

/// The same for a form of tags.
fn edit_of_tags(form: &Form, game: &StoredGame) -> Result<(Edit, String)> {
    let changed = changed_tags(form, game);
    let edits = changed.iter().map(|(name, value)| {
        let value = Some(value.as_str()).filter(|value| !value.is_empty());
        let edit = TagEdit::new(name, value);
        edit.map_err(|why| Failure::refused(&format!("{TAG}{name}"), why))
    });
    let edits = edits.collect::<Result<Vec<_>, _>>()?;
    let pairs = edits.iter().map(ToString::to_string);
    let command = command_line(["tag".to_owned(), game.id.to_string()].into_iter().chain(pairs));
    Ok((Box::new(move |game| TagEdit::apply(&edits, game)), command))
}

/// The tags whose values differ from those of the game. Other tags, perhaps with several values, stay as they are.
fn changed_tags(form: &Form, game: &StoredGame) -> Vec<(String, String)> {
    let named =
        form.fields().iter().filter_map(|(name, value)| Some((name.strip_prefix(TAG)?, value.as_str())));
    let new = form
        .get("name")
        .zip(form.get("value"))
        .filter(|(name, value)| !(name.is_empty() && value.is_empty()));
    let differs = |(name, value): &(&str, &str)| game.tags.get(name).unwrap_or_default() != *value;
    named.chain(new).filter(differs).map(|(name, value)| (name.to_owned(), value.to_owned())).collect()
}

/// `POST /edit/remove`
pub(super) async fn remove(State(editing): State<Arc<Editing>>, visit: Visit, form: Form) -> Response {
    let outcome = match shown_games(&form) {
        Ok(games) => remove_games(&editing, games).await,
        Err(failure) => Err(failure),
    };
    visit.answer(outcome, visit.back(&form))
}

/// The games of a form; at least one.
pub(super) fn shown_games(form: &Form) -> Result<ShownGames> {
    let game = |text: &str| {
        let (id, shown) = text.split_once('-')?;
        Some((id.parse().ok()?, fingerprint(shown)?))
    };
    let games: Option<ShownGames> = form.all("game").map(game).collect();
    games
        .filter(|games| !games.is_empty())
        .ok_or_else(|| Failure::invalid("game", "expected games, each as a number, - and a fingerprint"))
}

/// Removes games.
async fn remove_games(editing: &Arc<Editing>, shown: ShownGames) -> Result<Done> {
    let change = move |editor: &mut Editor| {
        let games: GameSet = shown.keys().copied().collect();
        let ids = shown.keys().map(ToString::to_string);
        let command = command_line(std::iter::once("remove".to_owned()).chain(ids));
        let ((), summary) = editor.change(&command, false, |change| {
            check_shown(change, &shown)?;
            change.remove(&games, go_on)
        })?;
        Ok(Done { summary, fingerprint: None })
    };
    editing.change(change).await
}

fn go_on(_: u64) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

/// `POST /edit/undo`
pub(super) async fn undo(State(editing): State<Arc<Editing>>, visit: Visit, form: Form) -> Response {
    let back = visit.back(&form);
    visit.answer(swap(&editing, form, true).await, back)
}

/// `POST /edit/redo`
pub(super) async fn redo(State(editing): State<Arc<Editing>>, visit: Visit, form: Form) -> Response {
    let back = visit.back(&form);
    visit.answer(swap(&editing, form, false).await, back)
}

/// Undoes a change, for some of its games if the form names them, or redoes it; by default the last one.
async fn swap(editing: &Arc<Editing>, form: Form, is_undo: bool) -> Result<Done> {
    let id = form.number("change")?;
    let made = form.get("made").map(str::to_owned);
    let games = form.get("some").map(|_| chosen(&form)).transpose()?;
    let change = move |editor: &mut Editor| {
        check(editor, id, made.as_deref())?;
        let summary = match games {
            Some(games) => undo_games(editor, id, &games)?,
            None if is_undo => editor.undo(id)?,
            None => editor.redo(id)?,
        };
        Ok(Done { summary, fingerprint: None })
    };
    editing.change(change).await
}

/// The games that were chosen in a form.
fn chosen(form: &Form) -> Result<Vec<GameId>> {
    let games: Option<Vec<GameId>> = form.all("id").map(|id| id.parse().ok()).collect();
    games.filter(|games| !games.is_empty()).ok_or_else(|| Failure::refused("", Refused::NoChoice))
}

fn undo_games(editor: &mut Editor, id: Option<i64>, games: &[GameId]) -> Result<ChangeSummary> {
    let names = games.iter().map(ToString::to_string).collect::<Vec<_>>().join(",");
    let change = id.map(|id| id.to_string());
    let words = std::iter::once("undo".to_owned()).chain(change).chain(["--games".to_owned(), names]);
    let ranges = Vec::from_iter(games.iter().map(|id| *id..=*id));
    Ok(editor.undo_games(id, &ranges, &command_line(words))?)
}

/// Checks that a change is the one that was shown: another archive may have one with the same number.
fn check(editor: &Editor, id: Option<i64>, made: Option<&str>) -> Result<()> {
    let (Some(id), Some(made)) = (id, made) else { return Ok(()) };
    match editor.archive().changes()?.into_iter().find(|change| change.id == id) {
        Some(change) if change.made == made => Ok(()),
        _ => {
            Err(Failure::Conflict(format!("change {id} is not the one that was shown; nothing was changed")))
        }
    }
}
