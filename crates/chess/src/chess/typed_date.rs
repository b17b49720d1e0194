//! Dates as somebody types them.

use super::Date;

const SEPARATORS: [char; 3] = ['.', '-', '/'];

/// Why a typed date is not clear.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DateError {
    /// It is not a date.
    #[error("a date is written as 1984.12.29, with ?? for what is unknown")]
    NoDate,
    /// Day and month are not clear.
    #[error("this date is not clear: it can be {day_first} or {month_first}; write one of these")]
    TwoDates {
        /// The date if the day is first.
        day_first: Date,
        /// The date if the month is first.
        month_first: Date,
    },
    /// The month does not exist.
    #[error("a year has 12 months")]
    Month,
    /// The month does not have this day.
    #[error("{} has {days} days", MONTHS.get(*.month).unwrap_or(&"the month"))]
    Day {
        /// The 0-based month.
        month: usize,
        /// The number of its days in that year.
        days: u8,
    },
}

const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

/// Reads a date with any separators: the year alone, the year first, or the year last if only one of the other two numbers
/// can be the month.
///
/// # Errors
/// It is not a date, or it can mean two.
pub fn typed_date(text: &str) -> Result<Date, DateError> {
    let year_alone = Some(text).filter(|text| text.len() == 4).and_then(Date::meant);
    if let Some(date) = year_alone.or_else(|| Date::parse(text)).or_else(|| Date::with_other_marks(text)) {
        return Ok(date);
    }
    let parts: Vec<&str> = text.split(SEPARATORS).map(str::trim).collect();
    match *parts {
        [year, month, _] if year.len() == 4 => {
            Err(impossible(number(year)?, if month.contains('?') { 0 } else { number(month)? }))
        }
        [first, second, year] if year.len() == 4 => year_last(number(first)?, number(second)?, number(year)?),
        _ => Err(DateError::NoDate),
    }
}

/// A date of which the first number may be the day or the month.
fn year_last(first: u16, second: u16, year: u16) -> Result<Date, DateError> {
    let date = |day: u16, month: u16| Date::new(year, u8::try_from(month).ok()?, u8::try_from(day).ok()?);
    match (date(first, second), date(second, first)) {
        (Some(day_first), Some(month_first)) if day_first != month_first => {
            Err(DateError::TwoDates { day_first, month_first })
        }
        (Some(date), _) | (None, Some(date)) => Ok(date),
        (None, None) => Err(impossible(year, first.min(second))),
    }
}

/// Why there is no such day in a month.
fn impossible(year: u16, month: u16) -> DateError {
    let month = u8::try_from(month).unwrap_or(u8::MAX);
    let last = (28..=31).rev().find(|day| Date::new(year, month, *day).is_some());
    match usize::from(month).checked_sub(1).zip(last) {
        Some((month, days)) => DateError::Day { month, days },
        None => DateError::Month,
    }
}

/// A part of a date, which is known.
fn number(text: &str) -> Result<u16, DateError> {
    text.parse().ok().filter(|number| *number > 0).ok_or(DateError::NoDate)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_date_is_read_if_it_can_only_mean_one() {
        for (text, expected) in [
            ("2026-12-31", "2026.12.31"),
            ("2026/2/3", "2026.02.03"),
            ("2026.12.??", "2026.12.??"),
            ("????.??.??", "????.??.??"),
            ("2026", "2026.??.??"),
            ("31.12.2026", "2026.12.31"),
            ("12/31/2026", "2026.12.31"),
            ("1-13-2026", "2026.01.13"),
            ("5. 5. 2026", "2026.05.05"),
            ("29.2.2024", "2024.02.29"),
        ] {
            assert_eq!(typed_date(text).map(|date| date.to_string()).as_deref(), Ok(expected), "{text}");
        }
        for (text, why) in [
            ("05.06.2026", "it can be 2026.06.05 or 2026.05.06"),
            ("6/5/2026", "it can be 2026.05.06 or 2026.06.05"),
            ("31.4.2026", "April has 30 days"),
            ("2/30/2026", "February has 28 days"),
            ("2026-02-29", "February has 28 days"),
            ("13/14/2026", "a year has 12 months"),
            ("2026.13.01", "a year has 12 months"),
            ("0.5.2026", "a date is written as"),
            ("soon", "a date is written as"),
            ("31.12.26", "a date is written as"),
            ("??.12.2026", "a date is written as"),
            ("1.2.3.2026", "a date is written as"),
            ("70000.1.2026", "a date is written as"),
            ("1.5.0000", "a date is written as"),
        ] {
            let refused = typed_date(text).unwrap_err().to_string();
            assert!(refused.contains(why), "{text}: {refused}");
        }
    }
}
