//! The parameters of a URL, as clients of explorers write them.

use std::{collections::BTreeSet, fmt::Display, ops::RangeInclusive, str::FromStr};

use super::{Result, reply::Failure};
use crate::{
    archive::{Filter, GameNumber},
    chess::{Date, Variant, VariantPosition},
    conditions::{number, yes_or_no},
    position_index::Speed,
    query::RatingGroups,
    request,
};

/// The parameter of the ids of games: a form of tick boxes sends each of them.
pub(super) const SEVERAL: &str = "id";

/// The parameter of the names of a player, each with a tick box too.
pub(super) const NAMES: &str = "name";

/// The parameters of a URL. If one is given several times, the last one counts; of ids and names, all.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Parameters(Vec<(String, String)>);

impl Parameters {
    pub(super) fn new(query: Option<&str>) -> Parameters {
        let mut parameters = Parameters::default();
        for (name, value) in form_urlencoded::parse(query.unwrap_or_default().as_bytes()) {
            let before = parameters.text(&name).filter(|before| !before.is_empty());
            let value = match (&*name, before) {
                (SEVERAL, Some(before)) => format!("{before},{value}"),
                (NAMES, Some(before)) => format!("{before}; {value}"),
                _ => value.into_owned(),
            };
            parameters.set(&name, &value);
        }
        parameters
    }

    pub(super) fn set(&mut self, name: &str, value: &str) {
        match self.0.iter_mut().find(|(known, _)| known == name) {
            Some((_, known)) => value.clone_into(known),
            None => self.0.push((name.to_owned(), value.to_owned())),
        }
    }

    /// Removes all parameters but some.
    pub(super) fn retain(&mut self, keep: impl Fn(&str, &str) -> bool) {
        self.0.retain(|(name, value)| keep(name, value));
    }

    /// All parameters with their values.
    pub(super) fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }

    pub(super) fn text(&self, name: &str) -> Option<&str> {
        self.iter().find(|(known, _)| *known == name).map(|(_, value)| value)
    }

    /// A value, parsed by a function.
    fn read<T>(&self, name: &str, what: &str, read: impl FnOnce(&str) -> Option<T>) -> Result<Option<T>> {
        let Some(text) = self.text(name) else { return Ok(None) };
        let wrong = || Failure::invalid(name, format_args!("{text:?} is not a valid {what}"));
        read(text).map(Some).ok_or_else(wrong)
    }

    /// A value whose own error says what is wrong.
    pub(super) fn parsed<T: FromStr<Err: Display>>(&self, name: &str) -> Result<Option<T>> {
        self.text(name).map(|text| text.parse().map_err(|error| Failure::invalid(name, error))).transpose()
    }

    /// A list of values, separated by commas.
    fn list<T, C: FromIterator<T>>(
        &self,
        name: &str,
        what: &str,
        read: impl Fn(&str) -> Option<T>,
    ) -> Result<Option<C>> {
        self.read(name, what, |text| text.split(',').map(read).collect())
    }

    /// A number of any size; too large ones become the maximum.
    pub(super) fn number(&self, name: &str) -> Result<Option<u64>> {
        self.read(name, "number", number)
    }

    /// A number of results, up to a limit.
    pub(super) fn count(&self, name: &str, usual: usize, most: usize) -> Result<usize> {
        let given = self.number(name)?.map(|number| usize::try_from(number).unwrap_or(usize::MAX));
        Ok(given.unwrap_or(usual).min(most))
    }

    pub(super) fn switch(&self, name: &str) -> Result<bool> {
        Ok(self.read(name, "value; use yes or no", yes_or_no)?.unwrap_or(false))
    }

    pub(super) fn variant(&self) -> Result<Variant> {
        let known = |text: &str| match text {
            "chess" | "chess960" | "fromPosition" => Some(Variant::Standard),
            key => Variant::from_key(key),
        };
        Ok(self.read("variant", "variant", known)?.unwrap_or_default())
    }

    /// The positions of the requested line.
    pub(super) fn line(&self, variant: Variant) -> Result<Vec<VariantPosition>> {
        let name = match self.text("play") {
            Some(play) if !play.is_empty() => "fen or play",
            _ => "fen",
        };
        let line = request::line(variant, self.text("fen"), self.text("play"));
        line.map_err(|error| Failure::refused(name, error))
    }

    pub(super) fn speeds(&self) -> Result<Option<BTreeSet<Speed>>> {
        let exactly = |text: &str| Speed::ALL.into_iter().find(|speed| speed.name() == text);
        self.list("speeds", "list of speeds", exactly)
    }

    pub(super) fn ratings(&self) -> Result<Option<RatingGroups>> {
        let ratings: Option<Vec<u64>> = self.list("ratings", "list of ratings", number)?;
        let Some(ratings) = ratings else { return Ok(None) };
        let mut groups = RatingGroups::default();
        ratings.into_iter().for_each(|rating| groups.add(u32::try_from(rating).unwrap_or(u32::MAX)));
        Ok(Some(groups))
    }

    /// Whether games must be casual; `None` if both kinds are wanted.
    pub(super) fn casual(&self) -> Result<Option<bool>> {
        let mode = |text: &str| match text {
            "casual" => Some(true),
            "rated" => Some(false),
            _ => None,
        };
        let modes: Option<BTreeSet<bool>> = self.list("modes", "list of modes; use rated or casual", mode)?;
        Ok(modes.filter(|modes| modes.len() == 1).and_then(|modes| modes.first().copied()))
    }

    /// Sets a range of years as packed dates, if it is given. Games of unknown year match no range.
    pub(super) fn years(&self, filter: &mut Filter) -> Result<()> {
        let year = |name| {
            Ok::<_, Failure>(
                self.number(name)?.map(|year| u32::try_from(year).unwrap_or(u32::MAX).min(MOST_YEARS)),
            )
        };
        self.dates(filter, year("since")?.map(Date::in_year), year("until")?.map(Date::in_year));
        Ok(())
    }

    /// Sets a range of months as packed dates. Returns the first month, counted from year 0, and whether a range is
    /// given.
    pub(super) fn months(&self, filter: &mut Filter) -> Result<(Option<u32>, bool)> {
        let read = |name| self.read(name, "month; use the form 2020-05", month);
        let (since, until) = (read("since")?, read("until")?);
        let packed = |(year, month)| Date::in_month(year, month);
        self.dates(filter, since.map(packed), until.map(packed));
        Ok((since.map(|(year, month)| 12 * year + month - 1), since.or(until).is_some()))
    }

    fn dates(
        &self,
        filter: &mut Filter,
        since: Option<RangeInclusive<u32>>,
        until: Option<RangeInclusive<u32>>,
    ) {
        if since.is_some() || until.is_some() {
            let first = since.map_or(0, |dates| *dates.start()).max(1);
            let dates = first..=until.map_or(u32::MAX, |dates| *dates.end());
            filter.numbers.push((GameNumber::Date, vec![dates]));
        }
    }
}

/// The largest year that a packed date can hold.
const MOST_YEARS: u32 = (1 << 22) - 1;

/// A year and a month, as `2020-05`, `2020-5` or `2020/05`.
fn month(text: &str) -> Option<(u32, u32)> {
    let (year, month) = text.split_once(['-', '/'])?;
    let part =
        |text: &str, width: usize| number(text).filter(|_| text.len() <= width).map(|part| part as u32);
    Some((part(year, 4)?, part(month, 2).filter(|month| (1..=12).contains(month))?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(query: &str) -> Parameters {
        Parameters::new(Some(query))
    }

    #[test]
    fn numbers_are_any_number_of_digits() {
        for (text, number) in [
            ("0", Some(0)),
            ("12", Some(12)),
            ("99999999999999999999999", Some(u64::MAX)),
            ("", None),
            ("-1", None),
            ("+1", None),
            ("x", None),
            ("1.5", None),
        ] {
            assert_eq!(
                of(&format!("moves={}", text.replace('+', "%2B"))).number("moves").ok().flatten(),
                number,
                "{text}"
            );
        }
        assert_eq!(of("topGames=1000").count("topGames", 15, 15), Ok(15));
        assert_eq!(of("").count("topGames", 4, 15), Ok(4));
    }

    #[test]
    fn months_are_written_in_several_ways() {
        for (text, expected) in [
            ("2020-05", Some((2020, 5))),
            ("2020-5", Some((2020, 5))),
            ("2020/12", Some((2020, 12))),
            ("1-1", Some((1, 1))),
            ("2020", None),
            ("2020-0", None),
            ("2020-13", None),
            ("20200-1", None),
            ("2020-005", None),
            ("2020-05-01", None),
            ("-5", None),
            ("x", None),
        ] {
            assert_eq!(month(text), expected, "{text}");
        }
        let mut filter = Filter::default();
        assert_eq!(of("since=2020-2&until=2020-11").months(&mut filter), Ok((Some(12 * 2020 + 1), true)));
        let months = *Date::in_month(2020, 2).start()..=*Date::in_month(2020, 11).end();
        assert_eq!(filter.numbers, [(GameNumber::Date, vec![months])]);
    }

    #[test]
    fn years_are_integers_of_any_size() {
        let range = |query: &str| {
            let mut filter = Filter::default();
            of(query).years(&mut filter).map(|()| filter.numbers.pop().map(|(_, ranges)| ranges[0].clone()))
        };
        assert_eq!(range(""), Ok(None));
        assert_eq!(range("since=0"), Ok(Some(1..=u32::MAX)));
        assert_eq!(
            range("since=1950&until=1951"),
            Ok(Some(*Date::in_year(1950).start()..=*Date::in_year(1951).end()))
        );
        assert_eq!(range("until=99999999999"), Ok(Some(1..=(1 << 31) - 1)));
        assert!(range("since=x").is_err());
    }

    #[test]
    fn errors_name_the_parameter() {
        let bad = |failure: Failure, name: &str| {
            assert!(failure.to_string().starts_with(&format!("bad request: {name}: ")), "{failure:?}")
        };
        bad(of("speeds=slow").speeds().unwrap_err(), "speeds");
        bad(of("speeds=blitz,,rapid").speeds().unwrap_err(), "speeds");
        bad(of("ratings=a").ratings().unwrap_err(), "ratings");
        bad(of("modes=fast").casual().unwrap_err(), "modes");
        bad(of("variant=bughouse").variant().unwrap_err(), "variant");
        bad(of("history=perhaps").switch("history").unwrap_err(), "history");
        bad(of("fen=x").line(Variant::Standard).unwrap_err(), "fen");
        assert_eq!(
            (of("modes=rated,casual").casual(), of("modes=rated").casual()),
            (Ok(None), Ok(Some(false)))
        );
        assert_eq!(of("history=True").switch("history"), Ok(true));
        assert_eq!(of("speeds=blitz&speeds=bullet").speeds().unwrap().unwrap().len(), 1);
    }
}
