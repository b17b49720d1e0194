//! Printing rows to standard output.

use std::io::{BufWriter, ErrorKind, Write, stdout};

use anyhow::Result;
use datafusion::{
    arrow::{csv, error::ArrowError, json, record_batch::RecordBatch, util::pretty::pretty_format_batches},
    prelude::DataFrame,
};
use futures::TryStreamExt;

/// Output format of rows.
#[derive(Clone, Copy, Debug, Default, clap::ValueEnum)]
pub enum Format {
    /// An aligned table, printed when all rows have arrived.
    #[default]
    Table,
    /// CSV with a header line.
    Csv,
    /// JSON, one object per line.
    Jsonl,
}

/// Prints all rows. A closed pipe is not an error.
pub async fn print(rows: DataFrame, format: Format) -> Result<()> {
    match write(rows, format).await {
        Err(error) if has_nobody_to_read(&error) => Ok(()),
        done => done,
    }
}

async fn write(rows: DataFrame, format: Format) -> Result<()> {
    let schema = rows.schema().inner().clone();
    let mut output = BufWriter::new(stdout());
    match format {
        Format::Table => {
            let batches = rows.collect().await?;
            if !schema.fields().is_empty() {
                let batches = if batches.is_empty() { vec![RecordBatch::new_empty(schema)] } else { batches };
                writeln!(output, "{}", pretty_format_batches(&batches)?)?;
            }
        }
        Format::Csv => {
            let mut lines = csv::Writer::new(&mut output);
            if !schema.fields().is_empty() {
                lines.write(&RecordBatch::new_empty(schema))?;
            }
            let mut batches = rows.execute_stream().await?;
            while let Some(batch) = batches.try_next().await? {
                lines.write(&batch)?;
            }
        }
        Format::Jsonl => {
            let mut lines = json::WriterBuilder::new()
                .with_explicit_nulls(true)
                .build::<_, json::writer::LineDelimited>(&mut output);
            let mut batches = rows.execute_stream().await?;
            while let Some(batch) = batches.try_next().await? {
                lines.write(&batch)?;
            }
            lines.finish()?;
        }
    }
    output.flush()?;
    Ok(())
}

fn has_nobody_to_read(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        let of_arrow = match cause.downcast_ref::<ArrowError>() {
            Some(ArrowError::IoError(_, error)) => Some(error.kind()),
            _ => None,
        };
        let kind = cause.downcast_ref::<std::io::Error>().map(std::io::Error::kind).or(of_arrow);
        kind == Some(ErrorKind::BrokenPipe)
    })
}
