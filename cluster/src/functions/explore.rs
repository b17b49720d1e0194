//! `explore(moves, fen)`: which moves were played in a position and how those games ended, as a list for `unnest`. It
//! is the table of the explorer: a game counts under the move it played the last time it had the position, the most
//! frequent moves come first, and games that ended in the position come last, with a null move.

use std::{
    cmp::Reverse,
    collections::HashMap,
    sync::{Arc, LazyLock},
};

use datafusion::{
    arrow::{
        array::{Array, ArrayRef, AsArray, Int64Array, ListArray, StringArray, StructArray},
        buffer::OffsetBuffer,
        datatypes::{DataType, Field, FieldRef, Fields, Int64Type},
    },
    common::{DataFusionError, Result, ScalarValue, internal_err, plan_err},
    logical_expr::{
        Accumulator, AggregateUDFImpl, Signature, Volatility,
        function::{AccumulatorArgs, StateFieldsArgs},
    },
};
use plybook::{
    functions::Continuation,
    rules::{Color, KnownOutcome, Outcome},
};

use super::{
    columns::{Column, coerced, values},
    scalar::failed,
};

/// How games ended: White won, draw, Black won, other.
const ENDS: [&str; 4] = ["white", "draws", "black", "other"];

static FIELDS: LazyLock<Fields> = LazyLock::new(|| {
    let texts = ["uci", "san"].map(|name| Field::new(name, DataType::Utf8, true));
    let numbers = ["games"].into_iter().chain(ENDS).map(|name| Field::new(name, DataType::Int64, true));
    texts.into_iter().chain(numbers).collect()
});

fn list_type() -> DataType {
    DataType::new_list(DataType::Struct(FIELDS.clone()), true)
}

/// The aggregate function.
#[derive(Debug, PartialEq, Eq, Hash)]
pub struct Explore {
    signature: Signature,
}

impl Explore {
    pub fn new() -> Explore {
        Explore { signature: Signature::user_defined(Volatility::Immutable) }
    }
}

impl AggregateUDFImpl for Explore {
    fn name(&self) -> &str {
        "explore"
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn coerce_types(&self, types: &[DataType]) -> Result<Vec<DataType>> {
        if !(2..=4).contains(&types.len()) {
            return plan_err!("wrong number of arguments; use explore(moves, fen, start, variant)");
        }
        coerced("explore", types)
    }

    fn return_type(&self, _: &[DataType]) -> Result<DataType> {
        Ok(list_type())
    }

    fn accumulator(&self, _: AccumulatorArgs) -> Result<Box<dyn Accumulator>> {
        Ok(Box::new(Tally::default()))
    }

    fn state_fields(&self, given: StateFieldsArgs) -> Result<Vec<FieldRef>> {
        Ok(vec![Arc::new(Field::new(format!("{}[table]", given.name), list_type(), true))])
    }
}

/// A move in SAN and UCI notation; `None` if the game ended.
type Played = Option<(String, String)>;

/// Number of games per move, split by [result](ENDS).
#[derive(Debug, Default)]
pub(super) struct Tally(HashMap<Played, [i64; 4]>);

impl Tally {
    fn add(&mut self, played: Played, games: [i64; 4]) {
        let sums = self.0.entry(played).or_default();
        for (sum, games) in sums.iter_mut().zip(games) {
            *sum += games;
        }
    }

    /// The table, as a list in one row.
    fn table(&self) -> Result<ScalarValue> {
        let mut rows: Vec<_> = self.0.iter().collect();
        let total = |games: &[i64; 4]| games.iter().sum::<i64>();
        rows.sort_by_key(|(played, games)| (played.is_none(), Reverse(total(games)), (*played).clone()));
        let text = |of: fn(&(String, String)) -> &String| -> ArrayRef {
            Arc::new(StringArray::from_iter(rows.iter().map(|(played, _)| played.as_ref().map(of))))
        };
        let number = |of: &dyn Fn(&[i64; 4]) -> i64| -> ArrayRef {
            Arc::new(Int64Array::from_iter_values(rows.iter().map(|(_, games)| of(games))))
        };
        let ends =
            (0..ENDS.len()).map(|place| number(&|games| games.get(place).copied().unwrap_or_default()));
        let columns = [text(|played| &played.0), text(|played| &played.1), number(&total)];
        let columns = columns.into_iter().chain(ends).collect();
        let table = StructArray::try_new(FIELDS.clone(), columns, None)?;
        let item = Arc::new(Field::new_list_field(DataType::Struct(FIELDS.clone()), true));
        let offsets = OffsetBuffer::from_lengths([table.len()]);
        Ok(ScalarValue::List(Arc::new(ListArray::try_new(item, offsets, Arc::new(table), None)?)))
    }

    /// Adds the rows of a table counted on another machine.
    fn add_table(&mut self, table: &StructArray) -> Result<()> {
        let numbers =
            |name: &str| table.column_by_name(name).and_then(|column| column.as_primitive_opt::<Int64Type>());
        let texts = |name: &str| table.column_by_name(name).and_then(|column| column.as_string_opt::<i32>());
        let [Some(white), Some(draws), Some(black), Some(other)] = ENDS.map(numbers) else {
            return lacking();
        };
        let (Some(uci), Some(san)) = (texts("uci"), texts("san")) else { return lacking() };
        for row in 0..table.len() {
            let played = uci.is_valid(row).then(|| (uci.value(row).to_owned(), san.value(row).to_owned()));
            self.add(played, [white, draws, black, other].map(|numbers| numbers.value(row)));
        }
        Ok(())
    }
}

fn lacking<T>() -> Result<T> {
    internal_err!("a table of explore has missing columns")
}

impl Accumulator for Tally {
    fn update_batch(&mut self, arguments: &[ArrayRef]) -> Result<()> {
        let columns = arguments.iter().map(Column::of_rows).collect::<Result<Vec<_>>>()?;
        for row in 0..arguments.first().map_or(0, |first| first.len()) {
            if let Some(game) = Continuation::new(&values(&columns, row)).map_err(failed)? {
                self.add(game.uci.zip(game.san), end(game.outcome));
            }
        }
        Ok(())
    }

    fn merge_batch(&mut self, states: &[ArrayRef]) -> Result<()> {
        let Some(tables) = states.first().and_then(|tables| tables.as_list_opt::<i32>()) else {
            return lacking();
        };
        for table in tables.iter().flatten() {
            let table =
                table.as_struct_opt().ok_or_else(|| DataFusionError::Internal("no table".to_owned()))?;
            self.add_table(table)?;
        }
        Ok(())
    }

    fn state(&mut self) -> Result<Vec<ScalarValue>> {
        Ok(vec![self.table()?])
    }

    fn evaluate(&mut self) -> Result<ScalarValue> {
        self.table()
    }

    fn size(&self) -> usize {
        size_of_val(self) + self.0.capacity() * size_of::<(Played, [i64; 4])>()
    }
}

/// The counts of a single game.
fn end(outcome: Outcome) -> [i64; 4] {
    match outcome {
        Outcome::Known(KnownOutcome::Decisive { winner: Color::White }) => [1, 0, 0, 0],
        Outcome::Known(KnownOutcome::Draw) => [0, 1, 0, 0],
        Outcome::Known(KnownOutcome::Decisive { winner: Color::Black }) => [0, 0, 1, 0],
        Outcome::Unknown => [0, 0, 0, 1],
    }
}
