//! Parsing ranges of dates, numbers and opening codes.

use std::{ops::RangeInclusive, str::FromStr};

use super::filter::Filter;
use plybook_chess::{chess::Date, openings::eco_range};
use plybook_record::GameId;

/// A range that is invalid or empty.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FilterError {
    /// Not a valid range.
    #[error("{text:?} is not a valid {kind}; write it like {}", .kind.example())]
    Unreadable {
        /// What was given.
        text: String,
        /// What was expected.
        kind: RangeKind,
    },
    /// A range that ends before it begins.
    #[error("{text:?} is an empty {kind}: it ends before it begins")]
    Backward {
        /// What was given.
        text: String,
        /// What was expected.
        kind: RangeKind,
    },
}

/// What a range is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RangeKind {
    /// Dates.
    #[error("range of dates")]
    Dates,
    /// Opening codes.
    #[error("range of opening codes")]
    Codes,
    /// Numbers or ids.
    #[error("range of numbers")]
    Numbers,
}

impl RangeKind {
    /// Valid ranges.
    pub fn example(self) -> &'static str {
        match self {
            RangeKind::Dates => "1984, 1984.05..1990 or ..1990.12.31",
            RangeKind::Codes => "B90, B2..B4 or C",
            RangeKind::Numbers => "100, 100..200, 100.. or ..200",
        }
    }
}

/// Checks a parsed range of a kind.
fn checked<T: PartialOrd>(
    text: &str,
    read: Option<RangeInclusive<T>>,
    kind: RangeKind,
) -> Result<RangeInclusive<T>, FilterError> {
    let text = text.to_owned();
    // Two open ends are not a condition.
    let is_said = !text.trim().trim_matches('.').is_empty();
    match read.filter(|_| is_said) {
        None => Err(FilterError::Unreadable { text, kind }),
        Some(range) if range.is_empty() => Err(FilterError::Backward { text, kind }),
        Some(range) => Ok(range),
    }
}

impl Filter {
    /// Reads a range of dates: `1984`, `1984.05`, `1984..1990`, `1984.05.01..`, `..1990`. A year or month alone
    /// includes all of its days.
    ///
    /// # Errors
    /// The text is not a valid range.
    pub fn dates(text: &str) -> Result<RangeInclusive<u32>, FilterError> {
        let (from, to) = ends(text);
        let from = if from.is_empty() { Some(1) } else { partial_date(from, 0) };
        let to = if to.is_empty() { Some(u32::MAX) } else { partial_date(to, 0x1ff) };
        let range = from.zip(to).map(|(from, to)| from..=to);
        checked(text, range, RangeKind::Dates)
    }

    /// Reads a range of numbers: `2500`, `2500..2700`, `2500..`, `..2700`.
    ///
    /// # Errors
    /// The text is not a valid range.
    pub fn numbers(text: &str) -> Result<RangeInclusive<u32>, FilterError> {
        numbers_within(text, 0..=u32::MAX)
    }

    /// Reads ranges of opening codes: `B90`, `B90..B99`, `B9` (B90 to B99), `B` (B00 to B99), and several separated by
    /// commas.
    ///
    /// # Errors
    /// The text is not a valid list.
    pub fn eco_codes(text: &str) -> Result<Vec<RangeInclusive<u32>>, FilterError> {
        let codes = |text| {
            let range = eco_range(text).map(|range| u32::from(*range.start())..=u32::from(*range.end()));
            checked(text, range, RangeKind::Codes)
        };
        text.split(',').map(codes).collect()
    }

    /// Reads ids: numbers and ranges of numbers, separated by commas or spaces.
    ///
    /// # Errors
    /// The text is not a valid list.
    pub fn id_ranges(text: &str) -> Result<Vec<RangeInclusive<GameId>>, FilterError> {
        let ranges = text.split([',', ' ', '\n', '\t', '\r']).filter(|range| !range.is_empty());
        let read = |text| numbers_within(text, GameId::MIN..=GameId::MAX);
        let ranges: Vec<_> = ranges.map(read).collect::<Result<_, _>>()?;
        // The error for an empty list.
        if ranges.is_empty() { read(text).map(|range| vec![range]) } else { Ok(ranges) }
    }
}

/// Reads a range of numbers; an open end is that of all numbers.
fn numbers_within<T: FromStr + PartialOrd>(
    text: &str,
    all: RangeInclusive<T>,
) -> Result<RangeInclusive<T>, FilterError> {
    let ((from, to), (least, most)) = (ends(text), all.into_inner());
    let read = |end: &str, open: T| if end.is_empty() { Some(open) } else { end.parse().ok() };
    let range = read(from, least).zip(read(to, most)).map(|(from, to)| from..=to);
    checked(text, range, RangeKind::Numbers)
}

/// The two ends of `a..b`; a text without dots is both ends.
fn ends(text: &str) -> (&str, &str) {
    let text = text.trim();
    text.split_once("..").map_or((text, text), |(from, to)| (from.trim(), to.trim_start_matches('=').trim()))
}

/// A packed date in which all bits of missing parts are 0 or 1.
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
    fn ranges_include_the_entire_year_or_month() {
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
        for bad in ["x", "", "..", "1984.13", "1984.05.40", "1984.1.1.1", "1984.0", "1990..1984"] {
            assert!(Filter::dates(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn numbers_and_opening_codes() {
        assert_eq!(Filter::numbers("2500..2700").unwrap(), 2500..=2700);
        assert_eq!(Filter::numbers("7").unwrap(), 7..=7);
        assert_eq!(Filter::numbers("7..").unwrap(), 7..=u32::MAX);
        assert_eq!(Filter::eco_codes("B9").unwrap(), [190..=199]);
        assert_eq!(Filter::eco_codes("b90..C02").unwrap(), [190..=202]);
        assert_eq!(Filter::eco_codes("E, A10").unwrap(), [400..=499, 10..=10]);
        for bad in ["F00", "", "..", "B90,", "B99..B90"] {
            assert!(Filter::eco_codes(bad).is_err(), "{bad}");
        }
        assert_eq!(Filter::id_ranges("1,5, 9..12\n30").unwrap(), [1..=1, 5..=5, 9..=12, 30..=30]);
        for bad in ["", "..", "7..5", " ", "x", "1,,x", "9223372036854775808"] {
            assert!(Filter::id_ranges(bad).is_err(), "{bad}");
            assert!(Filter::numbers(bad).is_err(), "{bad}");
        }
    }
}
