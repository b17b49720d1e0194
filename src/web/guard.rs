//! Who may send requests, and which. A page of another site can make a browser send requests here, and through a host
//! name that resolves to this machine it could even read the answers. So the host name of the request decides, not
//! where the request came from.

use std::{
    collections::BTreeSet,
    net::IpAddr,
    sync::{Mutex, PoisonError},
};

use axum::{
    http::{
        HeaderMap, HeaderValue, Method, Request, StatusCode,
        header::{ALLOW, CONTENT_LENGTH, HOST, ORIGIN, TRANSFER_ENCODING},
    },
    response::Response,
};

use super::{
    cross_origin::CrossOrigin,
    reply::{closing, refusal},
};
use crate::limits::{MAX_HOST_BYTES, MAX_REFUSED_NAMES};

const OTHER_SITE: &str = "requests from pages of other sites are not allowed";

/// Who may send requests.
#[derive(Debug)]
pub(super) struct Guard {
    /// Whether the server is bound to an address that only this machine can reach.
    is_local: bool,
    /// Allowed host names in addition to `localhost`.
    names: Vec<String>,
    pub cross_origin: CrossOrigin,
    log: fn(&str),
    /// The refusals that have been logged. Since anybody can send any number of names, each is logged once, and only
    /// the first few.
    logged: Mutex<BTreeSet<String>>,
}

impl Guard {
    /// `log` receives lines for the operator of the server.
    pub(super) fn new(bound: IpAddr, names: Vec<String>, cross_origin: CrossOrigin, log: fn(&str)) -> Guard {
        Guard { is_local: bound.is_loopback(), names, cross_origin, log, logged: Mutex::default() }
    }

    /// The refusal of a request that is not allowed.
    pub(super) fn refusal<B>(&self, request: &Request<B>) -> Option<Response> {
        let headers = request.headers();
        let mut hosts = headers.get_all(HOST).iter();
        let (Some(host), None) = (hosts.next(), hosts.next()) else {
            return Some(refusal(
                StatusCode::BAD_REQUEST,
                "bad request: exactly one Host header is required",
            ));
        };
        let authority = request.uri().authority().map(|authority| authority.as_str().as_bytes());
        if let Some(host) = [host.as_bytes()].into_iter().chain(authority).find(|host| !self.admits(host)) {
            return Some(refusal(StatusCode::FORBIDDEN, &self.refuse(host, name_of(host))));
        }
        let only_reads = matches!(*request.method(), Method::GET | Method::HEAD | Method::OPTIONS);
        if only_reads && has_body(headers) {
            return Some(closing(StatusCode::PAYLOAD_TOO_LARGE, "requests must not have a body"));
        }
        // Requests that do more than read must come from pages of this server, even if other origins may read its
        // answers.
        if !only_reads && !is_from_here(headers, host) {
            return Some(closing(StatusCode::FORBIDDEN, OTHER_SITE));
        }
        // A browser says that the request comes from a page of another site.
        let is_cross_site = headers.get("sec-fetch-site").is_some_and(|site| site == "cross-site");
        if is_cross_site && !self.is_visit(request) && !self.cross_origin.admits(headers.get(ORIGIN)) {
            return Some(refusal(StatusCode::FORBIDDEN, OTHER_SITE));
        }
        None
    }

    /// Whether a browser follows a link to a page, or shows a page for frames in one.
    fn is_visit<B>(&self, request: &Request<B>) -> bool {
        let (path, headers) = (request.uri().path(), request.headers());
        let says = |name: &str, value: &str| headers.get(name).is_some_and(|said| said == value);
        let is_framed = says("sec-fetch-dest", "iframe") && self.cross_origin.embeds(path);
        says("sec-fetch-mode", "navigate")
            && (is_framed || says("sec-fetch-dest", "document") && super::is_page(path))
    }

    /// Whether requests may use this host name or address, with or without a port.
    fn admits(&self, host: &[u8]) -> bool {
        let Some(name) = name_of(host) else { return false };
        let literal = match name.strip_prefix('[') {
            Some(rest) => rest.strip_suffix(']').and_then(|inner| inner.parse().ok()).map(IpAddr::V6),
            None => name.parse().ok().map(IpAddr::V4),
        };
        // DNS cannot make an IP address resolve to another one.
        let is_admitted = |address: IpAddr| address.is_loopback() || !self.is_local;
        let mut names = self.names.iter().map(String::as_str).chain(["localhost"]);
        literal.is_some_and(is_admitted) || names.any(|known| known.eq_ignore_ascii_case(name))
    }

    /// The message for a refused host, and the name in it if there is one: it says how to allow it.
    fn refuse(&self, host: &[u8], name: Option<&str>) -> String {
        let start = String::from_utf8_lossy(&host[..host.len().min(MAX_HOST_BYTES)]);
        let what = match name.filter(|name| is_option_value(name)) {
            Some(name) => format!("; to allow it, start the server with --allowed-host {name}"),
            None => format!(": {start:?} is not a valid host name"),
        };
        let why = format!("this host name is not allowed{what}");
        self.report(&why);
        why
    }

    fn report(&self, why: &str) {
        let mut logged = self.logged.lock().unwrap_or_else(PoisonError::into_inner);
        if logged.len() > MAX_REFUSED_NAMES || !logged.insert(why.to_owned()) {
            return;
        }
        match logged.len() > MAX_REFUSED_NAMES {
            true => (self.log)("requests with more host names were refused; they are not logged"),
            false => (self.log)(&format!("a request was refused: {why}")),
        }
    }
}

/// The name or address of a host without its port; `None` if it has neither, or an invalid port.
fn name_of(host: &[u8]) -> Option<&str> {
    let host = std::str::from_utf8(host).ok()?;
    // IPv6 addresses have their colons in brackets.
    let end = host.rfind(']').map_or(0, |bracket| bracket + 1);
    match host[end..].find(':') {
        None => Some(host),
        Some(colon) => {
            let (name, port) = host.split_at(end + colon);
            port[1..].bytes().all(|byte| byte.is_ascii_digit()).then_some(name)
        }
    }
}

/// Whether a request has a body.
pub(super) fn has_body(headers: &HeaderMap) -> bool {
    headers.contains_key(TRANSFER_ENCODING)
        || headers.get_all(CONTENT_LENGTH).iter().any(|length| length.as_bytes() != b"0")
}

/// Whether the request comes from a page of this server, or from no page: browsers send the origin of a page whose
/// request does more than read. `Sec-Fetch-Site` takes precedence, since a proxy may have changed the host.
fn is_from_here(headers: &HeaderMap, host: &HeaderValue) -> bool {
    if let Some(site) = headers.get("sec-fetch-site") {
        return site == "same-origin" || site == "none";
    }
    let is_here = |origin: &str| {
        let authority = origin.split_once("://").map(|(_, authority)| authority.as_bytes());
        authority.is_some_and(|own| own.eq_ignore_ascii_case(host.as_bytes()))
    };
    headers.get(ORIGIN).is_none_or(|origin| origin.to_str().is_ok_and(is_here))
}

/// The response to a method that a path does not support.
pub(super) fn no_such_method(methods: &'static str) -> Response {
    let text = format!("method not allowed; this URL supports {methods}");
    let mut response = closing(StatusCode::METHOD_NOT_ALLOWED, &text);
    response.headers_mut().insert(ALLOW, HeaderValue::from_static(methods));
    response
}

/// Whether a name can be passed to the option unchanged: in any shell, and without being taken for another option.
fn is_option_value(name: &str) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._:[]".contains(&byte);
    (1..=MAX_HOST_BYTES).contains(&name.len()) && !name.starts_with('-') && name.bytes().all(is_plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn guard(bound: &str) -> Guard {
        Guard::new(
            bound.parse().unwrap(),
            vec!["Chess.example".to_owned()],
            CrossOrigin::new(Vec::new(), &[]).unwrap(),
            |_| (),
        )
    }

    #[test]
    fn only_names_of_this_machine_are_admitted() {
        let (local, public) = (guard("127.0.0.1"), guard("0.0.0.0"));
        for host in [
            "localhost",
            "LOCALHOST:1",
            "localhost:9002",
            "127.0.0.1",
            "127.0.0.1:80",
            "127.255.3.4:9002",
            "[::1]",
            "[::1]:9002",
            "chess.example",
            "CHESS.EXAMPLE:443",
            "localhost:",
        ] {
            assert!(local.admits(host.as_bytes()) && public.admits(host.as_bytes()), "{host}");
        }
        for host in ["192.168.1.7", "192.168.1.7:9002", "[fe80::1]:9002", "0.0.0.0", "8.8.8.8"] {
            assert!(!local.admits(host.as_bytes()) && public.admits(host.as_bytes()), "{host}");
        }
        for host in [
            "",
            ":",
            ":9002",
            "evil.example",
            "localhost.evil.example",
            "evil.localhost",
            "127.0.0.1.evil.example",
            "localhost:80:80",
            "::1",
            "[::1",
            "::1]",
            "[localhost]",
            "user@localhost",
            "localhost@evil.example",
            "localhost evil",
            "127.1",
            "0x7f.0.0.1",
            "localhost:9002x",
            "[::1]x",
            "localhost,evil.example",
        ] {
            assert!(!local.admits(host.as_bytes()) && !public.admits(host.as_bytes()), "{host}");
        }
        assert!(!local.admits(b"localhost\xff"));
    }

    #[test]
    fn only_valid_host_names_are_suggested_as_an_option() {
        let guard = guard("127.0.0.1");
        let refuse = |name: &str| guard.refuse(name.as_bytes(), Some(name));
        let longest = "x".repeat(MAX_HOST_BYTES);
        for name in ["club.example", "Club_1.example", "10.0.0.1", "[fe80::1]", &longest] {
            assert_eq!(
                refuse(name),
                format!(
                    "this host name is not allowed; to allow it, start the server with --allowed-host {name}"
                )
            );
        }
        let too_long = longest.clone() + "x";
        for (name, shown) in [
            ("", r#""""#),
            ("-x", r#""-x""#),
            ("$host", r#""$host""#),
            ("a b;\u{1b}", r#""a b;\u{1b}""#),
            (&too_long, &format!("{longest:?}")),
        ] {
            assert_eq!(
                refuse(name),
                format!("this host name is not allowed: {shown} is not a valid host name")
            );
        }
        assert!(guard.refuse(b"\xff", None).contains("\"\u{fffd}\" is not"));
    }

    #[test]
    fn each_name_is_logged_once_and_only_the_first_few() {
        static LINES: Mutex<Vec<String>> = Mutex::new(Vec::new());
        let log = |line: &str| LINES.lock().unwrap().push(line.to_owned());
        let guard = Guard { log, ..guard("127.0.0.1") };
        for number in 0..3 * MAX_REFUSED_NAMES {
            for _ in 0..3 {
                guard.refuse(b"", Some(&format!("{number}.example")));
            }
        }
        let lines = LINES.lock().unwrap();
        assert_eq!(lines.len(), MAX_REFUSED_NAMES + 1);
        assert_eq!(
            lines[0],
            "a request was refused: this host name is not allowed; to allow it, start the server with --allowed-host 0.example"
        );
        assert!(lines[MAX_REFUSED_NAMES].contains("not logged"));
    }
}
