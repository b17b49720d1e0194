//! A sequence of games: the ids are known, the games are read when they are accessed.

use std::{
    collections::{HashMap, VecDeque},
    sync::{Arc, Mutex, PoisonError},
};

use plybook::{
    archive::{Archive, ArchiveError, Filter},
    present::PresentError,
    record::{GameId, StoredGame},
};
use pyo3::{exceptions::PyIndexError, prelude::*, types::PySlice};

use crate::{error::exception, game::Game, shared::Shared};

/// Games read per batch: few at first, so that the first one arrives soon.
const FIRST: usize = 16;
const MOST: usize = 512;

/// A sequence of games. Each game is read when it is accessed.
#[pyclass(frozen, sequence, module = "plybook")]
#[derive(Debug)]
pub struct Games {
    archive: Shared,
    ids: Arc<[GameId]>,
}

impl Games {
    /// The games with these ids.
    pub fn new(archive: &Shared, ids: Vec<GameId>) -> Games {
        Games { archive: archive.clone(), ids: ids.into() }
    }

    /// Returns an iterator over them.
    pub fn iterator(&self) -> GameIterator {
        let place = GameIndex { next: 0, most: FIRST, ready: VecDeque::new() };
        GameIterator { archive: self.archive.clone(), ids: Arc::clone(&self.ids), place: Mutex::new(place) }
    }
}

/// An index, or a slice.
#[derive(FromPyObject)]
enum GameSelector<'py> {
    One(isize),
    Several(Bound<'py, PySlice>),
}

#[pymethods]
impl Games {
    /// The ids, in the order of the games.
    #[getter]
    fn ids(&self) -> Vec<GameId> {
        self.ids.to_vec()
    }

    fn __len__(&self) -> usize {
        self.ids.len()
    }

    fn __iter__(&self) -> GameIterator {
        self.iterator()
    }

    fn __getitem__<'py>(&self, py: Python<'py>, wanted: GameSelector<'py>) -> PyResult<Bound<'py, PyAny>> {
        match wanted {
            GameSelector::One(place) => {
                let counted =
                    if place < 0 { place.checked_add_unsigned(self.ids.len()) } else { Some(place) };
                let id = counted.and_then(|place| self.ids.get(usize::try_from(place).ok()?));
                let id = *id.ok_or_else(|| PyIndexError::new_err("game index out of range"))?;
                let game = self.archive.ask(py, |archive, _| Ok(archive.checked_game(id)?))?;
                Ok(Bound::new(py, Game::from(game))?.into_any())
            }
            GameSelector::Several(slice) => {
                let places = slice.indices(self.ids.len().try_into()?)?;
                let (mut ids, mut place) = (Vec::with_capacity(places.slicelength), places.start);
                for _ in 0..places.slicelength {
                    ids.extend(usize::try_from(place).ok().and_then(|place| self.ids.get(place)));
                    place += places.step;
                }
                Ok(Bound::new(py, Games::new(&self.archive, ids))?.into_any())
            }
        }
    }

    fn __repr__(&self) -> String {
        format!("<plybook.Games: {}>", self.ids.len())
    }
}

/// Iterates over games.
#[pyclass(frozen, module = "plybook")]
#[derive(Debug)]
pub struct GameIterator {
    archive: Shared,
    ids: Arc<[GameId]>,
    place: Mutex<GameIndex>,
}

#[derive(Debug)]
struct GameIndex {
    /// The index of the first game that has not been read.
    next: usize,
    /// The size of the next batch.
    most: usize,
    ready: VecDeque<Result<StoredGame, ArchiveError>>,
}

#[pymethods]
impl GameIterator {
    fn __iter__(this: PyRef<'_, Self>) -> PyRef<'_, Self> {
        this
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<Game>> {
        loop {
            // No Python code runs while the state is locked.
            let ids = {
                let mut place = self.place.lock().unwrap_or_else(PoisonError::into_inner);
                if let Some(game) = place.ready.pop_front() {
                    return game.map(|game| Some(game.into())).map_err(exception);
                }
                let rest = self.ids.get(place.next..).unwrap_or_default();
                let ids = rest.get(..place.most).unwrap_or(rest);
                if ids.is_empty() {
                    return Ok(None);
                }
                place.next += ids.len();
                place.most = MOST.min(4 * place.most);
                ids
            };
            py.check_signals()?;
            let games = self.archive.ask(py, |archive, _| read(archive, ids))?;
            let mut place = self.place.lock().unwrap_or_else(PoisonError::into_inner);
            place.ready.extend(games);
        }
    }
}

/// Reads games in the given order of ids. A damaged one is an error in its place; one that no longer exists is skipped.
fn read(archive: &Archive, ids: &[GameId]) -> Result<Vec<Result<StoredGame, ArchiveError>>, PresentError> {
    let these = Filter { among: Some(ids.iter().copied().collect()), ..Filter::default() };
    let mut found = HashMap::with_capacity(ids.len());
    for game in archive.games(&these) {
        match game {
            Ok(game) => found.insert(game.id, Ok(game)),
            Err(ArchiveError::Damaged { id, what }) => {
                found.insert(id, Err(ArchiveError::Damaged { id, what }))
            }
            Err(error) => return Err(error.into()),
        };
    }
    Ok(ids.iter().filter_map(|id| found.remove(id)).collect())
}
