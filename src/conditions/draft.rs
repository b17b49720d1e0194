//! What conditions ask, put together: of the rows of games, of the index, of positions, of texts.

use std::ops::{ControlFlow, RangeInclusive};

use super::positions::Positions;
use crate::{
    archive::{Archive, Filter},
    chess::Variant,
    openings::OpeningId,
    query::{
        Course, PositionIndex, Search, Sought, TextSearch, games_matching, games_reaching,
        games_with_opening, games_with_texts,
    },
    record::GameId,
    request::{PositionText, PresentError, RequestError},
};

/// What conditions ask, all of which a game must meet.
#[derive(Debug, Default)]
pub struct Draft {
    /// What the rows of games say.
    pub(super) rows: Filter,
    /// Ids, where these are several ranges.
    pub(super) ids: Vec<RangeInclusive<GameId>>,
    /// Any of these openings; none if nothing is asked of openings.
    pub(super) openings: Vec<OpeningId>,
    /// A position that the game comes to.
    pub(super) position: Option<PositionText>,
    /// Only the pieces of that position count.
    pub(super) board_only: bool,
    /// Positions and patterns also count with the colours swapped.
    pub(super) mirror: bool,
    /// What positions are like.
    pub(super) positions: Positions,
    /// What a game does as a whole.
    pub(super) course: Course,
    /// What its tags and comments say.
    pub(super) texts: TextSearch,
}

impl Draft {
    /// The filter for an archive; nothing if `watch` breaks off. What is found by one condition is looked through for the
    /// next.
    pub(super) fn filter(
        mut self,
        archive: &Archive,
        index: Option<&PositionIndex>,
        mut watch: impl FnMut(u64) -> ControlFlow<()>,
    ) -> Result<Option<Filter>, PresentError> {
        let search = self.search()?;
        let sought = self.position.take().map(|position| self.sought(position, archive)).transpose()?;
        let Draft { rows: mut filter, ids, openings, texts, .. } = self;
        if !ids.is_empty() {
            let last = archive.last_id()?;
            let there = |range: RangeInclusive<GameId>| (*range.start()).max(0)..=(*range.end()).min(last);
            filter.among = Some(ids.into_iter().flat_map(there).collect());
        }
        if !openings.is_empty() {
            let games = games_with_opening(archive, index, &openings, &filter, &mut watch)?;
            let Some(games) = games else { return Ok(None) };
            filter.among = Some(games);
        }
        if let Some(sought) = sought {
            let reached = games_reaching(archive, index, &sought, &filter, |progress| watch(progress.games))?;
            let Some(reached) = reached else { return Ok(None) };
            filter.among = Some(reached.games);
        }
        if let Some(search) = search {
            let matching =
                games_matching(archive, index, &search, &filter, |progress| watch(progress.games))?;
            let Some(matching) = matching else { return Ok(None) };
            filter.among = Some(matching.games);
        }
        if !texts.is_empty() {
            let Some(games) = games_with_texts(archive, &texts, &filter, watch)? else { return Ok(None) };
            filter.among = Some(games);
        }
        Ok(Some(filter))
    }

    /// What games are searched for; `None` if that is nothing besides what their rows say.
    pub(super) fn search(&self) -> Result<Option<Search>, RequestError> {
        let search = Search {
            variant: Variant::Standard,
            lines: self.positions.lines()?,
            never: self.positions.never()?,
            course: self.course.clone(),
        };
        if search.is_everything() {
            return Ok(None);
        }
        let search = Search { variant: self.variant()?.unwrap_or_default(), ..search };
        if search.course.asks_facts() && !search.is_of(Variant::Standard) {
            return Err(RequestError::Unused(
                "ends-in, castling and en-passant",
                "games of standard chess or Chess960",
            ));
        }
        Ok(Some(if self.mirror { search.mirrored() } else { search }))
    }

    /// A position, as it counts here: the pieces alone or not, with colours swapped or not, in games of the variant that is
    /// asked for; else of that of the stored game that it is from, or of chess.
    pub(super) fn sought(&self, position: PositionText, archive: &Archive) -> Result<Sought, PresentError> {
        let variant = match (self.variant()?, &position) {
            (Some(variant), _) => variant,
            (None, PositionText::Stored { game, .. }) => archive.game(*game)?.variant()?,
            (None, PositionText::Setup(_)) => Variant::Standard,
        };
        let setup = position.setup(|| Ok::<_, PresentError>(archive))?;
        let sought = match self.board_only {
            true => Sought::board_only(variant, &setup.board),
            false => Sought::of_variant(variant, &setup).map_err(RequestError::from)?,
        };
        Ok(if self.mirror { sought.mirrored() } else { sought })
    }

    /// The variant of chess that is asked for.
    fn variant(&self) -> Result<Option<Variant>, RequestError> {
        let Some(kind) = self.rows.kind else { return Ok(None) };
        kind.variant().map(Some).ok_or_else(|| RequestError::NotChess(kind.name().to_owned()))
    }
}
