//! What SQLite finds wrong with the pages of a file, and which table each fault is of.

use std::collections::HashMap;

use rusqlite::Connection;

use crate::archive::{error::said, schema_check::own_tables};

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
    /// Pages that nothing leads to, as far as they were counted.
    pub unused: u64,
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
            return Ok(found);
        }
        for (table, _) in own_tables(db)?.into_iter().filter(|(table, _)| !left_out.contains(&table.as_str()))
        {
            let sql = format!("PRAGMA {pragma}('{table}')");
            found.read(db, &sql, &Tables::One(table));
        }
        Ok(found)
    }

    fn read(&mut self, db: &Connection, sql: &str, of: &Tables) {
        let mut run = || -> rusqlite::Result<()> {
            let mut statement = db.prepare(sql)?;
            let mut rows = statement.query([])?;
            while let Some(row) = rows.next()? {
                let said: String = row.get(0)?;
                // Lines with stars are headings.
                for line in said.lines().filter(|line| *line != "ok" && !line.starts_with("***")) {
                    match line.ends_with(": never used") {
                        true => self.unused += 1,
                        false => self.faults.push(of.fault(line)),
                    }
                }
            }
            Ok(())
        };
        if let Err(error) = run() {
            // It broke off where it had found the fault already.
            let table = self.faults.last().and_then(|fault| fault.table.clone());
            self.faults.push(PageFault { table, what: said(&error) });
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

fn roots(db: &Connection) -> rusqlite::Result<HashMap<i64, String>> {
    let mut statement = db.prepare("SELECT rootpage, tbl_name FROM sqlite_schema WHERE rootpage > 0")?;
    statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?.collect()
}
