//! The report of a player as text.

use std::io::{self, Write};

use super::{
    super::{
        Answer, ListStyle,
        blocks::name_items,
        explore::{bar, share},
        list::TextStyle,
    },
    overview::NAMELESS,
    picture::{PictureWords, player_picture},
    player_rows::player_rows,
    section::{ReportSection, known, known_or, tenths},
};
use crate::{
    counts::{GAMES, thousands},
    report::{BandScore, LineScore, OpeningScore, OpeningScores, PlayerReport, Score},
};

/// The width of a bar.
const BAR: usize = 16;

/// The headings of a score.
const SCORE: [&str; 7] = ["games", "won", "drawn", "lost", "score", "opp.", "perf"];

/// Tables of games: the numbers won, drawn and lost, the score in percent, the mean rating of the opponents, and the
/// performance.
impl Answer for PlayerReport {
    fn count(&self) -> u64 {
        self.games
    }

    fn write_text(&self, out: &mut dyn Write, style: TextStyle) -> io::Result<()> {
        if self.games == 0 {
            return style.line(out, "no games");
        }
        write_head(out, self, style)?;
        let colours = [("White", self.white), ("Black", self.black), ("both", self.total)];
        let colours = colours.map(|(name, score)| (name.to_owned(), score));
        write_scores(out, "By colour", "as", colours, style)?;
        let bands = self.opponents.iter().map(|band| (band_name(band), band.score));
        write_scores(out, "By opponent's rating", "rating", bands, style)?;
        let years = self.years.iter().map(|year| (known_or(year.year, "unknown"), year.score));
        write_scores(out, "By year", "year", years, style)?;
        write_openings(out, "as White", &self.openings_as_white, style)?;
        write_openings(out, "as Black", &self.openings_as_black, style)?;
        write_lines(out, "First moves as White", &self.lines_as_white, &self.white, style)?;
        write_lines(out, "Replies as Black", &self.lines_as_black, &self.black, style)
    }

    fn write_list(&self, out: &mut dyn Write, list: ListStyle<'_>) -> io::Result<()> {
        list.write(out, &player_rows(self))
    }

    fn picture(&self) -> Option<String> {
        Some(player_picture(self, &PictureWords::ENGLISH))
    }
}

/// The player, and the number of games.
fn write_head(out: &mut dyn Write, answer: &PlayerReport, style: TextStyle) -> io::Result<()> {
    let more = answer.different_names.saturating_sub(answer.names.len() as u64);
    let games = GAMES.count(answer.games);
    match answer.names.as_slice() {
        [only] if more == 0 => style.title(out, &format!("{}: {games}", only.name))?,
        names => {
            style.title(out, &format!("{}: {games}", answer.player))?;
            style.items(out, &name_items(names, more))?;
        }
    }
    if answer.total.other > 0 {
        style.line(out, &format!("{} without a result", GAMES.count(answer.total.other)))?;
    }
    Ok(())
}

/// A table of scores with a bar each; rows without games are omitted.
fn write_scores(
    out: &mut dyn Write,
    title: &str,
    what: &str,
    scores: impl IntoIterator<Item = (String, Score)>,
    style: TextStyle,
) -> io::Result<()> {
    let row = |(name, score): (String, Score)| {
        let bar = bar([score.wins, score.draws, score.losses], score.games, BAR);
        [name].into_iter().chain(numbers(&score)).chain([bar]).collect()
    };
    let head: Vec<&str> = [what].into_iter().chain(SCORE).chain([""]).collect();
    let rows = scores.into_iter().filter(|(_, score)| score.games > 0).map(row).collect();
    ReportSection { title, head: &head, texts: 1, rows }.write(out, style)
}

/// A range of ratings, in the form of filter ranges.
pub fn band_name(band: &BandScore) -> String {
    band.from.zip(band.to).map_or("unrated".to_owned(), |(from, to)| format!("{from}..{to}"))
}

fn numbers(score: &Score) -> [String; 7] {
    let [games, wins, draws, losses] = [score.games, score.wins, score.draws, score.losses].map(thousands);
    [games, wins, draws, losses, tenths(score.percent), known(score.mean_opponent), known(score.performance)]
}

fn write_openings(
    out: &mut dyn Write,
    side: &str,
    answer: &OpeningScores,
    style: TextStyle,
) -> io::Result<()> {
    let title = |what, shown: usize, all| {
        format!("{what} {side} (by the last named position): {shown} of {}", thousands(all))
    };
    let families = answer.families.iter().map(|of| (of.family.unwrap_or(NAMELESS).to_owned(), of.score));
    let heading = title("Openings", answer.families.len(), answer.different_families);
    write_scores(out, &heading, "opening", families, style)?;
    let head: Vec<&str> = ["eco", "variation"].into_iter().chain(SCORE).collect();
    let row = |of: &OpeningScore| {
        let name = of.opening.unwrap_or(NAMELESS).to_owned();
        [known(of.eco), name].into_iter().chain(numbers(&of.score)).collect()
    };
    let rows = answer.most_played.iter().map(row).collect();
    let heading = title("Variations", answer.most_played.len(), answer.different);
    ReportSection { title: &heading, head: &head, texts: 2, rows }.write(out, style)
}

fn write_lines(
    out: &mut dyn Write,
    title: &str,
    lines: &[LineScore],
    all: &Score,
    style: TextStyle,
) -> io::Result<()> {
    let mut rows = Vec::new();
    add_lines(&mut rows, lines, 0, all.games);
    let head: Vec<&str> = ["move", "share"].into_iter().chain(SCORE).collect();
    ReportSection { title, head: &head, texts: 1, rows }.write(out, style)
}

fn add_lines(rows: &mut Vec<Vec<String>>, lines: &[LineScore], depth: usize, of: u64) {
    for line in lines {
        let dots = if depth.is_multiple_of(2) { "." } else { "..." };
        let san = line.san.as_deref().unwrap_or("other first moves");
        let name = format!("{}{}{dots} {san}", "  ".repeat(depth), depth / 2 + 1);
        let share = share(line.score.games, of);
        rows.push([name, share].into_iter().chain(numbers(&line.score)).collect());
        add_lines(rows, &line.lines, depth + 1, line.score.games);
    }
}
