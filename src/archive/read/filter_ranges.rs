//! Ranges of dates, numbers and opening codes, as people write them.

use std::{ops::RangeInclusive, str::FromStr};

use super::filter::Filter;
use crate::{chess::Date, openings::eco_range};

/// A range that cannot be understood.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{text:?} is no {kind}; write it like {example}")]
pub struct FilterError {
    text: String,
    kind: &'static str,
    example: &'static str,
}

impl Filter {
    /// Reads a range of dates: `1984`, `1984.05`, `1984..1990`, `1984.05.01..`, `..1990`. A year or month
    /// alone means all of it.
    ///
    /// # Errors
    /// The text is no such range.
    pub fn dates(text: &str) -> Result<RangeInclusive<u32>, FilterError> {
        let error = || FilterError {
            text: text.to_owned(),
            kind: "range of dates",
            example: "1984, 1984.05..1990 or ..1990.12.31",
        };
        let (from, to) = ends(text);
        let from = if from.is_empty() { Some(1) } else { partial_date(from, 0) };
        let to = if to.is_empty() { Some(u32::MAX) } else { partial_date(to, 0x1ff) };
        Ok(from.ok_or_else(error)?..=to.ok_or_else(error)?)
    }

    /// Reads a range of numbers: `2500`, `2500..2700`, `2500..`, `..2700`.
    ///
    /// # Errors
    /// The text is no such range.
    pub fn numbers<T: FromStr + Bounds>(text: &str) -> Result<RangeInclusive<T>, FilterError> {
        let error = || FilterError {
            text: text.to_owned(),
            kind: "range of numbers",
            example: "2500, 2500..2700, 2500.. or ..2700",
        };
        let (from, to) = ends(text);
        let read =
            |end: &str, open: T| if end.is_empty() { Ok(open) } else { end.parse().map_err(|_| error()) };
        if text.trim().is_empty() {
            return Err(error());
        }
        Ok(read(from, T::LEAST)?..=read(to, T::MOST)?)
    }

    /// Reads a range of opening codes: `B90`, `B90..B99`, `B9` (B90 to B99), `B` (B00 to B99).
    ///
    /// # Errors
    /// The text is no such range.
    pub fn eco_codes(text: &str) -> Result<RangeInclusive<u32>, FilterError> {
        let error = || FilterError {
            text: text.to_owned(),
            kind: "range of opening codes",
            example: "B90, B2..B4 or C",
        };
        let range = eco_range(text).ok_or_else(error)?;
        Ok(u32::from(*range.start())..=u32::from(*range.end()))
    }
}

/// Numbers that ranges may leave open.
pub trait Bounds {
    /// The least number.
    const LEAST: Self;
    /// The largest number.
    const MOST: Self;
}

impl Bounds for u32 {
    const LEAST: u32 = 0;
    const MOST: u32 = u32::MAX;
}

impl Bounds for i64 {
    const LEAST: i64 = i64::MIN;
    const MOST: i64 = i64::MAX;
}

/// The two ends of `a..b`; a text without dots is both.
fn ends(text: &str) -> (&str, &str) {
    let text = text.trim();
    text.split_once("..").map_or((text, text), |(from, to)| (from.trim(), to.trim_start_matches('=').trim()))
}

/// A packed date whose missing parts are all 0 or all 1 bits.
fn partial_date(text: &str, missing: u32) -> Option<u32> {
    let mut parts = text.split(['.', '-', '/']);
    let year: u16 = parts.next()?.parse().ok()?;
    let month = parts.next().map(|part| part.parse::<u8>().ok().filter(|month| *month > 0));
    let day = parts.next().map(|part| part.parse::<u8>().ok().filter(|day| *day > 0));
    if parts.next().is_some() {
        return None;
    }
    let date = |month, day| Date::new(year, month, day).map(Date::packed);
    match (month, day) {
        (None, _) => Some(date(0, 0)? | missing),
        (Some(month), None) => Some(date(month?, 0)? | missing & 31),
        (Some(month), Some(day)) => date(month?, day?),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> (String, String) {
        let range = Filter::dates(text).unwrap();
        let show = |packed: u32| Date::from_packed(packed).map_or("-".to_owned(), |date| date.to_string());
        (show(*range.start()), show(*range.end()))
    }

    #[test]
    fn ranges_mean_all_of_a_year_or_month() {
        let packed = |text: &str| Date::parse(text).unwrap().packed();
        for (range, inside, outside) in [
            ("1984", "1984.??.??", "1985.01.01"),
            ("1984", "1984.12.31", "1983.12.31"),
            ("1984.05", "1984.05.31", "1984.06.01"),
            ("1984..1985", "1985.12.31", "1986.??.??"),
            ("1984.05.02..", "2020.01.01", "1984.05.01"),
            ("..1990", "1800.??.??", "????.??.??"),
        ] {
            let range = Filter::dates(range).unwrap();
            assert!(range.contains(&packed(inside)), "{range:?} {inside}");
            assert!(!range.contains(&packed(outside)), "{range:?} {outside}");
        }
        assert_eq!(shown("1984.05.01").0, "1984.05.01");
        for bad in ["x", "1984.13", "1984.05.40", "1984.1.1.1", "1984.0"] {
            assert!(Filter::dates(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn numbers_and_opening_codes() {
        assert_eq!(Filter::numbers::<u32>("2500..2700").unwrap(), 2500..=2700);
        assert_eq!(Filter::numbers::<u32>("7").unwrap(), 7..=7);
        assert_eq!(Filter::numbers::<u32>("7..").unwrap(), 7..=u32::MAX);
        assert!(Filter::numbers::<u32>("").is_err());
        assert_eq!(Filter::eco_codes("B9").unwrap(), 190..=199);
        assert_eq!(Filter::eco_codes("b90..C02").unwrap(), 190..=202);
        assert_eq!(Filter::eco_codes("E").unwrap(), 400..=499);
        assert!(Filter::eco_codes("F00").is_err());
    }
}
