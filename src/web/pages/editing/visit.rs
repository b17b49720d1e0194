//! A request to an editing page, and the answer to a form: a redirect to a page that says what was done, or JSON for
//! a script; and what is shown instead if a form was refused, or access.

use askama::Template;
use axum::{
    http::{
        HeaderMap, HeaderValue, StatusCode, Uri,
        header::{ACCEPT, LOCATION},
    },
    response::{IntoResponse, Response},
};
use serde_json::json;

use super::import::report_page;
use crate::{
    archive::ChangeSummary,
    import::Report,
    record::GameId,
    web::{
        Answer, AppState, Failure, Result,
        pages::{
            Address, Page,
            layout::{heading, reason, with_body},
        },
        reply::{JSON, JSON_LINES, as_json, refusal},
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

/// Fields of forms that nobody entered.
const HIDDEN: [&str; 3] = ["action", "fingerprint", "ply"];

#[derive(Template)]
#[template(path = "edit_refused.html")]
struct RefusedPage {
    page: Page,
    why: String,
    /// What was entered, which would be lost otherwise.
    entered: Vec<(String, String)>,
    /// The page with the form.
    again: Address,
}

#[derive(Template)]
#[template(path = "edit_access.html")]
struct AccessPage {
    page: Page,
}

/// A change that was made.
pub(in crate::web) struct Done {
    /// Its id is `None` if nothing has changed.
    pub summary: ChangeSummary,
    /// Whether it was undone.
    pub is_undone: bool,
    /// The game and the ply to return to; `None` is the log.
    pub back: Option<(GameId, usize)>,
    /// The new fingerprint of the game.
    pub fingerprint: Option<u64>,
}

impl Visit {
    pub(in crate::web) fn of(app: &AppState, uri: &Uri, headers: &HeaderMap) -> Visit {
        let accepts = |kind: &HeaderValue| headers.get(ACCEPT).is_some_and(|accepted| accepted == kind);
        let page = Page::new(app, uri, headers);
        Visit { page, archive: app.name.clone(), wants_json: accepts(&JSON) || accepts(&JSON_LINES) }
    }

    /// The complete URL of the start page.
    pub(in crate::web) fn start(&self, host: &HeaderValue) -> Option<HeaderValue> {
        HeaderValue::try_from(format!("http://{}{}", host.to_str().ok()?, self.page.link("/"))).ok()
    }

    /// The answer to a form. After a failure, it shows what was entered.
    pub(in crate::web) fn answer(&self, outcome: Result<Done>, entered: &[(String, String)]) -> Response {
        let done = match outcome {
            Ok(done) => done,
            Err(failure) => return self.failed(&failure, entered),
        };
        if self.wants_json {
            let ChangeSummary { id, games, command } = &done.summary;
            let fingerprint = done.fingerprint.map(|fingerprint| format!("{fingerprint:016x}"));
            let value =
                json!({ "change": id, "games": games, "command": command, "fingerprint": fingerprint });
            return self.respond(Answer::json(&value));
        }
        let page = match done.back {
            None => self.page.link("/log"),
            Some((id, ply)) => back_to(&self.page, id, ply),
        };
        let result = if done.is_undone { "undone" } else { "done" };
        let page = page.with(result, done.summary.id.unwrap_or(0));
        let url = HeaderValue::try_from(page.to_string()).ok();
        let mut response = StatusCode::SEE_OTHER.into_response();
        response.headers_mut().extend(url.map(|url| (LOCATION, url)));
        response
    }

    /// The report of an import.
    pub(in crate::web) fn imported(&self, report: &Report) -> Response {
        self.respond(if self.wants_json { Answer::json(report) } else { report_page(self, report) })
    }

    /// The answer to a form that was refused.
    pub(in crate::web) fn failed(&self, failure: &Failure, entered: &[(String, String)]) -> Response {
        let (page, response) = (&self.page, failure.clone().into_response());
        if self.wants_json {
            return as_json(response);
        }
        let path = match page.address.path() {
            path if path.starts_with("/edit/game/") => path,
            "/edit/import" => "/import",
            _ => "/log",
        };
        let entered =
            entered.iter().filter(|(name, value)| !HIDDEN.contains(&name.as_str()) && !value.is_empty());
        let again = page.link(path);
        // Links to this page in other languages lead to one that exists.
        let page = Page { address: again.clone(), ..page.titled(heading(failure, page.words)) };
        let (why, entered) = (reason(failure, page.words), entered.cloned().collect());
        with_body(response, &RefusedPage { page, why, entered, again })
    }

    /// How to get access: the answer to a request without a key or cookie, and to a key that was used before.
    pub(in crate::web) fn no_access(&self) -> Response {
        let page = self.page.titled(self.page.words.edit_no_access);
        let why = "editing needs a new URL: press Enter in the terminal of the server";
        let refused = refusal(StatusCode::FORBIDDEN, why);
        if self.wants_json { as_json(refused) } else { with_body(refused, &AccessPage { page }) }
    }

    fn respond(&self, answer: Result<Answer>) -> Response {
        let response = answer.map(|answer| answer.respond(&HeaderMap::new(), None));
        response.unwrap_or_else(|failure| self.failed(&failure, &[]))
    }
}

/// The page that edits a game at a ply.
pub(super) fn back_to(page: &Page, id: GameId, ply: usize) -> Address {
    let address = page.link(format!("/edit/game/{id}"));
    if ply == 0 { address } else { address.with("ply", ply) }
}
