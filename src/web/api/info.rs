//! `GET /api/v1/info`: which archive this is.

use axum::response::Response;

use crate::{
    present,
    web::{Question, reply::Answer},
};

pub(in crate::web) async fn info(question: Question) -> Response {
    question
        .app
        .respond_at_once(&question.address, &question.headers, |app, asked| {
            Answer::json(&present::archive_info::archive_info(&app.name, asked.archive, asked.index)?)
        })
        .await
}
