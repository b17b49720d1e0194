//! A prepared game as it would be read from the archive, before it is stored.

use rusqlite::types::ValueRef;

use super::prepared::{NAME, PreparedGames, PreparedSection};
use crate::archive::{checksum::Checked, read::round_of, row_hash};
use plybook_record::{GameRow, RowError, StoredGame, same_game::Identities};

impl PreparedGames {
    /// A game; `None` if there is no such game.
    pub(super) fn game(&self, number: usize) -> Option<Result<StoredGame, RowError>> {
        let game = self.games.get(number)?;
        let PreparedSection { layout, event, site, date, tags: section_tags, .. } =
            self.sections.get(game.section)?;
        let name = |number: Option<usize>| self.name(number?).map(str::to_owned);
        let values: Vec<ValueRef<'_>> = row_hash::values(self.bytes.get(game.row.clone())?).collect();
        let number = |column: usize| values.get(column)?.as_i64_or_null().ok().flatten();
        let tags = match &game.tags {
            Some(tags) => Some(self.with_names(self.bytes.get(tags.clone())?)),
            None => values.get(11).and_then(|tags| tags.as_str_or_null().ok().flatten()).map(str::to_owned),
        };
        let marks =
            Checked::BY_GAME.iter().zip(&game.sides).find(|(table, _)| **table == Checked::Annotation);
        let marks = marks.and_then(|(_, side)| row_hash::values(self.bytes.get(side.clone())?).nth(1));
        let row = GameRow {
            id: 0,
            codec: layout.codec.number().into(),
            variant: layout.kind.id().into(),
            names: layout.names.clone(),
            slots: layout.slots.clone(),
            moves: values.get(7)?.as_blob().unwrap_or_default().to_vec(),
            plies: number(1)?,
            result: number(2)?,
            white: name(game.players[0]),
            black: name(game.players[1]),
            event: name(*event),
            site: name(*site),
            round: round_of(*values.get(6)?),
            date: date.map(i64::from),
            white_elo: number(8),
            black_elo: number(9),
            eco: number(10),
            section_tags: (!section_tags.is_empty()).then(|| format!("{section_tags:?}")),
            tags,
            marks: marks.and_then(|marks| marks.as_blob().ok()).map(<[u8]>::to_vec),
        };
        // Texts are found by their indexes in the batch instead of their ids.
        Some(row.into_game(|number| self.name(usize::try_from(number).ok()?).map(str::to_owned)))
    }

    /// Finds the identities of games that are copied as rows. Those of damaged games are unknown.
    pub(super) fn find_identities(&mut self) {
        for number in 0..self.games.len() {
            let Some(Ok(game)) = self.game(number) else { continue };
            if let Some(prepared) = self.games.get_mut(number) {
                prepared.identities = Identities::of(&game.tags).short().collect();
            }
        }
    }

    fn name(&self, number: usize) -> Option<&str> {
        self.text.get(self.names.get(number)?.text.clone())
    }

    /// The text of `tags` with the indexes of names in place of their placeholders.
    fn with_names(&self, text: &[u8]) -> String {
        let (mut written, mut rest) = (String::new(), text);
        while let Some(at) = memchr::memchr(NAME, rest) {
            let (before, after) = rest.split_at(at);
            written.push_str(&String::from_utf8_lossy(before));
            let number =
                after.get(1..).and_then(<[u8]>::first_chunk).map(|bytes| usize::from_le_bytes(*bytes));
            written.push_str(&number.unwrap_or(usize::MAX).to_string());
            rest = after.get(1 + size_of::<usize>()..).unwrap_or_default();
        }
        written + &String::from_utf8_lossy(rest)
    }
}
