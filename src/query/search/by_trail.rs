//! The games that match a search, by their trails, and by a replay if these are inconclusive.

use std::ops::ControlFlow;

use rayon::prelude::*;

use super::{
    condition::{Line, Search, Step, StepWay, won_by},
    line_progress::LineProgress,
    pattern::{Match, Pattern},
    trail_index::TrailIndex,
};
use crate::{
    archive::{Filter, GameSet, Result},
    chess::Variant,
    query::{
        Context, FindProgress, Reached, SearchPosition, Target, TargetPosition,
        find::{all, replayed},
    },
    record::GameId,
    trail::{DamagedTrail, Facts, Material, PHRASES, TrailReader, Trails},
};

/// Rows of trails scanned between two calls of a watch.
// Large enough to give all cores work, and small enough that progress and cancellation take effect immediately.
const ROWS: usize = 128;

/// All games that match the conditions of a filter and a search; order, limit and offset of the filter are ignored.
/// Games without a trail, or with an inconclusive one, are replayed.
pub fn games_matching(context: Context<'_>, search: &Search, filter: &Filter) -> Result<Reached> {
    context.or_without_index(|context| {
        let is_helpful = !search.is_everything() && search.is_of(Variant::Standard);
        match context.index.filter(|index| is_helpful && !index.trails().is_empty()) {
            Some(index) => by_trails_and_results(context, index.trails(), search, filter),
            None => replayed(context, search, filter),
        }
    })
}

/// The same by trails, which do not contain the result.
fn by_trails_and_results(
    context: Context<'_>,
    trails: &TrailIndex,
    search: &Search,
    filter: &Filter,
) -> Result<Reached> {
    let (mut found, mut damaged) = (Vec::new(), 0);
    // Trails do not contain the result, but the filter can select the games that a side won. One scan per winner avoids
    // replaying every game whose trail matches.
    for (winner, search) in search.by_winner() {
        let filter = match winner {
            Some(winner) => filter.clone().with_result(won_by(winner)),
            None => filter.clone(),
        };
        let reached = by_trails(context, trails, &search, &search, &filter)?;
        found.extend(reached.games.ids());
        damaged += reached.damaged;
    }
    Ok(Reached { games: found.into_iter().collect(), damaged })
}

/// The games that match the conditions of a filter and reach a position: games whose trails contain its pawns and its
/// pieces are replayed.
pub(in crate::query) fn reaching_by_trails(
    context: Context<'_>,
    trails: &TrailIndex,
    sought: &TargetPosition,
    filter: &Filter,
) -> Result<Reached> {
    let line = |target: &SearchPosition| {
        let turn = target.state.map(|(turn, _)| turn);
        let way = StepWay { patterns: vec![Pattern::of(&target.board)], turn, ..StepWay::default() };
        Line { steps: vec![Step::new(vec![way], 1, None)], winner: None }
    };
    // Without an index of positions, a replay of all games takes over a second for 297,156 games. Their trails leave
    // only the games with these pawns and pieces, which takes about 40 ms.
    let search = Search { lines: sought.targets().iter().map(line).collect(), ..Search::default() };
    by_trails(context, trails, &search, sought, filter)
}

/// The games that match the conditions of a filter and reach a target, all of which must match the search.
fn by_trails(
    context: Context<'_>,
    trails: &TrailIndex,
    search: &Search,
    target: &dyn Target,
    filter: &Filter,
) -> Result<Reached> {
    let archive = context.archive;
    let passing = passing(context, filter)?;
    let passes = |id: &GameId| passing.as_ref().is_none_or(|games| games.contains(*id));
    let (mut found, mut unsure, mut looked) = (Vec::new(), Vec::new(), FindProgress::default());
    let scan = TrailScan::new(search);
    for segment in trails.each(archive)? {
        let segment = segment?;
        for from in (0..segment.rows()).step_by(ROWS) {
            let rows = from..segment.rows().min(from + ROWS);
            let found_in_rows =
                rows.into_par_iter().map(|row| scan.row(&segment, row)).collect::<Result<Vec<_>, _>>();
            for (id, matched) in
                found_in_rows.map_err(|_| archive.segments().damaged())?.into_iter().flatten()
            {
                // The filter is tested after the trail: most games fail by their trail, and only the rest needs a
                // lookup in the set.
                if passes(&id) && !trails.stale().contains(id) {
                    if matched == Match::Yes { &mut found } else { &mut unsure }.push(id);
                }
            }
            looked.games = segment.id_of_row(from + ROWS).unsigned_abs();
            looked.hits = found.len() as u64;
            context.progress(looked)?;
        }
    }
    unsure.extend(trails.stale().ids().iter().filter(|id| passes(id)));
    unsure.extend(trails.others().iter().flat_map(|ids| ids.iter()).filter(passes));
    let among = Filter { among: Some(unsure.into_iter().collect()), ..Filter::default() };
    let Reached { games, damaged } = replayed(context, target, &among)?;
    found.extend(games.ids());
    Ok(Reached { games: found.into_iter().collect(), damaged })
}

/// The games that match the conditions of a filter; `None` if all do.
fn passing(context: Context<'_>, filter: &Filter) -> Result<Option<GameSet>> {
    let filter = all(filter);
    let index = context.index.filter(|_| filter != Filter::default());
    index.map(|index| index.games_passing(context.archive, &filter)).transpose()
}

/// A search in the form that trails are tested with.
struct TrailScan<'a> {
    search: &'a Search,
    /// For each step of each line, the material that must occur.
    material: Vec<Vec<MaterialScan>>,
    /// Whether the search is only about the material of one position.
    is_of_material: bool,
    /// Whether trails alone can prove that a game matches.
    can_be_sure: bool,
    /// With fewer pieces, not counting kings, no position can match.
    least_pieces: u8,
}

impl<'a> TrailScan<'a> {
    fn new(search: &'a Search) -> TrailScan<'a> {
        let Search { lines, never, course, .. } = search;
        let steps = || lines.iter().flat_map(|line| &line.steps);
        // A trail says only the least number of plies that moments last. Of conditions that must hold for several
        // positions, it can prove one that holds in the same way, with nothing before or after it.
        let is_alone = |line: &Line| matches!(line.steps.as_slice(), [step] if step.ways.len() == 1);
        let are_short = |line: &Line| line.steps.iter().all(|step| step.positions <= 1);
        let can_be_sure = lines.iter().all(|line| are_short(line) || is_alone(line));
        // Captures decide a search by material completely, so it skips the moments of pawn moves: the 14,467 games with
        // rook and three pawns against rook and two among 297,156 games are found in 4.6 ms, without a replay.
        let is_of_material = lines.iter().all(are_short)
            && !lines.is_empty()
            && lines.iter().all(|line| line.steps.len() == 1)
            && never.is_empty()
            && course.is_empty()
            && steps().all(|step| step.is_of_material);
        let material = lines.iter().map(|line| line.steps.iter().map(MaterialScan::new).collect()).collect();
        let ways = steps().flat_map(|step| &step.ways);
        let least_pieces = ways.map(StepWay::least_pieces).min().unwrap_or(0);
        TrailScan { search, material, is_of_material, can_be_sure, least_pieces }
    }

    /// The games of a row that match, or may match, the search.
    fn row(&self, trails: &Trails, number: usize) -> Result<Vec<(GameId, Match)>, DamagedTrail> {
        let Some(row) = trails.row(number) else { return Err(DamagedTrail) };
        let mut found = Vec::new();
        let mut lines: Vec<_> = self.search.lines.iter().map(|line| LineProgress::new(&line.steps)).collect();
        for game in row.games() {
            let (id, trail) = game?;
            let matched = self.game(&mut lines, trail, || trails.facts(id))?;
            if matched != Match::No {
                found.push((id, matched));
            }
        }
        Ok(found)
    }

    /// Whether the material of a game is at some point within the bounds.
    #[inline]
    fn may_have(&self, trail: TrailReader<'_>) -> bool {
        let has = |line: &Vec<MaterialScan>| line.iter().all(|scan| scan.has(trail.materials));
        self.material.is_empty() || self.material.iter().any(has)
    }

    fn game(
        &self,
        progress: &mut [LineProgress<'_>],
        trail: Option<TrailReader<'_>>,
        facts: impl Fn() -> Facts,
    ) -> Result<Match, DamagedTrail> {
        let Search { lines, never, course, .. } = self.search;
        let by_course = if course.is_empty() { Match::Yes } else { course.by_index(facts(), trail) };
        if by_course == Match::No {
            return Ok(Match::No);
        }
        // Games of other variants do not match; the replay decides that.
        let Some(trail) = trail else { return Ok(Match::Maybe) };
        if !self.may_have(trail) {
            return Ok(Match::No);
        }
        if self.is_of_material || lines.is_empty() && never.is_empty() {
            return Ok(by_course);
        }
        let can_be_sure = self.can_be_sure && by_course == Match::Yes;
        progress.iter_mut().for_each(LineProgress::restart);
        let mut excluded = Match::No;
        let read = trail.moments(|moment| {
            progress.iter_mut().for_each(|line| line.to(moment));
            excluded = never.iter().map(|way| way.matches(moment)).fold(excluded, Match::max);
            let is_enough =
                |line: &LineProgress<'_>| if can_be_sure { line.is_sure() } else { line.is_possible() };
            // Most trails are decided long before their end. With `never`, the whole trail must be read: an excluded
            // pattern can still come.
            let is_over = excluded == Match::Yes
                || never.is_empty() && (moment.pieces < self.least_pieces || progress.iter().any(is_enough));
            if is_over { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        read?;
        let is_possible = progress.is_empty() || progress.iter().any(LineProgress::is_possible);
        let is_sure = progress.is_empty() || progress.iter().any(LineProgress::is_sure);
        Ok(match excluded {
            Match::Yes => Match::No,
            _ if !is_possible => Match::No,
            Match::No if can_be_sure && is_sure => Match::Yes,
            _ => Match::Maybe,
        })
    }
}

/// The required material, in one of several ways.
struct MaterialScan {
    /// For each way, the minimum and maximum bounds, all of which must hold.
    ways: Vec<Vec<(Material, Material)>>,
    /// The maximum number of pieces in any of the ways, not counting kings.
    most_pieces: u8,
}

impl MaterialScan {
    fn new(step: &Step) -> MaterialScan {
        let ways: Vec<Vec<_>> = step.ways.iter().map(|way| way.material_bounds().collect()).collect();
        let of_way = |bounds: &Vec<(Material, Material)>| bounds.iter().map(|(_, most)| most.pieces()).min();
        let most_pieces = ways.iter().map(|way| of_way(way).unwrap_or(u8::MAX)).max().unwrap_or(u8::MAX);
        MaterialScan { ways, most_pieces }
    }

    fn fits(&self, material: Material) -> bool {
        self.ways.iter().any(|way| way.iter().all(|(least, most)| material.is_between(*least, *most)))
    }

    /// Whether the material of a game, in phrases, is at some point within the bounds.
    #[inline]
    fn has(&self, phrases: &[u8]) -> bool {
        let (mut material, mut pieces) = (Material::STANDARD, Material::STANDARD.pieces());
        if pieces <= self.most_pieces && self.fits(material) {
            return true;
        }
        for phrase in phrases {
            let phrase = &PHRASES[usize::from(*phrase)];
            pieces = pieces.saturating_sub(phrase.captures);
            // The number of pieces only decreases.
            // Comparing two integers first skips the bounds of every way while there are too many pieces, which is most
            // of the game in a search for an ending.
            if pieces <= self.most_pieces && phrase.sums.iter().any(|sum| self.fits(material.plus(*sum))) {
                return true;
            }
            material = material.plus(phrase.sum());
        }
        false
    }
}
