//! The evaluations, the clocks and the surprise of a game as curves.

use super::{
    Language,
    clocks::clock,
    movetext::{ScoreMove, centipawns, eval, is_of_white, nag, named, number},
};
use crate::present::{
    chart::round_values,
    game::{SURPRISING, is_surprising},
};

/// The frame of the curves.
const LEFT: f64 = 40.0;
const RIGHT: f64 = 530.0;
const TOP: f64 = 6.0;
const BOTTOM: f64 = 76.0;

/// Evaluations at the vertical axis.
const LEVELS: [(i32, &str); 3] = [(300, "+3"), (0, "0"), (-300, "−3")];

/// The least loss of expected score that counts as a mistake if the game has no glyphs.
const MISTAKE: f64 = 0.15;

/// Maximum number of labels of an axis.
const MAX_NUMBERS: f64 = 9.0;

/// A curve of the mainline.
#[derive(Debug, Default)]
pub(super) struct Curve {
    /// The paths: the areas of Black and, before it, of White; or the lines or bars of White and Black.
    pub(super) paths: Vec<String>,
    /// The values of the vertical axis, with their places.
    pub(super) levels: Vec<(String, String)>,
    /// The move numbers of the horizontal axis.
    pub(super) numbers: Vec<(String, u32)>,
    /// The plies of values with their titles, which the pointer shows.
    pub(super) points: Vec<(usize, String)>,
    /// The places of mistakes, or of surprising moves, with their titles.
    pub(super) mistakes: Vec<(f64, f64, String)>,
    /// The distance between two plies.
    pub(super) step: f64,
    /// In words.
    pub(super) about: String,
}

impl Curve {
    /// A curve without values.
    fn new(moves: &[&ScoreMove<'_>]) -> Curve {
        let step = (RIGHT - LEFT) / moves.last().map_or(1, |m| m.played.ply).max(1) as f64;
        let mut curve = Curve { step, ..Curve::default() };
        let ends = [moves.first(), moves.last()].map(|m| f64::from(m.map_or(1, |m| number(m.played))));
        let values = round_values(ends, MAX_NUMBERS, 1.0);
        let labelled = moves.iter().filter(|m| values.contains(&f64::from(number(m.played))));
        for m in labelled {
            if curve.numbers.last().is_none_or(|(_, last)| *last != number(m.played)) {
                curve.numbers.push((format!("{:.1}", curve.x(m.played.ply)), number(m.played)));
            }
        }
        curve
    }

    /// The place of a ply.
    pub(super) fn x(&self, ply: usize) -> f64 {
        LEFT + ply as f64 * self.step
    }

    /// A line through the places of some plies, each with its height.
    fn line(&self, places: impl Iterator<Item = (usize, f64)>) -> String {
        places.map(|(ply, y)| format!("{:.1} {y:.1}", self.x(ply))).collect::<Vec<_>>().join("L")
    }

    /// The left edge of the strip of a ply.
    pub(super) fn left(&self, ply: usize) -> f64 {
        (self.x(ply) - self.step / 2.0).max(LEFT)
    }

    /// The evaluations; `None` if there are fewer than two.
    pub(super) fn of_evals(moves: &[&ScoreMove<'_>], language: Language) -> Option<Curve> {
        let known: Vec<_> = moves.iter().filter_map(|m| Some((*m, centipawns(m.eval?)?))).collect();
        if known.len() < 2 {
            return None;
        }
        let mut curve = Curve::new(moves);
        let line = curve.line(known.iter().map(|(m, centi)| (m.played.ply, height(*centi))));
        let (first, last) = (known.first()?.0.played.ply, known.last()?.0.played.ply);
        let [first, last] = [first, last].map(|ply| curve.x(ply));
        // Before the first evaluation and after the last one, nothing is known.
        curve.paths.push(format!("M{first:.1} {TOP}H{last:.1}V{BOTTOM}H{first:.1}Z"));
        curve.paths.push(format!("M{first:.1} {BOTTOM}L{line}L{last:.1} {BOTTOM}Z"));
        curve.levels = LEVELS
            .iter()
            .map(|(centi, label)| ((*label).to_owned(), format!("{:.1}", height(*centi))))
            .collect();
        curve.points = known.iter().map(|(m, _)| (m.played.ply, title(m, language))).collect();
        let place =
            |(m, centi): (&ScoreMove<'_>, i32)| (curve.x(m.played.ply), height(centi), title(m, language));
        curve.mistakes = mistakes(&known).map(place).collect();
        let words = language.words();
        curve.about = format!("{}. {}", words.evals, words.evals_about);
        if !curve.mistakes.is_empty() {
            let titles: Vec<&str> = curve.mistakes.iter().map(|(.., title)| title.as_str()).collect();
            curve.about += &format!(" {}: {}", words.mistakes, titles.join("; "));
        }
        Some(curve)
    }

    /// The bits of the moves as bars; `None` if there are fewer than two.
    pub(super) fn of_surprise(moves: &[&ScoreMove<'_>], bits: &[f64], language: Language) -> Option<Curve> {
        let known: Vec<_> = moves.iter().copied().zip(bits.iter().copied()).collect();
        if known.len() < 2 {
            return None;
        }
        let mut curve = Curve::new(moves);
        let most = bits.iter().copied().fold(SURPRISING, f64::max);
        let levels = round_values([0.0, most], 3.0, 1.0);
        let top = levels.last().copied().unwrap_or(most);
        let y = |bits: f64| BOTTOM - (BOTTOM - TOP) * bits / top;
        curve.levels =
            levels.iter().map(|level| (format!("{level:.0}"), format!("{:.1}", y(*level)))).collect();
        for is_white in [true, false] {
            let of_side = known.iter().filter(|(m, _)| is_of_white(m.played) == is_white);
            let bar = |(m, bits): &(&ScoreMove<'_>, f64)| {
                format!("M{:.1} {BOTTOM}V{:.1}", curve.x(m.played.ply), y(*bits))
            };
            let bars: String = of_side.map(bar).collect();
            curve.paths.push(bars);
        }
        let title = |(m, bits): &(&ScoreMove<'_>, f64)| {
            format!(
                "{} {} {}",
                named(m.played),
                language.notation(format!("{bits:.1}")),
                language.words().bits
            )
        };
        curve.points = known.iter().map(|known| (known.0.played.ply, title(known))).collect();
        let surprising = known.iter().filter(|(_, bits)| is_surprising(*bits));
        let place = |known: &(&ScoreMove<'_>, f64)| (curve.x(known.0.played.ply), y(known.1), title(known));
        curve.mistakes = surprising.map(place).collect();
        curve.about = language.words().surprise.to_owned();
        if !curve.mistakes.is_empty() {
            let titles: Vec<&str> = curve.mistakes.iter().map(|(.., title)| title.as_str()).collect();
            curve.about += &format!(": {}", titles.join("; "));
        }
        Some(curve)
    }

    /// The clocks of White and Black; `None` if there are fewer than two.
    pub(super) fn of_clocks(moves: &[&ScoreMove<'_>], language: Language) -> Option<Curve> {
        let known: Vec<_> = moves.iter().filter_map(|m| Some((*m, m.clock?))).collect();
        if known.len() < 2 {
            return None;
        }
        let mut curve = Curve::new(moves);
        let most = known.iter().map(|(_, clock)| *clock).max()?;
        // Clocks have round values in their own units.
        let unit = if most > 2 * 3600 { 3600.0 } else { 60.0 };
        let levels = round_values([0.0, f64::from(most) / unit], 3.0, if most < 120 { 0.5 } else { 1.0 });
        let top = levels.last().copied().unwrap_or(1.0) * unit;
        let y = |seconds: f64| BOTTOM - (BOTTOM - TOP) * seconds / top;
        let label = |level: &f64| (clock((level * unit) as u32), format!("{:.1}", y(level * unit)));
        curve.levels = levels.iter().map(label).collect();
        let words = language.words();
        curve.about = words.time_left.to_owned();
        for (is_white, side) in [(true, words.white), (false, words.black)] {
            let of_side: Vec<_> = known.iter().filter(|(m, _)| is_of_white(m.played) == is_white).collect();
            let path = curve.line(of_side.iter().map(|(m, clock)| (m.played.ply, y(f64::from(*clock)))));
            curve.paths.push(if path.is_empty() { path } else { format!("M{path}") });
            if let (Some((_, first)), Some((_, last))) = (of_side.first(), of_side.last()) {
                curve.about += &format!(". {side}: {} – {}", clock(*first), clock(*last));
            }
        }
        let title = |(m, time): &(&ScoreMove<'_>, u32)| format!("{} {}", named(m.played), clock(*time));
        curve.points = known.iter().map(|known| (known.0.played.ply, title(known))).collect();
        Some(curve)
    }
}

/// A move with its glyphs and its evaluation.
fn title(m: &ScoreMove<'_>, language: Language) -> String {
    let signs: String =
        m.nags.iter().filter(|sign| **sign < 10).map(|sign| nag(*sign, language.words()).0).collect();
    format!("{}{signs} {}", named(m.played), m.eval.map(|text| eval(text, language)).unwrap_or_default())
}

/// The moves that the glyphs call mistakes; if there are none, those that lost much of the expected score.
fn mistakes<'a, 'b>(known: &'b [(&'b ScoreMove<'a>, i32)]) -> impl Iterator<Item = (&'b ScoreMove<'a>, i32)> {
    let has_glyph = |m: &ScoreMove<'_>| m.nags.iter().any(|nag| matches!(nag, 2 | 4 | 6));
    let has_glyphs = known.iter().any(|(m, _)| has_glyph(m));
    let before = std::iter::once(0).chain(known.iter().map(|(_, centi)| *centi));
    let of_move = move |((m, centi), before): (&(&'b ScoreMove<'a>, i32), i32)| {
        let loss =
            if is_of_white(m.played) { share(before) - share(*centi) } else { share(*centi) - share(before) };
        let is_mistake = if has_glyphs { has_glyph(m) } else { loss >= MISTAKE };
        is_mistake.then_some((*m, *centi))
    };
    known.iter().zip(before).filter_map(of_move)
}

/// The expected score of White. The more pawns ahead, the less one more pawn changes.
pub(super) fn share(centipawns: i32) -> f64 {
    1.0 / (1.0 + (-0.004 * f64::from(centipawns)).exp())
}

/// The distance of an evaluation from the upper edge.
fn height(centipawns: i32) -> f64 {
    TOP + (BOTTOM - TOP) * (1.0 - share(centipawns))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn better_for_white_is_drawn_higher() {
        let heights = [10_000, 300, 100, 0, -100, -10_000].map(height);
        assert!(heights.is_sorted() && heights[0] >= TOP && heights[5] <= BOTTOM);
        assert_eq!(heights[3], (TOP + BOTTOM) / 2.0);
    }
}
