//! One row per game.

use std::{collections::HashMap, sync::Arc};

use arrow_array::{ArrayRef, Float32Array, Int16Array, Int32Array, Int64Array, RecordBatch, StringArray};
use arrow_schema::{ArrowError, DataType, Field, Schema, SchemaRef};
use plybook::{
    archive::{Archive, ArchiveError, Filter, Summary},
    openings::{Opening, OpeningId, Openings},
    query::KnownOpenings,
    record::{GameId, GameKind, StoredMoves, opening_of},
};
use rayon::prelude::*;

use super::{Batch, BatchMaker, failed};
use crate::index::open_index;

/// The columns of games.
pub struct GameColumns {
    schema: SchemaRef,
    /// The openings of indexed games.
    known: KnownOpenings,
}

impl GameColumns {
    pub fn new(archive: &Archive) -> Result<GameColumns, ArchiveError> {
        let _snapshot = archive.snapshot()?;
        let index = open_index(archive)?;
        let known = index.map_or(Ok(KnownOpenings::default()), |index| index.known_openings(archive))?;
        Ok(GameColumns { schema: schema(), known })
    }

    /// The openings of some games: those missing in the index are found by a replay, on all cores.
    fn openings(
        &self,
        archive: &Archive,
        games: &[Summary],
    ) -> Result<HashMap<GameId, &'static Opening>, ArchiveError> {
        let unknown = games.iter().map(|game| game.id).filter(|id| self.known.of(*id).is_none());
        let unknown = Filter { among: Some(unknown.collect()), ..Filter::default() };
        let unknown: Vec<StoredMoves> = archive.moves(&unknown).collect::<Result<_, _>>()?;
        // A damaged game has no opening; reading its moves reports why.
        let found = unknown.into_par_iter().filter_map(|game| Some((game.id, opening_of(&game).ok()??)));
        let mut openings: Vec<(GameId, OpeningId)> = found.collect();
        openings.extend(games.iter().filter_map(|game| Some((game.id, self.known.of(game.id)??))));
        let named = |(id, opening)| Some((id, Openings::standard().get(opening)?));
        Ok(openings.into_iter().filter_map(named).collect())
    }
}

impl BatchMaker for GameColumns {
    const GAMES: usize = 1 << 15;

    fn schema(&self) -> SchemaRef {
        Arc::clone(&self.schema)
    }

    fn batch(&self, archive: &Archive, games: &Batch<'_>) -> Result<RecordBatch, ArrowError> {
        let read: Result<Vec<Summary>, _> = archive.list::<Summary>(&games.filter).collect();
        let mut read = read.map_err(failed)?;
        games.in_order(&mut read, |game| game.id);
        let openings = self.openings(archive, &read).map_err(failed)?;
        let opening = |game: &Summary| openings.get(&game.id);
        let text = |of: fn(&Summary) -> Option<&str>| -> ArrayRef {
            Arc::new(read.iter().map(of).collect::<StringArray>())
        };
        let number = |of: fn(&Summary) -> Option<i64>| -> ArrayRef {
            let numbers = read.iter().map(|game| of(game).and_then(|number| i32::try_from(number).ok()));
            Arc::new(numbers.collect::<Int32Array>())
        };
        let columns: Vec<ArrayRef> = vec![
            Arc::new(read.iter().map(|game| game.id).collect::<Int64Array>()),
            text(|game| game.white.as_deref()),
            text(|game| game.black.as_deref()),
            number(|game| game.white_elo),
            number(|game| game.black_elo),
            text(|game| Some(game.result.as_str())),
            Arc::new(read.iter().map(score).collect::<Float32Array>()),
            Arc::new(read.iter().map(|game| game.date.map(|date| date.to_string())).collect::<StringArray>()),
            Arc::new(read.iter().map(year).collect::<Int16Array>()),
            text(|game| game.event.as_deref()),
            text(|game| game.site.as_deref()),
            text(|game| game.round.as_deref()),
            text(|game| game.eco.as_deref()),
            Arc::new(read.iter().map(|game| Some(opening(game)?.eco)).collect::<StringArray>()),
            Arc::new(read.iter().map(|game| Some(opening(game)?.name)).collect::<StringArray>()),
            number(|game| Some(game.plies)),
            text(|game| Some(GameKind::name_or_unknown(game.kind))),
        ];
        RecordBatch::try_new(Arc::clone(&self.schema), columns)
    }
}

fn schema() -> SchemaRef {
    use DataType::{Float32, Int16, Int32, Int64, Utf8};
    let columns = [
        ("id", Int64),
        ("white", Utf8),
        ("black", Utf8),
        ("white_elo", Int32),
        ("black_elo", Int32),
        ("result", Utf8),
        ("score", Float32),
        ("date", Utf8),
        ("year", Int16),
        ("event", Utf8),
        ("site", Utf8),
        ("round", Utf8),
        ("eco", Utf8),
        ("opening_eco", Utf8),
        ("opening", Utf8),
        ("plies", Int32),
        ("variant", Utf8),
    ];
    let field = |(name, of)| Field::new(name, of, true);
    Arc::new(Schema::new(columns.map(field).to_vec()))
}

/// White's points.
fn score(game: &Summary) -> Option<f32> {
    game.result.known().map(|known| known.winner().map_or(0.5, |winner| winner.fold_wb(1.0, 0.0)))
}

/// The year of the date.
fn year(game: &Summary) -> Option<i16> {
    game.date?.year()?.try_into().ok()
}
