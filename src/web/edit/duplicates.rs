//! `POST /edit/duplicates`: one of two games is kept, one is made of both, or they are marked as different.

use std::sync::Arc;

use axum::{extract::State, response::Response};

use super::{
    Editing,
    game::{check_shown, remove_games, shown_games},
};
use crate::{
    archive::Editor,
    edit::command_line,
    record::GameId,
    web::{
        Failure, Result,
        form::Form,
        pages::{Done, Visit},
    },
};

pub(super) async fn duplicates(State(editing): State<Arc<Editing>>, visit: Visit, form: Form) -> Response {
    let back = visit.back(&form);
    visit.answer(resolve(&editing, &form).await, back)
}

async fn resolve(editing: &Arc<Editing>, form: &Form) -> Result<Done> {
    let mut shown = shown_games(form)?;
    if let Some(kept) = form.number("keep")? {
        return match shown.remove(&kept) {
            Some(_) if shown.len() == 1 => remove_games(editing, shown).await,
            _ => Err(Failure::invalid("keep", "expected one of two games")),
        };
    }
    let ids: Vec<GameId> = shown.keys().copied().collect();
    let [one, two] = ids[..] else { return Err(Failure::invalid("game", "expected two games")) };
    let action = form.get("action").unwrap_or_default();
    let joins = match action {
        "join" => true,
        "different" => false,
        other => return Err(Failure::invalid("action", format_args!("{other:?} is not a valid action"))),
    };
    let words = ["duplicates".to_owned(), one.to_string(), two.to_string(), format!("--{action}")];
    let make = move |editor: &mut Editor| {
        let (apart, summary) = editor.change(&command_line(words), false, |change| {
            check_shown(change, &shown)?;
            match joins {
                true => change.join(&[one, two]),
                false => change.mark_different(&[[one, two]]).map(|()| Vec::new()),
            }
        })?;
        match apart.into_iter().next() {
            Some((_, why)) => Err(Failure::refused("", why)),
            None => Ok(Done { summary, fingerprint: None }),
        }
    };
    editing.change(make).await
}
