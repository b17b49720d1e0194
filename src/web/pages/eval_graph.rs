//! The evaluations of a game as a curve.

use super::{list::shown, movetext::centipawns};
use crate::present::movetext::{Movetext, MovetextComment, MovetextItem};

/// The size of the image.
const WIDTH: f64 = 600.0;
const HEIGHT: f64 = 100.0;

/// The curve of the evaluations in the mainline.
#[derive(Debug)]
pub(super) struct EvalGraph {
    /// The corners of the area below the curve.
    pub(super) area: String,
    pub(super) line: String,
    pub(super) points: Vec<Point>,
}

/// An evaluation.
#[derive(Debug)]
pub(super) struct Point {
    pub(super) ply: usize,
    /// The strip of the image for this evaluation.
    pub(super) left: String,
    pub(super) width: String,
    pub(super) title: String,
}

impl EvalGraph {
    /// The curve of a game; `None` if it has fewer than two evaluations.
    pub(super) fn of(text: &Movetext) -> Option<EvalGraph> {
        let (mut depth, mut ply, mut known) = (0_usize, 0, Vec::new());
        let (mut plies, mut san) = (0, "");
        for item in &text.items {
            match item {
                MovetextItem::Open => depth += 1,
                MovetextItem::Close => depth = depth.saturating_sub(1),
                MovetextItem::Move(m) if depth == 0 => (ply, plies, san) = (m.ply, m.ply, m.san.as_str()),
                MovetextItem::Comment(MovetextComment { eval: Some(eval), .. }) if depth == 0 => {
                    known.extend(
                        centipawns(eval).map(|centi| (ply, centi, format!("{san} {}", shown(Some(eval))))),
                    );
                }
                _ => {}
            }
        }
        known.dedup_by_key(|(ply, ..)| *ply);
        if known.len() < 2 {
            return None;
        }
        let step = WIDTH / plies.max(1) as f64;
        let x = |ply: usize| ply as f64 * step;
        let line: Vec<String> =
            known.iter().map(|(ply, centi, _)| format!("{:.1},{:.1}", x(*ply), height(*centi))).collect();
        let line = line.join(" ");
        let (first, last) = (x(known.first()?.0), x(known.last()?.0));
        let point = |(ply, _, title): (usize, i32, String)| Point {
            left: format!("{:.1}", (x(ply) - step / 2.0).max(0.0)),
            width: format!("{step:.1}"),
            ply,
            title,
        };
        Some(EvalGraph {
            area: format!("{first:.1},{HEIGHT} {line} {last:.1},{HEIGHT}"),
            line,
            points: known.into_iter().map(point).collect(),
        })
    }
}

/// The distance of an evaluation from the upper edge. The more pawns ahead, the less one more pawn changes.
fn height(centipawns: i32) -> f64 {
    let share = 1.0 / (1.0 + (-0.004 * f64::from(centipawns)).exp());
    HEIGHT * (1.0 - share)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn better_for_white_is_drawn_higher() {
        let heights = [10_000, 300, 100, 0, -100, -10_000].map(height);
        assert!(heights.is_sorted() && heights[0] >= 0.0 && heights[5] <= HEIGHT);
        assert_eq!(heights[3], HEIGHT / 2.0);
    }
}
