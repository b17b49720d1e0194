//! `POST /edit/duplicates`: one of two games is kept, one is made of both, or they are marked as different.

use std::{ops::ControlFlow, sync::Arc};

use axum::{extract::State, response::Response};

use super::{Editing, game::shown_games};
use crate::{
    archive::{ArchiveError, Change, Editor, WhyApart},
    edit::{check_shown, command_line},
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

/// What happens with two games.
#[derive(Clone, Copy)]
enum Action {
    Keep { kept: GameId, other: GameId },
    Join,
    Different,
}

impl Action {
    fn of(form: &Form, [one, two]: [GameId; 2]) -> Result<Action> {
        Ok(match (form.get("action").unwrap_or_default(), form.number("keep")?) {
            ("join", None) => Action::Join,
            ("different", None) => Action::Different,
            ("", Some(kept)) if kept == one => Action::Keep { kept, other: two },
            ("", Some(kept)) if kept == two => Action::Keep { kept, other: one },
            _ => {
                let what = "expected join, different, or which of two games to keep";
                return Err(Failure::invalid("action", what));
            }
        })
    }

    /// The command that does the same.
    fn command(self, [one, two]: [GameId; 2]) -> String {
        let words = match self {
            Action::Keep { other, .. } => vec!["remove".to_owned(), other.to_string()],
            Action::Join => {
                vec!["duplicates".to_owned(), one.to_string(), two.to_string(), "--join".to_owned()]
            }
            Action::Different => {
                vec!["duplicates".to_owned(), one.to_string(), two.to_string(), "--different".to_owned()]
            }
        };
        command_line(words)
    }

    /// Returns why the games were not joined.
    fn make(self, change: &mut Change<'_>, pair: [GameId; 2]) -> Result<Option<WhyApart>, ArchiveError> {
        match self {
            Action::Keep { kept, other } => {
                change.inherit_marks(kept, &[other])?;
                change.remove(&[other].into_iter().collect(), |_| ControlFlow::Continue(()))?;
            }
            Action::Join => return Ok(change.join(&pair)?.into_iter().next().map(|(_, why)| why)),
            Action::Different => change.mark_different(&[pair])?,
        }
        Ok(None)
    }
}

async fn resolve(editing: &Arc<Editing>, form: &Form) -> Result<Done> {
    let shown = shown_games(form)?;
    let ids: Vec<GameId> = shown.keys().copied().collect();
    let [one, two] = ids[..] else { return Err(Failure::invalid("game", "expected two games")) };
    let pair = [one, two];
    let action = Action::of(form, pair)?;
    let make = move |editor: &mut Editor| {
        let (apart, summary) = editor.change(&action.command(pair), false, |change| {
            check_shown(change, &shown)?;
            action.make(change, pair)
        })?;
        match apart {
            Some(why) => Err(Failure::refused("", why)),
            None => Ok(Done { summary, fingerprint: None }),
        }
    };
    editing.change(make).await
}
