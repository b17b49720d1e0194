//! What was played in a position, and what became of the games.

mod table;
mod tree;

use std::ops::ControlFlow;

use super::{
    PositionText, PresentError, RequestError,
    list::{ListHead, Row, number, text},
    numbered::numbered_line,
};
use crate::{
    archive::{Archive, Filter},
    chess::{Move, Variant, VariantPosition, move_list},
    openings::Openings,
    query::{self, Exploration, ExploredMove, LineTree, OpeningName, PositionIndex, Sought, TreeOptions},
    record::{GameKind, fen},
    rules::Rules,
};

pub(super) use table::{bar, coloured, percent, share, taken};
pub(super) use tree::{NAME, joined, new_part, other_orders};

pub use table::write_exploration;
pub use tree::write_line_tree;

/// A position to explore.
#[derive(Clone, Debug)]
pub struct ExploredPosition {
    /// The position, in its variant.
    pub position: VariantPosition,
    /// The opening by the last named position of the moves that led there, if they are known.
    pub opening: Option<OpeningName>,
    /// The moves that led there, such as `1. e4 c5`, if they are known.
    moves: String,
}

impl ExploredPosition {
    /// The position that a text means (see [`PositionText`]): in the variant that is given, or in standard chess; a
    /// place in a stored game in the variant of that game. Without a text it is the start position.
    ///
    /// # Errors
    /// The kind is no chess; the text means no position, or one that no game can reach; the archive has no such game, or cannot be read.
    pub fn read(
        text: Option<&str>,
        kind: Option<GameKind>,
        archive: &Archive,
    ) -> Result<ExploredPosition, PresentError> {
        let not_chess = |kind: GameKind| RequestError::NotChess(kind.name().to_owned());
        let variant =
            kind.map_or(Ok(Variant::Standard), |kind| kind.variant().ok_or_else(|| not_chess(kind)))?;
        let Some(text) = text else { return Ok(ExploredPosition::of(variant.start(), &[])) };
        match text.parse()? {
            PositionText::Stored { game, ply } => {
                let game = archive.game(game)?;
                let (plies, position, line) = (game.ply(ply)?, game.position_at(ply)?, game.line()?);
                Ok(ExploredPosition::after(position, line.start, line.moves.get(..plies).unwrap_or_default()))
            }
            PositionText::Setup(setup) => {
                let position = Sought::position(variant, setup).map_err(RequestError::from)?;
                let opening = || move_list(Openings::standard().shortest(text).ok()?.moves).ok();
                let Some((start, moves)) = move_list(text).ok().or_else(opening) else {
                    return Ok(ExploredPosition::of(position, &[]));
                };
                Ok(ExploredPosition::after(position, VariantPosition::Chess(start), &moves))
            }
        }
    }

    /// A position to which moves lead.
    fn after(position: VariantPosition, start: VariantPosition, moves: &[Move]) -> ExploredPosition {
        let mut line = vec![start.clone()];
        for m in moves {
            line.extend(line.last().cloned().map(|mut next| {
                next.make(*m);
                next
            }));
        }
        ExploredPosition { moves: numbered_line(start, moves), ..ExploredPosition::of(position, &line) }
    }

    fn of(position: VariantPosition, line: &[VariantPosition]) -> ExploredPosition {
        let is_named = matches!(position, VariantPosition::Chess(_));
        let opening = OpeningName::of(line.iter().chain([&position]).filter(|_| is_named));
        ExploredPosition { position, opening, moves: String::new() }
    }

    /// How the position was reached, for a heading: nothing for a start position, else "after 1. e4 c5", or "from" and a FEN
    /// if the moves are not known.
    pub(super) fn origin(&self) -> String {
        match self.moves.as_str() {
            "" if self.position == Variant::of(&self.position).start() => String::new(),
            "" => format!("from {}", fen(&self.position)),
            moves => format!("after {moves}"),
        }
    }
}

/// What the games that pass a filter went on with in a position; `None` if whoever watches, who is told the number of
/// games looked through, breaks off. What the index of the archive has is not looked through.
///
/// ```
/// # use std::ops::ControlFlow;
/// # use plybook::{archive::{Archive, Filter}, import::{Options, import_paths}, present::{self, ExploredPosition}};
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("games.db");
/// # import_paths(&path, &["data/famous.pgn".into()], &Options::default())?;
/// let archive = Archive::open(&path)?;
/// let asked = ExploredPosition::read(Some("1. e4 e5 2. f4"), None, &archive)?;
/// let told = present::explore(&archive, None, &asked, &Filter::default(), |_| ControlFlow::Continue(()))?;
/// println!("{}", serde_json::to_string(&told)?);
/// # let told = told.unwrap();
/// # assert_eq!((told.opening.unwrap().name, told.moves[0].san.as_str()), ("King's Gambit", "exf4"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// The archive cannot be read.
pub fn explore(
    archive: &Archive,
    index: Option<&PositionIndex>,
    asked: &ExploredPosition,
    filter: &Filter,
    watch: impl FnMut(u64) -> ControlFlow<()>,
) -> Result<Option<Exploration>, PresentError> {
    let told = query::explore(archive, index, std::slice::from_ref(&asked.position), filter, watch)?;
    let named = |told: Exploration| Exploration { opening: asked.opening.clone(), ..told };
    Ok(told.and_then(|told| told.into_iter().next()).map(named))
}

/// The main lines that the games that pass a filter played from a position; `None` as for [`explore`].
///
/// # Errors
/// The archive cannot be read.
pub fn line_tree(
    archive: &Archive,
    index: Option<&PositionIndex>,
    asked: &ExploredPosition,
    filter: &Filter,
    options: TreeOptions,
    watch: impl FnMut(u64) -> ControlFlow<()>,
) -> Result<Option<LineTree>, PresentError> {
    let tree = query::line_tree(archive, index, &asked.position, filter, options, watch)?;
    Ok(tree.map(|tree| LineTree { opening: asked.opening.clone(), ..tree }))
}

impl Row for ExploredMove {
    const HEAD: ListHead = ListHead::new(&[
        text("uci"),
        text("san"),
        number("games"),
        number("white"),
        number("draws"),
        number("black"),
        number("other"),
        number("mean_rating"),
        number("mean_opponent"),
        number("performance"),
        number("last_year"),
        number("best_game"),
        number("reached"),
    ]);

    fn cells(&self) -> Vec<String> {
        let known = |number: Option<i64>| number.map_or(String::new(), |number| number.to_string());
        let mut cells = vec![self.uci.clone(), self.san.clone()];
        cells.extend(self.results.all().map(|games| games.to_string()));
        cells.extend([
            known(self.mean_rating),
            known(self.mean_opponent),
            known(self.performance),
            known(self.last_year.map(i64::from)),
            known(self.best_game),
            self.reached.to_string(),
        ]);
        cells
    }
}
