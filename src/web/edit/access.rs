//! Which requests may edit: those that a page of this server sends from a browser that has its cookie. To a browser,
//! another server on this machine is the same site, so the cookie alone would not be enough.

use std::sync::Arc;

use axum::{
    extract::{Request, State},
    http::{
        HeaderMap, HeaderValue, Method, StatusCode,
        header::{CACHE_CONTROL, HOST, LOCATION, ORIGIN, SET_COOKIE},
    },
    middleware::Next,
    response::{IntoResponse, Response},
};

use super::Editing;
use crate::web::{pages::Visit, reply::closing};

/// The parameter with a token.
pub(super) const TOKEN: &str = "token";

/// Exchanges the token of a URL for a cookie, and redirects to the URL without it.
pub(super) async fn exchange(State(editing): State<Arc<Editing>>, request: Request, next: Next) -> Response {
    let is_ahead = request.headers().contains_key("sec-purpose");
    let visit = Visit::of(&editing.app, request.uri(), request.headers());
    // A request for the header only, or one that a browser makes ahead of time, does not use the token up.
    let token = match visit.get(TOKEN) {
        Some(token) if request.method() == Method::GET && request.uri().path() == "/" && !is_ahead => token,
        _ => return next.run(request).await,
    };
    let cookie = editing.sessions.exchange(token);
    if cookie.is_none() && !editing.sessions.admits(request.headers()) {
        return not_kept(visit.no_access());
    }
    let mut response = StatusCode::SEE_OTHER.into_response();
    let headers = response.headers_mut();
    headers.extend(visit.without(TOKEN).map(|url| (LOCATION, url)));
    headers.extend(cookie.map(|cookie| (SET_COOKIE, cookie)));
    not_kept(response)
}

/// Answers requests that may edit; refuses others.
pub(super) async fn check(State(editing): State<Arc<Editing>>, request: Request, next: Next) -> Response {
    let headers = request.headers();
    let has_cookie = editing.sessions.admits(headers);
    let reads = matches!(*request.method(), Method::GET | Method::HEAD);
    let refused = match (reads, has_cookie) {
        (true, true) => None,
        (true, false) => Some(Visit::of(&editing.app, request.uri(), headers).no_access()),
        (false, false) => Some(closing(
            StatusCode::FORBIDDEN,
            "editing needs the cookie of a URL from the terminal of the server",
        )),
        (false, true) if !is_own_page(headers) => {
            Some(closing(StatusCode::FORBIDDEN, "only pages of this server may edit"))
        }
        (false, true) => None,
    };
    not_kept(match refused {
        Some(response) => response,
        None => next.run(request).await,
    })
}

/// Whether a browser says that a page of this server sends the request.
fn is_own_page(headers: &HeaderMap) -> bool {
    let (origin, host) = (only(headers, ORIGIN.as_str()), only(headers, HOST.as_str()));
    let own = host.map(|host| [b"http://", host.as_bytes()].concat());
    origin.zip(own).is_some_and(|(origin, own)| origin.as_bytes().eq_ignore_ascii_case(&own))
        && only(headers, "sec-fetch-site").is_some_and(|site| site == "same-origin")
}

/// A header that occurs once.
fn only<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a HeaderValue> {
    let mut values = headers.get_all(name).iter();
    values.next().filter(|_| values.next().is_none())
}

/// What depends on a cookie or a token is not cached.
fn not_kept(mut response: Response) -> Response {
    response.headers_mut().insert(CACHE_CONTROL, const { HeaderValue::from_static("no-store") });
    response
}
