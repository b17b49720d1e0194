//! `POST /edit/undo` and `POST /edit/redo`.

use std::sync::Arc;

use axum::{extract::State, response::Response};

use super::{Editing, form::Form, game::done};
use crate::{
    archive::Editor,
    web::{
        Failure,
        pages::{Back, Done, Visit},
    },
};

/// `POST /edit/undo`
pub(super) async fn undo(State(editing): State<Arc<Editing>>, visit: Visit, form: Form) -> Response {
    visit.answer(swap(&editing, form, true).await, &[])
}

/// `POST /edit/redo`
pub(super) async fn redo(State(editing): State<Arc<Editing>>, visit: Visit, form: Form) -> Response {
    visit.answer(swap(&editing, form, false).await, &[])
}

/// Undoes or redoes a change; by default the last one.
async fn swap(editing: &Arc<Editing>, form: Form, is_undo: bool) -> Result<Done, Failure> {
    let id = if form.get("change").is_some() { Some(form.number("change")?) } else { None };
    let back = match form.get("game") {
        Some(_) => Back::Game(form.number("game")?, form.number("ply").unwrap_or(0)),
        None => Back::Log,
    };
    let made = form.get("made").map(str::to_owned);
    let changed = editing.change(move |editor: &mut Editor| {
        check(editor, id, made.as_deref())?;
        let summary = if is_undo { editor.undo(id)? } else { editor.redo(id)? };
        let games = summary.games;
        Ok((Done { is_undone: is_undo, ..done(summary, back, None) }, games))
    });
    changed.await
}

/// Checks that a change is the one that was shown: another archive may have one with the same number.
fn check(editor: &Editor, id: Option<i64>, made: Option<&str>) -> Result<(), Failure> {
    let (Some(id), Some(made)) = (id, made) else { return Ok(()) };
    match editor.archive().changes()?.into_iter().find(|change| change.id == id) {
        Some(change) if change.made == made => Ok(()),
        _ => {
            Err(Failure::Conflict(format!("change {id} is not the one that was shown; nothing was changed")))
        }
    }
}
