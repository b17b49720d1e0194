//! Builds the SQL query for the games of a filter.

use std::ops::RangeInclusive;

use rusqlite::types::Value;

use super::{
    filter::{Filter, merged},
    resolved_filter::{ResolvedFilter, json},
};
use plybook_chess::rules::Outcome;
use plybook_record::{GameId, GameKind, result_number};

impl Filter {
    /// Selects some columns of the games that pass; `tables` are joined to `game` and `section`. Uses what was [looked
    /// up](ResolvedFilter::of) for this filter.
    pub(in crate::archive) fn query(
        &self,
        found: &ResolvedFilter,
        columns: &str,
        tables: &str,
    ) -> (String, Vec<Value>) {
        let mut clauses = Clauses::default();
        let (mut wanted, mut id, mut with, mut leading) = ("", "game.id", "", "");
        if let Some(sections) = &found.leading_sections {
            // A join with numbers is faster per game than a condition.
            with = "WITH leading(section) AS MATERIALIZED (SELECT CAST(value AS INTEGER) FROM json_each(?)) ";
            leading = " CROSS JOIN leading ON leading.section = game.section";
            clauses.values.push(sections.clone().into());
        }
        if let Some((numbers, condition)) = self.places(found) {
            wanted = "json_each(?) AS wanted CROSS JOIN ";
            clauses.add(condition, [numbers.into()]);
            // Otherwise SQLite would scan a range of ids instead of looking up games.
            id = "+game.id";
        }
        self.conditions(&mut clauses, found, id);
        let (tail, values) = clauses.finish(self);
        // Reading the section of each game takes as long as reading the game.
        let asks_section = [columns, tables, &tail].iter().any(|sql| sql.contains("section."));
        let section = if asks_section { SECTION } else { "" };
        (format!("{with}SELECT {columns} FROM {wanted}game{leading}{section} {tables} {tail}"), values)
    }

    /// Where the games are, as a JSON array of numbers, and how these relate to an id. `None` if that does not help.
    fn places(&self, found: &ResolvedFilter) -> Option<(String, &'static str)> {
        let buckets = found.buckets.as_ref();
        let Some(among) = &self.among else {
            return Some((json(buckets?), "game.id BETWEEN wanted.value << 4 AND wanted.value << 4 | 15"));
        };
        let is_there = |id: &&GameId| {
            self.ids.as_ref().is_none_or(|ids| ids.contains(id))
                && buckets.is_none_or(|buckets| buckets.contains(&(**id >> 4).cast_unsigned()))
        };
        let ids: Vec<GameId> = among.ids().iter().filter(is_there).copied().collect();
        Some((json(&ids), "game.id = wanted.value"))
    }

    /// `id` is the column of ids.
    fn conditions(&self, clauses: &mut Clauses, found: &ResolvedFilter, id: &str) {
        found.conditions(clauses, self.player_results);
        self.names(clauses);
        for (number, ranges) in &self.numbers {
            clauses.ranges(number.sql(), ranges);
        }
        if let Some(ids) = &self.ids {
            clauses.add(&format!("{id} BETWEEN ? AND ?"), [*ids.start(), *ids.end()].map(Value::Integer));
        }
        const KIND: &str = "section.layout IN (SELECT id FROM tag_layout WHERE variant = ?)";
        if let Some(kind) = self.kind {
            clauses.add(KIND, [i64::from(kind.id()).into()]);
        }
        if self.chess {
            for kind in GameKind::all().filter(|kind| !kind.family().has_pgn()) {
                clauses.add(&format!("NOT {KIND}"), [i64::from(kind.id()).into()]);
            }
        }
    }

    fn names(&self, clauses: &mut Clauses) {
        let text = |pattern: &String| Value::from(pattern.clone());
        let one = [
            (
                &self.site,
                "CASE WHEN section.layout IN (SELECT id FROM tag_layout WHERE instr(slots, '\"address\"'))
                 THEN name_matches((SELECT name FROM site WHERE id = section.site)
                                   || json_extract(game.tags, '$[0]'), ?)
                 ELSE section.site IN (SELECT id FROM site WHERE name_matches(name, ?)) END",
            ),
            (
                &self.source,
                "(SELECT name_matches(source.name, ?) FROM source_span JOIN source ON source.id = source_span.source
                  WHERE first_game <= game.id ORDER BY first_game DESC LIMIT 1)",
            ),
        ];
        for (pattern, sql) in one {
            if let Some(pattern) = pattern {
                clauses.add(sql, std::iter::repeat_n(text(pattern), sql.matches('?').count()));
            }
        }
    }
}

/// Joins the section of each game.
macro_rules! section {
    () => {
        " CROSS JOIN section ON section.id = game.section"
    };
}

const SECTION: &str = section!();

/// The tables that conditions refer to.
pub(in crate::archive) const SOURCE: &str = concat!("game", section!());

impl ResolvedFilter {
    /// `results` are the allowed results of the player with White, and with Black.
    fn conditions(&self, clauses: &mut Clauses, results: Option<[Outcome; 2]>) {
        const WHITE: &str = "game.white IN (SELECT value FROM json_each(?))";
        const BLACK: &str = "game.black IN (SELECT value FROM json_each(?))";
        let text = |ids: &String| Value::from(ids.clone());
        let is = |result| format!(" AND game.result = {}", result_number(result));
        let [as_white, as_black] = results.map(|results| results.map(is)).unwrap_or_default();
        match (&self.player, &self.opponent) {
            (Some(player), Some(opponent)) => {
                let values = [player, opponent, opponent, player].map(text);
                let sql = format!("(({WHITE} AND {BLACK}{as_white}) OR ({WHITE} AND {BLACK}{as_black}))");
                clauses.add(&sql, values);
            }
            (Some(player), None) => {
                let sql = format!("({WHITE}{as_white} OR {BLACK}{as_black})");
                clauses.add(&sql, [player, player].map(text));
            }
            (None, Some(opponent)) => {
                clauses.add(&format!("({WHITE} OR {BLACK})"), [opponent, opponent].map(text));
            }
            (None, None) => {}
        }
        let one = [
            (&self.white, WHITE),
            (&self.black, BLACK),
            (&self.event, "section.event IN (SELECT value FROM json_each(?))"),
            (&self.sections, "game.section IN (SELECT value FROM json_each(?))"),
        ];
        for (ids, sql) in one {
            if let Some(ids) = ids {
                clauses.add(sql, [text(ids)]);
            }
        }
    }
}

/// The parts of a WHERE clause.
#[derive(Default)]
struct Clauses {
    sql: Vec<String>,
    values: Vec<Value>,
}

impl Clauses {
    fn add(&mut self, sql: &str, values: impl IntoIterator<Item = Value>) {
        self.sql.push(sql.to_owned());
        self.values.extend(values);
    }

    /// A column in one of several ranges; without ranges, no game passes.
    fn ranges(&mut self, column: &str, ranges: &[RangeInclusive<u32>]) {
        let ranges = merged(ranges);
        if ranges.is_empty() {
            return self.add("0", []);
        }
        let sql = vec![format!("{column} BETWEEN ? AND ?"); ranges.len()].join(" OR ");
        let ends = ranges.iter().flat_map(|range| [*range.start(), *range.end()]);
        self.add(&format!("({sql})"), ends.map(|end| Value::from(i64::from(end))));
    }

    fn finish(mut self, filter: &Filter) -> (String, Vec<Value>) {
        let mut sql = String::new();
        if !self.sql.is_empty() {
            sql.push_str(" WHERE ");
            sql.push_str(&self.sql.join(" AND "));
        }
        let direction = if filter.descending { "DESC" } else { "ASC" };
        // Unknown values are last in either direction.
        sql.push_str(&format!(" ORDER BY {} {direction} NULLS LAST, game.id", filter.sort.sql()));
        if filter.limit.is_some() || filter.offset > 0 {
            sql.push_str(" LIMIT ? OFFSET ?");
            let bounded = |number: u64| i64::try_from(number).unwrap_or(i64::MAX);
            self.values.push(filter.limit.map_or(-1, bounded).into());
            self.values.push(bounded(filter.offset).into());
        }
        (sql, self.values)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::archive::Archive;

    /// The steps that SQLite takes to find the games that pass.
    fn steps(archive: &Archive, filter: &Filter) -> i32 {
        let found = ResolvedFilter::of(&archive.db, filter).unwrap();
        let (sql, values) = filter.query(&found, "game.id", "");
        let mut statement = archive.db.prepare(&sql).unwrap();
        let games = statement.query_map(rusqlite::params_from_iter(values), |_| Ok(())).unwrap().count();
        assert_eq!(games, 2);
        statement.get_status(rusqlite::StatementStatus::VmStep)
    }

    #[test]
    fn games_of_a_player_are_found_without_a_full_scan() {
        let folder = tempfile::tempdir().unwrap();
        let game = |number: usize| {
            let white = if number.is_multiple_of(1000) { "Rare" } else { "Usual" };
            format!("[Event \"{number}\"]\n[White \"{white}\"]\n[Black \"B\"]\n\n1. e4 *\n\n")
        };
        let (pgn, path) = (folder.path().join("a.pgn"), folder.path().join("a.db"));
        std::fs::write(&pgn, (1..=2000).map(game).collect::<String>()).unwrap();
        plybook::import::import_paths(&path, &[pgn], &Default::default()).unwrap();
        let archive = Archive::open(&path).unwrap();
        for ids in [None, Some(1..=2000), Some(i64::MIN..=i64::MAX)] {
            let filter = Filter { player: Some("rare".to_owned()), ids, ..Filter::default() };
            assert!(steps(&archive, &filter) < 2000);
        }
        // The control: without its name, the entire archive is scanned.
        let all = Filter { event: Some("*000".to_owned()), ..Filter::default() };
        assert!(steps(&archive, &all) > 2000);
    }
}
