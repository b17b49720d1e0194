//! Generated tournaments: the number of games, pairings, dates and places.

use super::{
    people::{player, rating, town},
    random::Random,
};

/// The number of players and towns in the most frequent group; each following group is larger and rarer.
const STARS: u64 = 160;
const CITIES: u64 = 48;

/// The number of games of a tournament, by twentieths, as in the collection that the openings are from.
const GAMES: [u64; 21] = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 15, 17, 20, 25, 30, 38, 50, 77, 300];

/// The year, by thirty-seconds of that collection's games.
const YEARS: [u64; 33] = [
    1880, 1928, 1952, 1962, 1969, 1974, 1980, 1984, 1987, 1989, 1991, 1993, 1995, 1996, 1998, 2000, 2001,
    2003, 2004, 2006, 2007, 2009, 2010, 2011, 2013, 2014, 2015, 2016, 2017, 2018, 2019, 2020, 2023,
];

/// The first year in which players have ratings.
const FIRST_RATINGS: u64 = 1971;

/// A tournament.
#[derive(Debug)]
pub(super) struct Event {
    pub name: String,
    pub site: String,
    pub games: u64,
    year: u64,
    /// Month and day of the first round, if known.
    begin: Option<(u64, u64)>,
    players: Vec<Entrant>,
    rounds: Rounds,
}

/// A player in a tournament.
#[derive(Debug)]
pub(super) struct Entrant {
    pub name: String,
    pub rating: Option<u64>,
}

/// The notation of rounds.
#[derive(Clone, Copy, Debug, Default)]
enum Rounds {
    #[default]
    Plain,
    /// With the number of the board.
    Boards,
    Unknown,
}

/// A planned game.
#[derive(Debug)]
pub(super) struct Pairing<'a> {
    pub white: &'a Entrant,
    pub black: &'a Entrant,
    pub date: String,
    pub round: String,
}

impl Event {
    /// The number of games of a tournament. It is drawn first, so that it can be computed alone.
    pub(super) fn games(random: &mut Random) -> u64 {
        random.quantile(&GAMES)
    }

    pub(super) fn new(random: &mut Random) -> Event {
        let games = Event::games(random);
        let year = random.quantile(&YEARS);
        let (town, country) = town(random.unbounded(CITIES));
        let name = event_name(&town, country, year, random);
        let site = if random.percent(50) { format!("{town} {country}") } else { town };
        let begin = random.percent(57).then(|| (1 + random.below(12), 1 + random.below(28)));
        let rounds =
            random.one_of(&[Rounds::Plain, Rounds::Plain, Rounds::Plain, Rounds::Boards, Rounds::Unknown]);
        // A round robin, or a Swiss tournament of nine rounds; the number of players is even.
        let most = if random.percent(40) { games * 2 / 9 } else { 0 };
        let count = most.max((2 * games).isqrt() + 1).next_multiple_of(2);
        let players = (0..count).map(|_| Entrant::draw(year, random)).collect();
        Event { name, site, games, year, begin, players, rounds }
    }

    /// The game with a number, starting at 0, in a round robin.
    pub(super) fn pairing(&self, number: u64) -> Option<Pairing<'_>> {
        let boards = (self.players.len() as u64 / 2).max(1);
        let (round, board) = (number / boards, number % boards);
        let others = (self.players.len() as u64).saturating_sub(1).max(1);
        let one = if board == 0 { others } else { (round + board) % others };
        let other = if board == 0 { round % others } else { (round + others - board) % others };
        let (white, black) = if (round + board) % 2 == 0 { (one, other) } else { (other, one) };
        Some(Pairing {
            white: self.players.get(white as usize)?,
            black: self.players.get(black as usize)?,
            date: self.date(round),
            round: match self.rounds {
                Rounds::Plain => (round + 1).to_string(),
                Rounds::Boards => format!("{}.{}", round + 1, board + 1),
                Rounds::Unknown => "?".to_owned(),
            },
        })
    }

    /// The date of a round, one round per day; months have 28 days.
    fn date(&self, round: u64) -> String {
        let Some((month, day)) = self.begin else { return format!("{}.??.??", self.year) };
        let days = (month - 1) * 28 + day - 1 + round;
        let (months, day) = (days / 28, days % 28 + 1);
        format!("{}.{:02}.{day:02}", self.year + months / 12, months % 12 + 1)
    }
}

impl Entrant {
    fn draw(year: u64, random: &mut Random) -> Entrant {
        let number = random.unbounded(STARS);
        let rated = year >= FIRST_RATINGS && random.percent(94);
        let rating = rated.then(|| rating(number, STARS) + random.below(40));
        Entrant { name: player(number), rating }
    }
}

fn event_name(town: &str, country: &str, year: u64, random: &mut Random) -> String {
    let edition = 1 + random.below(60);
    match random.below(10) {
        0..3 => format!("{town} op"),
        3 | 4 => town.to_owned(),
        5 => format!("{edition}th {town} Open {year}"),
        6 => format!("{town} {year}"),
        7 => format!("ch-{country} {year}"),
        8 => format!("TCh-{country} {year}"),
        _ => format!("{edition}th {town} Masters"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everybody_meets_everybody_else_once() {
        let mut event = Event::new(&mut Random::new(1, 1));
        let mut random = Random::new(2, 1);
        event.players = (0..8).map(|_| Entrant::draw(2000, &mut random)).collect();
        for (place, player) in event.players.iter_mut().enumerate() {
            player.name = place.to_string();
        }
        let pairs = (0..28).filter_map(|number| event.pairing(number)).map(|pairing| {
            let mut names = [&pairing.white.name, &pairing.black.name];
            names.sort_unstable();
            names
        });
        let pairs: std::collections::HashSet<_> = pairs.collect();
        assert_eq!(pairs.len(), 28);
        assert!(pairs.iter().all(|[one, other]| one != other));
    }

    #[test]
    fn dates_go_on_over_the_end_of_a_year() {
        let mut event = Event::new(&mut Random::new(1, 1));
        (event.year, event.begin) = (1999, Some((12, 28)));
        assert_eq!(event.date(0), "1999.12.28");
        assert_eq!(event.date(1), "2000.01.01");
        event.begin = None;
        assert_eq!(event.date(3), "1999.??.??");
    }
}
