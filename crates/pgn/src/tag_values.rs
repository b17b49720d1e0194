//! Notes on tag values that count as what they mean. The text of a tag is kept in any case.

use std::borrow::Cow;

use plybook_chess::{
    chess::{Date, Fen, Tags, Variant, fen_or_epd, rating, rating_of_tag, typed_date},
    openings::{eco, eco_of_tag},
};

use super::{game::Game, reject::RejectReason, warning::Warning, warnings::Warnings};

/// Notes the values among the tags whose meaning is not what they are in PGN. `section` is the text of the tags.
pub fn note_tag_values(game: &mut Game, section: &str) {
    let Game { tags, variant, warnings, .. } = game;
    if *variant == Variant::Chess960 && tags.get("Variant").is_none_or(str::is_empty) {
        warnings.mark(Warning::Chess960ByFen, place_of("FEN", section));
    }
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
            warnings.mark(warning, place_of(name, section));
        }
    }
}

/// Stores dates that can mean only one day in the form of PGN, and notes what is not clear about others.
pub fn read_typed_dates(game: &mut Game, section: &str) {
    let Game { tags, warnings, .. } = game;
    let mut read = |name, value| {
        let is_date = matches!(name, "Date" | "EventDate" | "UTCDate") && Date::parse(value).is_none();
        // A date without numbers is unknown, and a time after it is kept.
        let digits = value.bytes().filter(u8::is_ascii_digit).count();
        if !is_date || !(1..=8).contains(&digits) {
            return None;
        }
        let not_clear = |why| {
            warnings.mark_with(
                Warning::ImpossibleDate,
                place_of(name, section),
                RejectReason::UnclearDate(why),
            );
        };
        typed_date(value).map_err(not_clear).ok().map(|date| date.to_string())
    };
    let pairs = tags.iter().map(|(name, value)| (name, read(name, value).map_or(value.into(), Cow::Owned)));
    *tags = pairs.collect::<Vec<_>>().iter().map(|(name, value)| (*name, &**value)).collect();
}

/// Where a tag is in the text of the tags; the beginning if it is written with unusual spaces.
fn place_of(name: &str, section: &str) -> usize {
    section.find(&format!("[{name} ")).unwrap_or(0)
}

/// Replaces the value of a FEN tag that is a line of EPD by its FEN: the moves can be played only from a FEN.
pub fn with_plain_fen(tags: Tags, section: &str, warnings: &mut Warnings) -> Tags {
    let is_epd = |text: &&str| text.contains(';') && text.trim().parse::<Fen>().is_err();
    let Some(fen) = tags.get("FEN").filter(is_epd).and_then(|text| fen_or_epd(text).ok()) else {
        return tags;
    };
    warnings.mark(Warning::OddFen, place_of("FEN", section));
    let (fen, place) = (fen.to_string(), tags.place_of("FEN"));
    let pairs = tags.iter().enumerate();
    pairs.map(|(at, (name, value))| (name, if Some(at) == place { &*fen } else { value })).collect()
}

/// The variant of a game without a Variant tag.
pub fn variant_of_fen(tags: &Tags) -> Variant {
    let text = tags.get("FEN").unwrap_or_default();
    text.trim().parse().map_or(Variant::Standard, |fen| Variant::of_fen(text, &fen))
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
