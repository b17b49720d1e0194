//! How two dates of one game may differ.

use crate::chess::Date;

/// How the dates of two games are related.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum DateLikeness {
    /// The same day.
    Same,
    /// Month and day are swapped, or the year differs by one.
    Near,
    /// What is known of both is the same, at least the year.
    Vague,
    /// A year is unknown.
    Unknown,
    /// The year differs by one, and no day is known.
    YearOff,
    /// They differ.
    Other,
}

impl DateLikeness {
    pub(super) fn of(one: Option<Date>, two: Option<Date>) -> DateLikeness {
        let (one, two) = (one.unwrap_or_default(), two.unwrap_or_default());
        let (Some(year), Some(other_year)) = (one.year(), two.year()) else { return DateLikeness::Unknown };
        let (day, other_day) = (DayOfYear::of(one), DayOfYear::of(two));
        let (is_known, is_same) = (day.is_known() && other_day.is_known(), day.may_be(other_day));
        match year.abs_diff(other_year) {
            0 if is_known && day == other_day => DateLikeness::Same,
            0 if is_known && day == other_day.swapped() => DateLikeness::Near,
            0 if is_same => DateLikeness::Vague,
            1 if is_known && day == other_day => DateLikeness::Near,
            1 if is_same => DateLikeness::YearOff,
            _ => DateLikeness::Other,
        }
    }
}

/// Month and day, 0 if unknown.
#[derive(Clone, Copy, PartialEq, Eq)]
struct DayOfYear(u32, u32);

impl DayOfYear {
    fn of(date: Date) -> DayOfYear {
        DayOfYear(date.packed() >> 5 & 15, date.packed() & 31)
    }

    fn is_known(self) -> bool {
        self.0 > 0 && self.1 > 0
    }

    fn swapped(self) -> DayOfYear {
        DayOfYear(self.1, self.0)
    }

    /// Whether the parts that both have are the same.
    fn may_be(self, other: DayOfYear) -> bool {
        let agree = |one, two| one == two || one == 0 || two == 0;
        agree(self.0, other.0) && agree(self.1, other.1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_related_as_typing_errors_relate_them() {
        for (one, two, expected) in [
            ("1984.05.06", "1984.05.06", DateLikeness::Same),
            ("1984.05.06", "1984.06.05", DateLikeness::Near),
            ("1984.05.06", "1985.05.06", DateLikeness::Near),
            ("1984.05.??", "1984.05.06", DateLikeness::Vague),
            ("1984.??.??", "1984.??.??", DateLikeness::Vague),
            ("1984.??.??", "1985.??.??", DateLikeness::YearOff),
            ("????.??.??", "1985.01.02", DateLikeness::Unknown),
            ("1984.05.06", "1984.05.07", DateLikeness::Other),
            ("1984.05.06", "1986.05.06", DateLikeness::Other),
        ] {
            let likeness = |one, two| DateLikeness::of(Date::parse(one), Date::parse(two));
            assert_eq!((likeness(one, two), likeness(two, one)), (expected, expected), "{one} {two}");
        }
    }
}
