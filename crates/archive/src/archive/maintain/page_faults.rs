//! SQLite's check of the pages of a file, with the table of each fault.

use std::collections::HashMap;

use rusqlite::{Connection, Result};

use crate::archive::{error::said, schema_check::own_tables};

/// SQLite never uses the page that contains this byte.
const LOCK_BYTE: i64 = 1 << 30;

/// A fault in the pages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::archive) struct PageFault {
    /// The table, if known.
    pub table: Option<String>,
    /// What is wrong.
    pub what: String,
}

/// The result of a check.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in crate::archive) struct PageFaults {
    /// The first faults.
    pub faults: Vec<PageFault>,
    /// Whether pages belong to no table. Only determined if there are no faults.
    pub has_unused: bool,
}

impl PageFaults {
    /// Runs one of SQLite's checks: `quick_check` of the pages, `integrity_check` also of the values. Checks all tables
    /// except those in `left_out`. A user's virtual tables are skipped: checking one would run its code on data that
    /// may be hostile.
    pub(in crate::archive) fn find(db: &Connection, check: &str, left_out: &[&str]) -> Result<PageFaults> {
        let virtual_tables = "SELECT 1 FROM sqlite_schema WHERE sql LIKE 'CREATE VIRTUAL%'";
        let mut found = PageFaults::default();
        if left_out.is_empty() && !db.prepare(virtual_tables)?.exists([])? {
            let roots = roots(db)?;
            found.read(db, &format!("PRAGMA {check}(100)"), |line| fault(line, None, &roots));
            found.count(db);
            return Ok(found);
        }
        for (table, _) in own_tables(db)?.into_iter().filter(|(table, _)| !left_out.contains(&table.as_str()))
        {
            let sql = format!("PRAGMA {check}('{table}')");
            found.read(db, &sql, |line| fault(line, Some(&table), &HashMap::new()));
        }
        if left_out.is_empty() {
            found.count(db);
        }
        Ok(found)
    }

    /// Checks that every page belongs to one table or is free. SQLite's own check skips this if the schema happens to
    /// list a view first.
    fn count(&mut self, db: &Connection) {
        if !self.faults.is_empty() {
            return;
        }
        let what = match pages_without_use(db) {
            Ok(pages) if pages >= 0 => {
                self.has_unused = pages > 0;
                return;
            }
            Ok(_) => "some pages belong to two tables, or to a table and the free list".to_owned(),
            Err(error) => said(&error),
        };
        self.faults.push(PageFault { table: None, what });
    }

    fn read(&mut self, db: &Connection, sql: &str, fault: impl Fn(&str) -> PageFault) {
        let mut run = || -> Result<()> {
            let mut statement = db.prepare(sql)?;
            let mut rows = statement.query([])?;
            while let Some(row) = rows.next()? {
                let said: String = row.get(0)?;
                // Lines with stars are headings.
                for line in said.lines().filter(|line| *line != "ok" && !line.starts_with("***")) {
                    // Pages without a table are counted separately; both remain after a table was deleted from the
                    // schema.
                    if !line.ends_with(": never used") && !line.starts_with("max rootpage ") {
                        self.faults.push(fault(line));
                    }
                }
            }
            Ok(())
        };
        // It may stop at a fault that it has reported.
        if let Err(error) = run()
            && self.faults.is_empty()
        {
            self.faults.push(PageFault { table: None, what: said(&error) });
        }
    }
}

/// The fault in a line, in the only table that is checked, or in one of all tables by their root pages.
fn fault(line: &str, only: Option<&str>, roots: &HashMap<i64, String>) -> PageFault {
    let tree = line.strip_prefix("Tree ").and_then(|rest| rest.split_once(' '));
    let of_tree = tree.and_then(|(root, _)| roots.get(&root.parse().ok()?).map(String::as_str));
    let table = only.or(of_tree);
    let what = match table {
        Some(table) => format!("table {table}: {}", tree.map_or(line, |(_, what)| what)),
        None => line.to_owned(),
    };
    PageFault { table: table.map(str::to_owned), what }
}

/// The number of pages that belong to no table, are not free and not SQLite's own; negative if some are counted twice.
fn pages_without_use(db: &Connection) -> Result<i64> {
    let number = |sql: &str| db.query_row(sql, [], |row| row.get::<_, i64>(0));
    let (pages, size) = (number("PRAGMA page_count")?, number("PRAGMA page_size")?);
    let used = number("SELECT count(*) FROM dbstat")? + number("PRAGMA freelist_count")?;
    // With auto-vacuum, the first of every `size / 5 + 1` pages after page 1 is a pointer map.
    let maps =
        if number("PRAGMA auto_vacuum")? > 0 && pages > 1 { (pages - 2) / (size / 5 + 1) + 1 } else { 0 };
    let lock = i64::from(pages > LOCK_BYTE / size);
    Ok(pages - used - maps - lock)
}

fn roots(db: &Connection) -> Result<HashMap<i64, String>> {
    let mut statement = db.prepare("SELECT rootpage, tbl_name FROM sqlite_schema WHERE rootpage > 0")?;
    statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?.collect()
}
