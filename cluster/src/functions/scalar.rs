//! A SQL function of plybook as a scalar function of DataFusion.

use std::{
    hash::{Hash, Hasher},
    sync::Arc,
};

use datafusion::{
    arrow::{
        array::{ArrayRef, Float64Builder, Int64Builder, StringViewBuilder},
        datatypes::DataType,
    },
    common::{DataFusionError, Result, ScalarValue, plan_err},
    logical_expr::{ColumnarValue, ScalarFunctionArgs, ScalarUDFImpl, Signature, Volatility},
};
use plybook::functions::{Answer, Function, FunctionError, ReturnType};

use super::columns::{Column, coerced, values};

/// One of [`FUNCTIONS`](plybook::functions::FUNCTIONS).
#[derive(Debug)]
pub struct Scalar {
    function: &'static Function,
    signature: Signature,
}

impl Scalar {
    pub fn new(function: &'static Function) -> Scalar {
        Scalar { function, signature: Signature::user_defined(Volatility::Immutable) }
    }
}

impl PartialEq for Scalar {
    fn eq(&self, other: &Scalar) -> bool {
        self.function.name == other.function.name
    }
}

impl Eq for Scalar {}

impl Hash for Scalar {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.function.name.hash(state);
    }
}

impl ScalarUDFImpl for Scalar {
    fn name(&self) -> &str {
        self.function.name
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn coerce_types(&self, types: &[DataType]) -> Result<Vec<DataType>> {
        let (name, most) = (self.function.name, self.function.arguments.len());
        if !(most - self.function.optional..=most).contains(&types.len()) {
            return plan_err!(
                "wrong number of arguments; use {name}({})",
                self.function.arguments.join(", ")
            );
        }
        coerced(name, types)
    }

    fn return_type(&self, _: &[DataType]) -> Result<DataType> {
        Ok(match self.function.gives {
            ReturnType::Integer => DataType::Int64,
            ReturnType::Real => DataType::Float64,
            ReturnType::Text => DataType::Utf8View,
        })
    }

    fn invoke_with_args(&self, given: ScalarFunctionArgs) -> Result<ColumnarValue> {
        let columns = given.args.iter().map(Column::new).collect::<Result<Vec<_>>>()?;
        let is_one = given.args.iter().all(|argument| matches!(argument, ColumnarValue::Scalar(_)));
        let rows = if is_one { 1 } else { given.number_rows };
        let answers = (0..rows).map(|row| self.function.call(&values(&columns, row)).map_err(failed));
        let array = match self.function.gives {
            ReturnType::Integer => integers(answers)?,
            ReturnType::Real => reals(answers)?,
            ReturnType::Text => texts(answers)?,
        };
        Ok(if is_one {
            ColumnarValue::Scalar(ScalarValue::try_from_array(&array, 0)?)
        } else {
            ColumnarValue::Array(array)
        })
    }
}

fn integers(answers: impl Iterator<Item = Result<Answer>>) -> Result<ArrayRef> {
    let mut built = Int64Builder::new();
    for answer in answers {
        built.append_option(if let Answer::Integer(number) = answer? { Some(number) } else { None });
    }
    Ok(Arc::new(built.finish()))
}

fn reals(answers: impl Iterator<Item = Result<Answer>>) -> Result<ArrayRef> {
    let mut built = Float64Builder::new();
    for answer in answers {
        built.append_option(if let Answer::Real(number) = answer? { Some(number) } else { None });
    }
    Ok(Arc::new(built.finish()))
}

fn texts(answers: impl Iterator<Item = Result<Answer>>) -> Result<ArrayRef> {
    let mut built = StringViewBuilder::new();
    for answer in answers {
        built.append_option(if let Answer::Text(text) = answer? { Some(text) } else { None });
    }
    Ok(Arc::new(built.finish()))
}

/// The error of a query whose arguments a function rejects.
pub fn failed(error: FunctionError) -> DataFusionError {
    DataFusionError::Execution(error.to_string())
}
