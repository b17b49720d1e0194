//! Who may edit: a browser that was opened with a URL from the terminal. A request must have three things:
//!
//! * The key of that URL, which stands before its host as a user name and a password. Browsers repeat it to this origin
//!   only, in the header `Authorization`. No page contains it.
//! * The cookie for which the key is exchanged, once, so that nobody can use a URL that another browser has opened.
//!   Browsers send it to every port of the host, so the cookie alone would be known to other servers on this machine.
//! * For a change, the origin of this server: a browser adds the key and the cookie to a form of another server too.
//!
//! Keys and cookies are random, exist only in memory, and are limited in number.

use std::{
    collections::VecDeque,
    hint::black_box,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use axum::{
    extract::{Request, State},
    http::{
        HeaderMap, HeaderValue, Method, StatusCode,
        header::{
            AUTHORIZATION, CACHE_CONTROL, COOKIE, HOST, LOCATION, ORIGIN, SET_COOKIE, WWW_AUTHENTICATE,
        },
    },
    middleware::Next,
    response::{IntoResponse, Response},
};

use data_encoding::{BASE64, BASE64URL_NOPAD};

use super::Editing;
use crate::web::{
    pages::Visit,
    reply::{NOT_STORED, closing},
};

/// `GET /edit`, to which the URLs from the terminal lead: exchanges the key for a cookie, and redirects to the start
/// page.
pub(super) async fn begin(State(editing): State<Arc<Editing>>, request: Request) -> Response {
    let headers = request.headers();
    let visit = Visit::of(&editing.app, request.uri(), headers);
    // A request for the header only, or one that a browser makes ahead of time, does not use the key up.
    let is_visit = request.method() == Method::GET && !headers.contains_key("sec-purpose");
    let cookie = if is_visit { editing.sessions.exchange(headers) } else { None };
    if cookie.is_none() && !editing.sessions.admits(headers) {
        // Browsers send the key of a URL only after they have been asked for it, and then to all paths.
        let mut response = visit.no_access();
        *response.status_mut() = StatusCode::UNAUTHORIZED;
        let question = const { HeaderValue::from_static("Basic realm=\"plybook\"") };
        response.headers_mut().insert(WWW_AUTHENTICATE, question);
        return not_kept(response);
    }
    let mut response = StatusCode::SEE_OTHER.into_response();
    let headers = response.headers_mut();
    // Without the host, the key would stay in the URL.
    headers
        .extend(only(request.headers(), HOST.as_str()).and_then(|host| Some((LOCATION, visit.start(host)?))));
    headers.extend(cookie.map(|cookie| (SET_COOKIE, cookie)));
    not_kept(response)
}

/// Answers requests that may edit; refuses others.
pub(super) async fn check(State(editing): State<Arc<Editing>>, request: Request, next: Next) -> Response {
    let headers = request.headers();
    let is_known = editing.sessions.admits(headers);
    let reads = matches!(*request.method(), Method::GET | Method::HEAD);
    let forbidden = |why| Some(closing(StatusCode::FORBIDDEN, why));
    let refused = match (reads, is_known) {
        (true, false) => Some(Visit::of(&editing.app, request.uri(), headers).no_access()),
        (false, false) => {
            forbidden("editing needs the cookie and the key of a URL from the terminal of the server")
        }
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
    response.headers_mut().insert(CACHE_CONTROL, NOT_STORED);
    response
}

/// Random bytes of a key or cookie.
const BYTES: usize = 32;

/// Characters of a key that are the user name. They differ from key to key, since Firefox prefers the password that it
/// has for a name to that of a URL.
const NAME: usize = 8;

/// Maximum number of unused keys; a new one replaces the oldest.
const MAX_KEYS: usize = 4;

/// Maximum number of browsers; a new one replaces the oldest.
const MAX_BROWSERS: usize = 16;

/// The keys and cookies of a server.
#[derive(Debug)]
pub(super) struct Sessions {
    /// The name of the cookie. Browsers send cookies of a host to all of its ports, so the name contains the port.
    name: String,
    secrets: Mutex<Secrets>,
}

#[derive(Default)]
struct Secrets {
    /// Keys, as the header has them.
    unused: VecDeque<String>,
    browsers: VecDeque<Browser>,
}

/// A browser that has used a key.
struct Browser {
    key: String,
    cookie: String,
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

    /// A new key, as URLs have it: a user name and a password.
    pub(super) fn key(&self) -> Result<String, getrandom::Error> {
        let random = random()?;
        let (name, password) = random.split_at(NAME);
        let key = format!("{name}:{password}");
        let header = format!("Basic {}", BASE64.encode(key.as_bytes()));
        push(&mut self.secrets().unused, header, MAX_KEYS);
        Ok(key)
    }

    /// The `Set-Cookie` value for the key of a request, which is used up; `None` if there is no such key.
    pub(super) fn exchange(&self, headers: &HeaderMap) -> Option<HeaderValue> {
        let (sent, mut secrets) = (key_of(headers)?, self.secrets());
        let index = position(&secrets.unused, |key| is_same(key, sent))?;
        let (key, cookie) = (secrets.unused.remove(index)?, random().ok()?);
        let pair = format!("{}={cookie}; Path=/; HttpOnly; SameSite=Strict", self.name);
        push(&mut secrets.browsers, Browser { key, cookie }, MAX_BROWSERS);
        HeaderValue::from_str(&pair).ok()
    }

    /// Whether a request has the key and the cookie of a browser.
    pub(super) fn admits(&self, headers: &HeaderMap) -> bool {
        let Some(key) = key_of(headers) else { return false };
        let secrets = self.secrets();
        let sent = headers.get_all(COOKIE).iter().filter_map(|value| value.to_str().ok());
        // Other servers on this machine can set a cookie with the same name, so each is compared.
        sent.flat_map(|cookies| cookies.split(';'))
            .filter_map(|cookie| cookie.trim().split_once('='))
            .filter(|(name, _)| *name == self.name)
            .any(|(_, cookie)| {
                let is_known = |known: &Browser| is_same(&known.key, key) & is_same(&known.cookie, cookie);
                position(&secrets.browsers, is_known).is_some()
            })
    }

    fn secrets(&self) -> MutexGuard<'_, Secrets> {
        self.secrets.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The key of a request, as its header has it.
fn key_of(headers: &HeaderMap) -> Option<&str> {
    only(headers, AUTHORIZATION.as_str())?.to_str().ok()
}

fn random() -> Result<String, getrandom::Error> {
    let mut bytes = [0; BYTES];
    getrandom::fill(&mut bytes)?;
    Ok(BASE64URL_NOPAD.encode(&bytes))
}

fn push<T>(secrets: &mut VecDeque<T>, secret: T, most: usize) {
    if secrets.len() >= most {
        secrets.pop_front();
    }
    secrets.push_back(secret);
}

/// Finds a secret. The time does not depend on which one it is.
fn position<T>(secrets: &VecDeque<T>, is_it: impl Fn(&T) -> bool) -> Option<usize> {
    let secrets = secrets.iter().enumerate();
    secrets.fold(None, |found, (index, secret)| if is_it(secret) { Some(index) } else { found })
}

/// Compares secrets. The time does not depend on where they differ.
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

    /// The headers of a request with a key and cookies.
    fn with(key: &str, cookies: &str) -> HeaderMap {
        let header = format!("Basic {}", BASE64.encode(key.as_bytes()));
        HeaderMap::from_iter([
            (AUTHORIZATION, HeaderValue::from_str(&header).unwrap()),
            (COOKIE, HeaderValue::from_str(cookies).unwrap()),
        ])
    }

    fn pair(set: &HeaderValue) -> String {
        set.to_str().unwrap().split(';').next().unwrap().to_owned()
    }

    #[test]
    fn a_key_becomes_a_cookie_once_and_both_are_needed() {
        let sessions = Sessions::new(9002);
        let key = sessions.key().unwrap();
        let bytes = BASE64URL_NOPAD.decode(key.replace(':', "").as_bytes()).unwrap();
        assert!(bytes.len() * 8 >= 128);
        for wrong in ["", "x", ":", &key[1..], &format!("{key}A"), &key.to_lowercase(), &key.replace(':', "")]
        {
            assert!(sessions.exchange(&with(wrong, "")).is_none(), "{wrong}");
        }
        assert!(!sessions.admits(&with(&key, "")));
        let set = sessions.exchange(&with(&key, "")).unwrap();
        assert!(sessions.exchange(&with(&key, "")).is_none());
        let cookie = pair(&set);
        assert!(cookie.starts_with("plybook-9002=") && !cookie.contains(&key[NAME + 1..]));
        let admits = |key: &str, cookies: &str| sessions.admits(&with(key, cookies));
        assert!(admits(&key, &cookie) && admits(&key, &format!("a=b; {cookie}")));
        assert!(admits(&key, &format!("plybook-9002=forged; {cookie}")));
        for wrong in
            ["", "a=b", "plybook-9002=", "plybook-9002", &cookie.replace("9002", "9003"), &cookie[..40]]
        {
            assert!(!admits(&key, wrong), "{wrong}");
        }
        // The key of one browser and the cookie of another one are nothing.
        let other = sessions.key().unwrap();
        let second = pair(&sessions.exchange(&with(&other, "")).unwrap());
        assert!(admits(&other, &second) && admits(&other, &format!("{cookie}; {second}")));
        assert!(!admits(&key, &second) && !admits(&other, &cookie));
        for wrong in ["", ":", &key[1..], &cookie, &cookie.replace('=', ":")] {
            assert!(!admits(wrong, &format!("{cookie}; {second}")), "{wrong}");
        }
        let mut headers = with(&key, &cookie);
        headers.append(AUTHORIZATION, HeaderValue::from_static("Basic eDp5"));
        assert!(!sessions.admits(&headers) && !sessions.admits(&HeaderMap::new()));
        headers.remove(AUTHORIZATION);
        assert!(!sessions.admits(&headers) && !Sessions::new(9002).admits(&with(&key, &cookie)));
    }

    #[test]
    fn keys_and_cookies_are_limited_in_number_and_all_different() {
        let sessions = Sessions::new(1);
        let keys: Vec<String> = (0..MAX_KEYS + 3).map(|_| sessions.key().unwrap()).collect();
        assert_eq!(keys.iter().collect::<BTreeSet<_>>().len(), keys.len());
        let valid = keys.iter().filter(|key| sessions.exchange(&with(key, "")).is_some()).count();
        assert_eq!(valid, MAX_KEYS);
        let opened = || {
            let key = sessions.key().unwrap();
            let set = sessions.exchange(&with(&key, "")).unwrap();
            (key, pair(&set))
        };
        let (key, cookie) = opened();
        for _ in 1..MAX_BROWSERS {
            assert!(sessions.admits(&with(&key, &cookie)));
            opened();
        }
        assert!(sessions.admits(&with(&key, &cookie)));
        opened();
        assert!(!sessions.admits(&with(&key, &cookie)));
        assert!(!format!("{sessions:?}").contains(&cookie[10..]));
    }
}
