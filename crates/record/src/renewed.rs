//! Stored games whose columns an earlier release read from their tags by other rules.

use super::{
    GameKind, GameRow, Record, RowError, StoredGame, TagLayoutCache, ValueRules, time_control::TimeControl,
};
use plybook_chess::chess::Annotations;

impl Record {
    /// A stored game with its columns and layout by the current rules, without its annotations and original bytes, which
    /// stay as they are; `None` if the rules make no difference. `text` returns the text with an id in `tag_value`.
    ///
    /// # Errors
    /// The row is from a newer version, or damaged.
    pub fn renewed(
        row: GameRow,
        text: impl Fn(i64) -> Option<String>,
        layouts: &mut TagLayoutCache,
    ) -> Result<Option<Record>, RowError> {
        let slots = row.slots.clone();
        let numbers = [row.date, row.white_elo, row.black_elo, row.eco];
        let game = row.into_game(text)?;
        let annotations = clocks(&game);
        let StoredGame { kind, codec, tags, result, moves, plies, .. } = game;
        let (layout, columns, values) = layouts.assign(codec, kind, &tags, result, &annotations);
        let is_same = ValueRules::of_slots(&layout.slots) == ValueRules::Current
            && layout.slots.trim_start() == slots.trim_start()
            && [columns.white_elo, columns.black_elo, columns.eco].map(|number| number.map(i64::from))
                == numbers[1..]
            && columns.date.map(i64::from) == numbers[0];
        let (sides, fingerprint) = Default::default();
        Ok((!is_same).then_some(Record {
            layout,
            moves,
            plies,
            result,
            tags,
            columns,
            values,
            sides,
            fingerprint,
        }))
    }
}

/// The annotations of a game if they say whether its time control is in minutes.
fn clocks(game: &StoredGame) -> Annotations {
    let is_chess = matches!(game.kind, GameKind::Chess(_));
    if game.marks.is_empty() || !is_chess || !TimeControl::asks_for_clocks(&game.tags) {
        return Annotations::default();
    }
    let line = game.line().ok();
    line.and_then(|line| game.annotations(&line).ok()).unwrap_or_default()
}
