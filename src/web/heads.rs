//! The heads of requests, one after the other, looked at before hyper sees them: what it would refuse by itself, without
//! the headers that every answer has, is refused here. No request has a body here, so all that comes is heads, up to one
//! that announces a body: that is answered, and nothing after it is.

use axum::http::{HeaderMap, StatusCode, Uri, header::CONTENT_TYPE};
use httparse::{EMPTY_HEADER, Error, Request, Status};

use super::{
    reply::{JSON, TEXT, error_json},
    routes,
};
use crate::limits::MAX_REQUEST_HEAD_BYTES;

/// Most headers of a request; hyper has the same limit.
const MAX_HEADERS: usize = 100;

/// What has come of a connection and has not been handed on.
#[derive(Debug, Default)]
pub(super) struct Heads {
    bytes: Vec<u8>,
    /// Of these, how many are a head that may be handed on.
    whole: usize,
    /// How many have been looked at.
    seen: usize,
    /// Whether what follows the last head is its body.
    has_body: bool,
}

/// What the next head is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Head {
    /// It has come, and can be understood.
    Whole,
    /// More of it is to come.
    Part,
    /// It is refused, and nothing on the connection is understood from there on.
    Refused(StatusCode),
}

impl Heads {
    /// Adds what has come.
    pub(super) fn add(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
    }

    /// Whether nothing of a head has come.
    pub(super) fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// Whether more than a head has come.
    pub(super) fn is_full(&self) -> bool {
        self.bytes.len() > MAX_REQUEST_HEAD_BYTES
    }

    /// Whether the head that was found last announces a body, so that no other head comes.
    pub(super) fn has_body(&self) -> bool {
        self.has_body
    }

    /// The bytes of a whole head that are still to be handed on.
    pub(super) fn whole(&self) -> &[u8] {
        &self.bytes[..self.whole]
    }

    /// Takes away what has been handed on of a whole head.
    pub(super) fn hand_on(&mut self, bytes: usize) {
        self.bytes.drain(..bytes);
        self.whole -= bytes;
    }

    /// Looks at the next head.
    pub(super) fn look(&mut self) -> Head {
        let from = self.seen.saturating_sub(3);
        // It ends in an empty line: as long as there is none, a second look sees no more than the first.
        let has_end = self.bytes[from..].windows(2).any(|pair| pair == b"\n\n")
            || self.bytes[from..].windows(3).any(|three| three == b"\n\r\n");
        if self.bytes.is_empty() || (self.seen > 0 && !has_end && !self.is_full()) {
            self.seen = self.bytes.len();
            return Head::Part;
        }
        let head = match self.parse() {
            Ok(Some((whole, has_body))) if whole <= MAX_REQUEST_HEAD_BYTES => {
                (self.whole, self.has_body) = (whole, has_body);
                Head::Whole
            }
            Ok(None) if !self.is_full() => Head::Part,
            Ok(_) => Head::Refused(self.too_long()),
            Err(status) => Head::Refused(status),
        };
        self.seen = if head == Head::Part { self.bytes.len() } else { 0 };
        head
    }

    /// The bytes of the next head, if it is whole, and whether it announces a body.
    fn parse(&self) -> Result<Option<(usize, bool)>, StatusCode> {
        let mut headers = [EMPTY_HEADER; MAX_HEADERS];
        let mut request = Request::new(&mut headers);
        match request.parse(&self.bytes) {
            Ok(Status::Partial) => Ok(None),
            Ok(Status::Complete(bytes)) => match body(&request) {
                Some(has_body) if has_address(&request) => Ok(Some((bytes, has_body))),
                _ => Err(StatusCode::BAD_REQUEST),
            },
            Err(Error::TooManyHeaders) => Err(StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE),
            Err(Error::Version) => Err(StatusCode::HTTP_VERSION_NOT_SUPPORTED),
            Err(_) => Err(StatusCode::BAD_REQUEST),
        }
    }

    /// Whether the next head, which need not be a valid one, asks for something of the API.
    pub(super) fn is_of_api(&self) -> bool {
        let target = self.bytes.trim_ascii_start().split(|byte| b" ?".contains(byte)).nth(1);
        target.and_then(|path| std::str::from_utf8(path).ok()).is_some_and(routes::is_api)
    }

    fn too_long(&self) -> StatusCode {
        let start = self.bytes.trim_ascii_start();
        let has_request_line = start.iter().take(MAX_REQUEST_HEAD_BYTES).any(|byte| *byte == b'\n');
        if has_request_line { StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE } else { StatusCode::URI_TOO_LONG }
    }
}

fn has_address(request: &Request<'_, '_>) -> bool {
    request.path.is_some_and(|path| path.parse::<Uri>().is_ok())
}

/// Whether a request has a body; `None` if it is not clear where that would end.
fn body(request: &Request<'_, '_>) -> Option<bool> {
    let named = |name: &str| {
        let headers = request.headers.iter().filter(move |header| header.name.eq_ignore_ascii_case(name));
        headers.map(|header| header.value).collect::<Vec<_>>()
    };
    let (lengths, codings) = (named("content-length"), named("transfer-encoding"));
    let is_number = |text: &&[u8]| !text.is_empty() && text.len() < 19 && text.iter().all(u8::is_ascii_digit);
    let has_length = lengths.iter().all(is_number) && lengths.windows(2).all(|pair| pair[0] == pair[1]);
    let has_coding = match codings[..] {
        [] => true,
        [coding] => request.version == Some(1) && coding.eq_ignore_ascii_case(b"chunked"),
        _ => false,
    };
    let is_any = !codings.is_empty() || lengths.iter().any(|length| *length != b"0");
    (has_length && has_coding).then_some(is_any)
}

/// A refusal as it goes out, with the headers that every answer has.
pub(super) fn refusal(status: StatusCode, is_of_api: bool, headers: &HeaderMap) -> Vec<u8> {
    let why = format!("bad request: {status}");
    let (kind, text) = if is_of_api { (JSON, error_json(status, &why)) } else { (TEXT, format!("{why}\n")) };
    let mut bytes =
        format!("HTTP/1.1 {status}\r\ncontent-length: {}\r\nconnection: close\r\n", text.len()).into_bytes();
    for (name, value) in [(&CONTENT_TYPE, &kind)].into_iter().chain(headers) {
        bytes.extend([name.as_str().as_bytes(), b": ", value.as_bytes(), b"\r\n"].concat());
    }
    bytes.extend([b"\r\n", text.as_bytes()].concat());
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Heads as they are found in what comes in pieces of so many bytes, and how it ended.
    fn found(bytes: &[u8], piece: usize) -> (Vec<String>, Head) {
        let (mut heads, mut found) = (Heads::default(), Vec::new());
        for piece in bytes.chunks(piece) {
            heads.add(piece);
            loop {
                match heads.look() {
                    Head::Whole => {
                        found.push(String::from_utf8(heads.whole().to_vec()).unwrap());
                        heads.hand_on(heads.whole().len());
                    }
                    Head::Part => break,
                    refused => return (found, refused),
                }
            }
        }
        (found, Head::Part)
    }

    #[test]
    fn heads_are_found_in_whatever_pieces_they_come() {
        let heads =
            ["GET / HTTP/1.1\r\nHost: a\r\n\r\n", "HEAD /b HTTP/1.0\n\n", "\r\nGET /c HTTP/1.1\nA: b\r\n\n"];
        let all = heads.concat() + "GET /d HTT";
        for piece in 1..all.len() {
            let (found, end) = found(all.as_bytes(), piece);
            assert_eq!((found.concat(), end), (heads.concat(), Head::Part), "{piece}");
            assert_eq!(found.len(), heads.len());
        }
    }

    #[test]
    fn what_cannot_be_understood_is_refused_in_whatever_pieces_it_comes() {
        let long = |bytes: usize| "x".repeat(bytes);
        for (head, status) in [
            ("GET\r\n\r\n".to_owned(), 400),
            ("GET / HTTP/2.0\r\n\r\n".to_owned(), 505),
            ("G\0T / HTTP/1.1\r\n\r\n".to_owned(), 400),
            ("GET / HTTP/1.1\r\nA b\r\n\r\n".to_owned(), 400),
            ("GET a/b HTTP/1.1\r\n\r\n".to_owned(), 400),
            ("GET / HTTP/1.1\r\nContent-Length: -1\r\n\r\n".to_owned(), 400),
            ("GET / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n".to_owned(), 400),
            ("GET / HTTP/1.1\r\nTransfer-Encoding: gzip\r\n\r\n".to_owned(), 400),
            ("GET / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n".to_owned(), 400),
            (format!("GET /{} HTTP/1.1\r\n\r\n", long(MAX_REQUEST_HEAD_BYTES)), 414),
            (format!("GET / HTTP/1.1\r\nA: {}\r\n\r\n", long(MAX_REQUEST_HEAD_BYTES)), 431),
            (format!("GET / HTTP/1.1\r\n{}\r\n", "A: b\r\n".repeat(MAX_HEADERS + 1)), 431),
        ] {
            let refused = Head::Refused(StatusCode::from_u16(status).unwrap());
            for piece in [1, 7, head.len()] {
                assert_eq!(found(head.as_bytes(), piece), (Vec::new(), refused), "{head:.60} {piece}");
            }
        }
    }
}
