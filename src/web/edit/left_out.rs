//! `GET /edit/left-out/NUMBER`: the games that an import could not store, as a file that can be corrected and imported.
//! Those of the last imports are kept.

use std::{
    collections::VecDeque,
    fs::File,
    io,
    path::PathBuf,
    sync::{Arc, Mutex, PoisonError},
};

use axum::{
    body::Body,
    extract::{Path, State},
    response::{IntoResponse, Response},
};

use super::Editing;
use crate::{
    files::TemporaryFolder,
    web::{
        Failure, Result,
        form::form_text,
        pages::Visit,
        reply::{Missing, pgn_file},
        stream,
    },
};

/// The number of imports whose files are kept.
const KEPT: usize = 8;

/// The files of the last imports.
#[derive(Debug, Default)]
pub(super) struct LeftOut(Mutex<Files>);

#[derive(Debug, Default)]
struct Files {
    last: u64,
    kept: VecDeque<(u64, Arc<LeftOutFile>)>,
}

/// The file of an import. It exists if a game was left out.
#[derive(Debug)]
pub(super) struct LeftOutFile(TemporaryFolder);

impl LeftOutFile {
    pub(super) fn new(kind: &str) -> io::Result<LeftOutFile> {
        TemporaryFolder::of_kind(kind).map(LeftOutFile)
    }

    pub(super) fn path(&self) -> PathBuf {
        self.0.path().join("left-out.pgn")
    }

    /// The games without the reasons, if there are any and a form can hold them.
    pub(super) fn games(&self) -> Option<String> {
        let text = form_text(&self.path())?;
        Some(text.lines().filter(|line| !line.starts_with('%')).map(|line| format!("{line}\n")).collect())
    }
}

impl LeftOut {
    fn files<T>(&self, with: impl FnOnce(&mut Files) -> T) -> T {
        with(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Keeps the file of an import, if there is one. Returns its number.
    pub(super) fn keep(&self, file: LeftOutFile) -> Option<u64> {
        file.path().exists().then(|| {
            self.files(|files| {
                files.last += 1;
                files.kept.push_back((files.last, Arc::new(file)));
                files.kept.drain(..files.kept.len().saturating_sub(KEPT));
                files.last
            })
        })
    }

    fn get(&self, number: u64) -> Option<Arc<LeftOutFile>> {
        self.files(|files| {
            files.kept.iter().find(|(kept, _)| *kept == number).map(|(_, file)| Arc::clone(file))
        })
    }
}

/// `GET /edit/left-out/NUMBER`
pub(super) async fn left_out(
    State(editing): State<Arc<Editing>>,
    Path(number): Path<String>,
    visit: Visit,
) -> Response {
    match body(&editing, &number).await {
        Ok(body) => (pgn_file("attachment; filename=\"left-out.pgn\""), body).into_response(),
        Err(failure) => visit.failed(&failure),
    }
}

async fn body(editing: &Editing, number: &str) -> Result<Body> {
    let kept = number.parse().ok().and_then(|number| editing.left_out.get(number));
    let kept = kept.ok_or(Missing::LeftOut)?;
    stream::body(editing.app.export()?, move |_, send| {
        let mut file = File::open(kept.path()).map_err(Failure::internal)?;
        send(Box::new(|out| io::copy(&mut file, out).map(drop).map_err(Failure::internal)));
        Ok(())
    })
    .await
}
