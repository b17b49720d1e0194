//! What SQLite finds wrong with the pages of a file, and which table each fault is of.

use std::collections::HashMap;

use rusqlite::Connection;

use crate::archive::{error::said, schema_check::own_tables};

/// In the page with this byte there is never anything.
const LOCK_BYTE: i64 = 1 << 30;

/// How closely SQLite looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::archive) enum PageCheck {
    /// At the pages.
    Quick,
    /// At the values too.
    Whole,
}

impl PageCheck {
    fn pragma(self) -> &'static str {
        match self {
            PageCheck::Quick => "quick_check",
            PageCheck::Whole => "integrity_check",
        }
    }
}

/// A fault of the pages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::archive) struct PageFault {
    /// The table, where it is known.
    pub table: Option<String>,
    /// What is wrong.
    pub what: String,
}

/// What SQLite finds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in crate::archive) struct PageFaults {
    /// The first faults of pages that are in use.
    pub faults: Vec<PageFault>,
    /// Whether there are pages that nothing leads to. It is not looked for where there are faults.
    pub has_unused: bool,
}

impl PageFaults {
    /// Looks at all tables but those that are left out. A user's virtual tables are left alone: to check one is to run code
    /// on what may have been made to do harm.
    pub(in crate::archive) fn find(
        db: &Connection,
        check: PageCheck,
        left_out: &[&str],
    ) -> rusqlite::Result<PageFaults> {
        let virtual_tables = "SELECT 1 FROM sqlite_schema WHERE sql LIKE 'CREATE VIRTUAL%'";
        let (mut found, pragma) = (PageFaults::default(), check.pragma());
        if left_out.is_empty() && !db.prepare(virtual_tables)?.exists([])? {
            let tables = Tables::All(roots(db)?);
            found.read(db, &format!("PRAGMA {pragma}(100)"), &tables);
            found.count(db);
            return Ok(found);
        }
        for (table, _) in own_tables(db)?.into_iter().filter(|(table, _)| !left_out.contains(&table.as_str()))
        {
            let sql = format!("PRAGMA {pragma}('{table}')");
            found.read(db, &sql, &Tables::One(table));
        }
        if left_out.is_empty() {
            found.count(db);
        }
        Ok(found)
    }

    /// Counts the pages. Each is that of one table, or free. SQLite's check may leave that out where there are views.
    fn count(&mut self, db: &Connection) {
        if !self.faults.is_empty() {
            return;
        }
        let what = match pages_without_use(db) {
            Ok(pages) if pages >= 0 => {
                self.has_unused = pages > 0;
                return;
            }
            Ok(_) => "pages of the file are used twice".to_owned(),
            Err(error) => said(&error),
        };
        self.faults.push(PageFault { table: None, what });
    }

    fn read(&mut self, db: &Connection, sql: &str, of: &Tables) {
        let mut run = || -> rusqlite::Result<()> {
            let mut statement = db.prepare(sql)?;
            let mut rows = statement.query([])?;
            while let Some(row) = rows.next()? {
                let said: String = row.get(0)?;
                // Lines with stars are headings.
                for line in said.lines().filter(|line| *line != "ok" && !line.starts_with("***")) {
                    // Pages that nothing leads to are counted apart, and are where a table was that is gone.
                    if !line.ends_with(": never used") && !line.starts_with("max rootpage ") {
                        self.faults.push(of.fault(line));
                    }
                }
            }
            Ok(())
        };
        // It may break off where it has found the fault already.
        if let Err(error) = run()
            && self.faults.is_empty()
        {
            self.faults.push(PageFault { table: None, what: said(&error) });
        }
    }
}

/// The tables that are looked at.
enum Tables {
    One(String),
    /// By their first page.
    All(HashMap<i64, String>),
}

impl Tables {
    fn fault(&self, line: &str) -> PageFault {
        let tree = line.strip_prefix("Tree ").and_then(|rest| rest.split_once(' '));
        let (table, what) = match (self, tree) {
            (Tables::One(table), Some((_, what))) => (Some(table), what),
            (Tables::One(table), None) => (Some(table), line),
            (Tables::All(tables), Some((root, what))) => {
                match root.parse().ok().and_then(|root| tables.get(&root)) {
                    Some(table) => (Some(table), what),
                    None => (None, line),
                }
            }
            (Tables::All(_), None) => (None, line),
        };
        let what = table.map_or_else(|| line.to_owned(), |table| format!("table {table}: {what}"));
        PageFault { table: table.cloned(), what }
    }
}

/// Pages that are neither of a table, nor free, nor SQLite's own; less than none if some are more than one of these.
fn pages_without_use(db: &Connection) -> rusqlite::Result<i64> {
    let number = |sql: &str| db.query_row(sql, [], |row| row.get::<_, i64>(0));
    let (pages, size) = (number("PRAGMA page_count")?, number("PRAGMA page_size")?);
    let used = number("SELECT count(*) FROM dbstat")? + number("PRAGMA freelist_count")?;
    // The second page of so many says what the others are for.
    let maps =
        if number("PRAGMA auto_vacuum")? > 0 && pages > 1 { (pages - 2) / (size / 5 + 1) + 1 } else { 0 };
    let lock = i64::from(pages > LOCK_BYTE / size);
    Ok(pages - used - maps - lock)
}

fn roots(db: &Connection) -> rusqlite::Result<HashMap<i64, String>> {
    let mut statement = db.prepare("SELECT rootpage, tbl_name FROM sqlite_schema WHERE rootpage > 0")?;
    statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?.collect()
}
