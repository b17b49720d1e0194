//! Queries, run on a cluster or in this process.

use std::{
    io::{Read as _, stdin},
    sync::Arc,
};

use anyhow::{Context, Result, bail};
use datafusion::{
    arrow::datatypes::DataType,
    common::TableReference,
    datasource::{
        file_format::parquet::ParquetFormat,
        listing::{ListingOptions, ListingTable, ListingTableConfig, ListingTableUrl},
    },
    execution::context::SQLOptions,
    prelude::SessionContext,
    sql::parser::{DFParser, Statement},
};

use crate::{
    answer::{Format, print},
    session,
};

/// Run a query.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  plybook-cluster sql -t games=table/ \"SELECT eco, count(*) FROM games GROUP BY 1 ORDER BY 2 DESC LIMIT 10\"
  plybook-cluster sql -s node1:50050 -t games=s3://chess/games/ \"SELECT fen(moves, 20), count(*) FROM games GROUP BY 1\"
  plybook-cluster sql -t games=table/ \"SELECT unnest(unnest(explore(moves, 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1'))) FROM games\"")]
pub struct Sql {
    /// One or more SQL statements, or `-` to read them from standard input
    query: String,
    /// A table: its name and the Parquet file or directory of Parquet files it reads; the location may be on S3 (s3://bucket/directory/)
    #[arg(short, long = "table", value_name = "NAME=WHERE", value_parser = name_and_place)]
    tables: Vec<(String, String)>,
    /// The scheduler of the cluster to run the query on [default: run in this process]
    #[arg(short, long, value_name = "HOST:PORT")]
    scheduler: Option<String>,
    /// Output format
    #[arg(long, value_enum, default_value_t)]
    format: Format,
    /// Allow queries that write files (COPY and INSERT); the executors write them
    #[arg(long)]
    allow_write: bool,
}

/// Parses `NAME=WHERE`.
fn name_and_place(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, place)) if !name.is_empty() && !place.is_empty() => {
            Ok((name.to_owned(), place.to_owned()))
        }
        _ => Err("expected a name and a location, for example games=table/".to_owned()),
    }
}

impl Sql {
    pub async fn run(self) -> Result<()> {
        let query = self.query()?;
        let context = match &self.scheduler {
            Some(scheduler) => {
                session::on_cluster(scheduler).await.with_context(|| format!("scheduler {scheduler}"))?
            }
            None => session::in_process()?,
        };
        for (name, place) in &self.tables {
            add_table(&context, name, place)
                .await
                .with_context(|| format!("cannot open table {name} at {place}"))?;
        }
        let options = SQLOptions::new().with_allow_dml(self.allow_write);
        let statements = DFParser::parse_sql(&query)?;
        if statements.is_empty() {
            bail!("the query contains no statement");
        }
        for statement in statements {
            let answered = answer(&context, statement, &options, self.format).await;
            match &self.scheduler {
                Some(scheduler) => answered.with_context(|| format!("scheduler {scheduler}"))?,
                None => answered?,
            }
        }
        Ok(())
    }

    fn query(&self) -> Result<String> {
        if self.query != "-" {
            return Ok(self.query.clone());
        }
        let mut query = String::new();
        stdin().read_to_string(&mut query).context("cannot read the query from standard input")?;
        Ok(query)
    }
}

/// Registers a file or directory as a table; directory names such as `year=1972` become columns.
async fn add_table(context: &SessionContext, name: &str, place: &str) -> Result<()> {
    let place = if place.contains("://") {
        place.to_owned()
    } else {
        // Executors run in other working directories, so a relative path would mean something else there.
        let path = std::path::absolute(place)?;
        if !path.exists() {
            bail!("not found");
        }
        let is_folder = path.is_dir();
        let text = path.to_str().context("its name is not valid UTF-8")?;
        if is_folder && !text.ends_with('/') { format!("{text}/") } else { text.to_owned() }
    };
    let (state, url) = (context.state(), ListingTableUrl::parse(&place)?);
    // A directory may hold other files; a file given by name is read whatever its extension.
    let ending = if place.ends_with('/') { ".parquet" } else { "" };
    let options = ListingOptions::new(Arc::new(ParquetFormat::default())).with_file_extension(ending);
    let folders = options.infer_partitions(&state, &url).await?;
    // Not the dictionaries that DataFusion infers: their type is lost on the way to the executors.
    let folders = folders.into_iter().map(|name| (name, DataType::Utf8)).collect();
    let table = ListingTableConfig::new(url).with_listing_options(options.with_table_partition_cols(folders));
    let table = ListingTable::try_new(table.infer_schema(&state).await?)?;
    context.register_table(TableReference::bare(name), Arc::new(table))?;
    Ok(())
}

async fn answer(
    context: &SessionContext,
    statement: Statement,
    options: &SQLOptions,
    format: Format,
) -> Result<()> {
    let plan = context.state().statement_to_plan(statement).await?;
    options.verify_plan(&plan).context("queries that write need --allow-write")?;
    let rows = context.execute_logical_plan(plan).await?;
    print(rows, format).await
}
