//! What a player plays, compared with all games of an archive.

use std::collections::HashMap;

use serde::Serialize;
use shakmaty::{EnPassantMode, fen::Epd};

use super::{
    ComparedMove, Context, Exploration, LineMove, LineTree, OpeningName, Rare, Results, TreeOptions, explore,
    line_tree, line_tree::after,
};
use crate::{
    archive::{Filter, Result},
    chess::{Color, Position, VariantPosition},
};

/// Which lines are included, and which moves of the player count as rare.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PrepareOptions {
    /// The colour of the player.
    pub colour: Color,
    /// The lines.
    pub tree: TreeOptions,
    /// A position is rare if fewer games of the archive reach it.
    pub rare_games: u64,
    /// A move is rare if it was played in fewer than this percentage of the games that reached the position.
    pub rare_percent: u64,
}

/// The games of a player with one colour, from a position.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Preparation {
    /// The colour of the player: `white` or `black`.
    pub colour: &'static str,
    /// See [`Exploration::position`].
    pub position: String,
    /// The opening named after this position.
    pub opening: Option<OpeningName>,
    /// The games of the player, including those that ended here.
    #[serde(flatten)]
    pub results: Results,
    /// See [`LineTree::left_out`].
    #[serde(skip)]
    pub left_out: u64,
    /// The moves, most games first, all of them compared.
    pub lines: Vec<LineMove>,
}

/// The moves that the games of a player, given by a filter, played from a position. The watch receives the number of
/// games replayed, starting again at 0 for each part of the query.
pub fn prepare(
    context: Context<'_>,
    from: &VariantPosition,
    player: &Filter,
    options: PrepareOptions,
) -> Result<Preparation> {
    let tree = line_tree(context, from, player, options.tree)?;
    let everyone = Filter { kind: player.kind, ..Filter::default() };
    let mut positions = HashMap::new();
    add_positions(&mut positions, &tree.lines, from);
    let (places, positions): (Vec<String>, Vec<VariantPosition>) = positions.into_iter().unzip();
    let all = explore(context, &positions, &everyone)?;
    let compared = Compared { options, all: places.into_iter().zip(all).collect() };
    let LineTree { position, opening, results, left_out, mut lines, .. } = tree;
    compared.add(&mut lines, from, false);
    let colour = options.colour.fold_wb("white", "black");
    Ok(Preparation { colour, position, opening, results, left_out, lines })
}

/// Adds the positions in which moves of a tree are played.
fn add_positions(
    positions: &mut HashMap<String, VariantPosition>,
    lines: &[LineMove],
    position: &VariantPosition,
) {
    if lines.is_empty() {
        return;
    }
    positions.insert(place(position), position.clone());
    for line in lines {
        if let Some((_, next)) = after(position, &line.played) {
            add_positions(positions, &line.lines, &next);
        }
    }
}

/// The data that moves are compared with.
struct Compared {
    options: PrepareOptions,
    /// The exploration of all games, by position.
    all: HashMap<String, Exploration>,
}

impl Compared {
    /// Compares the moves of a position, and all that follow; `off` says whether an earlier move was already rare.
    fn add(&self, lines: &mut [LineMove], position: &VariantPosition, off: bool) {
        let all = self.all.get(&place(position));
        let by_player = Position::turn(position) == self.options.colour;
        for LineMove { played, compared, lines, .. } in lines {
            let of_all = all.and_then(|all| all.moves.iter().find(|m| m.uci == played.uci));
            let all_here = all.map_or(0, |all| all.results.games);
            let (all_games, all_after) = of_all.map_or((0, 0), |m| (m.results.games, m.reached));
            let PrepareOptions { rare_games, rare_percent, .. } = self.options;
            let rare = match by_player && !off {
                true if all_after < rare_games => Some(Rare::Position),
                true if 100 * all_games < rare_percent * all_here => Some(Rare::Move),
                _ => None,
            };
            *compared = Some(ComparedMove { by_player, all_here, all_games, all_after, rare });
            match after(position, played) {
                Some((_, next)) => self.add(lines, &next, off || rare == Some(Rare::Position)),
                None => lines.clear(),
            }
        }
    }
}

/// A position without its move counters.
fn place(position: &VariantPosition) -> String {
    Epd::from_position(position, EnPassantMode::Legal).to_string()
}
