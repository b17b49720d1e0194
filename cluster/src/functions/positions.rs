//! `positions(moves)`: all positions of a game, as a list for `unnest`.

use std::sync::{Arc, LazyLock};

use datafusion::{
    arrow::{
        array::{Int64Builder, ListBuilder, StringViewBuilder, StructBuilder},
        datatypes::{DataType, Field, Fields},
    },
    common::{Result, internal_err, plan_err},
    logical_expr::{ColumnarValue, ScalarFunctionArgs, ScalarUDFImpl, Signature, Volatility},
};
use plybook::functions::{GamePosition, GamePositions};

use super::{
    columns::{Column, coerced, values},
    scalar::failed,
};

static FIELDS: LazyLock<Fields> = LazyLock::new(|| {
    [
        ("ply", DataType::Int64),
        ("san", DataType::Utf8View),
        ("uci", DataType::Utf8View),
        ("fen", DataType::Utf8View),
        ("key", DataType::Int64),
    ]
    .into_iter()
    .map(|(name, data_type)| Field::new(name, data_type, true))
    .collect()
});

/// The function.
#[derive(Debug, PartialEq, Eq, Hash)]
pub struct Positions {
    signature: Signature,
}

impl Positions {
    pub fn new() -> Positions {
        Positions { signature: Signature::user_defined(Volatility::Immutable) }
    }
}

impl ScalarUDFImpl for Positions {
    fn name(&self) -> &str {
        "positions"
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn coerce_types(&self, types: &[DataType]) -> Result<Vec<DataType>> {
        if !(1..=3).contains(&types.len()) {
            return plan_err!("wrong number of arguments; use positions(moves, start, variant)");
        }
        coerced("positions", types)
    }

    fn return_type(&self, _: &[DataType]) -> Result<DataType> {
        Ok(DataType::new_list(DataType::Struct(FIELDS.clone()), true))
    }

    fn invoke_with_args(&self, given: ScalarFunctionArgs) -> Result<ColumnarValue> {
        let columns = given.args.iter().map(Column::new).collect::<Result<Vec<_>>>()?;
        let mut games = ListBuilder::new(StructBuilder::from_fields(FIELDS.clone(), 0));
        for row in 0..given.number_rows {
            for position in GamePositions::new(&values(&columns, row)).map_err(failed)? {
                append(games.values(), &position.map_err(failed)?)?;
            }
            games.append(true);
        }
        Ok(ColumnarValue::Array(Arc::new(games.finish())))
    }
}

fn append(rows: &mut StructBuilder, position: &GamePosition) -> Result<()> {
    let ply = i64::try_from(position.ply).ok();
    for (place, number) in [(0, ply), (4, Some(position.key))] {
        let Some(numbers) = rows.field_builder::<Int64Builder>(place) else {
            return internal_err!("column {place} of positions does not contain integers");
        };
        numbers.append_option(number);
    }
    for (place, text) in [(1, position.san.as_ref()), (2, position.uci.as_ref()), (3, Some(&position.fen))] {
        let Some(texts) = rows.field_builder::<StringViewBuilder>(place) else {
            return internal_err!("column {place} of positions does not contain text");
        };
        texts.append_option(text);
    }
    rows.append(true);
    Ok(())
}
