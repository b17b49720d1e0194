//! One row per position of each chess game, the start position first.

use std::{ops::ControlFlow::Continue, sync::Arc};

use arrow_array::{
    ArrayRef, DictionaryArray, Int32Array, Int64Array, RecordBatch, StringArray, builder::StringBuilder,
    types::Int8Type,
};
use arrow_schema::{ArrowError, DataType, Field, Schema, SchemaRef};
use plybook::{
    archive::Archive,
    chess::{Keyed, Move, RunningKey, VariantPosition, whole_key},
    record::{GameError, GameMetadata, StoredMoves, fen},
    rules::{Outcome, Rules},
};
use rayon::prelude::*;

use super::{Batch, BatchMaker, failed};

/// The columns of positions.
pub struct PositionColumns {
    schema: SchemaRef,
    fen: bool,
}

/// The positions of a game.
#[derive(Default)]
struct Replayed {
    keys: Vec<i64>,
    /// Whether Black is to move.
    black: Vec<bool>,
    fens: Vec<String>,
}

impl PositionColumns {
    pub fn new(fen: bool) -> PositionColumns {
        use DataType::{Int8, Int32, Int64, Utf8};
        let named = || DataType::Dictionary(Box::new(Int8), Box::new(Utf8));
        let mut columns =
            vec![("game", Int64), ("ply", Int32), ("side", named()), ("key", Int64), ("result", named())];
        columns.extend(fen.then_some(("fen", Utf8)));
        let fields: Vec<Field> = columns.into_iter().map(|(name, of)| Field::new(name, of, false)).collect();
        PositionColumns { schema: Arc::new(Schema::new(fields)), fen }
    }

    fn replayed(&self, game: &StoredMoves) -> Result<Replayed, GameError> {
        match game.start()? {
            VariantPosition::Chess(start) => self.replayed_from(game, start),
            start => self.replayed_from(game, start),
        }
    }

    fn replayed_from<P: Rules<Move = Move> + Keyed>(
        &self,
        game: &StoredMoves,
        start: P,
    ) -> Result<Replayed, GameError> {
        let (mut key, mut replayed) = (RunningKey::of(&start), Replayed::default());
        let ended = game.replay(start)?.run(|position, m| {
            if let Some(m) = m {
                key.advance(m, position);
            }
            let whole = whole_key(key.get(), position.castles().castling_rights());
            replayed.keys.push(whole.cast_signed());
            replayed.black.push(Rules::turn(position).is_black());
            if self.fen {
                replayed.fens.push(fen(position));
            }
            Continue(())
        });
        ended.map_err(|error| GameError::Moves(game.id, error))?;
        Ok(replayed)
    }
}

impl BatchMaker for PositionColumns {
    const GAMES: usize = 1 << 11;

    fn schema(&self) -> SchemaRef {
        Arc::clone(&self.schema)
    }

    fn batch(&self, archive: &Archive, games: &Batch<'_>) -> Result<RecordBatch, ArrowError> {
        let read: Result<Vec<(StoredMoves, GameMetadata)>, _> =
            archive.list::<(StoredMoves, GameMetadata)>(&games.filter).collect();
        let mut read = read.map_err(failed)?;
        games.in_order(&mut read, |(game, _)| game.id);
        let replayed: Result<Vec<Replayed>, _> =
            read.par_iter().map(|(game, _)| self.replayed(game)).collect();
        let replayed = replayed.map_err(failed)?;
        let each = || read.iter().zip(&replayed);
        let of_game = |(game, replayed): (&(StoredMoves, GameMetadata), &Replayed)| {
            std::iter::repeat_n(game.0.id, replayed.keys.len())
        };
        let results = each().flat_map(|((_, facts), replayed)| {
            std::iter::repeat_n(place_of(facts.result), replayed.keys.len())
        });
        let mut columns: Vec<ArrayRef> = vec![
            Arc::new(Int64Array::from_iter_values(each().flat_map(of_game))),
            Arc::new(Int32Array::from_iter_values(
                replayed.iter().flat_map(|replayed| (0..).take(replayed.keys.len())),
            )),
            named(
                replayed.iter().flat_map(|replayed| replayed.black.iter().map(|black| (*black).into())),
                &SIDES,
            )?,
            Arc::new(Int64Array::from_iter_values(
                replayed.iter().flat_map(|replayed| replayed.keys.iter().copied()),
            )),
            named(results, &RESULTS)?,
        ];
        if self.fen {
            let mut fens = StringBuilder::new();
            replayed.iter().flat_map(|replayed| &replayed.fens).for_each(|fen| fens.append_value(fen));
            columns.push(Arc::new(fens.finish()));
        }
        RecordBatch::try_new(Arc::clone(&self.schema), columns)
    }
}

const SIDES: [&str; 2] = ["white", "black"];

const RESULTS: [&str; 4] = ["1-0", "1/2-1/2", "0-1", "*"];

/// The index of a result in [`RESULTS`].
fn place_of(result: Outcome) -> i8 {
    (0..).zip(RESULTS).find(|(_, name)| *name == result.as_str()).map_or(3, |(place, _)| place)
}

/// A dictionary column, from the indices of its texts.
fn named(places: impl Iterator<Item = i8>, texts: &[&str]) -> Result<ArrayRef, ArrowError> {
    let texts = Arc::new(StringArray::from_iter_values(texts));
    let places = arrow_array::Int8Array::from_iter_values(places);
    Ok(Arc::new(DictionaryArray::<Int8Type>::try_new(places, texts)?))
}
