//! Pages of other origins: none may read answers, unless the server was started with their origin.

use axum::http::{
    HeaderMap, HeaderName, HeaderValue, Method, Request, StatusCode,
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
#[derive(Clone, Debug, Default)]
pub(super) struct CrossOrigin {
    any: bool,
    origins: Vec<String>,
}

/// What a page may load: nothing from other sites. Boards need style attributes and inline images.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; style-src-attr 'unsafe-inline'; img-src 'self' data:; \
                      connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

const RESOURCE_POLICY: HeaderName = HeaderName::from_static("cross-origin-resource-policy");
const OPENER_POLICY: HeaderName = HeaderName::from_static("cross-origin-opener-policy");

impl CrossOrigin {
    /// The origins, as browsers write them; `*` for all.
    pub(super) fn new(origins: Vec<String>) -> CrossOrigin {
        CrossOrigin { any: origins.iter().any(|origin| origin == "*"), origins }
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
    pub(super) fn add_headers(&self, origin: Option<HeaderValue>, headers: &mut HeaderMap) {
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
