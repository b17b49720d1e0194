//! What all requests share: the archive, the work on it, the answers that are kept. Handlers ask here, pages like API.

use std::{
    hash::{BuildHasher, RandomState},
    ops::ControlFlow,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering::Relaxed},
    },
    time::Duration,
};

use axum::{
    http::HeaderMap,
    response::{IntoResponse, Response},
};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::{
    answers::{Answers, Memory},
    reply::{Answer, Failure, has_answer, tag, unchanged},
    work::{Outcome, Work},
};
use crate::{
    archive::{Archive, ArchiveError, ArchivePaths},
    limits::{ANSWER_TIME, ANSWERS_MEMORY, LISTS_MEMORY, MAX_EXPORTS},
    query::{Explorer, PositionIndex},
    record::GameId,
};

/// What all requests share.
#[derive(Debug)]
pub struct AppState {
    /// The archive. Asked from threads that may wait, never from a handler itself.
    pub explorer: Explorer,
    /// The name of the archive's file, without its folder.
    pub(super) name: String,
    answers: Answers<Answer>,
    lists: Answers<Vec<GameId>>,
    /// A state of the archive, and the number of games that it has in it.
    counted: Mutex<Option<(u64, u64)>>,
    /// Questions that may take long.
    pub(super) long: Arc<Work>,
    /// Those that are answered however busy the server is.
    pub(super) quick: Arc<Work>,
    exports: Arc<Semaphore>,
    /// What tells the answers of this server from those of another: no two have the same keys.
    tags: RandomState,
    log: fn(&str),
    /// Called when the index is corrupt.
    pub(super) report_damage: fn(&ArchiveError),
}

/// A question that is being answered: the archive and its index as they are at one moment.
#[derive(Debug)]
pub(super) struct Asked<'a> {
    /// The archive.
    pub(super) archive: &'a Archive,
    /// Its index of positions, which may have nothing.
    pub(super) index: &'a PositionIndex,
    /// What [`Explorer::state_of_now`] said before.
    state: Option<u64>,
    /// Set when nobody waits for the answer any more.
    pub(super) stop: &'a AtomicBool,
}

impl Memory for Vec<GameId> {
    fn memory(&self) -> usize {
        size_of_val(self.as_slice())
    }
}

impl Asked<'_> {
    /// For what looks through games: whether to go on.
    pub(super) fn watch(&self) -> ControlFlow<()> {
        Asked::go_on(self.stop)
    }

    /// Whether to go on, until a flag is set.
    pub(super) fn go_on(stop: &AtomicBool) -> ControlFlow<()> {
        if stop.load(Relaxed) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

impl AppState {
    /// Opens an archive, or several to be read as one, of which `threads` questions are answered at a time. `log` is given what the one who runs the
    /// server should know, in lines; `report_damage` is called when the index is corrupt and queries run without it.
    ///
    /// # Errors
    /// As [`Explorer::open`].
    pub fn open(
        archive: impl Into<ArchivePaths>,
        threads: usize,
        log: fn(&str),
        report_damage: fn(&ArchiveError),
    ) -> Result<AppState, ArchiveError> {
        AppState::with_time(archive, threads, ANSWER_TIME, log, report_damage)
    }

    /// The same, for answers that take no longer than `most`.
    pub(super) fn with_time(
        archive: impl Into<ArchivePaths>,
        threads: usize,
        most: Duration,
        log: fn(&str),
        report_damage: fn(&ArchiveError),
    ) -> Result<AppState, ArchiveError> {
        let archive = archive.into();
        let name = archive.name();
        let name = name.file_name().unwrap_or(name.as_os_str()).to_string_lossy().into_owned();
        Ok(AppState {
            explorer: Explorer::open_reporting(archive, report_damage)?,
            name,
            answers: Answers::new(ANSWERS_MEMORY),
            lists: Answers::new(LISTS_MEMORY),
            counted: Mutex::default(),
            long: Arc::new(Work::new(threads, most)),
            quick: Arc::new(Work::new(1, most)),
            exports: Arc::new(Semaphore::new(MAX_EXPORTS)),
            tags: RandomState::new(),
            log,
            report_damage,
        })
    }

    /// What the archive answers now, however busy the server is: nothing that is kept answers, and nothing is kept.
    pub(super) async fn ask_now(
        self: &Arc<Self>,
        question: &'static str,
        answer: impl FnOnce(&AppState, &Asked<'_>) -> Result<Answer, Failure> + Send + 'static,
    ) -> Outcome {
        let app = Arc::clone(self);
        // An answer is kept with the state of the archive that it is of.
        let find = move |stop: &Arc<AtomicBool>| app.find(None, question.to_owned(), stop, answer);
        self.quick.once(question.to_owned(), find).await
    }

    /// The response to a request: an answer that is kept, or that of `answer`, which is asked in a thread of its own and
    /// once for all who ask the same meanwhile. What it answers must depend on the question and the archive alone. `work`
    /// is [`long`](AppState::long), or [`quick`](AppState::quick) for what takes little time.
    pub(super) async fn respond(
        self: &Arc<Self>,
        work: &Arc<Work>,
        question: &str,
        headers: &HeaderMap,
        answer: impl FnOnce(&AppState, &Asked<'_>) -> Result<Answer, Failure> + Send + 'static,
    ) -> Response {
        let state = self.explorer.state_of_now();
        let tag = state.map(|state| tag(self.tags.hash_one((state, question))));
        if let Some(tag) = tag.as_ref().filter(|tag| has_answer(headers, tag)) {
            return unchanged(tag.clone());
        }
        if let Some(kept) = state.and_then(|state| self.answers.get(state, question)) {
            return kept.respond(headers, tag);
        }
        let (app, of) = (Arc::clone(self), question.to_owned());
        // An answer that is being found in an earlier state of the archive is none for this request.
        let asked = format!("{state:?} {question}");
        let outcome = work.once(asked, move |stop| app.find(state, of, stop, answer)).await;
        match outcome {
            Ok(answer) => answer.respond(headers, tag),
            Err(failure) => failure.into_response(),
        }
    }

    /// Asks the archive, and keeps what it answers.
    fn find(
        &self,
        state: Option<u64>,
        question: String,
        stop: &Arc<AtomicBool>,
        answer: impl FnOnce(&AppState, &Asked<'_>) -> Result<Answer, Failure>,
    ) -> Outcome {
        if stop.load(Relaxed) {
            return Err(Failure::Unwanted);
        }
        let asked = self
            .explorer
            .ask_until(stop, |archive, index| Ok(answer(self, &Asked { archive, index, state, stop })));
        let found = asked.map_err(Failure::from).flatten();
        match found {
            Ok(answer) => {
                let answer = Arc::new(answer);
                if let Some(state) = state {
                    self.answers.insert(state, question, Arc::clone(&answer));
                }
                Ok(answer)
            }
            // What is broken off fails in many ways.
            Err(_) if stop.load(Relaxed) => Err(Failure::Unwanted),
            Err(failure) => {
                if let Failure::Damaged(what) | Failure::Internal(what) = &failure {
                    self.log(what);
                }
                Err(failure)
            }
        }
    }

    /// A list of games in their order: one that is kept of this state of the archive, or what `list` finds.
    pub(super) fn list(
        &self,
        asked: &Asked<'_>,
        question: &str,
        list: impl FnOnce() -> Result<Vec<GameId>, Failure>,
    ) -> Result<Arc<Vec<GameId>>, Failure> {
        if let Some(kept) = asked.state.and_then(|state| self.lists.get(state, question)) {
            return Ok(kept);
        }
        let list = Arc::new(list()?);
        if let Some(state) = asked.state {
            self.lists.insert(state, question.to_owned(), Arc::clone(&list));
        }
        Ok(list)
    }

    /// The number of games. To count them takes a look at each, so it is done once for each state of the archive.
    pub(super) fn count(&self, asked: &Asked<'_>) -> Result<u64, Failure> {
        let counted = || self.counted.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, games)) = counted().filter(|(state, _)| Some(*state) == asked.state) {
            return Ok(games);
        }
        let games = asked.archive.count()?;
        *counted() = asked.state.map(|state| (state, games));
        Ok(games)
    }

    /// The right to export games, if there is one left.
    pub(super) fn export(&self) -> Result<OwnedSemaphorePermit, Failure> {
        Arc::clone(&self.exports).try_acquire_owned().map_err(|_| Failure::Busy)
    }

    /// What tells the one who runs the server, in lines.
    pub(super) fn logger(&self) -> fn(&str) {
        self.log
    }

    /// Tells the one who runs the server.
    pub(super) fn log(&self, line: &str) {
        (self.log)(line);
    }
}
