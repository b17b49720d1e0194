//! Who may edit: a browser that was opened with a URL from the terminal. The token in that URL is exchanged for a
//! cookie, once. Both are random, exist only in memory, and are limited in number.
//!
//! A request must also come from a page of this server: to a browser, another server on this machine is the same site,
//! so the cookie alone would not be enough.

use std::{
    collections::VecDeque,
    hint::black_box,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use axum::{
    extract::{Request, State},
    http::{
        HeaderMap, HeaderValue, Method, StatusCode,
        header::{CACHE_CONTROL, COOKIE, HOST, LOCATION, ORIGIN, SET_COOKIE},
    },
    middleware::Next,
    response::{IntoResponse, Response},
};

use data_encoding::BASE64URL_NOPAD;

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
    let forbidden = |why| Some(closing(StatusCode::FORBIDDEN, why));
    let refused = match (reads, has_cookie) {
        (true, false) => Some(Visit::of(&editing.app, request.uri(), headers).no_access()),
        (false, false) => forbidden("editing needs the cookie of a URL from the terminal of the server"),
        (false, true) if !is_own_page(headers) => forbidden("only pages of this server may edit"),
        (_, true) => None,
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

/// Random bytes of a token or cookie.
const BYTES: usize = 32;

/// Maximum number of unused tokens; a new one replaces the oldest.
const MAX_TOKENS: usize = 4;

/// Maximum number of cookies; a new one replaces the oldest.
const MAX_COOKIES: usize = 16;

/// The tokens and cookies of a server.
#[derive(Debug)]
pub(super) struct Sessions {
    /// The name of the cookie. Browsers send cookies of a host to all of its ports, so the name contains the port.
    name: String,
    secrets: Mutex<Secrets>,
}

#[derive(Default)]
struct Secrets {
    tokens: VecDeque<String>,
    cookies: VecDeque<String>,
}

impl std::fmt::Debug for Secrets {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Secrets")
    }
}

impl Sessions {
    pub(super) fn new(port: u16) -> Sessions {
        Sessions { name: format!("plybook-{port}"), secrets: Mutex::default() }
    }

    /// A new token.
    pub(super) fn token(&self) -> Result<String, getrandom::Error> {
        let token = random()?;
        push(&mut self.secrets().tokens, token.clone(), MAX_TOKENS);
        Ok(token)
    }

    /// The `Set-Cookie` value for a token, which is used up; `None` if there is no such token.
    pub(super) fn exchange(&self, token: &str) -> Option<HeaderValue> {
        let mut secrets = self.secrets();
        let place = find(&secrets.tokens, token)?;
        let cookie = random().ok()?;
        secrets.tokens.remove(place);
        push(&mut secrets.cookies, cookie.clone(), MAX_COOKIES);
        let name = &self.name;
        HeaderValue::from_str(&format!("{name}={cookie}; Path=/; HttpOnly; SameSite=Strict")).ok()
    }

    /// Whether a request has a cookie of this server.
    pub(super) fn admits(&self, headers: &HeaderMap) -> bool {
        let secrets = self.secrets();
        let sent = headers.get_all(COOKIE).iter().filter_map(|value| value.to_str().ok());
        // Other servers on this machine can set a cookie with the same name, so each is compared.
        sent.flat_map(|cookies| cookies.split(';'))
            .filter_map(|cookie| cookie.trim().split_once('='))
            .any(|(name, value)| name == self.name && find(&secrets.cookies, value).is_some())
    }

    fn secrets(&self) -> MutexGuard<'_, Secrets> {
        self.secrets.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn random() -> Result<String, getrandom::Error> {
    let mut bytes = [0; BYTES];
    getrandom::fill(&mut bytes)?;
    Ok(BASE64URL_NOPAD.encode(&bytes))
}

fn push(secrets: &mut VecDeque<String>, secret: String, most: usize) {
    if secrets.len() >= most {
        secrets.pop_front();
    }
    secrets.push_back(secret);
}

/// Finds a secret. The time depends neither on where it differs from the given one nor on which one it is.
fn find(secrets: &VecDeque<String>, given: &str) -> Option<usize> {
    let places = secrets.iter().enumerate();
    places.fold(None, |found, (place, secret)| if is_same(secret, given) { Some(place) } else { found })
}

fn is_same(one: &str, other: &str) -> bool {
    let bytes = one.bytes().zip(other.bytes());
    let difference = bytes.fold(0, |difference, (one, other)| black_box(difference | (one ^ other)));
    // All have the same length, which is no secret.
    one.len() == other.len() && difference == 0
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    fn with(cookies: &str) -> HeaderMap {
        HeaderMap::from_iter([(COOKIE, HeaderValue::from_str(cookies).unwrap())])
    }

    fn pair(set: &HeaderValue) -> String {
        set.to_str().unwrap().split(';').next().unwrap().to_owned()
    }

    #[test]
    fn a_token_becomes_a_cookie_once() {
        let sessions = Sessions::new(9002);
        let token = sessions.token().unwrap();
        assert!(BASE64URL_NOPAD.decode(token.as_bytes()).unwrap().len() * 8 >= 128);
        for wrong in ["", "x", &token[1..], &format!("{token}A"), &token.to_lowercase()] {
            assert!(sessions.exchange(wrong).is_none(), "{wrong}");
        }
        let set = sessions.exchange(&token).unwrap();
        assert!(sessions.exchange(&token).is_none());
        let cookie = pair(&set);
        assert!(cookie.starts_with("plybook-9002=") && !cookie.contains(&token));
        assert!(sessions.admits(&with(&cookie)) && sessions.admits(&with(&format!("a=b; {cookie}"))));
        assert!(sessions.admits(&with(&format!("plybook-9002=forged; {cookie}"))));
        for wrong in
            ["", "a=b", "plybook-9002=", "plybook-9002", &cookie.replace("9002", "9003"), &cookie[..40]]
        {
            assert!(!sessions.admits(&with(wrong)), "{wrong}");
        }
        assert!(!Sessions::new(9002).admits(&with(&cookie)) && !sessions.admits(&HeaderMap::new()));
    }

    #[test]
    fn tokens_and_cookies_are_limited_in_number_and_all_different() {
        let sessions = Sessions::new(1);
        let tokens: Vec<String> = (0..MAX_TOKENS + 3).map(|_| sessions.token().unwrap()).collect();
        assert_eq!(tokens.iter().collect::<BTreeSet<_>>().len(), tokens.len());
        let valid = tokens.iter().filter(|token| sessions.exchange(token).is_some()).count();
        assert_eq!(valid, MAX_TOKENS);
        let first = pair(&sessions.exchange(&sessions.token().unwrap()).unwrap());
        for _ in 1..MAX_COOKIES {
            assert!(sessions.admits(&with(&first)));
            sessions.exchange(&sessions.token().unwrap()).unwrap();
        }
        assert!(sessions.admits(&with(&first)));
        sessions.exchange(&sessions.token().unwrap()).unwrap();
        assert!(!sessions.admits(&with(&first)));
        assert!(!format!("{sessions:?}").contains(&first[10..]));
    }
}
