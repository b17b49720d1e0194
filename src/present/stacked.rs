//! Charts of games won, drawn and lost: bars of three parts, vertical for time series, horizontal for names.

use std::fmt::Write;

use super::{
    chart::{round_values, text},
    list::cut,
};

const WIDTH: f64 = 800.0;
const MARGIN: f64 = 20.0;

/// The height of a panel of vertical bars, and of a horizontal bar with its gap.
const PANEL: f64 = 170.0;
const ROW: f64 = 20.0;

/// Where horizontal bars begin and the length of the longest; the width of the names before them in characters.
const LEFT: f64 = 270.0;
const LONGEST: f64 = 400.0;
const NAME: usize = 38;

/// The least distance between the labels of vertical bars.
const LABEL: f64 = 72.0;

/// Won, drawn, lost.
const COLOURS: [&str; 3] = ["#3d74a8", "#b9bec4", "#c9713f"];

/// A bar.
pub(super) struct Bar {
    /// The label below or before it.
    pub name: String,
    /// Games won, drawn, lost.
    pub parts: [u64; 3],
    /// All its games.
    pub games: u64,
    /// The score in percent.
    pub percent: Option<f64>,
}

impl Bar {
    /// A bar of games won, drawn and lost, with the score in the games that have a result.
    pub(super) fn new(name: String, parts: [u64; 3], games: u64) -> Bar {
        let [won, drawn, _] = parts;
        let ended: u64 = parts.iter().sum();
        let percent = (ended > 0).then(|| (2 * won + drawn) as f64 * 50.0 / ended as f64);
        Bar { name, parts, games, percent }
    }
}

/// A chart that grows downwards.
pub(super) struct StackedChart {
    body: String,
    y: f64,
}

impl StackedChart {
    /// A title, and the names of the three parts of the bars.
    pub(super) fn new(title: &str, legend: [&str; 3]) -> StackedChart {
        let mut chart = StackedChart { body: String::new(), y: 54.0 };
        text(&mut chart.body, MARGIN, 24.0, "start", title);
        for (place, (words, colour)) in (0..3).zip(legend.into_iter().zip(COLOURS)) {
            let x = MARGIN + 130.0 * f64::from(place);
            let _ = writeln!(
                chart.body,
                "<rect x=\"{x}\" y=\"34\" width=\"12\" height=\"12\" fill=\"{colour}\"/>"
            );
            text(&mut chart.body, x + 18.0, 44.0, "start", words);
        }
        chart
    }

    fn heading(&mut self, words: &str) {
        self.y += 26.0;
        let _ = writeln!(self.body, "<g font-weight=\"bold\">");
        text(&mut self.body, MARGIN, self.y, "start", words);
        let _ = writeln!(self.body, "</g>");
        self.y += 10.0;
    }

    /// Vertical bars; nothing if there are none.
    pub(super) fn upright(&mut self, heading: &str, bars: &[Bar]) {
        if bars.is_empty() {
            return;
        }
        self.heading(heading);
        let values = round_values([0.0, most(bars)], 4.0, 1.0);
        let most = values.last().copied().unwrap_or(1.0);
        let (left, bottom) = (MARGIN + 40.0, self.y + PANEL);
        let step = (WIDTH - left - MARGIN) / bars.len() as f64;
        let height = PANEL - 14.0;
        for (place, bar) in bars.iter().enumerate() {
            let (x, mut y) = (left + step * place as f64, bottom);
            let _ = writeln!(self.body, "<g>{}", answer(bar));
            for (part, colour) in bar.parts.into_iter().zip(COLOURS) {
                let tall = part as f64 / most * height;
                y -= tall;
                self.part(x, y, (step * 0.86).min(40.0), tall, colour);
            }
            let _ = writeln!(self.body, "</g>");
            // Two labels next to each other need space for their characters.
            if place.is_multiple_of((LABEL / step).ceil() as usize) {
                text(&mut self.body, x, bottom + 15.0, "start", &bar.name);
            }
        }
        for value in values {
            let y = bottom - value / most * height + 4.0;
            text(&mut self.body, left - 8.0, y, "end", &format!("{value:.0}"));
        }
        self.y = bottom + 22.0;
    }

    /// Horizontal bars; nothing if there are none.
    pub(super) fn lying(&mut self, heading: &str, bars: &[Bar]) {
        if bars.is_empty() {
            return;
        }
        self.heading(heading);
        let most = most(bars);
        for bar in bars {
            text(&mut self.body, LEFT - 10.0, self.y + 13.0, "end", &cut(&bar.name, NAME));
            let mut x = LEFT;
            let _ = writeln!(self.body, "<g>{}", answer(bar));
            for (part, colour) in bar.parts.into_iter().zip(COLOURS) {
                let wide = part as f64 / most * LONGEST;
                self.part(x, self.y, wide, ROW - 4.0, colour);
                x += wide;
            }
            let _ = writeln!(self.body, "</g>");
            let percent = bar.percent.map_or(String::new(), |percent| format!(" · {percent:.0}%"));
            text(&mut self.body, x + 8.0, self.y + 13.0, "start", &format!("{}{percent}", bar.games));
            self.y += ROW;
        }
    }

    fn part(&mut self, x: f64, y: f64, width: f64, height: f64, colour: &str) {
        if width > 0.0 && height > 0.0 {
            let _ = writeln!(
                self.body,
                "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{height:.1}\" fill=\"{colour}\"/>"
            );
        }
    }

    /// The chart as SVG.
    pub(super) fn svg(self) -> String {
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {:.0}\" font-family=\"sans-serif\" font-size=\"12\">\n\
             <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n{}</svg>\n",
            self.y + MARGIN,
            self.body
        )
    }
}

fn most(bars: &[Bar]) -> f64 {
    let games = bars.iter().map(|bar| bar.parts.iter().sum::<u64>());
    games.max().unwrap_or(0).max(1) as f64
}

/// The tooltip of a bar. Bars are named by years, ranges and openings, never by players.
fn answer(bar: &Bar) -> String {
    let [won, drawn, lost] = bar.parts;
    let percent = bar.percent.map_or(String::new(), |percent| format!(", {percent:.1}%"));
    let name = bar.name.replace('&', "&amp;").replace('<', "&lt;");
    format!("<title>{name}: {} (+{won} ={drawn} -{lost}{percent})</title>", bar.games)
}
