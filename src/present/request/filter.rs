//! Which games, in words: the conditions of a filter as people and URLs write them.

use std::ops::{ControlFlow, RangeInclusive};

use serde::Deserialize;
use shakmaty::Color;

use super::{
    RequestError,
    names::{game_kind, listed, speeds},
    result::AskedResult,
};
use crate::{
    archive::{Archive, Filter, Sort},
    name_pattern::MOST_PATTERNS,
    openings::{OpeningError, OpeningId, Openings},
    present::PresentError,
    query::{
        PositionIndex, TextSearch, games_matching, games_reaching, games_with_opening, games_with_texts,
    },
    record::GameId,
};

/// The conditions of a filter as text, all of them optional. Names match as [`matches`](crate::archive::matches) says;
/// ranges are written `a`, `a..b`, `a..` or `..b`.
///
/// ```
/// use std::ops::ControlFlow;
/// use plybook::{archive::{Archive, Sort}, import::{Options, import_paths}, present::FilterText};
///
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("games.db");
/// # import_paths(&path, &["data/famous.pgn".into()], &Options::default())?;
/// let asked: FilterText = serde_json::from_str(r#"{"opening": "king's gambit", "date": "..1900", "sort": "date"}"#)?;
/// let filter = asked.filter(&Archive::open(&path)?, None, |_| ControlFlow::Continue(()))?.unwrap();
/// assert_eq!((filter.among.is_some_and(|games| !games.is_empty()), filter.sort), (true, Sort::Date));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct FilterText {
    /// White or Black.
    pub player: Option<String>,
    /// The side of the player: `white` or `black`.
    pub colour: Option<String>,
    /// The other player.
    pub opponent: Option<String>,
    /// White.
    pub white: Option<String>,
    /// Black.
    pub black: Option<String>,
    /// The event.
    pub event: Option<String>,
    /// The site.
    pub site: Option<String>,
    /// A range of dates.
    pub date: Option<String>,
    /// A range of both players' ratings.
    pub elo: Option<String>,
    /// A range of White's rating.
    pub white_elo: Option<String>,
    /// A range of Black's rating.
    pub black_elo: Option<String>,
    /// The result; `won` or `lost` by the player, or by the first side of the material.
    pub result: Option<String>,
    /// Ranges of opening codes, with commas between them.
    pub eco: Option<String>,
    /// The opening by position: words of its name, or a range of codes.
    pub opening: Option<String>,
    /// Speeds by the TimeControl tag, with commas between them: `bullet,blitz`.
    pub speed: Option<String>,
    /// Whether the games were casual, or else rated.
    pub casual: Option<bool>,
    /// A range of plies.
    pub plies: Option<String>,
    /// The variant, or Xelto.
    pub variant: Option<String>,
    /// The source that a game was imported from.
    pub source: Option<String>,
    /// Ids and ranges of them, with commas between them.
    pub id: Option<String>,
    /// Tag pairs: `NAME=VALUE`, the value as a pattern like names, or `NAME` for any value.
    pub tag: Vec<String>,
    /// Texts that stand in comments.
    pub comment: Vec<String>,
    /// A position that the game comes to: see [`PositionText`](super::PositionText).
    pub position: Option<String>,
    /// Of positions only the pieces count.
    pub board_only: bool,
    /// Positions also with colours swapped.
    pub mirror: bool,
    /// Patterns also on other files, and mirrored left to right.
    pub any_file: bool,
    /// How many pieces each side has in a position: see [`material`](super::material).
    pub material: Vec<String>,
    /// What stands where in that position: see [`pattern`](super::pattern).
    pub pattern: Vec<String>,
    /// The side to move in that position.
    pub to_move: Option<String>,
    /// For at least how many plies in a row that must be so: one position more than plies.
    pub min_plies: Option<usize>,
    /// Patterns that come later, one after the other.
    pub then: Vec<String>,
    /// At most how many plies after the one before: of all of them, or of each.
    pub within: Vec<usize>,
    /// Patterns that never stand on the board.
    pub not_pattern: Vec<String>,
    /// How the last position is to be called: one of [`ENDS`](super::ENDS).
    pub ends_in: Option<String>,
    /// How White castled: one of [`CASTLED`](super::CASTLED).
    pub white_castles: Option<String>,
    /// How Black castled.
    pub black_castles: Option<String>,
    /// A side takes en passant.
    pub en_passant: bool,
    /// A pawn becomes a piece: one of [`PROMOTIONS`](super::PROMOTIONS).
    pub promotes: Option<String>,
    /// A side gives check so many times running.
    pub checks: Option<usize>,
    /// One of [`SORTS`]; by id if nothing is said.
    pub sort: Option<String>,
    /// Sort the other way round.
    pub desc: bool,
    /// At most so many games.
    pub limit: Option<u64>,
    /// Without the first so many games.
    pub offset: u64,
}

/// What games can be sorted by.
pub const SORTS: [(&str, Sort); 11] = [
    ("id", Sort::Id),
    ("date", Sort::Date),
    ("white", Sort::White),
    ("black", Sort::Black),
    ("event", Sort::Event),
    ("site", Sort::Site),
    ("elo", Sort::Elo),
    ("eco", Sort::Eco),
    ("result", Sort::Result),
    ("plies", Sort::Plies),
    ("bytes", Sort::Bytes),
];

impl FilterText {
    /// Whether every game passes.
    pub fn is_every_game(&self) -> bool {
        let order = FilterText { sort: self.sort.clone(), desc: self.desc, ..FilterText::default() };
        *self == order
    }

    /// Whether it asks for games of players by their names.
    pub fn names_players(&self) -> bool {
        [&self.player, &self.opponent, &self.white, &self.black].into_iter().any(Option::is_some)
    }

    /// Whether every game passes, in the order of ids.
    pub fn is_every_game_by_id(&self) -> bool {
        self.is_every_game() && self.sort.as_deref().is_none_or(|sort| sort == "id")
    }

    /// The filter that the text means. What only a replay can tell is looked for in all games that are not indexed and
    /// meet the other conditions: `watch` is told the number of those looked through, and may break off; then there is
    /// no filter.
    ///
    /// # Errors
    /// A condition cannot be understood, or two name the same side; the archive cannot be read.
    pub fn filter(
        &self,
        archive: &Archive,
        index: Option<&PositionIndex>,
        mut watch: impl FnMut(u64) -> ControlFlow<()>,
    ) -> Result<Option<Filter>, PresentError> {
        let mut filter = self.conditions()?;
        self.ids(archive, &mut filter)?;
        let sought = self.position.as_deref().map(|text| self.sought(text, archive)).transpose()?;
        if let Some(openings) = read(&self.opening, openings)? {
            let games = games_with_opening(archive, index, &openings, &filter, &mut watch)?;
            let Some(games) = games else { return Ok(None) };
            filter.among = Some(games);
        }
        if let Some(sought) = sought {
            let reached = games_reaching(archive, index, &sought, &filter, |progress| watch(progress.games))?;
            let Some(reached) = reached else { return Ok(None) };
            filter.among = Some(reached.games);
        }
        if let Some(search) = self.search()? {
            let matching =
                games_matching(archive, index, &search, &filter, |progress| watch(progress.games))?;
            let Some(matching) = matching else { return Ok(None) };
            filter.among = Some(matching.games);
        }
        let texts = TextSearch::new(&self.tag, &self.comment);
        if !texts.is_empty() {
            let Some(games) = games_with_texts(archive, &texts, &filter, watch)? else { return Ok(None) };
            filter.among = Some(games);
        }
        Ok(Some(filter))
    }

    /// Leaves the games with the ids that are asked for.
    fn ids(&self, archive: &Archive, filter: &mut Filter) -> Result<(), PresentError> {
        let Some(ranges) = read(&self.id, Filter::id_ranges)? else { return Ok(()) };
        if let [range] = &ranges[..] {
            filter.ids = Some(range.clone());
            return Ok(());
        }
        let last = archive.last_id()?;
        let there = |range: RangeInclusive<GameId>| (*range.start()).max(0)..=(*range.end()).min(last);
        filter.among = Some(ranges.into_iter().flat_map(there).collect());
        Ok(())
    }

    /// The conditions that stand in the rows of games.
    pub(in crate::present) fn conditions(&self) -> Result<Filter, RequestError> {
        let [player, white, black] = self.players()?;
        let result = self.asked_result()?.map(AskedResult::conditions);
        let (result, player_results) = result.unwrap_or_default();
        Ok(Filter {
            player,
            opponent: read(&self.opponent, name)?,
            white,
            black,
            event: read(&self.event, name)?,
            site: read(&self.site, name)?,
            source: read(&self.source, name)?,
            date: read(&self.date, Filter::dates)?,
            elo: read(&self.elo, Filter::numbers)?,
            white_elo: read(&self.white_elo, Filter::numbers)?,
            black_elo: read(&self.black_elo, Filter::numbers)?,
            eco: read(&self.eco, Filter::eco_codes)?.unwrap_or_default(),
            result,
            player_results,
            plies: read(&self.plies, Filter::numbers)?,
            speed: read(&self.speed, speeds)?,
            casual: self.casual,
            kind: read(&self.variant, game_kind)?,
            chess: false,
            ids: None,
            among: None,
            sort: read(&self.sort, sort)?.unwrap_or_default(),
            descending: self.desc,
            limit: self.limit,
            offset: self.offset,
        })
    }

    /// The names of either player, White and Black: a player whose side is known is named as that side.
    pub(super) fn players(&self) -> Result<[Option<String>; 3], RequestError> {
        let [player, white, black] = [&self.player, &self.white, &self.black].map(|text| read(text, name));
        let (player, white, black) = (player?, white?, black?);
        let Some(colour) = read(&self.colour, colour)? else { return Ok([player, white, black]) };
        if colour.fold_wb(&white, &black).is_some() {
            return Err(RequestError::TwoNames(colour));
        }
        Ok(colour.fold_wb([None, player.clone(), black], [None, white, player]))
    }
}

/// A pattern of names, unless it is of more of them than are looked for.
fn name(text: &str) -> Result<String, RequestError> {
    if text.matches(';').count() >= MOST_PATTERNS {
        Err(RequestError::ManyNames)
    } else {
        Ok(text.to_owned())
    }
}

/// A condition, if it is there.
pub(super) fn read<T, E: Into<RequestError>>(
    text: &Option<String>,
    read: impl FnOnce(&str) -> Result<T, E>,
) -> Result<Option<T>, RequestError> {
    text.as_deref().map(read).transpose().map_err(E::into)
}

/// The openings that a text names, with semicolons between several; each is one at least.
fn openings(text: &str) -> Result<Vec<OpeningId>, OpeningError> {
    let mut every = Vec::new();
    for text in text.split(';') {
        let found = Openings::standard().search(text);
        if found.is_empty() {
            return Err(Openings::standard().unknown(text));
        }
        every.extend(found);
    }
    Ok(every)
}

fn colour(text: &str) -> Result<Color, RequestError> {
    text.parse().map_err(|_| RequestError::Colour(text.to_owned()))
}

fn sort(text: &str) -> Result<Sort, RequestError> {
    let found = SORTS.into_iter().find(|(name, _)| *name == text);
    found.map(|(_, sort)| sort).ok_or_else(|| RequestError::Sort {
        text: text.to_owned(),
        known: listed(SORTS.into_iter().map(|(name, _)| name)),
    })
}
