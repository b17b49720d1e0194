//! Who may send requests, and which. A page of another site can make a browser send requests here, and through a host
//! name that resolves to this machine it could even read the answers. So the host name of the request decides, not
//! where the request came from.

use std::net::{IpAddr, Ipv6Addr};

use axum::{
    body::Body,
    http::{
        HeaderMap, HeaderValue, Method, Request, StatusCode,
        header::{ALLOW, CONNECTION, CONTENT_LENGTH, HOST, ORIGIN, TRANSFER_ENCODING},
    },
    response::Response,
};

use super::{
    cross_origin::{CrossOrigin, methods},
    refused_names::RefusedNames,
    reply::refusal,
};

const OTHER_SITE: &str = "requests from pages of other sites are not allowed";

/// Who may send requests.
#[derive(Debug)]
pub(super) struct Guard {
    /// Whether the server is bound to an address that only this machine can reach.
    is_local: bool,
    /// Allowed host names in addition to `localhost`.
    names: Vec<String>,
    refused: RefusedNames,
    pub cross_origin: CrossOrigin,
}

impl Guard {
    /// `log` receives lines for the operator of the server.
    pub(super) fn new(bound: IpAddr, names: Vec<String>, cross_origin: CrossOrigin, log: fn(&str)) -> Guard {
        let refused = RefusedNames::new(log);
        Guard { is_local: bound.is_loopback(), names, refused, cross_origin }
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
            return Some(refusal(StatusCode::FORBIDDEN, &self.refused.refuse(host, name_of(host))));
        }
        let only_reads = matches!(*request.method(), Method::GET | Method::HEAD | Method::OPTIONS);
        if only_reads && has_body(headers) {
            return Some(closed(refusal(StatusCode::PAYLOAD_TOO_LARGE, "requests must not have a body")));
        }
        // Requests that do more than read must come from pages of this server, even if other origins may read its
        // answers.
        if !only_reads && !is_from_here(headers, host) {
            return Some(closed(refusal(StatusCode::FORBIDDEN, OTHER_SITE)));
        }
        if is_cross_site(headers) && !is_visit(request) && !self.cross_origin.admits(headers.get(ORIGIN)) {
            return Some(refusal(StatusCode::FORBIDDEN, OTHER_SITE));
        }
        None
    }

    /// Whether requests may use this host name or address, with or without a port.
    fn admits(&self, host: &[u8]) -> bool {
        let Some(name) = name_of(host) else { return false };
        let literal = match name.strip_prefix('[') {
            Some(rest) => rest.strip_suffix(']').and_then(|inner| inner.parse().ok()).map(IpAddr::V6),
            None => name.parse().ok().map(IpAddr::V4),
        };
        match literal {
            Some(IpAddr::V4(address)) if address.is_loopback() => true,
            Some(IpAddr::V6(address)) if address == Ipv6Addr::LOCALHOST => true,
            // DNS cannot make an IP address resolve to another one.
            Some(_) if !self.is_local => true,
            _ => ["localhost"]
                .into_iter()
                .chain(self.names.iter().map(String::as_str))
                .any(|known| known.eq_ignore_ascii_case(name)),
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

fn has_body(headers: &HeaderMap) -> bool {
    headers.contains_key(TRANSFER_ENCODING)
        || headers.get_all(CONTENT_LENGTH).iter().any(|length| length.as_bytes() != b"0")
}

/// Whether a browser reports that the request comes from a page of another site.
fn is_cross_site(headers: &HeaderMap) -> bool {
    headers.get("sec-fetch-site").is_some_and(|site| site == "cross-site")
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

/// Whether a browser follows a link to a page.
fn is_visit<B>(request: &Request<B>) -> bool {
    let says = |name: &str, value: &str| request.headers().get(name).is_some_and(|said| said == value);
    says("sec-fetch-mode", "navigate")
        && says("sec-fetch-dest", "document")
        && super::is_page(request.uri().path())
}

/// The response to a method that a path does not support.
pub(super) fn no_such_method(path: &str) -> Response {
    let methods = methods(path);
    let text = format!("method not allowed; this URL supports {methods}");
    let mut response = refusal(StatusCode::METHOD_NOT_ALLOWED, &text);
    response.headers_mut().insert(ALLOW, HeaderValue::from_static(methods));
    closed(response)
}

/// The same, and closes the connection: the bytes that follow could be the body.
fn closed(mut response: Response<Body>) -> Response<Body> {
    response.headers_mut().insert(CONNECTION, const { HeaderValue::from_static("close") });
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    fn guard(bound: &str) -> Guard {
        Guard::new(bound.parse().unwrap(), vec!["Chess.example".to_owned()], CrossOrigin::default(), |_| ())
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
}
