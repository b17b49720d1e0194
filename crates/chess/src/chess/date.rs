//! PGN dates: year, month and day, each of which may be unknown (`1984.??.??`).

use std::{fmt, ops::RangeInclusive};

/// A calendar date whose parts may be unknown, in the format of the PGN standard.
///
/// Dates sort by year, month and day, with an unknown part before every known one, and pack into 23 bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Date {
    /// 1 to 9999; 0 if unknown.
    year: u16,
    /// 1 to 12; 0 if unknown.
    month: u8,
    /// 1 to 31; 0 if unknown.
    day: u8,
}

impl Date {
    /// A date from its parts (0 if unknown); `None` if there is no such date.
    #[inline]
    pub fn new(year: u16, month: u8, day: u8) -> Option<Date> {
        let days = match month {
            0 | 1 | 3 | 5 | 7 | 8 | 10 | 12 => 31,
            4 | 6 | 9 | 11 => 30,
            2 if year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400)) => 29,
            2 => 28,
            _ => return None,
        };
        (year <= 9999 && day <= days).then_some(Date { year, month, day })
    }

    /// Parses `YYYY.MM.DD` with `?` for unknown parts, exactly as [`Display`](fmt::Display) writes it.
    pub fn parse(text: &str) -> Option<Date> {
        // Each game of an import has one: searching for the points takes three times as long.
        let [y1, y2, y3, y4, b'.', m1, m2, b'.', d1, d2] = *text.as_bytes() else { return None };
        let small = |digits: [u8; 2]| u8::try_from(part(&digits)?).ok();
        Date::new(part(&[y1, y2, y3, y4])?, small([m1, m2])?, small([d1, d2])?)
    }

    /// Year · 512 + month · 32 + day, which sorts like the date.
    pub fn packed(self) -> u32 {
        u32::from(self.year) << 9 | u32::from(self.month) << 5 | u32::from(self.day)
    }

    /// The date of a packed number.
    #[inline]
    pub fn from_packed(packed: u32) -> Option<Date> {
        let small = |part: u32| u8::try_from(part).ok();
        Date::new(u16::try_from(packed >> 9).ok()?, small(packed >> 5 & 15)?, small(packed & 31)?)
    }

    /// The packed dates in a year, which may have more than four digits.
    pub fn in_year(year: u32) -> RangeInclusive<u32> {
        year << 9..=year << 9 | 0x1ff
    }

    /// The packed dates in a month of a year.
    pub fn in_month(year: u32, month: u32) -> RangeInclusive<u32> {
        let first = year << 9 | month << 5;
        first..=first | 31
    }

    /// The year; `None` if it is unknown.
    #[inline]
    pub fn year(self) -> Option<u16> {
        (self.year > 0).then_some(self.year)
    }

    /// The year in four digits; `None` if it is unknown.
    pub fn year_text(self) -> Option<String> {
        self.year().map(|year| format!("{year:04}"))
    }

    /// The month; `None` if it is unknown.
    #[inline]
    pub fn month(self) -> Option<u8> {
        (self.month > 0).then_some(self.month)
    }

    /// The known part as text: `1963.12` for `1963.12.??`; empty if nothing is known.
    pub fn known(self) -> String {
        let text = self.to_string();
        match text.trim_end_matches(".??") {
            "????" => String::new(),
            known => known.to_owned(),
        }
    }

    /// The date that a text means, with the year at least: in full if the year is first, whatever separates the parts
    /// (`2024-05-06`, `2025.3.4`, `20250224`). Day and month are unknown if the year is last, or if they do not exist.
    ///
    /// ```
    /// use plybook_chess::chess::Date;
    /// let meant = |text| Date::meant(text).map(|date| date.to_string());
    /// assert_eq!(meant("2024-05-00").as_deref(), Some("2024.05.??"));
    /// assert_eq!(meant("06.05.2024").as_deref(), Some("2024.??.??"));
    /// assert_eq!(meant("12345.01.01"), None);
    /// ```
    pub fn meant(text: &str) -> Option<Date> {
        let date = Date::parse(text).or_else(|| Date::with_other_marks(text));
        date.or_else(|| Date::year_of(text)).filter(|date| date.year > 0)
    }

    /// The date of a game, and the text that has it: its Date tag or, if that has no year, UTCDate. If neither has a
    /// year, Date may still have month and day.
    pub fn of_game<'a>(
        date: Option<&'a str>,
        utc_date: impl FnOnce() -> Option<&'a str>,
    ) -> Option<(Date, &'a str)> {
        let read = |text| Some((Date::meant(text)?, text));
        let with_year = date.and_then(read).or_else(|| utc_date().and_then(read));
        with_year.or_else(|| Some((Date::parse(date?)?, date?)))
    }

    /// A date with the year first, then month and day in one or two characters, with any signs or spaces between them;
    /// without separators in two. The year is known.
    pub fn with_other_marks(text: &str) -> Option<Date> {
        let (year, rest) = text.trim().split_at_checked(4)?;
        let (month, day) = match next_part(rest) {
            Some((month, rest)) => {
                // Of a time after the date, nothing is stored.
                let (day, after) = next_part(rest)?;
                (month, Some(day).filter(|_| matches!(after, "" | ".") || after.starts_with(['T', ' ']))?)
            }
            None => rest.split_at_checked(2).filter(|_| rest.len() == 4 && !rest.contains('?'))?,
        };
        let small = |text: &str| match text.len() {
            1 | 2 if text.bytes().all(|byte| byte == b'?') => Some(0),
            1 | 2 if text.bytes().all(|byte| byte.is_ascii_digit()) => text.parse().ok(),
            _ => None,
        };
        Date::new(part(year.as_bytes())?, small(month)?, small(day)?).filter(|date| date.year > 0)
    }

    /// The first number of a text that has four digits, as a year; `None` if a number has more.
    fn year_of(text: &str) -> Option<Date> {
        let numbers = || text.split(|c: char| !c.is_ascii_digit());
        let year = numbers().find(|number| number.len() == 4)?;
        let is_only = numbers().all(|number| number.len() <= 4);
        Date::new(part(year.as_bytes()).filter(|_| is_only)?, 0, 0)
    }
}

/// The part of a date after separators, and the rest of the text.
fn next_part(text: &str) -> Option<(&str, &str)> {
    let is_part = |c: char| c.is_alphanumeric() || c == '?';
    let part = text.trim_start_matches(|c| !is_part(c));
    let end = part.find(|c: char| !c.is_ascii_digit() && c != '?').unwrap_or(part.len());
    part.split_at_checked(end).filter(|_| part.len() < text.len())
}

/// A part of a date: digits, or only question marks (0).
fn part(text: &[u8]) -> Option<u16> {
    if text.iter().all(|byte| *byte == b'?') {
        return Some(0);
    }
    let number = text
        .iter()
        .try_fold(0u16, |number, byte| byte.is_ascii_digit().then(|| number * 10 + u16::from(byte - b'0')));
    // "0000" and "00" would not round-trip.
    number.filter(|&number| number != 0)
}

impl fmt::Display for Date {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.year {
            0 => f.write_str("????")?,
            year => write!(f, "{year:04}")?,
        }
        for part in [self.month, self.day] {
            match part {
                0 => f.write_str(".??")?,
                part => write!(f, ".{part:02}")?,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_round_trip() {
        for text in ["1984.??.??", "2011.09.19", "????.??.??", "2000.02.29", "1999.12.??", "0850.01.01"] {
            let date = Date::parse(text).unwrap();
            assert_eq!(date.to_string(), text);
            assert_eq!(Date::from_packed(date.packed()), Some(date));
            assert!(date.packed() < 1 << 23);
        }
    }

    #[test]
    fn impossible_dates_are_rejected() {
        for text in
            ["2011.19.11", "1900.02.29", "2001.04.31", "2001.4.1", "2001.00.01", "2001", "", "20?1.01.01"]
        {
            assert_eq!(Date::parse(text), None, "{text}");
        }
    }

    #[test]
    fn dates_with_other_marks_are_read_as_far_as_they_are_clear() {
        for (text, date) in [
            ("2024-05-06", "2024.05.06"),
            ("2025/02/24", "2025.02.24"),
            ("2025.3.4", "2025.03.04"),
            ("20250224", "2025.02.24"),
            ("2024-05-06T17:00:00Z", "2024.05.06"),
            ("2024-05-06 17:00", "2024.05.06"),
            (" 2024.05.06 ", "2024.05.06"),
            ("2024.05.00", "2024.05.??"),
            ("2024-??-??", "2024.??.??"),
            ("2024.5.?", "2024.05.??"),
            ("2024:05:06", "2024.05.06"),
            ("2024,05,06", "2024.05.06"),
            ("2024_05_06", "2024.05.06"),
            ("2024. 5. 6.", "2024.05.06"),
            ("2024 – 05 – 06", "2024.05.06"),
            ("2024.05.06-08", "2024.??.??"),
            ("2024 May 6", "2024.??.??"),
            ("2024-05", "2024.??.??"),
            ("06.05.2024", "2024.??.??"),
            ("31/12/2024", "2024.??.??"),
            ("??.??.2024", "2024.??.??"),
            ("2011.20.11", "2011.??.??"),
            ("2001-02-29", "2001.??.??"),
            ("2024", "2024.??.??"),
            ("May 2024", "2024.??.??"),
            ("2023/2024", "2023.??.??"),
        ] {
            assert_eq!(Date::meant(text).map(|date| date.to_string()).as_deref(), Some(date), "{text}");
        }
        for text in [
            "12345.01.01",
            "20251324",
            "2025022",
            "0000.00.00",
            "????.??.??",
            "????-05-06",
            "06.05.24",
            "?",
            "",
            "€€€",
        ] {
            assert_eq!(Date::meant(text), None, "{text}");
        }
    }

    #[test]
    fn the_known_part_of_a_date_is_its_text_without_question_marks() {
        for (text, known, year) in [
            ("1984.01.02", "1984.01.02", Some("1984")),
            ("1984.12.??", "1984.12", Some("1984")),
            ("0812.??.??", "0812", Some("0812")),
            ("????.05.??", "????.05", None),
            ("????.??.??", "", None),
        ] {
            let date = Date::parse(text).unwrap();
            assert_eq!((date.known().as_str(), date.year_text().as_deref()), (known, year), "{text}");
            assert_eq!(Date::from_packed(date.packed()), Some(date));
        }
    }

    #[test]
    fn a_year_and_a_month_have_the_packed_dates_of_their_days() {
        for packed in (1983 << 9..1986 << 9).chain(0..512) {
            let Some(date) = Date::from_packed(packed) else { continue };
            assert_eq!(Date::in_year(1984).contains(&packed), date.year() == Some(1984), "{date}");
            let in_may = (date.year(), date.month()) == (Some(1984), Some(5));
            assert_eq!(Date::in_month(1984, 5).contains(&packed), in_may, "{date}");
        }
    }

    #[test]
    fn packed_dates_sort_by_time() {
        let dates = ["????.??.??", "1984.??.??", "1984.01.??", "1984.01.02", "1984.12.01", "1985.??.??"];
        let packed: Vec<u32> = dates.iter().map(|text| Date::parse(text).unwrap().packed()).collect();
        assert!(packed.is_sorted());
    }
}
