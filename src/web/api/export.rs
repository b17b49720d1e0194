//! `GET /api/v1/export`: all games that match a filter, as PGN.

use std::{
    io::Write,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering::Relaxed},
    },
};

use axum::{
    body::Body,
    extract::State,
    http::{
        HeaderValue, Uri,
        header::{CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_TYPE},
    },
    response::{IntoResponse, Response},
};

use super::filter::filter;
use crate::{
    archive::{Archive, Filter},
    export::Export,
    present::PresentError,
    query::PositionIndex,
    web::{AppState, Failure, RequestContext, Result, parameters::Parameters, reply::PGN, stream},
};

pub(in crate::web) async fn export(State(app): State<Arc<AppState>>, address: Uri) -> Response {
    match body(app, address.query()).await {
        Ok(body) => {
            let file = const { HeaderValue::from_static("attachment; filename=\"games.pgn\"") };
            let fresh = const { HeaderValue::from_static("no-store") };
            ([(CONTENT_TYPE, PGN), (CONTENT_DISPOSITION, file), (CACHE_CONTROL, fresh)], body).into_response()
        }
        Err(failure) => failure.into_response(),
    }
}

async fn body(app: Arc<AppState>, query: Option<&str>) -> Result<Body> {
    let filter = filter(&Parameters::new(query), &["lang"])?;
    let permit = app.export()?;
    stream::body(permit, move |stop, send| {
        // The export has its own connection and holds no snapshot while it sends games: however slowly the client
        // reads, programs that write to the archive do not wait for it.
        let archive = Archive::open_several(&*app.explorer.paths()?)?;
        archive.stop_when(Some(Arc::clone(stop)));
        let snapshot = archive.snapshot()?;
        let index = PositionIndex::open_reporting(&archive, app.report_damage)?;
        let found = filter.filter(&archive, index.as_ref(), |_| RequestContext::go_on(stop))?;
        let filter = found.ok_or(Failure::Unwanted)?;
        drop(snapshot);
        send(Box::new(|out| write(&app, &archive, &filter, stop, out)));
        Ok(())
    })
    .await
}

/// Writes the games; damaged ones are skipped and logged.
fn write(
    app: &AppState,
    archive: &Archive,
    filter: &Filter,
    stop: &AtomicBool,
    out: &mut dyn Write,
) -> Result<()> {
    let mut export = Export::new(archive).cancel(stop);
    export.write(filter, out, |damaged| (app.log)(&damaged.to_string())).map_err(PresentError::from)?;
    if stop.load(Relaxed) { Err(Failure::Unwanted) } else { Ok(()) }
}
