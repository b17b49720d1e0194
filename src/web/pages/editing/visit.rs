//! A request to an editing page, and the answer to a form: a redirect to a page that says what was done, or JSON for
//! a script; and what is shown instead if a form was refused, or access.

use std::sync::Arc;

use askama::Template;
use axum::{
    http::{
        HeaderMap, HeaderValue, StatusCode, Uri,
        header::{ACCEPT, LOCATION},
    },
    response::{IntoResponse, Response},
};
use serde_json::{Value, json};

use super::{
    Address, Answer, Failure, Page, Result,
    edit_game::{Entered, back_to, edit_game},
    import::{Imported, report_page},
    log::{DONE, Toast},
};
use crate::{
    archive::ChangeSummary,
    edit::EditError,
    record::GameId,
    web::{
        AppState,
        form::Form,
        pages::layout::{heading, reason, respond_fresh, with_body},
        reply::{JSON, JSON_LINES, Refused, as_json, refusal},
    },
};

/// A request to an editing page.
#[derive(Clone, Debug)]
pub(in crate::web) struct Visit {
    pub(super) app: Arc<AppState>,
    pub(super) page: Page,
    pub(in crate::web) wants_json: bool,
}

#[derive(Template)]
#[template(path = "edit_refused.html")]
struct RefusedPage {
    page: Page,
    why: String,
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
    /// The new fingerprint of the game.
    pub fingerprint: Option<u64>,
}

impl Visit {
    pub(in crate::web) fn of(app: &Arc<AppState>, uri: &Uri, headers: &HeaderMap) -> Visit {
        let accepts = |kind: &HeaderValue| headers.get(ACCEPT).is_some_and(|accepted| accepted == kind);
        let page = Page::new(app, uri, headers);
        Visit { app: Arc::clone(app), page, wants_json: accepts(&JSON) || accepts(&JSON_LINES) }
    }

    /// The complete URL of the start page.
    pub(in crate::web) fn start(&self, host: &HeaderValue) -> Option<HeaderValue> {
        HeaderValue::try_from(format!("http://{}{}", host.to_str().ok()?, self.page.link("/"))).ok()
    }

    /// The answer to a form: a page says what was done, by default the log.
    pub(in crate::web) fn answer(&self, outcome: Result<Done>, back: Option<Address>) -> Response {
        let done = match outcome {
            Ok(done) => done,
            Err(failure) => return self.failed(&failure),
        };
        if self.wants_json {
            let ChangeSummary { id, games, command } = &done.summary;
            let fingerprint = done.fingerprint.map(|fingerprint| format!("{fingerprint:016x}"));
            let value =
                json!({ "change": id, "games": games, "command": command, "fingerprint": fingerprint });
            return self.respond(Answer::json(&value));
        }
        let page = back.unwrap_or_else(|| self.page.link("/log"));
        let page = page.with(DONE, Toast::parameter(&self.app, done.summary.id));
        let url = HeaderValue::try_from(page.to_string()).ok();
        let mut response = StatusCode::SEE_OTHER.into_response();
        response.headers_mut().extend(url.map(|url| (LOCATION, url)));
        response
    }

    /// The page to which a form leads back, if it is one of this server with messages.
    pub(in crate::web) fn back(&self, form: &Form) -> Option<Address> {
        let back = Address::of(&form.get("back")?.parse().ok()?).without(&[DONE]);
        let is_ours = ["/log", "/games", "/explorer", "/duplicates"].contains(&back.path())
            || back.path().starts_with("/edit/game/");
        is_ours.then_some(back)
    }

    /// The page that edits a game at a ply.
    pub(in crate::web) fn edited(&self, id: GameId, ply: usize) -> Address {
        back_to(&self.page, id, ply)
    }

    /// The report of an import.
    pub(in crate::web) fn imported(&self, imported: Imported) -> Response {
        let imported = imported.in_language(self.page.language);
        self.respond(if self.wants_json { Answer::json(&imported) } else { report_page(self, &imported) })
    }

    /// The same after the progress of an import: for programs, and as a page.
    pub(in crate::web) fn end_of_import(&self, imported: Result<Imported>) -> Value {
        let report = imported.and_then(|imported| {
            let imported = imported.in_language(self.page.language);
            let page = report_page(self, &imported)?;
            Ok(json!({ "report": imported, "page": page.text() }))
        });
        report.unwrap_or_else(|failure| json!({ "error": self.page.language.said(&failure) }))
    }

    /// The answer to a form that was refused.
    pub(in crate::web) fn failed(&self, failure: &Failure) -> Response {
        let (page, response) = (&self.page, failure.clone().into_response());
        if self.wants_json {
            return as_json(response);
        }
        let again = match page.address.path() {
            "/edit/import" => page.link("/import"),
            "/edit/duplicates" => page.link("/duplicates"),
            "/edit/undo" if page.address.get("change").is_some() => page.address.clone(),
            _ => page.link("/log"),
        };
        // Links to this page in other languages lead to one that exists.
        let title = match failure {
            Failure::Refused { why: Refused::NoChoice, .. } => page.words.edit_no_choice,
            Failure::BadRequest(_) | Failure::Refused { .. } => page.words.edit_refused,
            other => heading(other, page.words),
        };
        let page = Page { address: again.clone(), ..page.titled(title) };
        let why = reason(failure, page.language);
        with_body(response, &RefusedPage { page, why, again })
    }

    /// The form of a game again, with what was entered and why it was refused.
    pub(in crate::web) async fn refused(
        &self,
        id: GameId,
        fields: Vec<(String, String)>,
        failure: &Failure,
    ) -> Response {
        let status = failure.clone().into_response().status();
        let is_broken =
            matches!(failure, Failure::Refused { why: Refused::Edit(EditError::BrokenVariation { .. }), .. });
        let why = reason(failure, self.page.language);
        let entered = Entered::new(fields, &why, is_broken);
        let mut response = self.again(id, entered, self.page.clone()).await;
        if response.status() == StatusCode::OK {
            *response.status_mut() = status;
        }
        response
    }

    async fn again(&self, id: GameId, entered: Entered, page: Page) -> Response {
        let address = ["ply", "node"].into_iter().fold(page.address.clone(), |address, name| {
            address.with(name, entered.field(name).unwrap_or_default())
        });
        respond_fresh(&self.app, Page { address, ..page }, move |context, page| {
            edit_game(context, page, &id.to_string(), Some(&entered))
        })
        .await
    }

    /// How to get access: the answer to a request without a key or cookie, and to a key that was used before.
    pub(in crate::web) fn no_access(&self) -> Response {
        let page = self.page.titled(self.page.words.edit_no_access);
        let why = "editing needs a new URL: press Enter in the terminal of the server";
        let refused = refusal(StatusCode::FORBIDDEN, why);
        if self.wants_json { as_json(refused) } else { with_body(refused, &AccessPage { page }) }
    }

    fn respond(&self, answer: Result<Answer>) -> Response {
        let response = answer.map(|answer| answer.respond(&HeaderMap::new(), None, false));
        response.unwrap_or_else(|failure| self.failed(&failure))
    }
}
