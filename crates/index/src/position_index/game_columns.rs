//! What the index stores about each game in addition to its positions.

use plybook_chess::chess::Date;
use plybook_record::{GameId, GameMetadata, TimeControl, ValueRules, result_of};

/// Numbers about a game; unless otherwise noted, 0 if a tag is missing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GameColumns {
    /// As stored: 0 White won, 1 draw, 2 Black won, 3 unfinished or unknown.
    pub result: u32,
    /// White's rating.
    pub white_elo: u32,
    /// Black's rating.
    pub black_elo: u32,
    /// The packed date (see [`Date::packed`]).
    pub date: u32,
    /// The id of White's name.
    pub white: u32,
    /// The id of Black's name.
    pub black: u32,
    /// The [`Speed`], as a number.
    pub speed: u32,
    /// 1 if the game was casual.
    pub casual: u32,
    /// The index of its opening in the table of [`Openings::standard`](plybook_chess::openings::Openings::standard),
    /// plus one; 0 if none of its positions has a name.
    pub opening: u32,
    /// The number of plies.
    pub plies: u32,
}

/// A column of [`GameColumns`]. Its number is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub enum ColumnOf {
    /// [`GameColumns::result`].
    Result = 0,
    /// [`GameColumns::white_elo`].
    WhiteElo = 1,
    /// [`GameColumns::black_elo`].
    BlackElo = 2,
    /// [`GameColumns::date`].
    Date = 3,
    /// [`GameColumns::white`].
    White = 4,
    /// [`GameColumns::black`].
    Black = 5,
    /// [`GameColumns::speed`].
    Speed = 6,
    /// [`GameColumns::casual`].
    Casual = 7,
    /// [`GameColumns::opening`].
    Opening = 8,
    /// [`GameColumns::plies`].
    Plies = 9,
}

impl ColumnOf {
    /// Every column, in the order of the numbers.
    pub const ALL: [ColumnOf; 10] = [
        ColumnOf::Result,
        ColumnOf::WhiteElo,
        ColumnOf::BlackElo,
        ColumnOf::Date,
        ColumnOf::White,
        ColumnOf::Black,
        ColumnOf::Speed,
        ColumnOf::Casual,
        ColumnOf::Opening,
        ColumnOf::Plies,
    ];
}

impl GameColumns {
    /// What sums of games need of a game.
    #[inline]
    pub fn metadata(&self, id: GameId) -> GameMetadata {
        let known = |number: u32| Some(number).filter(|number| *number > 0);
        let [white_elo, black_elo] = [self.white_elo, self.black_elo].map(known);
        let date = Date::from_packed(self.date).unwrap_or_default();
        GameMetadata { id, result: result_of(self.result.into()), white_elo, black_elo, date }
    }

    /// From the numbers of all columns, in the order of [`ColumnOf::ALL`].
    pub(super) fn of(numbers: [u32; ColumnOf::ALL.len()]) -> GameColumns {
        let [result, white_elo, black_elo, date, white, black, speed, casual, opening, plies] = numbers;
        GameColumns { result, white_elo, black_elo, date, white, black, speed, casual, opening, plies }
    }

    /// The number in a column.
    pub fn get(&self, column: ColumnOf) -> u32 {
        let GameColumns { result, white_elo, black_elo, date, white, black, speed, casual, opening, plies } =
            *self;
        [result, white_elo, black_elo, date, white, black, speed, casual, opening, plies][column as usize]
    }
}

/// The speed of a game, named as in public explorers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub enum Speed {
    /// Less than 30 seconds.
    UltraBullet = 0,
    /// Less than three minutes.
    Bullet = 1,
    /// Less than eight minutes.
    Blitz = 2,
    /// Less than 25 minutes.
    Rapid = 3,
    /// Longer, or unknown.
    #[default]
    Classical = 4,
    /// Days per move.
    Correspondence = 5,
}

impl Speed {
    /// Every speed.
    pub const ALL: [Speed; 6] = [
        Speed::UltraBullet,
        Speed::Bullet,
        Speed::Blitz,
        Speed::Rapid,
        Speed::Classical,
        Speed::Correspondence,
    ];

    /// Its name, as in URLs of the public explorers.
    pub fn name(self) -> &'static str {
        match self {
            Speed::UltraBullet => "ultraBullet",
            Speed::Bullet => "bullet",
            Speed::Blitz => "blitz",
            Speed::Rapid => "rapid",
            Speed::Classical => "classical",
            Speed::Correspondence => "correspondence",
        }
    }

    /// The speed with a name, ignoring case.
    pub fn from_name(name: &str) -> Option<Speed> {
        Speed::ALL.into_iter().find(|speed| speed.name().eq_ignore_ascii_case(name))
    }

    /// The speed of a TimeControl tag: from its base time plus 40 increments, or correspondence.
    pub fn of_time_control(text: &str, rules: ValueRules) -> Speed {
        if rules == ValueRules::Former {
            return Speed::by_former_rules(text);
        }
        let Some(control) = TimeControl::parse(text) else { return Speed::Classical };
        if control.is_correspondence() {
            return Speed::Correspondence;
        }
        Speed::of_seconds(control.in_minutes(rules == ValueRules::CurrentInMinutes).for_a_game())
    }

    /// The speed in games of releases up to 0.2, which read only whole seconds.
    fn by_former_rules(text: &str) -> Speed {
        if text.trim() == "-" {
            return Speed::Correspondence;
        }
        let (base, increment) = text.trim().split_once('+').unwrap_or((text.trim(), "0"));
        let (Ok(base), Ok(increment)) = (base.parse::<u32>(), increment.parse::<u32>()) else {
            return Speed::Classical;
        };
        Speed::of_seconds(f64::from(base) + 40.0 * f64::from(increment))
    }

    fn of_seconds(seconds: f64) -> Speed {
        match seconds {
            ..30.0 => Speed::UltraBullet,
            ..180.0 => Speed::Bullet,
            ..480.0 => Speed::Blitz,
            ..1500.0 => Speed::Rapid,
            _ => Speed::Classical,
        }
    }
}
