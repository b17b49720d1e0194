//! Collects what the conditions require of rows, the index, positions and texts.

use std::ops::RangeInclusive;

use super::{FilterText, positions};
use crate::{
    archive::{Archive, Filter, GameNumber},
    chess::Variant,
    openings::OpeningId,
    query::{
        Context, Course, Search, TargetPosition, TextSearch, games_matching, games_reaching,
        games_with_opening, games_with_texts,
    },
    record::GameId,
    request::{PositionText, PresentError, RequestError, Requirement},
};

/// What the conditions require; a game must meet all of it.
#[derive(Debug, Default)]
pub struct Draft {
    /// Requirements on the rows of games.
    pub(super) rows: Filter,
    /// Ids, if there are several ranges.
    pub(super) ids: Vec<RangeInclusive<GameId>>,
    /// Any of these openings; empty if no opening is required.
    pub(super) openings: Vec<OpeningId>,
    /// A position that the game must reach.
    pub(super) position: Option<PositionText>,
    /// Whether the first side of the material must win, or lose.
    pub(super) won: Option<bool>,
    /// Requirements on the course of the game.
    pub(super) course: Course,
}

impl Draft {
    /// Requires each of some numbers of the row to be in one of some ranges.
    pub(super) fn numbers(
        &mut self,
        numbers: &[GameNumber],
        ranges: Vec<RangeInclusive<u32>>,
    ) -> Result<(), RequestError> {
        self.rows.numbers.extend(numbers.iter().map(|number| (*number, ranges.clone())));
        Ok(())
    }

    /// The filter for an archive. Each condition searches only the games that the previous one found.
    pub(super) fn filter(mut self, text: &FilterText, context: Context<'_>) -> Result<Filter, PresentError> {
        let archive = context.archive;
        let search = self.search(text)?;
        let sought = self.position.take().map(|position| self.sought(text, position, archive)).transpose()?;
        let Draft { rows: mut filter, ids, openings, .. } = self;
        let mut texts = TextSearch::default();
        text.all("tag").iter().for_each(|tag| texts.add_tag(tag));
        text.all("comment").iter().for_each(|comment| texts.add_comment(comment));
        // From cheap to expensive: ids, then openings and positions, which the index has, then searches, which replay
        // what trails leave open, and last texts, which decompress comments. Each step narrows the next.
        if !ids.is_empty() {
            let last = archive.last_id()?;
            let there = |range: RangeInclusive<GameId>| (*range.start()).max(0)..=(*range.end()).min(last);
            filter.among = Some(ids.into_iter().flat_map(there).collect());
        }
        if !openings.is_empty() {
            filter.among = Some(games_with_opening(context, &openings, &filter)?);
        }
        if let Some(sought) = sought {
            filter.among = Some(games_reaching(context, &sought, &filter)?.games);
        }
        if let Some(search) = search {
            filter.among = Some(games_matching(context, &search, &filter)?.games);
        }
        if !texts.is_empty() {
            filter.among = Some(games_with_texts(context, &texts, &filter)?);
        }
        Ok(filter)
    }

    /// The conditions that need a search of positions or moves; `None` if the rows are sufficient.
    pub(super) fn search(&self, text: &FilterText) -> Result<Option<Search>, RequestError> {
        let search = Search {
            variant: Variant::Standard,
            lines: positions::lines(text, self.won)?,
            never: positions::never(text)?,
            course: self.course.clone(),
        };
        if search.is_everything() {
            return Ok(None);
        }
        let search = Search { variant: self.variant()?.unwrap_or_default(), ..search };
        if search.course.asks_facts() && !search.is_of(Variant::Standard) {
            return Err(RequestError::Requires(Requirement::Chess));
        }
        Ok(Some(if text.has("mirror") { search.mirrored() } else { search }))
    }

    /// A position as a search target: pieces only or not, with colours swapped or not, in games of the requested
    /// variant; by default that of the stored game that the position is from, or standard chess.
    pub(super) fn sought(
        &self,
        text: &FilterText,
        position: PositionText,
        archive: &Archive,
    ) -> Result<TargetPosition, PresentError> {
        let variant = match (self.variant()?, &position) {
            (Some(variant), _) => variant,
            (None, PositionText::Stored { game, .. }) => archive.game(*game)?.variant()?,
            (None, PositionText::Setup(_)) => Variant::Standard,
        };
        let setup = position.setup(|| Ok::<_, PresentError>(archive))?;
        let sought = match text.has("board_only") {
            true => TargetPosition::board_only(variant, &setup.board),
            false => TargetPosition::of_variant(variant, &setup).map_err(RequestError::from)?,
        };
        Ok(if text.has("mirror") { sought.mirrored() } else { sought })
    }

    /// The requested variant of chess.
    fn variant(&self) -> Result<Option<Variant>, RequestError> {
        let Some(kind) = self.rows.kind else { return Ok(None) };
        kind.variant().map(Some).ok_or_else(|| RequestError::NotChess(kind.name().to_owned()))
    }
}
