//! Compression of answers for clients that accept it.

use std::io::Write;

use axum::{
    body::Bytes,
    http::{HeaderMap, HeaderValue, header::ACCEPT_ENCODING},
};
use flate2::{Compression, write::GzEncoder};

/// The encoding.
pub(super) const GZIP: HeaderValue = HeaderValue::from_static("gzip");
/// Says that a response depends on the encodings that the client accepts.
pub(super) const BY_ENCODING: HeaderValue = HeaderValue::from_static("Accept-Encoding");

/// Compresses a body if that is worth the time: a short one fits into one packet anyway, and a very long one would keep
/// other clients waiting.
pub(super) fn gzip(body: &[u8]) -> Option<Bytes> {
    if !(1_400..=4_000_000).contains(&body.len()) {
        return None;
    }
    let mut encoder = GzEncoder::new(Vec::new(), Compression::new(4));
    encoder.write_all(body).ok()?;
    Some(encoder.finish().ok()?.into())
}

/// Whether a client accepts gzip.
pub(super) fn takes_gzip(headers: &HeaderMap) -> bool {
    let codings = headers.get_all(ACCEPT_ENCODING).iter().filter_map(|value| value.to_str().ok());
    codings.flat_map(|codings| codings.split(',')).any(|coding| {
        let (name, weight) = coding.split_once(';').unwrap_or((coding, "q=1"));
        let is_refused = weight.trim().trim_start_matches("q=").parse() == Ok(0.0);
        name.trim().eq_ignore_ascii_case("gzip") && !is_refused
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_clients_that_accept_gzip_get_it() {
        for (accept, takes) in [
            ("gzip, deflate, br", true),
            ("br;q=1.0, GZIP;q=0.5", true),
            ("gzip;q=0", false),
            ("gzip;q=0.0, br", false),
            ("identity", false),
            ("", false),
            ("xgzip", false),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert(ACCEPT_ENCODING, accept.parse().unwrap());
            assert_eq!(takes_gzip(&headers), takes, "{accept}");
        }
    }
}
