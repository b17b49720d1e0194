//! `GET /api/v1/info`: a summary of the archive.

use axum::response::Response;

use crate::{
    present,
    web::{Question, reply::Answer},
};

pub(in crate::web) async fn info(question: Question) -> Response {
    let app = &question.app;
    app.respond(&app.quick, question.text(), &question.headers, |app, context| {
        Answer::json(&present::archive_info::archive_info(&app.name, context.archive, context.index)?)
    })
    .await
}
