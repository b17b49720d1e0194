//! Keys of the games of players.

use plybook_record::GameId;

/// Bits of the number of a bucket of 16 games.
pub(in crate::archive) const BUCKET_BITS: u32 = 28;

/// The key that records that a player has a game in a bucket. Ids of games are below 2^32, those of players below 2^36.
pub(in crate::archive) fn player_key(player: i64, game: GameId) -> u64 {
    player.cast_unsigned() << BUCKET_BITS | game.cast_unsigned() >> 4 & ((1 << BUCKET_BITS) - 1)
}
