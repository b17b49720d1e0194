//! The fields of forms that were sent.

use std::{fs, path::Path};

use axum::{
    body::{Body, Bytes},
    extract::{FromRequest, Multipart, Request},
    http::{HeaderMap, StatusCode, header::CONTENT_TYPE},
    response::{IntoResponse, Response},
};
use http_body_util::BodyExt;

use super::{Failure, Result, reply::closing};
use crate::limits::{MAX_COMPARED_BYTES, MAX_FORM_BYTES, MAX_REFUSED_BYTES};

/// The media type of a form without files.
const URL_ENCODED: &str = "application/x-www-form-urlencoded";

/// The fields of a form in their order.
#[derive(Debug)]
pub(super) struct Form(Vec<(String, String)>);

impl<S: Send + Sync> FromRequest<S> for Form {
    type Rejection = Response;

    async fn from_request(request: Request, state: &S) -> Result<Form, Response> {
        if !has_type(request.headers(), URL_ENCODED) {
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

    /// A number, if it is given.
    pub(super) fn number<T: std::str::FromStr>(&self, name: &str) -> Result<Option<T>> {
        let wrong = |text| Failure::invalid(name, format_args!("{text:?} is not a number"));
        self.get(name).map(|text| text.trim().parse().map_err(|_| wrong(text))).transpose()
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
pub(super) fn has_type(headers: &HeaderMap, name: &str) -> bool {
    let said = headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    said.split(';').next().is_some_and(|essence| essence.trim().eq_ignore_ascii_case(name))
}

/// The refusal of a body that is larger than allowed.
pub(super) fn too_large() -> Response {
    closing(StatusCode::PAYLOAD_TOO_LARGE, "the request is too large")
}

/// The text of a file, if a form can hold it.
pub(super) fn form_text(path: &Path) -> Option<String> {
    let bytes = path.metadata().ok()?.len();
    let text = (bytes <= MAX_FORM_BYTES as u64).then(|| fs::read(path).ok())??;
    Some(String::from_utf8_lossy(&text).into_owned())
}

/// The fields of a form in their order, in memory; a file is a field too.
#[derive(Debug)]
pub(super) struct PostedFields(Vec<(String, Vec<u8>)>);

impl<S: Send + Sync> FromRequest<S> for PostedFields {
    type Rejection = Failure;

    async fn from_request(request: Request, state: &S) -> Result<PostedFields> {
        let (head, body) = request.into_parts();
        let body = received(body).await?;
        if has_type(&head.headers, URL_ENCODED) {
            let fields = form_urlencoded::parse(&body).into_owned();
            return Ok(PostedFields(fields.map(|(name, value)| (name, value.into_bytes())).collect()));
        }
        let request = Request::from_parts(head, Body::from(body));
        let mut parts = Multipart::from_request(request, state)
            .await
            .map_err(|_| Failure::BadRequest("expected the fields of a form".to_owned()))?;
        let mut fields = Vec::new();
        while let Some(part) = parts.next_field().await.map_err(|_| incomplete())? {
            let name = part.name().unwrap_or_default().to_owned();
            fields.push((name, part.bytes().await.map_err(|_| incomplete())?.to_vec()));
        }
        Ok(PostedFields(fields))
    }
}

impl PostedFields {
    /// The value of a field. The last one counts if there are several, since a file comes after the text that it
    /// replaces; without a file, browsers send an empty one.
    pub(super) fn get(&self, name: &str) -> Option<&[u8]> {
        let mut values = self.0.iter().rev().filter(|(known, _)| known == name);
        values.find(|(_, value)| !value.trim_ascii().is_empty()).map(|(_, value)| value.as_slice())
    }
}

fn incomplete() -> Failure {
    Failure::BadRequest("the form did not arrive completely".to_owned())
}

/// Receives a body up to the limit. The rest of a larger one is read and dropped, since browsers show the answer only
/// when they have sent everything.
async fn received(mut body: Body) -> Result<Vec<u8>> {
    let (mut bytes, mut length) = (Vec::new(), 0);
    while let Some(frame) = body.frame().await {
        match frame {
            Ok(frame) => {
                let data = frame.into_data().unwrap_or_default();
                length += data.len();
                if length <= MAX_COMPARED_BYTES {
                    bytes.extend_from_slice(&data);
                }
            }
            Err(_) if length <= MAX_COMPARED_BYTES => return Err(incomplete()),
            Err(_) => break,
        }
        if length > MAX_REFUSED_BYTES {
            break;
        }
    }
    if length <= MAX_COMPARED_BYTES {
        return Ok(bytes);
    }
    Err(Failure::TooLarge)
}
