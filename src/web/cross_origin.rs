//! Pages of other origins: none may read answers or show pages in frames, unless the server was started with their
//! origin.

use std::io;

use axum::http::{
    HeaderMap, HeaderName, HeaderValue, Method, Request, StatusCode, Uri,
    header::{
        ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS, ACCESS_CONTROL_ALLOW_ORIGIN,
        ACCESS_CONTROL_MAX_AGE, ALLOW, CONTENT_SECURITY_POLICY, ORIGIN, REFERRER_POLICY, VARY,
        X_CONTENT_TYPE_OPTIONS,
    },
};
use axum::response::{IntoResponse, Response};

/// The methods that a path supports without editing.
pub(super) fn methods(path: &str) -> &'static str {
    match path {
        "/prepare" | "/prepare.json" => "GET, HEAD, OPTIONS, POST",
        _ => "GET, HEAD, OPTIONS",
    }
}

/// The origins that may read answers.
#[derive(Clone, Debug)]
pub(super) struct CrossOrigin {
    any: bool,
    origins: Vec<String>,
    /// Whether any origin may show pages in frames, and the policy that says which.
    embeds: bool,
    embedded: HeaderValue,
}

/// What a page may load: nothing from other sites. Boards need style attributes and inline images.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; style-src-attr 'unsafe-inline'; img-src 'self' data:; \
                      connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

/// The same for a page in a frame on another site, which is one file and has no script.
const EMBEDDED_POLICY: &str = "default-src 'none'; style-src 'self' 'unsafe-inline'; img-src data:; base-uri 'none'; \
                               form-action 'none'; frame-ancestors";

/// Whether a path is a page for frames.
fn is_embedded(path: &str) -> bool {
    path.starts_with("/embed/game/")
}

/// Checks an origin whose pages may have frames: browsers ignore a policy that they cannot read.
///
/// # Errors
/// What is expected.
pub fn check_origin(text: &str) -> Result<String, String> {
    let is_plain = |byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'.' | b'-' | b':' | b'/');
    let is_origin = |uri: Uri| {
        let colons = 1 + usize::from(uri.port_u16().is_some());
        let is_web = matches!(uri.scheme_str(), Some("https" | "http"));
        is_web && text.matches('/').count() == 2 && text.matches(':').count() == colons
    };
    match text.parse().is_ok_and(is_origin) && text.bytes().all(is_plain) {
        true => Ok(text.to_owned()),
        false => {
            Err("expected an origin such as https://club.example: a scheme and a host name in lower case, \
                      perhaps a port, and nothing after it"
                .to_owned())
        }
    }
}

const RESOURCE_POLICY: HeaderName = HeaderName::from_static("cross-origin-resource-policy");
const OPENER_POLICY: HeaderName = HeaderName::from_static("cross-origin-opener-policy");

impl CrossOrigin {
    /// The origins that may read answers, as browsers write them, `*` for all; and those that may have frames.
    ///
    /// # Errors
    /// An origin for frames is [invalid](check_origin).
    pub(super) fn new(origins: Vec<String>, embedding: &[String]) -> io::Result<CrossOrigin> {
        let invalid = |why| io::Error::new(io::ErrorKind::InvalidInput, why);
        embedding.iter().try_for_each(|origin| check_origin(origin).map(drop).map_err(invalid))?;
        let embeds = !embedding.is_empty();
        let framers = if embeds { embedding.join(" ") } else { "'none'".to_owned() };
        let embedded = format!("{EMBEDDED_POLICY} {framers}").try_into().map_err(io::Error::other)?;
        Ok(CrossOrigin { any: origins.iter().any(|origin| origin == "*"), origins, embeds, embedded })
    }

    /// Whether pages of other sites may have a path in a frame: the browser compares their origin with the policy.
    pub(super) fn embeds(&self, path: &str) -> bool {
        self.embeds && is_embedded(path)
    }

    /// Whether a page of an origin may read answers.
    pub(super) fn admits(&self, origin: Option<&HeaderValue>) -> bool {
        self.any || origin.is_some_and(|origin| self.origins.iter().any(|known| known == origin))
    }

    /// The response to OPTIONS: the allowed methods and origins.
    pub(super) fn options<B>(&self, request: &Request<B>) -> Option<Response> {
        if request.method() != Method::OPTIONS {
            return None;
        }
        let mut response = StatusCode::NO_CONTENT.into_response();
        let headers = response.headers_mut();
        headers.insert(ALLOW, HeaderValue::from_static(methods(request.uri().path())));
        if self.admits(request.headers().get(ORIGIN)) {
            headers.insert(ACCESS_CONTROL_ALLOW_METHODS, const { HeaderValue::from_static("GET, HEAD") });
            let names = const { HeaderValue::from_static("Authorization, Accept, Content-Type") };
            headers.insert(ACCESS_CONTROL_ALLOW_HEADERS, names);
            headers.insert(ACCESS_CONTROL_MAX_AGE, const { HeaderValue::from_static("86400") });
        }
        Some(response)
    }

    /// Adds the headers that every response has; `origin` is that of the requesting page.
    pub(super) fn add_headers(&self, path: &str, origin: Option<HeaderValue>, headers: &mut HeaderMap) {
        let own = if self.origins.is_empty() { "same-origin" } else { "cross-origin" };
        for (name, value) in [
            (CONTENT_SECURITY_POLICY, POLICY),
            (X_CONTENT_TYPE_OPTIONS, "nosniff"),
            (REFERRER_POLICY, "same-origin"),
            (OPENER_POLICY, "same-origin"),
            (RESOURCE_POLICY, own),
        ] {
            headers.insert(name, HeaderValue::from_static(value));
        }
        if is_embedded(path) {
            headers.insert(CONTENT_SECURITY_POLICY, self.embedded.clone());
        }
        if self.origins.is_empty() {
            return;
        }
        headers.append(VARY, const { HeaderValue::from_static("Origin") });
        let allowed = match origin {
            _ if self.any => Some(const { HeaderValue::from_static("*") }),
            origin => origin.filter(|origin| self.admits(Some(origin))),
        };
        if let Some(allowed) = allowed {
            headers.insert(ACCESS_CONTROL_ALLOW_ORIGIN, allowed);
        }
    }
}
