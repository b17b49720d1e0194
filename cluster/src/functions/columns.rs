//! The arguments of a function: columns of one of five types, read row by row.

use datafusion::{
    arrow::{
        array::{Array, ArrayRef, AsArray, BinaryViewArray, Float64Array, Int64Array, StringViewArray},
        datatypes::{DataType, Float64Type, Int64Type},
    },
    common::{Result, exec_err, plan_err},
    logical_expr::ColumnarValue,
};
use plybook::functions::Value;

/// An argument: one value per row, or one value for all rows.
#[derive(Debug)]
pub struct Column {
    values: Values,
    is_one: bool,
}

#[derive(Debug)]
enum Values {
    Null,
    Integers(Int64Array),
    Reals(Float64Array),
    Texts(StringViewArray),
    Blobs(BinaryViewArray),
}

impl Column {
    /// The column of an argument, whose type must be one that [`coerced`] returns.
    pub fn new(argument: &ColumnarValue) -> Result<Column> {
        Ok(match argument {
            ColumnarValue::Array(array) => Column { values: Values::new(array)?, is_one: false },
            ColumnarValue::Scalar(value) => Column { values: Values::new(&value.to_array()?)?, is_one: true },
        })
    }

    /// The column of an array.
    pub fn of_rows(array: &ArrayRef) -> Result<Column> {
        Ok(Column { values: Values::new(array)?, is_one: false })
    }

    /// The value in a row.
    pub fn value(&self, row: usize) -> Value<'_> {
        let row = if self.is_one { 0 } else { row };
        match &self.values {
            Values::Integers(numbers) if numbers.is_valid(row) => Value::Integer(numbers.value(row)),
            Values::Reals(numbers) if numbers.is_valid(row) => Value::Real(numbers.value(row)),
            Values::Texts(texts) if texts.is_valid(row) => Value::Text(texts.value(row)),
            Values::Blobs(blobs) if blobs.is_valid(row) => Value::Blob(blobs.value(row)),
            _ => Value::Null,
        }
    }
}

impl Values {
    fn new(array: &ArrayRef) -> Result<Values> {
        Ok(match array.data_type() {
            DataType::Null => Values::Null,
            DataType::Int64 => Values::Integers(array.as_primitive::<Int64Type>().clone()),
            DataType::Float64 => Values::Reals(array.as_primitive::<Float64Type>().clone()),
            DataType::Utf8View => Values::Texts(array.as_string_view().clone()),
            DataType::BinaryView => Values::Blobs(array.as_binary_view().clone()),
            other => return exec_err!("the functions do not take a column of type {other}"),
        })
    }
}

/// The types to which arguments are cast before a function is called.
pub fn coerced(name: &str, types: &[DataType]) -> Result<Vec<DataType>> {
    types.iter().map(|data_type| one_coerced(name, data_type)).collect()
}

fn one_coerced(name: &str, data_type: &DataType) -> Result<DataType> {
    Ok(match data_type {
        DataType::Null => DataType::Null,
        number if number.is_integer() => DataType::Int64,
        number if number.is_numeric() => DataType::Float64,
        DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View => DataType::Utf8View,
        DataType::Binary | DataType::LargeBinary | DataType::BinaryView | DataType::FixedSizeBinary(_) => {
            DataType::BinaryView
        }
        DataType::Dictionary(_, values) => return one_coerced(name, values),
        other => return plan_err!("{name} takes integers, text and blobs, not {other}"),
    })
}

/// The values in a row.
pub fn values(columns: &[Column], row: usize) -> Vec<Value<'_>> {
    columns.iter().map(|column| column.value(row)).collect()
}
