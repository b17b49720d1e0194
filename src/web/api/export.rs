//! `GET /api/v1/export`: all games that match a filter, as PGN.

use std::sync::Arc;

use axum::{
    body::Body,
    response::{IntoResponse, Response},
};

use super::filter::filter;
use crate::{
    archive::Archive,
    export::Export,
    present::PresentError,
    query::Context,
    web::{Question, RequestContext, Result, parameters::Parameters, reply::pgn_file, stream},
};

pub(in crate::web) async fn export(question: Question) -> Response {
    let headers = pgn_file("attachment; filename=\"games.pgn\"");
    body(question).await.map(|body| (headers, body)).into_response()
}

async fn body(Question { app, address, .. }: Question) -> Result<Body> {
    let filter = filter(&Parameters::new(address.query()), &["lang"])?;
    let permit = app.export()?;
    stream::body(permit, move |stop, send| {
        // The export has its own connection and holds no snapshot while it sends games: however slowly the client
        // reads, programs that write to the archive do not wait for it.
        let archive = Archive::open_several(&*app.explorer.paths()?)?;
        archive.stop_when(Some(Arc::clone(stop)));
        let snapshot = archive.snapshot()?;
        let index = app.explorer.index_of(&archive)?;
        let watch = |_| RequestContext::go_on(stop);
        let filter = filter.filter(Context::new(&archive).with_index(index.if_any()).watched_by(&watch))?;
        drop(snapshot);
        send(Box::new(|out| {
            let mut export = Export { cancel: Some(stop), ..Export::new(&archive) };
            // Damaged games are skipped.
            let written = export.write(&filter, out, |damaged| (app.log)(&damaged.to_string()));
            Ok(written.map_err(PresentError::from)?)
        }));
        Ok(())
    })
    .await
}
