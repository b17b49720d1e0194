//! `GET /api/v1/names`: names that begin with a prefix, with their games and years.

use axum::response::Response;

use crate::{
    archive::NameKind,
    limits::MAX_COMPLETIONS,
    web::{Answer, Failure, Question},
};

pub(in crate::web) async fn names(question: Question) -> Response {
    question
        .answer(move |_, context, parameters| {
            let of = match parameters.text("kind") {
                Some("player") => NameKind::Player,
                Some("event") => NameKind::Event,
                Some("site") => NameKind::Site,
                _ => return Err(Failure::BadRequest("kind: must be player, event or site".to_owned())),
            };
            let begin = parameters.text("q").unwrap_or_default().trim();
            Answer::json(&context.archive.names().completions(of, begin, MAX_COMPLETIONS)?)
        })
        .await
}
