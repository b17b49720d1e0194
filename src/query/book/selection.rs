//! Which games count in addition to the filter, and how much detail is returned.

use crate::{record::GameMetadata, rules::Outcome};

/// The lowest mean rating of each group.
const GROUPS: [u32; 9] = [0, 1000, 1200, 1400, 1600, 1800, 2000, 2200, 2500];

/// Which games count in addition to the filter, and how much detail is returned.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BookOptions {
    /// Only games of these groups.
    pub ratings: Option<RatingGroups>,
    /// Only games whose month is known.
    pub with_month: bool,
    /// The maximum number of top-rated games.
    pub top: usize,
    /// The maximum number of the latest games that are not among these.
    pub recent: usize,
    /// Whether games are counted by months.
    pub history: bool,
}

/// Groups of games by the mean of their ratings, rounded down; an unknown rating counts as 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RatingGroups(u16);

impl RatingGroups {
    /// Adds the group that contains a rating.
    pub fn add(&mut self, rating: u32) {
        self.0 |= 1 << place(rating);
    }

    fn has(self, game: &GameMetadata) -> bool {
        let [white, black] = [game.white_elo, game.black_elo].map(|rating| u64::from(rating.unwrap_or(0)));
        let mean = u32::try_from((white + black) / 2).unwrap_or(u32::MAX);
        self.0 >> place(mean) & 1 == 1
    }
}

fn place(rating: u32) -> usize {
    GROUPS.partition_point(|lowest| *lowest <= rating) - 1
}

impl BookOptions {
    /// Whether a game counts.
    pub(super) fn counts(&self, game: &GameMetadata) -> bool {
        game.result != Outcome::Unknown
            && self.ratings.is_none_or(|groups| groups.has(game))
            && (!self.with_month || month(game).is_some())
    }
}

/// The month of a game, counted from year 0; `None` if it is unknown.
pub(super) fn month(game: &GameMetadata) -> Option<u32> {
    let (year, month) = (game.date >> 9, game.date >> 5 & 15);
    (year > 0 && (1..=12).contains(&month)).then(|| 12 * year + month - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rated(white: u32, black: u32) -> GameMetadata {
        let known = |rating: u32| Some(rating).filter(|rating| *rating > 0);
        let (white_elo, black_elo) = (known(white), known(black));
        GameMetadata { id: 1, result: Outcome::Unknown, white_elo, black_elo, date: 0 }
    }

    #[test]
    fn a_game_is_in_the_group_of_its_mean_rating_rounded_down() {
        let group = |rating: u32| {
            let mut groups = RatingGroups::default();
            groups.add(rating);
            groups
        };
        for (chosen, white, black, is_in) in [
            (0, 0, 0, true),
            (0, 999, 1000, true),
            (1000, 999, 1000, false),
            (1000, 1000, 1000, true),
            (1100, 1199, 1200, true),
            (2000, 2300, 1700, true),
            (2000, 0, 4000, true),
            (2200, 2499, 2500, true),
            (2500, 2500, 2500, true),
            (9999, 3000, 3000, true),
            (2500, u32::MAX, u32::MAX, true),
        ] {
            assert_eq!(group(chosen).has(&rated(white, black)), is_in, "{chosen}: {white} {black}");
        }
    }

    #[test]
    fn months_are_counted_from_the_year_0() {
        let of = |year: u32, month: u32| {
            super::month(&GameMetadata { date: year << 9 | month << 5 | 7, ..rated(0, 0) })
        };
        assert_eq!((of(1, 1), of(1984, 12), of(1984, 0), of(0, 5)), (Some(12), Some(23_819), None, None));
    }
}
