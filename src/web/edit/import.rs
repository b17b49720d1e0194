//! `POST /edit/import`: importing uploaded files into the archive.

use std::{
    io::Write,
    sync::{Arc, atomic::AtomicBool},
    time::{Duration, Instant},
};

use axum::{
    body::Body,
    extract::{Request, State},
    http::header::{ACCEPT, CONTENT_TYPE},
    response::{IntoResponse, Response},
};
use serde_json::json;
use tokio::task::spawn_blocking;

use super::{
    Editing,
    left_out::LeftOutFile,
    upload::{KIND, Upload},
};
use crate::{
    import::{ImportError, Options, Progress, import_with_progress},
    limits::REQUEST_TIME,
    pgn::{PieceLetters, ReadOptions},
    web::{
        Failure, Result,
        pages::{Imported, Visit},
        reply::JSON_LINES,
        stream::{self, CancelOnDrop},
    },
};

/// How often progress is reported.
const EVERY: Duration = Duration::from_millis(100);

/// `POST /edit/import`
pub(super) async fn import(State(editing): State<Arc<Editing>>, visit: Visit, request: Request) -> Response {
    let wants_progress = request.headers().get(ACCEPT).is_some_and(|accepted| *accepted == JSON_LINES);
    let Ok(_place) = Arc::clone(&editing.uploads).try_acquire_owned() else {
        return visit.failed(&Failure::Busy);
    };
    let upload = match Upload::receive(request).await {
        Ok(upload) => upload,
        Err(refused) => {
            let (response, log) = refused.response();
            log.iter().for_each(|line| (editing.app.log)(line));
            return response;
        }
    };
    if upload.files.is_empty() {
        return visit.failed(&Failure::BadRequest("there is no file to import".to_owned()));
    }
    let outcome = match wants_progress {
        true => with_progress(&editing, &visit, upload).await,
        false => at_once(&editing, upload).await.map(|imported| visit.imported(imported)),
    };
    outcome.unwrap_or_else(|failure| visit.failed(&failure))
}

/// Imports, and stops if the client has gone.
async fn at_once(editing: &Arc<Editing>, upload: Upload) -> Result<Imported> {
    let (turn, cancel) = (editing.turn().await?, CancelOnDrop::default());
    let (editing, flag) = (Arc::clone(editing), Arc::clone(&cancel.0));
    let imported = spawn_blocking(move || {
        let _turn = turn;
        editing.imported(&upload, flag, |_| ())
    });
    imported.await.unwrap_or_else(|_| Err(Failure::internal("an importing thread panicked")))
}

/// The same; the response is the progress in lines of JSON, and in the end the report, for programs and as a page.
async fn with_progress(editing: &Arc<Editing>, visit: &Visit, upload: Upload) -> Result<Response> {
    let (turn, editing, visit) = (editing.turn().await?, Arc::clone(editing), visit.clone());
    let body = stream::body(turn, move |stop, send| {
        send(Box::new(|out| {
            let mut last = Instant::now();
            let imported = editing.imported(&upload, Arc::clone(stop), |progress| {
                if last.elapsed() >= EVERY {
                    last = Instant::now();
                    // A client that has gone stops the import.
                    let _ = line(out, &json!(progress));
                }
            });
            line(out, &visit.end_of_import(imported)).map_err(|_| Failure::Unwanted)
        }));
        Ok(())
    });
    let body: Body = body.await?;
    Ok(([(CONTENT_TYPE, JSON_LINES)], body).into_response())
}

fn line(out: &mut dyn Write, value: &serde_json::Value) -> std::io::Result<()> {
    writeln!(out, "{value}")?;
    out.flush()
}

impl Editing {
    /// Imports the files of an upload under their own names.
    fn imported(
        &self,
        upload: &Upload,
        cancel: Arc<AtomicBool>,
        progress: impl FnMut(&Progress),
    ) -> Result<Imported> {
        let file = self.checked_file()?;
        let base = Some(upload.path().to_owned());
        let left_out = LeftOutFile::new(KIND).map_err(Failure::internal)?;
        let rejects = Some(left_out.path());
        let options = Options {
            reading: ReadOptions {
                letters: PieceLetters::Auto,
                typed_dates: upload.is_pasted(),
                keep_broken: upload.keep_broken,
                ..ReadOptions::default()
            },
            again: upload.again,
            cancel,
            base,
            rejects,
            busy_timeout: Some(REQUEST_TIME),
            ..Options::default()
        };
        let imported = import_with_progress(&self.path, &upload.files, &options, progress);
        if let Err(ImportError::NotPgn(_)) = imported
            && let Some(text) = upload.pasted()
        {
            return Ok(Imported::without_games(text));
        }
        let mut report = imported.map_err(|error| self.failure(error, upload))?;
        if self.checked_file()? != file {
            let why = "the archive has been replaced by another one during the import";
            return Err(Failure::Conflict(why.to_owned()));
        }
        for problem in report.rejects.iter_mut().chain(&mut report.failures).chain(&mut report.unfinished) {
            problem.reason = within(&problem.reason, upload);
        }
        let titles = self.app.explorer.ask(|context| Imported::titles(context.archive, &report));
        Ok(Imported {
            // The games are stored, whether they can be named or not.
            titles: titles.unwrap_or_default(),
            report,
            notes: Vec::new(),
            is_pasted: upload.is_pasted(),
            not_stored: left_out.games().filter(|_| upload.is_pasted()),
            left_out: self.left_out.keep(left_out),
        })
    }

    fn failure(&self, error: ImportError, upload: &Upload) -> Failure {
        match error {
            ImportError::Archive(error) => {
                let failure = Failure::from(error);
                self.app.log_failure(&failure);
                failure
            }
            other => Failure::BadRequest(within(&other.to_string(), upload)),
        }
    }
}

/// A text without the directory of the upload.
fn within(text: &str, upload: &Upload) -> String {
    text.replace(&format!("{}/", upload.path().display()), "")
}
