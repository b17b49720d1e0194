//! Questions that are asked of two archives with the same games, to compare the answers.

use std::collections::BTreeMap;

use serde_json::Value;

use super::{Bench, text};

/// Questions whose answers do not depend on ids, or say ids only in fields that are mapped.
pub const QUESTIONS: [&[&str]; 16] = [
    &["games", "--format", "json"],
    &["games", "--sort", "white", "--limit", "20", "--format", "json"],
    &["games", "--sort", "date", "--desc", "--limit", "20", "--format", "json"],
    &["games", "--player", "morphy", "--format", "json"],
    &["games", "--player", "edited*", "--format", "json"],
    &["games", "--event", "changed*", "--format", "json"],
    &["names", "--limit", "1000", "--format", "json"],
    &["names", "--events", "--limit", "1000", "--format", "json"],
    &["explore", "1. e4", "--format", "json"],
    &["explore", "1. e4 e5 2. Nf3", "--player", "edited*", "--format", "json"],
    &["find", "1. e4 e5", "--format", "json"],
    &["find", "--material", "KRP KR", "--format", "json"],
    &["report", "--player", "edited*", "--format", "json"],
    &["games", "--opening", "sicilian", "--format", "json"],
    &["stats", "--openings", "--format", "json"],
    &["info", "--format", "json"],
];

/// The answer to a question, without what depends on the file, and with the numbers of ids in order.
pub fn answer(bench: &Bench, archive: &str, question: &[&str], places: &BTreeMap<i64, i64>) -> Value {
    let output = bench.run(&[question, &["-a", archive]].concat());
    assert!(output.status.code() < Some(2), "{question:?}: {}", text(&output.stderr));
    let mut answer: Value = serde_json::from_slice(&output.stdout).unwrap_or(Value::Null);
    place(&mut answer, places);
    if let (Value::Array(names), "names") = (&mut answer, question[0]) {
        // Names with as many games are listed in the order in which they were stored.
        names.sort_by_key(Value::to_string);
    }
    if let Value::Object(fields) = &mut answer {
        for field in [
            "sources",
            "bytes",
            "bytes_per_game",
            "version",
            "indexed_games",
            "is_indexed",
            "name",
            "seconds",
        ] {
            fields.remove(field);
        }
        for field in ["has_all_trails", "has_damaged_index", "games_per_second", "archive"] {
            fields.remove(field);
        }
    }
    answer
}

/// Replaces ids by their places.
fn place(answer: &mut Value, places: &BTreeMap<i64, i64>) {
    match answer {
        Value::Array(values) => values.iter_mut().for_each(|value| place(value, places)),
        Value::Object(fields) => {
            for (name, value) in fields {
                if ["id", "game"].contains(&name.as_str())
                    && let Some(id) = value.as_i64()
                {
                    *value = places.get(&id).copied().unwrap_or(-id).into();
                }
                place(value, places);
            }
        }
        _ => {}
    }
}
