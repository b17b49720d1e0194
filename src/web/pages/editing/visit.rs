//! A request to an editing page, and the answer to a form: a redirect to a page that says what was done, or JSON for
//! a script.

use axum::{
    http::{
        HeaderMap, HeaderValue, StatusCode, Uri,
        header::{ACCEPT, LOCATION},
    },
    response::{IntoResponse, Response},
};
use serde_json::json;

use super::{import::report_page, refused::failed};
use crate::{
    import::Report,
    record::GameId,
    web::{
        Answer, AppState, Failure,
        pages::{
            address::Address,
            layout::{HTML, Page},
        },
        reply::{JSON, JSON_LINES, as_json},
    },
};

/// A request to an editing page.
#[derive(Debug)]
pub(in crate::web) struct Visit {
    pub(super) page: Page,
    /// The name of the archive.
    pub(super) archive: String,
    wants_json: bool,
}

/// A change that was made.
pub(in crate::web) struct Done {
    /// Its number; `None` if nothing has changed.
    pub change: Option<i64>,
    pub games: u64,
    pub command: String,
    /// Whether it was undone.
    pub is_undone: bool,
    /// The page to return to.
    pub back: Back,
    /// The new fingerprint of the game.
    pub fingerprint: Option<u64>,
}

/// The page to return to after a change.
#[derive(Clone, Copy, Debug)]
pub(in crate::web) enum Back {
    Log,
    /// A game at a ply.
    Game(GameId, usize),
}

impl Visit {
    pub(in crate::web) fn of(app: &AppState, uri: &Uri, headers: &HeaderMap) -> Visit {
        let accepts = |kind: &HeaderValue| headers.get(ACCEPT).is_some_and(|accepted| accepted == kind);
        let page = Page::new(app, uri, headers);
        Visit { page, archive: app.name.clone(), wants_json: accepts(&JSON) || accepts(&JSON_LINES) }
    }

    pub(super) fn wants_json(&self) -> bool {
        self.wants_json
    }

    /// A parameter of the URL.
    pub(in crate::web) fn get(&self, name: &str) -> Option<&str> {
        self.page.address.get(name)
    }

    /// The URL without a parameter.
    pub(in crate::web) fn without(&self, name: &str) -> Option<HeaderValue> {
        HeaderValue::try_from(self.page.address.without(&[name]).to_string()).ok()
    }

    /// The answer to a form. After a failure, it shows what was entered.
    pub(in crate::web) fn answer(
        &self,
        outcome: Result<Done, Failure>,
        entered: &[(String, String)],
    ) -> Response {
        let done = match outcome {
            Ok(done) => done,
            Err(failure) => return self.failed(&failure, entered),
        };
        if self.wants_json {
            let Done { change, games, command, fingerprint, .. } = &done;
            let fingerprint = fingerprint.map(|fingerprint| format!("{fingerprint:016x}"));
            let value =
                json!({ "change": change, "games": games, "command": command, "fingerprint": fingerprint });
            return self.json(&value);
        }
        let page = match done.back {
            Back::Log => self.page.link("/log"),
            Back::Game(id, ply) => back_to(&self.page, id, ply),
        };
        let result = if done.is_undone { "undone" } else { "done" };
        let page = page.with(result, done.change.unwrap_or(0));
        let url = HeaderValue::try_from(page.to_string()).ok();
        let mut response = StatusCode::SEE_OTHER.into_response();
        response.headers_mut().extend(url.map(|url| (LOCATION, url)));
        response
    }

    /// The report of an import.
    pub(in crate::web) fn imported(&self, report: &Report) -> Response {
        if self.wants_json {
            return self.json(report);
        }
        match report_page(self, report) {
            Ok(html) => Answer::new(HTML, html.into_bytes()).respond(&HeaderMap::new(), None),
            Err(failure) => self.failed(&failure, &[]),
        }
    }

    /// The answer to a form that was refused.
    pub(in crate::web) fn failed(&self, failure: &Failure, entered: &[(String, String)]) -> Response {
        let response = failure.clone().into_response();
        if self.wants_json { as_json(response) } else { failed(&self.page, response, failure, entered) }
    }

    fn json(&self, value: &impl serde::Serialize) -> Response {
        match Answer::json(value) {
            Ok(answer) => answer.respond(&HeaderMap::new(), None),
            Err(failure) => self.failed(&failure, &[]),
        }
    }
}

/// The page that edits a game at a ply.
pub(super) fn back_to(page: &Page, id: GameId, ply: usize) -> Address {
    let address = page.link(format!("/edit/game/{id}"));
    if ply == 0 { address } else { address.with("ply", ply) }
}
