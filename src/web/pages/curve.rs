//! Charts over time as SVG: lines, areas and bars of results, with axes at round numbers.
//!
//! A chart is drawn twice, for a wide and for a narrow card; the style shows the one that fits, so its text is never
//! scaled.

use std::fmt::Write;

use super::Language;
use crate::present::chart::{apart, round_values};

/// The width of the narrow drawing.
const NARROW: f64 = 328.0;

/// The space above a panel, and that of the labels below the last one.
const GAP: f64 = 14.0;
const FOOT: f64 = 22.0;

/// The estimated width of a character.
const LETTER: f64 = 6.4;

/// The smallest distances between two labels of an axis.
const BESIDE: f64 = 58.0;
const BELOW: f64 = 24.0;

/// Panels below each other with a common horizontal axis of whole numbers, usually years.
#[derive(Debug)]
pub(super) struct Chart {
    pub(super) language: Language,
    /// What it shows, in words.
    pub(super) title: String,
    pub(super) panels: Vec<Panel>,
}

/// A panel of a chart.
#[derive(Debug)]
pub(super) struct Panel {
    /// The name at its left edge; may be empty.
    pub(super) name: &'static str,
    pub(super) unit: Unit,
    pub(super) height: f64,
    /// A value with a stronger line, always shown.
    pub(super) base: Option<f64>,
    /// Another value that the axis reaches, so that several panels have the same.
    pub(super) reach: Option<f64>,
    /// Whether its values grow downwards.
    pub(super) is_down: bool,
    pub(super) shapes: Vec<Shape>,
}

/// What the values of a panel are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unit {
    Games,
    Rating,
    Percent,
}

/// Points from left to right.
pub(super) type Points = Vec<(f64, f64)>;

/// Part of a panel.
#[derive(Debug)]
pub(super) enum Shape {
    /// A line with a filled area below it.
    Area(Points),
    /// The same with constant values between the points, and a name at its right end.
    Steps(String, Points),
    /// A line with a class of the style and a name at its right end, which may be empty.
    Line(&'static str, String, Points),
    /// A dot with a text above it.
    Mark((f64, f64), String),
    /// Stacked bars: games won, drawn, lost, with a tooltip.
    Bars(Vec<(f64, [u64; 3], String)>),
}

impl Chart {
    /// The chart as SVG, for a card of a width and for a narrow one.
    pub(super) fn svg(&self, wide: f64) -> String {
        let [wide, narrow] = [("for-wide", wide), ("for-phone", NARROW)].map(|(class, width)| {
            Drawing::new(self, width).map_or(String::new(), |drawing| drawing.svg(self, class))
        });
        wide + &narrow
    }
}

impl Panel {
    /// A panel of lines.
    pub(super) fn new(unit: Unit, height: f64, shapes: Vec<Shape>) -> Panel {
        Panel { name: "", unit, height, base: None, reach: None, is_down: false, shapes }
    }

    /// The values of its vertical axis.
    fn values(&self) -> Vec<f64> {
        let shown =
            self.shapes.iter().flat_map(Shape::points).map(|(_, y)| y).chain(self.base).chain(self.reach);
        let zero = (self.shapes.iter().any(|shape| matches!(shape, Shape::Bars(_)))).then_some(0.0);
        let [low, high] = ends(shown.chain(zero)).unwrap_or([0.0, 1.0]);
        // Games and their share are compared with zero; a rating or a score is not.
        let is_area = matches!(self.shapes.first(), Some(Shape::Area(_)));
        let low = if is_area { 0.0 } else { low };
        let least = if self.unit == Unit::Percent && is_area { 0.01 } else { 1.0 };
        round_values([low, high], (self.height / BELOW).floor(), least)
    }

    fn label(&self, value: f64, step: f64, language: Language) -> String {
        let places = (-step.log10().floor()).clamp(0.0, 3.0) as usize;
        let number = language.notation(format!("{value:.places$}"));
        match self.unit {
            Unit::Games => language.number(value.round().abs() as u64),
            Unit::Rating => number,
            Unit::Percent => number + &language.percent_sign().replace(' ', "\u{a0}"),
        }
    }
}

impl Shape {
    /// The ends of its lines or bars.
    fn points(&self) -> Points {
        match self {
            Shape::Area(points) | Shape::Steps(_, points) | Shape::Line(.., points) => points.clone(),
            Shape::Mark(point, _) => vec![*point],
            Shape::Bars(bars) => {
                bars.iter().map(|(x, parts, _)| (*x, parts.iter().sum::<u64>() as f64)).collect()
            }
        }
    }
}

/// The least and the greatest number.
fn ends(numbers: impl Iterator<Item = f64>) -> Option<[f64; 2]> {
    numbers.fold(None, |ends, number| {
        let [low, high] = ends.unwrap_or([number; 2]);
        Some([low.min(number), high.max(number)])
    })
}

/// A chart at a width.
struct Drawing {
    out: String,
    width: f64,
    left: f64,
    right: f64,
    /// The values at the left and right edge.
    x: [f64; 2],
}

impl Drawing {
    /// `None` if there is nothing to draw.
    fn new(chart: &Chart, width: f64) -> Option<Drawing> {
        let shapes = || chart.panels.iter().flat_map(|panel| &panel.shapes);
        let [first, last] = ends(shapes().flat_map(Shape::points).map(|(x, _)| x))?;
        // Bars are half a step wide on each side.
        let has_bars = shapes().any(|shape| matches!(shape, Shape::Bars(_)));
        let side = if has_bars || first == last { 0.5 } else { 0.0 };
        let longest = |names: &mut dyn Iterator<Item = usize>| names.max().unwrap_or(0) as f64 * LETTER;
        let axis = |panel: &Panel| {
            let values = panel.values();
            let step = values[1] - values[0];
            let widest = values.iter().map(|value| panel.label(*value, step, chart.language).chars().count());
            widest.max().unwrap_or(0).max(panel.name.chars().count())
        };
        let left = longest(&mut chart.panels.iter().map(axis)) + 10.0;
        let name = |shape: &Shape| match shape {
            Shape::Line(_, name, _) | Shape::Steps(name, _) => name.chars().count(),
            _ => 0,
        };
        let right = width - longest(&mut shapes().map(name)) - 8.0;
        Some(Drawing { out: String::new(), width, left, right, x: [first - side, last + side] })
    }

    fn svg(mut self, chart: &Chart, class: &str) -> String {
        let mut y = 0.0;
        for panel in &chart.panels {
            self.panel(panel, y + GAP, chart.language);
            y += GAP + panel.height;
        }
        self.years(y + FOOT - 5.0);
        let (width, height, title) = (self.width, y + FOOT, escaped(&chart.title));
        format!(
            "<svg class=\"curve {class}\" viewBox=\"0 0 {width} {height}\" role=\"img\" aria-label=\"{title}\">{}</svg>",
            self.out
        )
    }

    /// The place of a value on the horizontal axis.
    fn across(&self, x: f64) -> f64 {
        self.left + (x - self.x[0]) / (self.x[1] - self.x[0]) * (self.right - self.left)
    }

    fn text(&mut self, class: &str, x: f64, y: f64, anchor: &str, text: &str) {
        let class = if class.is_empty() { String::new() } else { format!(" class=\"{class}\"") };
        let text = escaped(text);
        let _ =
            write!(self.out, "<text{class} x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\">{text}</text>");
    }

    /// The labels below the last panel.
    fn years(&mut self, y: f64) {
        let most = ((self.right - self.left) / BESIDE).floor();
        for year in round_values(self.x, most, 1.0) {
            if (self.x[0]..=self.x[1]).contains(&year) {
                self.text("", self.across(year), y, "middle", &format!("{year:.0}"));
            }
        }
    }

    fn panel(&mut self, panel: &Panel, top: f64, language: Language) {
        let values = panel.values();
        let (low, step) = (values[0], values[1] - values[0]);
        let span = step * (values.len() - 1) as f64;
        let up = |y: f64| {
            let share = (y - low) / span;
            top + panel.height * if panel.is_down { share } else { 1.0 - share }
        };
        let (left, right) = (self.left, self.right);
        for value in &values {
            let is_base = panel.base.is_some_and(|base| (base - value).abs() < step / 100.0);
            let class = if is_base { "base" } else { "grid-line" };
            let y = up(*value);
            let _ = write!(self.out, "<path class=\"{class}\" d=\"M{left:.1} {y:.1}H{right:.1}\"/>");
            if *value == 0.0 && !panel.name.is_empty() {
                self.text("strong", 0.0, y + 4.0, "start", panel.name);
            } else {
                self.text("", left - 6.0, y + 4.0, "end", &panel.label(*value, step, language));
            }
        }
        for shape in &panel.shapes {
            self.shape(shape, up, up(low));
        }
        self.names(panel, up);
    }

    fn shape(&mut self, shape: &Shape, up: impl Fn(f64) -> f64, bottom: f64) {
        let place = |(x, y): &(f64, f64)| (self.across(*x), up(*y));
        let lines = |points: &Points| {
            let points = points.iter().map(place).map(|(x, y)| format!("{x:.1} {y:.1}"));
            points.collect::<Vec<_>>().join("L")
        };
        let steps = |points: &Points| {
            let mut text = String::new();
            for (x, y) in points.iter().map(place) {
                let _ = if text.is_empty() {
                    write!(text, "{x:.1} {y:.1}")
                } else {
                    write!(text, "H{x:.1}V{y:.1}")
                };
            }
            text
        };
        let drawn = match shape {
            Shape::Area(points) | Shape::Steps(_, points) => {
                let path = if matches!(shape, Shape::Area(_)) { lines(points) } else { steps(points) };
                let [from, to] = ends(points.iter().map(|point| place(point).0)).unwrap_or_default();
                format!(
                    "<path class=\"fill\" d=\"M{from:.1} {bottom:.1}L{path}L{to:.1} {bottom:.1}Z\"/><path class=\"line\" d=\"M{path}\"/>"
                )
            }
            Shape::Line(class, _, points) => format!("<path class=\"{class}\" d=\"M{}\"/>", lines(points)),
            Shape::Mark(point, _) => {
                let (x, y) = place(point);
                format!("<circle class=\"solid\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3.5\"/>")
            }
            Shape::Bars(bars) => self.bars(bars, up),
        };
        self.out += &drawn;
    }

    fn bars(&self, bars: &[(f64, [u64; 3], String)], up: impl Fn(f64) -> f64) -> String {
        let wide = (self.across(1.0) - self.across(0.0)).abs() * 0.92;
        let mut out = String::new();
        for (x, parts, title) in bars {
            let _ = write!(out, "<g><title>{}</title>", escaped(title));
            let (left, mut below) = (self.across(*x) - wide / 2.0, 0);
            for (class, part) in ["won", "d", "lost"].into_iter().zip(parts).filter(|(_, part)| **part > 0) {
                let (from, to) = (up(below as f64), up((below + part) as f64));
                let (y, height) = (from.min(to), (from - to).abs());
                let _ = write!(
                    out,
                    "<rect class=\"{class}\" x=\"{left:.1}\" y=\"{y:.1}\" width=\"{wide:.1}\" height=\"{height:.1}\"/>"
                );
                below += part;
            }
            out += "</g>";
        }
        out
    }

    /// The names of lines at their right ends, and those of marks above them.
    fn names(&mut self, panel: &Panel, up: impl Fn(f64) -> f64) {
        let named = panel.shapes.iter().filter_map(|shape| match shape {
            Shape::Line(_, name, points) | Shape::Steps(name, points) if !name.is_empty() => {
                Some((name, up(points.last()?.1)))
            }
            _ => None,
        });
        let (names, heights): (Vec<&String>, Vec<f64>) = named.unzip();
        for (name, y) in names.into_iter().zip(apart(heights)) {
            self.text("strong", self.right + 6.0, y + 4.0, "start", name);
        }
        for shape in &panel.shapes {
            let Shape::Mark((x, y), text) = shape else { continue };
            let half = text.chars().count() as f64 * LETTER / 2.0;
            let x = self.across(*x).clamp(self.left.min(half), (self.width - half).max(half));
            self.text("strong", x, up(*y) - 8.0, "middle", text);
        }
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chart_of_any_numbers_stays_in_its_frame_and_escapes_its_names() {
        let of = |points: Points| Chart {
            language: Language::English,
            title: "\"<b>".to_owned(),
            panels: vec![Panel::new(
                Unit::Percent,
                80.0,
                vec![Shape::Area(points.clone()), Shape::Line("second", "<i>".to_owned(), points)],
            )],
        };
        for points in [vec![(2000.0, 0.0)], vec![(1.0, 100.0), (65_535.0, 3.0)], vec![(5.0, 5.0), (5.0, 5.0)]]
        {
            let svg = of(points).svg(400.0);
            assert!(svg.starts_with("<svg class=\"curve for-wide\"") && svg.ends_with("</svg>"), "{svg}");
            assert!(
                !svg.contains("<i>") && !svg.contains("<b>") && !svg.contains("NaN") && !svg.contains("inf"),
                "{svg}"
            );
        }
        assert_eq!(of(Vec::new()).svg(400.0), "");
    }
}
