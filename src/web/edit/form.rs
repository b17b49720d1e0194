//! The fields of a form that was sent.

use axum::{
    body::Bytes,
    extract::{FromRequest, Request},
    http::{HeaderMap, StatusCode, header::CONTENT_TYPE},
    response::{IntoResponse, Response},
};

use crate::web::{Failure, Result, reply::closing};

/// The fields of a form in their order.
#[derive(Debug)]
pub(super) struct Form(Vec<(String, String)>);

impl<S: Send + Sync> FromRequest<S> for Form {
    type Rejection = Response;

    async fn from_request(request: Request, state: &S) -> Result<Form, Response> {
        if !has_type(request.headers(), "application/x-www-form-urlencoded") {
            return Err(closing(
                StatusCode::UNSUPPORTED_MEDIA_TYPE,
                "bad request: expected the fields of a form",
            ));
        }
        let body = Bytes::from_request(request, state).await.map_err(|rejection| {
            match rejection.into_response().status() {
                StatusCode::PAYLOAD_TOO_LARGE => too_large(),
                status => closing(status, "bad request: the form did not arrive completely"),
            }
        })?;
        Ok(Form(form_urlencoded::parse(&body).into_owned().collect()))
    }
}

impl Form {
    /// The fields.
    pub(super) fn fields(&self) -> &[(String, String)] {
        &self.0
    }

    /// The values of all fields with a name.
    pub(super) fn all(&self, name: &str) -> impl Iterator<Item = &str> {
        self.0.iter().filter(move |(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    pub(super) fn get(&self, name: &str) -> Option<&str> {
        self.all(name).next()
    }

    /// A text with the line ends of PGN: browsers send those of MIME.
    pub(super) fn text(&self, name: &str) -> Result<String> {
        let text = self.get(name).ok_or_else(|| Failure::invalid(name, "it is missing"))?;
        Ok(text.replace("\r\n", "\n"))
    }

    /// A number.
    pub(super) fn number<T: std::str::FromStr>(&self, name: &str) -> Result<T> {
        let text = self.get(name).unwrap_or_default();
        text.trim().parse().map_err(|_| Failure::invalid(name, format_args!("{text:?} is not a number")))
    }

    /// What a game was when it was shown.
    pub(super) fn fingerprint(&self) -> Result<u64> {
        let text = self.get("fingerprint").unwrap_or_default();
        fingerprint(text)
            .ok_or_else(|| Failure::invalid("fingerprint", format_args!("{text:?} is not a fingerprint")))
    }
}

/// A fingerprint, from 16 hexadecimal digits.
pub(super) fn fingerprint(text: &str) -> Option<u64> {
    let is_digits = text.len() == 16 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    u64::from_str_radix(text, 16).ok().filter(|_| is_digits)
}

/// Whether a request has a body of a media type.
pub(in crate::web) fn has_type(headers: &HeaderMap, name: &str) -> bool {
    let said = headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    said.split(';').next().is_some_and(|essence| essence.trim().eq_ignore_ascii_case(name))
}

/// The refusal of a body that is larger than allowed.
pub(super) fn too_large() -> Response {
    closing(StatusCode::PAYLOAD_TOO_LARGE, "the request is too large")
}
