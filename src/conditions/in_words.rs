//! The conditions of a search in words, for the titles of lists and reports.

use super::{
    CONDITIONS, FilterText,
    condition::{Condition, ValueType},
};

/// The conditions that begin the sentence; all others follow a colon.
const SUBJECT: [&str; 6] = ["player", "colour", "opponent", "white", "black", "date"];

impl FilterText {
    /// What follows the word "games": ` of Carlsen, Magnus as White since 2019: result 1-0, White castles long`.
    pub fn in_words(&self) -> String {
        let mut words = String::new();
        for (condition, colour) in [
            ("player", self.get("colour").unwrap_or_default()),
            ("opponent", ""),
            ("white", "white"),
            ("black", "black"),
        ] {
            let Some(names) = self.get(condition) else { continue };
            let is_first = words.is_empty() && condition != "opponent";
            words += if is_first { " of " } else { " against " };
            words += &names.replace('"', "").replace(';', " or");
            words += match colour {
                "white" => " as White",
                "black" => " as Black",
                _ => "",
            };
        }
        if let Some(dates) = self.get("date") {
            words += &match ends(dates) {
                [Some(from), Some(to)] => format!(" from {from} to {to}"),
                [Some(from), None] => format!(" since {from}"),
                [None, Some(to)] => format!(" until {to}"),
                [None, None] => format!(" from {dates}"),
            };
        }
        let others = CONDITIONS.iter().filter(|condition| !SUBJECT.contains(&condition.name));
        let others = others
            .flat_map(|condition| self.all(condition.name).iter().map(|value| phrase(condition, value)));
        let others: Vec<String> = others.collect();
        let separator = if others.is_empty() { "" } else { ": " };
        words + separator + &others.join(", ")
    }
}

/// A condition with its value: `rating of White 2500 or more`.
fn phrase(condition: &Condition, value: &str) -> String {
    let choice = (condition.offers)().into_iter().find(|choice| choice.value == value);
    let choice = choice.map_or(value, |choice| choice.label[ENGLISH]);
    let label = lowercase(condition.label[ENGLISH]);
    match condition.kind {
        ValueType::Switch => label,
        ValueType::YesOrNo(..) => choice.to_owned(),
        ValueType::Word => format!("{label} {choice}"),
        ValueType::Text | ValueType::Codes => match ends(value) {
            [Some(from), Some(to)] => format!("{label} {from}–{to}"),
            [Some(from), None] => format!("{label} {from} or more"),
            [None, Some(to)] => format!("{label} at most {to}"),
            [None, None] => format!("{label} {value}"),
        },
        ValueType::Names(_) | ValueType::Texts | ValueType::Number | ValueType::Numbers => {
            format!("{label} {value}")
        }
    }
}

/// The language of titles.
const ENGLISH: usize = 0;

/// The two ends of a range; neither for a single value.
fn ends(range: &str) -> [Option<&str>; 2] {
    let (from, to) = range.split_once("..").unwrap_or_default();
    [from, to].map(|end| Some(end.trim()).filter(|end| !end.is_empty()))
}

/// A label within a sentence: colours of players and abbreviations keep their capital letters.
fn lowercase(label: &str) -> String {
    match label.split_at_checked(1) {
        Some((first, rest)) if !["White", "Black", "ECO"].iter().any(|name| label.starts_with(name)) => {
            first.to_lowercase() + rest
        }
        _ => label.to_owned(),
    }
}
