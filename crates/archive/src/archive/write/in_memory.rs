//! Prepared games in an archive of their own: whatever can be asked of an archive can be asked of games that are not
//! stored yet.

use super::prepared::PreparedGames;
use crate::archive::{Result, WritableArchive};
use plybook_pgn::Location;

impl WritableArchive {
    /// An archive in memory with these games, whose ids are their indexes plus 1. The games can still be stored
    /// elsewhere.
    ///
    /// # Errors
    /// A game is damaged.
    pub fn in_memory(games: &mut PreparedGames) -> Result<WritableArchive> {
        let mut writer = WritableArchive::empty_in_memory()?.into_writer();
        // As rows, because equal games are not looked for: each has its place.
        writer.begin_rows(false)?;
        let source = writer.add_source("")?;
        for number in 0..games.len() {
            let place = Location { game: number as u64 + 1, ..Location::default() };
            writer.accept(games, number, source, place)?;
        }
        writer.write(games)?;
        games.forget_ids();
        writer.end_rows(&[])?;
        writer.finish()
    }
}

impl PreparedGames {
    /// Makes the games as they were before they were stored.
    fn forget_ids(&mut self) {
        self.games.iter_mut().for_each(|game| game.id = None);
        self.names.iter_mut().for_each(|name| name.id = None);
        self.sections.iter_mut().for_each(|section| section.id = None);
    }
}
