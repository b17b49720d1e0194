//! What handlers return: an answer that can be cached, or a failure.

use std::{borrow::Cow, fmt::Display, path::PathBuf, sync::OnceLock};

use axum::{
    body::{Body, Bytes},
    http::{
        HeaderMap, HeaderName, HeaderValue, StatusCode,
        header::{
            CACHE_CONTROL, CONNECTION, CONTENT_DISPOSITION, CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_TYPE,
            ETAG, IF_NONE_MATCH, LOCATION, RETRY_AFTER, VARY,
        },
    },
    response::{IntoResponse, Response},
};
use serde_json::json;

use super::{
    Result,
    packing::{BY_ENCODING, GZIP, gzip},
};
use crate::{
    archive::{ArchiveError, WhyApart},
    edit::EditError,
    limits::{ANSWER_TIME, MAX_COMPARED_BYTES},
    present::{PresentError, RequestError},
    record::{GameError, GameId},
};

/// JSON.
pub(super) const JSON: HeaderValue = HeaderValue::from_static("application/json");
/// JSON, one value per line.
pub(super) const JSON_LINES: HeaderValue = HeaderValue::from_static("application/x-ndjson");
/// PGN.
pub(super) const PGN: HeaderValue = HeaderValue::from_static("application/x-chess-pgn; charset=utf-8");

/// The image of a board.
pub(super) const SVG: HeaderValue = HeaderValue::from_static("image/svg+xml");
/// The same as a bitmap.
pub(super) const PNG: HeaderValue = HeaderValue::from_static("image/png");
/// Comma-separated values.
pub(super) const CSV: HeaderValue = HeaderValue::from_static("text/csv; charset=utf-8");
/// A line of text.
pub(super) const TEXT: HeaderValue = HeaderValue::from_static("text/plain; charset=utf-8");

const REVALIDATED: HeaderValue = HeaderValue::from_static("no-cache");
/// What must not be cached.
pub(super) const NOT_STORED: HeaderValue = HeaderValue::from_static("no-store");

/// A complete answer, which may be sent to many clients.
#[derive(Clone, Debug)]
pub(super) struct Answer {
    kind: HeaderValue,
    body: Bytes,
    /// The body compressed with gzip, once a client has asked for it; `None` if it is not worth the time.
    packed: OnceLock<Option<Bytes>>,
    /// Whether it only says that there is nothing by the requested name.
    is_missing: bool,
    /// Where the answer is, if it is at another URL.
    location: Option<HeaderValue>,
}

impl Answer {
    /// An answer with a media type.
    pub(super) fn new(kind: HeaderValue, body: Vec<u8>) -> Answer {
        Answer { kind, body: body.into(), packed: OnceLock::new(), is_missing: false, location: None }
    }

    /// The same for a URL that leads nowhere: "not found".
    pub(super) fn missing(self) -> Answer {
        Answer { is_missing: true, ..self }
    }

    /// A redirect to a URL of this server.
    pub(super) fn redirect(location: &str) -> Result<Answer> {
        let location = Some(HeaderValue::from_str(location).map_err(Failure::internal)?);
        Ok(Answer { location, ..Answer::new(TEXT, Vec::new()) })
    }

    /// A value as JSON.
    pub(super) fn json(value: &impl serde::Serialize) -> Result<Answer> {
        Ok(Answer::new(JSON, serde_json::to_vec(value).map_err(Failure::internal)?))
    }

    /// Its approximate size in memory.
    pub(super) fn size(&self) -> usize {
        // Text is a quarter of its size at most when it is compressed.
        size_of::<Answer>() + self.body.len() / 4 * 5
    }

    /// Its body as text.
    pub(super) fn text(&self) -> Cow<'_, str> {
        String::from_utf8_lossy(&self.body)
    }

    /// The response to a request with these headers; `tag` is the entity tag of the answer, if it has one. `packs` if
    /// the body may be compressed.
    pub(super) fn respond(&self, headers: &HeaderMap, tag: Option<HeaderValue>, packs: bool) -> Response {
        let is_any = |tags: &HeaderValue| tags.as_bytes().trim_ascii() == b"*";
        if let Some(tag) = &tag
            && (has_answer(headers, tag) || headers.get_all(IF_NONE_MATCH).iter().any(is_any))
        {
            return unchanged(tag.clone());
        }
        let packed = packs.then(|| self.packed.get_or_init(|| gzip(&self.body)).clone()).flatten();
        let is_packed = packed.is_some();
        let mut response = Response::new(Body::from(packed.unwrap_or_else(|| self.body.clone())));
        if self.is_missing {
            *response.status_mut() = StatusCode::NOT_FOUND;
        }
        let headers = response.headers_mut();
        headers.insert(CONTENT_TYPE, self.kind.clone());
        headers.insert(CACHE_CONTROL, REVALIDATED);
        headers.insert(VARY, BY_ENCODING);
        if is_packed {
            headers.insert(CONTENT_ENCODING, GZIP);
        }
        match &self.location {
            // It has no tag, so clients always follow it.
            Some(location) => {
                headers.insert(LOCATION, location.clone());
                *response.status_mut() = StatusCode::SEE_OTHER;
            }
            None => headers.extend(tag.map(|tag| (ETAG, tag))),
        }
        response
    }
}

/// The headers of a PGN file that is sent while it is written.
pub(super) fn pgn_file(disposition: &'static str) -> [(HeaderName, HeaderValue); 3] {
    let disposition = HeaderValue::from_static(disposition);
    [(CONTENT_TYPE, PGN), (CONTENT_DISPOSITION, disposition), (CACHE_CONTROL, NOT_STORED)]
}

/// The entity tag of a number.
pub(super) fn tag(number: u64) -> HeaderValue {
    // Digits and quotation marks are always a valid header value.
    HeaderValue::from_str(&format!("\"{number:016x}\"")).unwrap_or(HeaderValue::from_static("\"\""))
}

/// Whether the client already has the answer with a tag.
pub(super) fn has_answer(headers: &HeaderMap, tag: &HeaderValue) -> bool {
    headers.get_all(IF_NONE_MATCH).iter().any(|tags| names(tags, tag))
}

/// The response to a client that already has the answer.
pub(super) fn unchanged(tag: HeaderValue) -> Response {
    (StatusCode::NOT_MODIFIED, [(ETAG, tag), (CACHE_CONTROL, REVALIDATED)]).into_response()
}

/// Whether an If-None-Match value contains a tag. Weak tags compare like strong ones here.
fn names(tags: &HeaderValue, tag: &HeaderValue) -> bool {
    let Ok(tags) = tags.to_str() else { return false };
    tags.split(',').map(str::trim).any(|one| one.strip_prefix("W/").unwrap_or(one) == *tag)
}

/// A reason to refuse a request that has a text in every language.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum Refused {
    #[error(transparent)]
    Request(#[from] RequestError),
    #[error(transparent)]
    Edit(#[from] EditError),
    #[error("these games cannot be joined: {0}")]
    Apart(#[from] WhyApart),
    #[error("no game was chosen")]
    NoChoice,
}

/// What is not found.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum Missing {
    #[error("not found: unknown URL")]
    Url,
    #[error("no such file")]
    File,
    #[error("these games are no longer kept; import the file again")]
    LeftOut,
    #[error("there is no such change in effect")]
    Change,
    #[error("the archive does not have these games")]
    Games,
    #[error("{}", ArchiveError::NoSuchGame { id: *id, first: *first, last: *last })]
    Game { id: GameId, first: GameId, last: GameId },
    #[error("{}", ArchiveError::Removed(*.0))]
    Removed(GameId),
    #[error("{}", ArchiveError::Empty(*.0))]
    Empty(GameId),
}

/// A text after the name of a parameter, if there is one.
pub(super) fn named(name: &str, what: impl Display) -> String {
    if name.is_empty() { what.to_string() } else { format!("{name}: {what}") }
}

/// Why a request failed. Clients see the texts, each in one line.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum Failure {
    /// The request is invalid; the text names the parameter.
    #[error("bad request: {0}")]
    BadRequest(String),
    /// The request is invalid for a reason that pages say in their language.
    #[error("bad request: {}", named(name, why))]
    Refused {
        /// The parameter or the field; empty if the reason names it.
        name: String,
        why: Refused,
    },
    /// Not found.
    #[error(transparent)]
    NotFound(#[from] Missing),
    /// A PGN in the request cannot be read; the text says where and why.
    #[error("bad request: {0}")]
    BadPgn(String),
    /// The body of the request has more than [`MAX_COMPARED_BYTES`].
    #[error("the request is too large: it may have {} MiB", MAX_COMPARED_BYTES >> 20)]
    TooLarge,
    /// The archive is no longer in the state that the request assumes.
    #[error("{0}")]
    Conflict(String),
    /// Too many requests at the same time.
    #[error("the server is busy; try again in a moment")]
    Busy,
    /// It takes longer than [`ANSWER_TIME`].
    #[error(
        "the search took longer than {} seconds; search fewer games; an index of the archive makes searches fast",
        ANSWER_TIME.as_secs()
    )]
    TooSlow,
    /// The client has disconnected.
    #[error("stopped")]
    Unwanted,
    /// A damaged game.
    #[error("{0}")]
    Damaged(String),
    /// The index of this archive is corrupt. The query then runs again without it.
    #[error("internal error; see the server log")]
    DamagedIndex(PathBuf),
    /// An unexpected error. The text is only logged, since it may contain file names.
    #[error("internal error; see the server log")]
    Internal(String),
}

impl Failure {
    /// A parameter or a field is invalid.
    pub(super) fn invalid(name: &str, what: impl Display) -> Failure {
        Failure::BadRequest(format!("{name}: {what}"))
    }

    /// The same for a reason that pages say in their language.
    pub(super) fn refused(name: &str, why: impl Into<Refused>) -> Failure {
        Failure::Refused { name: name.to_owned(), why: why.into() }
    }

    /// An unexpected error.
    pub(super) fn internal(error: impl Display) -> Failure {
        Failure::Internal(error.to_string())
    }

    fn status(&self) -> StatusCode {
        match self {
            Failure::BadRequest(_) | Failure::Refused { .. } | Failure::BadPgn(_) => StatusCode::BAD_REQUEST,
            Failure::NotFound(_) => StatusCode::NOT_FOUND,
            Failure::TooLarge => StatusCode::PAYLOAD_TOO_LARGE,
            Failure::Conflict(_) => StatusCode::CONFLICT,
            Failure::Busy | Failure::TooSlow | Failure::Unwanted => StatusCode::SERVICE_UNAVAILABLE,
            Failure::Damaged(_) | Failure::DamagedIndex(_) | Failure::Internal(_) => {
                StatusCode::INTERNAL_SERVER_ERROR
            }
        }
    }
}

impl From<ArchiveError> for Failure {
    fn from(error: ArchiveError) -> Failure {
        match error {
            ArchiveError::NoSuchGame { id, first, last } => Missing::Game { id, first, last }.into(),
            ArchiveError::Removed(id) => Missing::Removed(id).into(),
            ArchiveError::Empty(id) => Missing::Empty(id).into(),
            ArchiveError::Edit(why) => match why.downcast::<EditError>() {
                Ok(why) => Failure::refused("", *why),
                Err(why) => Failure::BadRequest(why.to_string()),
            },
            // SQLite also says this of a file that has been replaced.
            ArchiveError::ReadOnly(_) | ArchiveError::InParts { .. } => Failure::Conflict(
                "the archive cannot be written: it is read-only, a part of a collection, or has been replaced"
                    .to_owned(),
            ),
            ArchiveError::Conflict(_) | ArchiveError::Equal { .. } => Failure::Conflict(error.to_string()),
            ArchiveError::Busy(_) | ArchiveError::Held(_) => Failure::Busy,
            ArchiveError::Stopped => Failure::Unwanted,
            ArchiveError::Damaged { .. } | ArchiveError::Unreadable { .. } => {
                Failure::Damaged(error.to_string())
            }
            ArchiveError::DamagedIndex(path) => Failure::DamagedIndex(path),
            error => Failure::internal(error),
        }
    }
}

impl From<RequestError> for Failure {
    fn from(error: RequestError) -> Failure {
        Failure::refused("", error)
    }
}

impl From<PresentError> for Failure {
    fn from(error: PresentError) -> Failure {
        match error {
            PresentError::Request(error) => error.into(),
            PresentError::Archive(error) => error.into(),
            PresentError::Game(error @ GameError::NoSuchPly { .. }) => Failure::BadRequest(error.to_string()),
            PresentError::Game(error) => Failure::Damaged(error.to_string()),
            error => Failure::internal(error),
        }
    }
}

impl IntoResponse for Failure {
    fn into_response(self) -> Response {
        let mut response = refusal(self.status(), &self.to_string());
        if response.status() == StatusCode::SERVICE_UNAVAILABLE {
            response.headers_mut().insert(RETRY_AFTER, const { HeaderValue::from_static("1") });
        }
        // Pages format it themselves.
        response.extensions_mut().insert(self);
        response
    }
}

/// The reason of a refusal, in one line. A response carries it in addition to its body, so that it can be formatted
/// differently.
#[derive(Clone)]
struct Refusal(String);

/// A plain text line that says why a request is refused.
pub(super) fn refusal(status: StatusCode, why: &str) -> Response {
    // The reason quotes parts of the request.
    let line = crate::printable::line(why).into_owned();
    let headers = [(CONTENT_TYPE, TEXT), (CACHE_CONTROL, REVALIDATED)];
    let mut response = (status, headers, format!("{line}\n")).into_response();
    response.extensions_mut().insert(Refusal(line));
    response
}

/// A refusal before the end of the body, whose rest is not read: the bytes that follow are no request.
pub(super) fn closing(status: StatusCode, why: &str) -> Response {
    let mut response = refusal(status, why);
    response.headers_mut().insert(CONNECTION, const { HeaderValue::from_static("close") });
    response
}

/// A response of the API: errors become JSON, including those of axum itself.
pub(super) fn as_json(response: Response) -> Response {
    let status = response.status();
    if !status.is_client_error() && !status.is_server_error() {
        return response;
    }
    let (mut head, _) = response.into_parts();
    let why = match head.extensions.remove::<Refusal>() {
        Some(Refusal(why)) => why,
        None if status == StatusCode::BAD_REQUEST => "bad request: invalid URL".to_owned(),
        None => format!("bad request: {status}"),
    };
    let body = error_json(status, &why);
    head.headers.insert(CONTENT_TYPE, JSON);
    head.headers.insert(CACHE_CONTROL, REVALIDATED);
    head.headers.remove(CONTENT_LENGTH);
    (head, body).into_response()
}

/// The JSON of an error.
fn error_json(status: StatusCode, why: &str) -> String {
    json!({ "error": why, "status": status.as_u16() }).to_string()
}

#[cfg(test)]
mod tests {
    use axum::body::to_bytes;

    use super::*;

    #[test]
    fn api_errors_are_json() {
        let runtime = tokio::runtime::Runtime::new().unwrap();
        for failure in [Failure::TooSlow, Failure::Busy, Failure::Internal("secret".to_owned())] {
            let (why, plain) = (failure.to_string(), failure.into_response());
            let (status, retry) = (plain.status(), plain.headers().get(RETRY_AFTER).cloned());
            let response = as_json(plain);
            assert_eq!((response.status(), response.headers().get(RETRY_AFTER)), (status, retry.as_ref()));
            assert_eq!(response.headers()[CONTENT_TYPE], JSON);
            let body = runtime.block_on(to_bytes(response.into_body(), usize::MAX)).unwrap();
            assert_eq!(body, error_json(status, &why));
        }
    }
}
