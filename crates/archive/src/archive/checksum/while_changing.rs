//! Changing rows of a table with one statement.

use std::ops::ControlFlow;

use rusqlite::{Connection, Result};

use super::{Checked, for_each_bucket, of_rows, store, stored};

/// Changes rows of a table, whose ids stay the same, and their checksums with them. A wrong checksum stays wrong.
pub(in crate::archive) fn while_changing(
    db: &Connection,
    table: Checked,
    change: impl FnOnce() -> Result<()>,
) -> Result<()> {
    let mut before = Vec::new();
    for_each_bucket(db, table, (i64::MIN..=i64::MAX).into(), |bucket| {
        before.push((bucket, of_rows(db, table, table.ids(bucket))?));
        Ok(ControlFlow::Continue(()))
    })?;
    change()?;
    for (bucket, before) in before {
        let (sum, late) = stored(db, table, bucket)?.unwrap_or_default();
        let now = of_rows(db, table, table.ids(bucket))?;
        store(db, table, bucket, sum.minus(before).plus(now), late)?;
    }
    Ok(())
}
