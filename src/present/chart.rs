//! Charts as SVG: histograms, lines, and bars of games won, drawn and lost.

use std::fmt::Write;

use super::list::cut;

const WIDTH: f64 = 800.0;
const HEIGHT: f64 = 420.0;
const LEFT: f64 = 70.0;
const BOTTOM: f64 = 50.0;
const TOP: f64 = 40.0;
const RIGHT: f64 = 20.0;

/// A histogram: the start of each bar and its height.
pub fn histogram(title: &str, x_name: &str, y_name: &str, bars: &[(u64, u64)]) -> String {
    let mut svg = frame(title, x_name, y_name);
    let most = bars.iter().map(|(_, count)| *count).max().unwrap_or(0).max(1) as f64;
    let values = round_values([0.0, most], 4.0, 1.0);
    let most = values.last().copied().unwrap_or(most);
    let (width, height) = (WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM);
    let step = width / bars.len().max(1) as f64;
    for (place, (start, count)) in bars.iter().enumerate() {
        let (x, tall) = (LEFT + step * place as f64, *count as f64 / most * height);
        let _ = writeln!(
            svg,
            "<rect x=\"{x:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{tall:.1}\" fill=\"#4878a8\"><title>from {start}: {count}</title></rect>",
            HEIGHT - BOTTOM - tall,
            step * 0.9,
        );
        if place % bars.len().div_ceil(10).max(1) == 0 {
            text(&mut svg, x, HEIGHT - BOTTOM + 16.0, "start", &start.to_string());
        }
    }
    values_up(&mut svg, &values, LEFT - 6.0, HEIGHT - BOTTOM, height);
    svg + "</svg>\n"
}

/// One line of a chart: its name, and its points from left to right.
pub type Series = (&'static str, Vec<(f64, f64)>);

/// Charts below each other.
pub fn stacked(charts: &[String]) -> String {
    let mut svg = begun(HEIGHT * charts.len() as f64);
    for (place, chart) in charts.iter().enumerate() {
        let placed = format!("<svg y=\"{:.0}\" height=\"{HEIGHT}\" ", HEIGHT * place as f64);
        svg += &chart.replacen("<svg ", &placed, 1);
    }
    svg + "</svg>\n"
}

/// A line chart; the names of the lines are at their right ends. The vertical axis begins at 0.
pub fn lines(title: &str, x_name: &str, y_name: &str, lines: &[Series]) -> String {
    const NAMES: f64 = 110.0;
    let mut svg = frame(title, x_name, y_name);
    let points = || lines.iter().flat_map(|(_, points)| points);
    let least_x = points().map(|point| point.0).reduce(f64::min).unwrap_or(0.0);
    let axis = |least: f64, of: fn(&(f64, f64)) -> f64| {
        round_values([least, points().map(of).fold(least + 1.0, f64::max)], 4.0, 1.0)
    };
    let (across, up) = (axis(least_x, |point| point.0), axis(0.0, |point| point.1));
    let [most_x, most_y] = [&across, &up].map(|values| values.last().copied().unwrap_or(1.0));
    let first_x = across.first().copied().unwrap_or(0.0);
    let (width, height) = (WIDTH - LEFT - RIGHT - NAMES, HEIGHT - TOP - BOTTOM);
    let place = |&(x, y): &(f64, f64)| {
        (LEFT + (x - first_x) / (most_x - first_x) * width, HEIGHT - BOTTOM - y / most_y * height)
    };
    for value in across {
        let (x, _) = place(&(value, 0.0));
        text(&mut svg, x, HEIGHT - BOTTOM + 16.0, "middle", &format!("{value:.0}"));
    }
    values_up(&mut svg, &up, LEFT - 6.0, HEIGHT - BOTTOM, height);
    let ends = lines.iter().map(|(_, points)| points.last().map_or(0.0, |point| place(point).1)).collect();
    for (number, ((name, points), name_y)) in lines.iter().zip(apart(ends)).enumerate() {
        let colour = format!("hsl({},70%,40%)", number * 360 / lines.len());
        let path: Vec<String> = points.iter().map(place).map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
        let path = path.join(" ");
        let _ = writeln!(svg, "<polyline points=\"{path}\" fill=\"none\" stroke=\"{colour}\"/>");
        let _ = writeln!(svg, "<g fill=\"{colour}\">");
        text(&mut svg, WIDTH - RIGHT - NAMES + 6.0, name_y + 4.0, "start", name);
        svg.push_str("</g>\n");
    }
    svg + "</svg>\n"
}

/// The values at which an axis has labels: multiples of 1, 2 or 5 times a power of ten, from the last one before the
/// values to the first one after them. There are at most `most` steps between them, and no step is less than `least`.
pub(crate) fn round_values([from, to]: [f64; 2], most: f64, least: f64) -> Vec<f64> {
    let wanted = ((to - from) / most.max(1.0)).max(least);
    let power = 10_f64.powf(wanted.log10().floor());
    let steps = [1.0, 2.0, 5.0, 10.0].map(|factor| factor * power);
    let step = steps.into_iter().find(|step| *step >= wanted * (1.0 - 1e-9)).unwrap_or(10.0 * power);
    let first = (from / step + 1e-9).floor();
    let count = ((to / step - 1e-9).ceil() - first).max(1.0);
    (0..=count as u32).map(|number| (first + f64::from(number)) * step).collect()
}

/// The heights of labels, moved up where they would overlap.
pub(crate) fn apart(heights: Vec<f64>) -> Vec<f64> {
    const STEP: f64 = 13.0;
    let mut order: Vec<usize> = (0..heights.len()).collect();
    order.sort_by(|&a, &b| heights[b].total_cmp(&heights[a]));
    let (mut moved, mut free) = (heights, f64::MAX);
    for place in order {
        moved[place] = moved[place].min(free);
        free = moved[place] - STEP;
    }
    moved
}

fn frame(title: &str, x_name: &str, y_name: &str) -> String {
    let mut svg = begun(HEIGHT);
    text(&mut svg, WIDTH / 2.0, 22.0, "middle", title);
    text(&mut svg, WIDTH / 2.0, HEIGHT - 12.0, "middle", x_name);
    text(&mut svg, 8.0, TOP - 10.0, "start", y_name);
    let (x, y, right) = (LEFT, HEIGHT - BOTTOM, WIDTH - RIGHT);
    let _ = writeln!(svg, "<path d=\"M{x} {TOP}V{y}H{right}\" fill=\"none\" stroke=\"black\"/>");
    svg
}

/// The beginning of a chart of this height.
fn begun(height: f64) -> String {
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height:.0}\" font-family=\"sans-serif\" font-size=\"12\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
    )
}

/// Adds the values of a vertical axis, the last of which is at its top.
fn values_up(svg: &mut String, values: &[f64], x: f64, bottom: f64, height: f64) {
    let most = values.last().copied().unwrap_or(1.0);
    for value in values {
        text(svg, x, bottom - value / most * height + 4.0, "end", &format!("{value:.0}"));
    }
}

/// Adds a text at a position; `anchor` says which end of the text is there.
pub(super) fn text(svg: &mut String, x: f64, y: f64, anchor: &str, words: &str) {
    let words = words.replace('&', "&amp;").replace('<', "&lt;");
    let _ = writeln!(svg, "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\">{words}</text>");
}

const MARGIN: f64 = 20.0;

/// The height of a panel of vertical bars, and of a horizontal bar with its gap.
const PANEL: f64 = 170.0;
const ROW: f64 = 20.0;

/// Where horizontal bars begin and the length of the longest; the width of the names before them in characters.
const NAMES_RIGHT: f64 = 270.0;
const LONGEST: f64 = 400.0;
const NAME_LENGTH: usize = 38;

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

/// A chart of games won, drawn and lost, which grows downwards: bars of three parts, vertical for time series, horizontal
/// for names.
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
        values_up(&mut self.body, &values, left - 8.0, bottom, height);
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
            text(&mut self.body, NAMES_RIGHT - 10.0, self.y + 13.0, "end", &cut(&bar.name, NAME_LENGTH));
            let mut x = NAMES_RIGHT;
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
        format!("{}{}</svg>\n", begun(self.y + MARGIN), self.body)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn axes_have_labels_at_round_numbers() {
        assert_eq!(round_values([68.0, 17_080.0], 5.0, 1.0), [0.0, 5000.0, 10_000.0, 15_000.0, 20_000.0]);
        assert_eq!(
            round_values([2064.0, 2882.0], 5.0, 1.0),
            [2000.0, 2200.0, 2400.0, 2600.0, 2800.0, 3000.0]
        );
        assert_eq!(round_values([0.0, 0.42], 3.0, 0.01), [0.0, 0.2, 0.4, 0.6000000000000001]);
        assert_eq!(round_values([7.0, 7.0], 5.0, 1.0), [7.0, 8.0]);
        assert_eq!(round_values([0.0, 3.0], 0.0, 1.0), [0.0, 5.0]);
        assert_eq!(round_values([-5.0, 3.0], 4.0, 1.0), [-6.0, -4.0, -2.0, 0.0, 2.0, 4.0]);
        for top in 1..3000 {
            let values = round_values([0.0, f64::from(top)], 4.0, 1.0);
            assert!((2..=6).contains(&values.len()) && values.last() >= Some(&f64::from(top)), "{top}");
        }
    }
}
