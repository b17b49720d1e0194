//! Notes on tag values that count as what they mean. The text of a tag is kept in any case.

use plybook_chess::{
    chess::{Date, Tags, rating, rating_of_tag},
    openings::{eco, eco_of_tag},
};

use super::warning::{Warning, Warnings};

/// Notes the values among the tags whose meaning is not what they are in PGN. `section` is the text of the tags.
pub fn note_tag_values(tags: &Tags, section: &str, warnings: &mut Warnings) {
    for (name, value) in tags.iter() {
        let warning = match name {
            "Date" => note_on_date(value),
            // It counts only if Date has no year.
            "UTCDate" => note_on_date(value).filter(|_| tags.get("Date").and_then(Date::meant).is_none()),
            "WhiteElo" | "BlackElo" => note_on_rating(value),
            "ECO" => note_on_eco(value),
            _ => None,
        };
        if let Some(warning) = warning {
            // A tag with unusual spaces has the location of the game.
            warnings.mark(warning, section.find(&format!("[{name} ")).unwrap_or(0));
        }
    }
}

fn note_on_date(text: &str) -> Option<Warning> {
    if text.is_empty() || Date::parse(text).is_some() {
        return None;
    }
    Some(Date::with_other_marks(text).map_or(Warning::ImpossibleDate, |_| Warning::OddDate))
}

fn note_on_rating(text: &str) -> Option<Warning> {
    if text.is_empty() || rating(text).is_some() {
        return None;
    }
    match rating_of_tag(text) {
        Some(_) => Some(Warning::OddRating),
        None => text.bytes().all(|byte| byte.is_ascii_digit()).then_some(Warning::LongRating),
    }
}

fn note_on_eco(text: &str) -> Option<Warning> {
    (eco(text).is_none() && eco_of_tag(text).is_some()).then_some(Warning::LongEcoCode)
}
