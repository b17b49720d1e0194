//! `plybook stats`

use std::io::Write;

use anyhow::{anyhow, bail, ensure};
use clap::Args;

use super::{
    ExitStatus,
    answer::{AnswerArgs, Choice, Form, Format, lists_or},
    archive_arg::open_index,
    terminal,
};
use crate::{
    archive::{Archive, Filter},
    present::{CodeError, PresentError, RequestError, codec_lengths, game_lengths, stats::opening_games},
    query::Context,
    record::GameKind,
    stats::{position_stats, surprise_stats},
};

/// Measure the size of games and positions in bits, how surprising moves are, or count openings
///
/// Sizes are those of the encoded moves and the end of the game; the size of the file is reported separately. With a
/// filter, only matching games are measured, but the file size is always that of the complete file. With --positions,
/// every position of these games, including the start, is measured in every position codec.
///
/// Without --codec, games are measured as they are stored. The codec index, in which imports store them, encodes each move as
/// its number among the legal moves; it has nothing to do with the index of positions.
///
/// With --openings, games are counted by opening, the last named position of each game, whatever the move order; the
/// most frequent openings come first.
///
/// With --surprise, the bits of every move are those of the codec model; 300,000 games take 40 seconds on two cores.
///
/// With --codec, games of Xelto are skipped; with --variant xelto, the codecs are those of Xelto.
///
/// Examples:
/// * plybook stats
/// * plybook stats --player fischer --format json
/// * plybook stats --codec all
/// * plybook stats --codec index,byte,san --sample 1000
/// * plybook stats --variant xelto --codec all
/// * plybook stats --format svg > lengths.svg
/// * plybook stats --surprise --date 2020..
/// * plybook stats --surprise --format svg > surprise.svg
/// * plybook stats --openings --date 2020.. --format csv
/// * plybook stats --positions --sample 1000 --format svg > positions.svg
#[derive(Debug, Args)]
pub(super) struct Stats {
    /// Codecs to measure, side by side if there are several: byte; index,san; all
    #[arg(long, value_name = "NAME,...", value_delimiter = ',')]
    codec: Vec<String>,
    /// Measure positions in every position codec, in total and by ply
    #[arg(long, conflicts_with = "codec")]
    positions: bool,
    /// Measure how surprising moves are, in bits per ply, by ply, rating and year
    #[arg(long, conflicts_with_all = ["codec", "positions"])]
    surprise: bool,
    /// Count the games and results of each opening
    #[arg(long, conflicts_with_all = ["codec", "positions", "surprise"])]
    openings: bool,
    /// Output format
    #[arg(long, value_parser = lists_or(FORMS), default_value = "text", help_heading = "Output")]
    format: Format<Form>,
    #[command(flatten)]
    answer: AnswerArgs,
}

/// CSV and the other list formats contain the histogram or the table.
const FORMS: [Choice<Form>; 3] = [
    ("text table", "Text with a histogram", Form::Text),
    ("json", "JSON", Form::Json),
    ("svg", "The histogram, the size of positions by ply, or the surprise, as an image", Form::Svg),
];

impl Stats {
    pub(super) fn run(self) -> anyhow::Result<ExitStatus> {
        let archive = self.answer.archive.open()?;
        let mut filter = self.answer.filter.before_sample(&archive)?;
        // Otherwise the sample could contain games that cannot be measured.
        filter.chess |= (self.positions || self.surprise) && filter.kind != Some(GameKind::Xelto);
        let filter = self.answer.filter.sampled(&archive, filter)?;
        let mut out = self.answer.out()?;
        let done = if self.positions {
            self.positions(&mut out, &archive, &filter)?
        } else if self.surprise {
            self.surprise(&mut out, &archive, &filter)?
        } else if self.openings {
            self.openings(&mut out, &archive, &filter)?
        } else {
            self.codecs(&mut out, &archive, &filter)?
        };
        out.finish()?;
        Ok(done)
    }

    /// The size of the games in one codec, or in several side by side.
    fn codecs(&self, out: &mut dyn Write, archive: &Archive, filter: &Filter) -> anyhow::Result<ExitStatus> {
        let codecs: Vec<&str> = self.codec.iter().map(String::as_str).collect();
        let codecs = match codecs.as_slice() {
            ["all"] => &[],
            one @ ([] | [_]) => {
                let lengths = game_lengths(archive, filter, one.first().copied()).map_err(unknown_codec)?;
                return self.answer.write(out, self.format, lengths);
            }
            several => several,
        };
        let lengths = codec_lengths(archive, filter, codecs, self.progress(archive)?);
        let lengths = lengths.map_err(unknown_codec)?;
        self.refuse_picture("an image shows only one codec; choose one with --codec")?;
        self.answer.write(out, self.format, lengths)
    }

    /// Shows how many games have been processed.
    fn progress(&self, archive: &Archive) -> anyhow::Result<impl FnMut(u64) + use<>> {
        let bar = self.answer.filter.bar(archive)?;
        Ok(move |games| bar.set_position(games))
    }

    /// The size of positions in all codecs.
    fn positions(
        &self,
        out: &mut dyn Write,
        archive: &Archive,
        filter: &Filter,
    ) -> anyhow::Result<ExitStatus> {
        if filter.kind == Some(GameKind::Xelto) {
            bail!("position codecs support only chess; Xelto's two position encodings have a fixed size");
        }
        self.answer.write(out, self.format, position_stats(archive, filter, self.progress(archive)?)?)
    }

    /// How surprising moves are.
    fn surprise(
        &self,
        out: &mut dyn Write,
        archive: &Archive,
        filter: &Filter,
    ) -> anyhow::Result<ExitStatus> {
        if filter.kind == Some(GameKind::Xelto) {
            bail!("there is no model of how people play Xelto");
        }
        self.answer.write(out, self.format, surprise_stats(archive, filter, self.progress(archive)?)?)
    }

    fn openings(
        &self,
        out: &mut dyn Write,
        archive: &Archive,
        filter: &Filter,
    ) -> anyhow::Result<ExitStatus> {
        let _snapshot = archive.snapshot()?;
        let index = open_index(archive)?;
        let context = Context::new(archive).with_index(index.as_ref());
        let openings = self.answer.ask(context, |context| opening_games(context, filter))?;
        self.refuse_picture("openings have no image format; choose another --format")?;
        let done = self.answer.write(out, self.format, openings)?;
        terminal::tell("each game counts once, by its last named position");
        Ok(done)
    }

    fn refuse_picture(&self, why: &'static str) -> anyhow::Result<()> {
        ensure!(!matches!(self.format, Format::Own(Form::Svg)), why);
        Ok(())
    }
}

/// Adds `all`, which this command also accepts, to the error for an unknown codec.
fn unknown_codec(error: PresentError) -> anyhow::Error {
    match error {
        PresentError::Request(RequestError::Code(error @ CodeError::Codec { .. })) => {
            anyhow!("{error}, or all")
        }
        error => error.into(),
    }
}
