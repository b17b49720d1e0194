//! The functions of plybook for DataFusion: its SQL functions, and aggregates for the cluster.

mod columns;
mod explore;
mod positions;
mod scalar;

use std::sync::Arc;

use datafusion::{
    common::Result,
    execution::FunctionRegistry,
    logical_expr::{AggregateUDF, ScalarUDF},
};
use plybook::functions::FUNCTIONS;

use self::{explore::Explore, positions::Positions, scalar::Scalar};

/// Registers all of them.
pub fn register(known: &mut dyn FunctionRegistry) -> Result<()> {
    for function in FUNCTIONS {
        known.register_udf(Arc::new(ScalarUDF::from(Scalar::new(function))))?;
    }
    known.register_udf(Arc::new(ScalarUDF::from(Positions::new())))?;
    known.register_udaf(Arc::new(AggregateUDF::from(Explore::new())))?;
    Ok(())
}

#[cfg(test)]
mod tests;
