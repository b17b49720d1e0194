//! State shared by all requests: the archive, running queries and cached answers. The handlers of pages and of the API
//! use it.

use std::{
    collections::{BTreeMap, HashMap},
    hash::{BuildHasher, RandomState},
    ops::ControlFlow,
    path::PathBuf,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU64, Ordering::Relaxed},
    },
    time::{Duration, Instant},
};

use axum::{
    http::HeaderMap,
    response::{IntoResponse, Response},
};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::{
    Result,
    answers::{Answers, ENTRY},
    packing::takes_gzip,
    pairs::PairSearch,
    query_pool::QueryPool,
    reply::{Answer, Failure, TEXT, has_answer, tag, unchanged},
};
use crate::{
    archive::{
        Archive, ArchiveError, ArchivePaths, BusyTimeout, CountedName, Editor, Filter, GameEvent, NameKind,
    },
    conditions::FilterText,
    limits::{ANSWER_TIME, ANSWERS_MEMORY, LISTS_MEMORY, MAX_EXPORTS},
    present::typed::Counted,
    query::{
        Context, EventGames, Explorer, NamedGame, Occasion, OpeningCount, PositionIndex, all_names,
        each_game, event_games, event_names, occasions, opening_counts,
    },
    record::GameId,
};

/// The most games without an index that are replayed for a page.
const FEW_GAMES: u64 = 50_000;

/// The most games whose names are counted for the search field.
const MOST_COUNTED: u64 = 1_000_000;

/// The most players, and the most events, that a list has.
const MOST_NAMES: usize = 50_000;

/// State shared by all requests.
#[derive(Debug)]
pub struct AppState {
    /// The archive. Used from threads that may block, never from a handler itself.
    pub explorer: Explorer,
    /// The file name of the archive, without its directory.
    pub(super) name: String,
    /// The archive, if it can be edited.
    pub(super) edits: Option<PathBuf>,
    /// The number of questions that were answered without the cache.
    pub(super) uncached: AtomicU64,
    answers: Answers<Answer>,
    /// Lists of games in order.
    pub(super) lists: Answers<Vec<GameId>>,
    counted: Answers<u64>,
    /// The names of players and of events, see [`RequestContext::names`].
    players: Answers<Vec<CountedName>>,
    events: Answers<Vec<CountedName>>,
    event_games: Answers<EventGames>,
    occasions: Answers<Vec<Occasion>>,
    years: Answers<BTreeMap<u16, u64>>,
    openings: Answers<Vec<OpeningCount>>,
    pub(super) pairs: PairSearch,
    /// Queries that may take long.
    pub(super) long: Arc<QueryPool>,
    /// Queries that are answered however busy the server is.
    pub(super) quick: Arc<QueryPool>,
    exports: Arc<Semaphore>,
    /// Makes the tags of this server different from those of another one: no two have the same keys.
    pub(super) tags: RandomState,
    /// Logs a line for the operator of the server.
    pub(super) log: fn(&str),
}

/// A query in progress: the archive and its index, from the same snapshot.
#[derive(Debug)]
pub(super) struct RequestContext<'a> {
    pub(super) app: &'a AppState,
    /// The archive.
    pub(super) archive: &'a Archive,
    /// Its index of positions, which may be empty.
    pub(super) index: &'a PositionIndex,
    /// Both for queries, which end when nobody waits for the answer any more.
    pub(super) query: Context<'a>,
    /// What [`Explorer::state_of_now`] returned before the query.
    pub(super) state: Option<u64>,
    /// Set when nobody waits for the answer any more.
    pub(super) stop: &'a AtomicBool,
}

impl RequestContext<'_> {
    /// For scans: whether to continue.
    pub(super) fn watch(&self) -> ControlFlow<()> {
        RequestContext::go_on(self.stop)
    }

    /// The same until a time.
    pub(super) fn watch_until(&self, end: Instant) -> ControlFlow<()> {
        if Instant::now() < end { self.watch() } else { ControlFlow::Break(()) }
    }

    /// Whether to continue, until a flag is set.
    pub(super) fn go_on(stop: &AtomicBool) -> ControlFlow<()> {
        if stop.load(Relaxed) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    /// The filter that a text specifies.
    pub(super) fn filter(&self, text: &FilterText) -> Result<Filter> {
        Ok(text.filter(self.query)?)
    }

    /// The number of games. Counting reads each of them, so it is done once per state of the archive.
    pub(super) fn count(&self) -> Result<u64> {
        Ok(*self.app.counted.get_or_wait(self.state, || Ok(self.archive.count()?))?)
    }

    /// Whether all games can be replayed in about a second: there is an index, or there are few.
    pub(super) fn is_quick(&self) -> Result<bool> {
        Ok(self.index.if_any().is_some() || self.count()? <= FEW_GAMES)
    }

    /// The players or the events with the most games. It reads every game, as the following do.
    pub(super) fn names(&self, of: NameKind) -> Result<Arc<Vec<CountedName>>> {
        if of == NameKind::Player {
            return self.app.players.get_or_wait(self.state, || Ok(all_names(self.query, of, MOST_NAMES)?));
        }
        self.app
            .events
            .get_or_wait(self.state, || Ok(event_names(self.archive, of, &*self.event_games()?, MOST_NAMES)?))
    }

    /// The number of games of each event.
    fn event_games(&self) -> Result<Arc<EventGames>> {
        self.app.event_games.get_or_wait(self.state, || Ok(event_games(self.archive, &Filter::default())?))
    }

    /// The names with their games, for the search field; `None` if counting takes longer than people wait.
    pub(super) fn counted_names(&self) -> Result<Option<Counted>> {
        if !self.is_quick()? || self.count()? > MOST_COUNTED {
            return Ok(None);
        }
        let find = || Ok(occasions(self.archive, &*self.event_games()?)?);
        let occasions = self.app.occasions.get_or_wait(self.state, find)?;
        let (players, openings) = (self.names(NameKind::Player)?, self.openings()?);
        Ok(Some(Counted { players, occasions, openings }))
    }

    /// The number of games of each year.
    pub(super) fn years(&self) -> Result<Arc<BTreeMap<u16, u64>>> {
        self.app.years.get_or_wait(self.state, || {
            Ok(self.query.or_without_index(|query| {
                let mut years: HashMap<u16, u64> = HashMap::new();
                each_game(query, &Filter::default(), &mut |game: &NamedGame| {
                    game.facts.date.year().into_iter().for_each(|year| *years.entry(year).or_default() += 1);
                })?;
                Ok(years.into_iter().collect())
            })?)
        })
    }

    /// The games of each opening.
    pub(super) fn openings(&self) -> Result<Arc<Vec<OpeningCount>>> {
        self.app.openings.get_or_wait(self.state, || Ok(opening_counts(self.query, &Filter::default())?))
    }
}

impl AppState {
    /// Opens an archive, or several to be read as one, and answers `threads` queries at a time. `log` receives lines
    /// for the operator of the server; `report_damage` is called when the index is corrupt and queries run without it.
    ///
    /// # Errors
    /// As [`Explorer::open`].
    pub fn open(
        archive: impl Into<ArchivePaths>,
        threads: usize,
        log: fn(&str),
        report_damage: fn(&ArchiveError),
    ) -> Result<AppState, ArchiveError> {
        let archive = archive.into();
        let name = archive.name();
        let name = name.file_name().unwrap_or(name.as_os_str()).to_string_lossy().into_owned();
        Ok(AppState {
            explorer: Explorer::open_reporting(archive, report_damage)?,
            name,
            edits: None,
            uncached: AtomicU64::new(0),
            answers: Answers::new(ANSWERS_MEMORY, |question, answer| ENTRY + question.len() + answer.size()),
            lists: Answers::new(LISTS_MEMORY, |question, ids| {
                ENTRY + question.len() + size_of_val(ids.as_slice())
            }),
            counted: Answers::default(),
            players: Answers::default(),
            events: Answers::default(),
            event_games: Answers::new(LISTS_MEMORY, |_, games| games.len() * size_of::<(GameEvent, u64)>()),
            occasions: Answers::default(),
            years: Answers::default(),
            openings: Answers::default(),
            pairs: PairSearch::default(),
            long: Arc::new(QueryPool::new(threads, ANSWER_TIME)),
            quick: Arc::new(QueryPool::new(1, ANSWER_TIME)),
            exports: Arc::new(Semaphore::new(MAX_EXPORTS)),
            tags: RandomState::new(),
            log,
        })
    }

    /// The same, for a server with which the archive can also be edited.
    ///
    /// # Errors
    /// There are several archives, or the archive has an older version or cannot be written.
    pub fn with_editing(self) -> Result<AppState, ArchiveError> {
        let paths = self.explorer.paths()?;
        let [path] = paths.files() else {
            return Err(ArchiveError::Edit(
                "several archives cannot be edited as one; merge them first".into(),
            ));
        };
        if let Some(version) = self.explorer.ask(|context| Ok(context.archive.older_version()))? {
            return Err(ArchiveError::Older { path: path.clone(), version });
        }
        let _at_once = BusyTimeout { longest: Duration::ZERO, ..BusyTimeout::default() }.in_force();
        match Editor::open(path) {
            // Another program that is writing will have finished some time.
            Ok(_) | Err(ArchiveError::Busy(_) | ArchiveError::Held(_)) => {
                Ok(AppState { edits: Some(path.clone()), ..self })
            }
            Err(error) => Err(error),
        }
    }

    /// The response to a request from the archive as it is now, without the cache.
    pub(super) async fn respond_uncached(
        self: &Arc<Self>,
        work: &Arc<QueryPool>,
        question: String,
        answer: impl Fn(&RequestContext<'_>) -> Result<Answer> + Send + 'static,
    ) -> Response {
        let app = Arc::clone(self);
        let find =
            move |stop: &Arc<AtomicBool>| app.find(app.explorer.state_of_now(), stop, answer).map(Arc::new);
        let outcome = work.once(question, find).await;
        // Without a tag, no client takes an older answer for it.
        outcome.map(|answer| answer.respond(&HeaderMap::new(), None, false)).into_response()
    }

    /// The response to a request: a cached answer, or that of `answer`, which is called in its own thread and only once
    /// for all equal requests in the meantime. The answer must depend only on the question and the archive. `work` is
    /// [`long`](AppState::long), or [`quick`](AppState::quick) for what takes little time.
    pub(super) async fn respond(
        self: &Arc<Self>,
        work: &Arc<QueryPool>,
        question: &str,
        headers: &HeaderMap,
        answer: impl Fn(&RequestContext<'_>) -> Result<Answer> + Send + 'static,
    ) -> Response {
        let state = self.explorer.state_of_now();
        // Pages with which the archive can be edited hold a secret, which compression could reveal.
        let packs = self.edits.is_none() && takes_gzip(headers);
        let tag = state.map(|state| tag(self.tags.hash_one((state, question, packs))));
        if let Some(tag) = tag.as_ref().filter(|tag| has_answer(headers, tag)) {
            return unchanged(tag.clone());
        }
        if let Some(kept) = state.and_then(|state| self.answers.get(state, question)) {
            return kept.respond(headers, tag, packs);
        }
        let (app, of) = (Arc::clone(self), question.to_owned());
        // An answer being computed from an earlier state of the archive must not be used for this request.
        let key = format!("{state:?} {question}");
        let find =
            move |stop: &Arc<AtomicBool>| app.answers.get_or(state, &of, || app.find(state, stop, answer));
        let outcome = work.once(key, find).await;
        outcome.map(|answer| answer.respond(headers, tag, packs)).into_response()
    }

    /// Queries the archive, and again without the index if that turns out to be corrupt.
    fn find(
        &self,
        state: Option<u64>,
        stop: &Arc<AtomicBool>,
        answer: impl Fn(&RequestContext<'_>) -> Result<Answer>,
    ) -> Result<Answer> {
        if stop.load(Relaxed) {
            return Err(Failure::Unwanted);
        }
        let none = PositionIndex::default();
        let outcome = self.explorer.ask_until(stop, |context| {
            let (archive, index) = (context.archive, context.index().unwrap_or(&none));
            let watch = |_| RequestContext::go_on(stop);
            let query = context.with_index(index.if_any()).watched_by(&watch);
            match answer(&RequestContext { app: self, archive, index, query, state, stop }) {
                Err(Failure::DamagedIndex(path)) => Err(ArchiveError::DamagedIndex(path)),
                answer => Ok(answer),
            }
        });
        match outcome.map_err(Failure::from).flatten() {
            // A cancelled query can fail in many ways.
            Err(_) if stop.load(Relaxed) => Err(Failure::Unwanted),
            Err(failure) => {
                self.log_failure(&failure);
                Err(failure)
            }
            found => found,
        }
    }

    /// Counts the names for the search field before anybody types: the first suggestion would wait for that.
    pub(super) async fn count_names(self: &Arc<Self>) {
        let count = |context: &RequestContext<'_>| {
            context.counted_names()?;
            Ok(Answer::new(TEXT, Vec::new()))
        };
        self.respond_uncached(&self.long, "names".to_owned(), count).await;
    }

    /// A permit to export games, if one is left.
    pub(super) fn export(&self) -> Result<OwnedSemaphorePermit> {
        Arc::clone(&self.exports).try_acquire_owned().map_err(|_| Failure::Busy)
    }

    /// Logs a failure whose reason clients do not see.
    pub(super) fn log_failure(&self, failure: &Failure) {
        if let Failure::Damaged(what) | Failure::Internal(what) = failure {
            (self.log)(what);
        }
    }
}

#[cfg(test)]
mod tests {
    use tokio::runtime::Runtime;

    use super::*;
    use crate::import::{Options, import_paths};

    #[test]
    fn names_are_counted_before_anybody_types() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.db");
        import_paths(&path, &["data/famous.pgn".into()], &Options::default()).unwrap();
        let app = Arc::new(AppState::open(&path, 1, |_| (), |_| ()).unwrap());
        Runtime::new().unwrap().block_on(app.count_names());
        let state = app.explorer.state_of_now().unwrap();
        assert!(app.occasions.get(state, "").is_some_and(|counted| counted.len() > 5));
        assert!(app.players.get(state, "").is_some_and(|counted| counted.len() > 5));
        assert!(app.openings.get(state, "").is_some_and(|counted| counted.len() > 5));
    }
}
