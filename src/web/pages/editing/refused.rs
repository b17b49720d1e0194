//! What is shown instead of an editing page: why a form was refused, or how to get access.

use askama::Template;
use axum::{
    http::{HeaderMap, StatusCode, header::CONTENT_TYPE},
    response::{IntoResponse, Response},
};

use super::Visit;
use crate::{
    printable,
    web::{
        Answer, Failure,
        pages::{
            address::Address,
            layout::{HTML, Page, heading, rendered},
        },
        reply::{as_json, refusal},
    },
};

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

/// The answer to a form that was refused.
pub(super) fn failed(
    page: &Page,
    response: Response,
    failure: &Failure,
    entered: &[(String, String)],
) -> Response {
    let why = match failure {
        Failure::BadRequest(why) => why.into(),
        other => other.text(),
    };
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
    let page = RefusedPage {
        again,
        why: printable::line(&why).into_owned(),
        entered: entered.cloned().collect(),
        page,
    };
    let Ok(html) = page.render() else { return response };
    let (mut head, _) = response.into_parts();
    head.headers.insert(CONTENT_TYPE, HTML);
    (head, html).into_response()
}

/// How to get access: the answer to a request without a cookie, and to a token that was used before.
pub(in crate::web) fn no_access(visit: &Visit) -> Response {
    let page = visit.page.titled(visit.page.words.edit_no_access);
    let why = "editing needs a new URL: press Enter in the terminal of the server";
    let refused = refusal(StatusCode::FORBIDDEN, why);
    if visit.wants_json() {
        return as_json(refused);
    }
    let Ok(html) = rendered(&AccessPage { page }) else { return refused };
    let mut response = Answer::new(HTML, html.into_bytes()).respond(&HeaderMap::new(), None);
    *response.status_mut() = StatusCode::FORBIDDEN;
    response
}
