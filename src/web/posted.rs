//! The fields of a form with a file, in memory.

use std::{future::poll_fn, pin::Pin};

use axum::{
    body::Body,
    extract::{FromRequest, Multipart, Request},
};
use hyper::body::Body as _;

use super::{Failure, edit::form::has_type};
use crate::limits::{MAX_COMPARED_BYTES, MAX_REFUSED_BYTES};

/// The fields of a form in their order; a file is a field too.
#[derive(Debug)]
pub(super) struct PostedFields(Vec<(String, Vec<u8>)>);

impl<S: Send + Sync> FromRequest<S> for PostedFields {
    type Rejection = Failure;

    async fn from_request(request: Request, state: &S) -> Result<PostedFields, Failure> {
        let (head, body) = request.into_parts();
        let body = received(body).await?;
        if has_type(&head.headers, "application/x-www-form-urlencoded") {
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
async fn received(mut body: Body) -> Result<Vec<u8>, Failure> {
    let (mut bytes, mut length) = (Vec::new(), 0);
    while let Some(frame) = poll_fn(|context| Pin::new(&mut body).poll_frame(context)).await {
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
