//! What the index says of each game besides its positions.

/// Numbers about a game; 0 where a tag is missing, unless something else is said.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GameColumns {
    /// As stored: 0 White won, 1 draw, 2 Black won, 3 unfinished or unknown.
    pub result: u32,
    /// White's rating.
    pub white_elo: u32,
    /// Black's rating.
    pub black_elo: u32,
    /// The packed date (see [`Date::packed`](crate::chess::Date::packed)).
    pub date: u32,
    /// The id of White's name.
    pub white: u32,
    /// The id of Black's name.
    pub black: u32,
    /// The [`Speed`], as a number.
    pub speed: u32,
    /// 1 if the game was casual.
    pub casual: u32,
}

/// The columns of the facts, in the order of their parts.
pub const FACTS: usize = 8;

impl GameColumns {
    pub(super) fn numbers(&self) -> [u32; FACTS] {
        [
            self.result,
            self.white_elo,
            self.black_elo,
            self.date,
            self.white,
            self.black,
            self.speed,
            self.casual,
        ]
    }
}

/// How long the players had, as the public explorers call it.
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
    /// Longer, or not known.
    #[default]
    Classical = 4,
    /// Days a move.
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

    /// Of a TimeControl tag: its base and 40 times its increment, in seconds; `-` is correspondence.
    pub fn of_time_control(text: &str) -> Speed {
        if text.trim() == "-" {
            return Speed::Correspondence;
        }
        let (base, increment) = text.trim().split_once('+').unwrap_or((text.trim(), "0"));
        let (Ok(base), Ok(increment)) = (base.parse::<u32>(), increment.parse::<u32>()) else {
            return Speed::Classical;
        };
        match base.saturating_add(increment.saturating_mul(40)) {
            0..30 => Speed::UltraBullet,
            30..180 => Speed::Bullet,
            180..480 => Speed::Blitz,
            480..1500 => Speed::Rapid,
            _ => Speed::Classical,
        }
    }
}
