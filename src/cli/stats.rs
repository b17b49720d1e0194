//! `plybook stats`

use std::{io::Write, ops::ControlFlow};

use anyhow::{anyhow, bail};
use clap::{Args, ValueEnum};

use super::{
    ArchiveArg, ExitStatus,
    filter::FilterArgs,
    format::{Format, lists_or},
    open_index,
    terminal::{self, OutputArgs},
};
use crate::{
    archive::{Archive, Filter},
    present::{
        PresentError, RequestError, codec_lengths, game_lengths,
        list::{self, TABLE},
        stats::opening_games,
    },
    record::GameKind,
    stats::position_stats,
};

/// Measure how few bits a game or a position takes, or count openings
///
/// Bits are those of the moves and the end; the bytes of the file are told apart. With a filter, the bits are
/// those of the games that pass it; the bytes are always those of the whole file. With --positions: the bits of
/// every position of these games, the start included, in every position codec.
///
/// With --openings: which openings were played, by the last position of each game that has a name, whatever moves led
/// there; the openings with most games first.
///
/// Other encodings are those of chess, and leave games of Xelto out; with --variant xelto they are those of Xelto.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  plybook stats
  plybook stats --player fischer --format json
  plybook stats --codec index-bare
  plybook stats --codec all
  plybook stats --codec index,byte,san --sample 1000
  plybook stats --variant xelto --codec all
  plybook stats --format svg > lengths.svg
  plybook stats --openings --date 2020.. --format csv
  plybook stats --positions
  plybook stats --positions --sample 1000 --format svg > positions.svg")]
pub(super) struct Stats {
    /// Measure the games in another encoding, or in several or all of them side by side: byte; index,san; all
    #[arg(long, value_name = "NAME,...", default_value = "index", value_delimiter = ',')]
    codec: Vec<String>,
    /// Measure positions in every position codec, over all and by ply
    #[arg(long, conflicts_with = "codec")]
    positions: bool,
    /// Count the games of each opening, by position, and how they ended
    #[arg(long, conflicts_with_all = ["codec", "positions"])]
    openings: bool,
    /// How to print it
    #[arg(long, value_parser = lists_or::<OwnFormat>(), default_value = "text")]
    format: Format<OwnFormat>,
    #[command(flatten)]
    output: OutputArgs,
    #[command(flatten)]
    archive: ArchiveArg,
    #[command(flatten)]
    filter: FilterArgs,
}

/// CSV and the other formats of lists have the histogram, or the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum OwnFormat {
    /// For people, with a histogram
    #[value(alias = "table")]
    Text,
    /// JSON
    Json,
    /// The histogram, or the positions' cost against ply, as a picture
    Svg,
}

impl Stats {
    pub(super) fn run(self) -> anyhow::Result<ExitStatus> {
        let archive = self.archive.open()?;
        let mut filter = self.filter.before_sample(&archive)?;
        // The others would be chosen in vain.
        filter.chess |= self.positions && filter.kind != Some(GameKind::Xelto);
        let filter = self.filter.sampled(&archive, filter)?;
        let mut out = self.output.open(&self.archive.protected())?;
        let measured = if self.positions {
            self.positions(&mut out, &archive, &filter)?
        } else if self.openings {
            self.openings(&mut out, &archive, &filter)?
        } else {
            let codecs: Vec<&str> = self.codec.iter().map(String::as_str).collect();
            match codecs.as_slice() {
                ["all"] => self.codecs(&mut out, &archive, &filter, &[])?,
                [one] => self.games(&mut out, &archive, &filter, one)?,
                several => self.codecs(&mut out, &archive, &filter, several)?,
            }
        };
        out.finish()?;
        Ok(ExitStatus::complete_if(measured > 0))
    }

    /// The games in the encoding that was asked for. Gives their number.
    fn games(
        &self,
        out: &mut dyn Write,
        archive: &Archive,
        filter: &Filter,
        codec: &str,
    ) -> anyhow::Result<u64> {
        let lengths = game_lengths(archive, filter, codec).map_err(unknown_codec)?;
        match self.format {
            Format::Own(OwnFormat::Text) => lengths.write_text(out)?,
            Format::Own(OwnFormat::Json) => terminal::json(out, &lengths)?,
            Format::Own(OwnFormat::Svg) => write!(out, "{}", lengths.svg())?,
            Format::List(format) => list::write(format, self.output.list_options(), out, &lengths.histogram)?,
        }
        Ok(lengths.games)
    }

    /// The games in some encodings side by side, or in all if none is named. Gives the number of encodings.
    fn codecs(
        &self,
        out: &mut dyn Write,
        archive: &Archive,
        filter: &Filter,
        codecs: &[&str],
    ) -> anyhow::Result<u64> {
        let bar = self.filter.bar(archive)?;
        let codecs = codec_lengths(archive, filter, codecs, |games| bar.set_position(games));
        let codecs = codecs.map_err(unknown_codec)?;
        bar.finish_and_clear();
        match self.format {
            Format::Own(OwnFormat::Text) => list::write(TABLE, self.output.list_options(), out, &codecs)?,
            Format::Own(OwnFormat::Json) => terminal::json(out, &codecs)?,
            Format::Own(OwnFormat::Svg) => {
                bail!("a picture shows one codec: choose one of them with --codec")
            }
            Format::List(format) => list::write(format, self.output.list_options(), out, &codecs)?,
        }
        Ok(codecs.len() as u64)
    }

    /// Positions in all encodings. Gives the number of games.
    fn positions(&self, out: &mut dyn Write, archive: &Archive, filter: &Filter) -> anyhow::Result<u64> {
        if filter.kind == Some(GameKind::Xelto) {
            bail!("the position codecs are those of chess; the two of Xelto have a fixed size");
        }
        let bar = self.filter.bar(archive)?;
        let costs = position_stats(archive, filter, |games| bar.set_position(games))?;
        bar.finish_and_clear();
        match self.format {
            Format::Own(OwnFormat::Text) => costs.write_text(out)?,
            Format::Own(OwnFormat::Json) => terminal::json(out, &costs)?,
            Format::Own(OwnFormat::Svg) => write!(out, "{}", costs.svg())?,
            Format::List(format) => list::write(format, self.output.list_options(), out, &costs.rows())?,
        }
        Ok(costs.games)
    }

    /// The openings. Gives the number of games.
    fn openings(&self, out: &mut dyn Write, archive: &Archive, filter: &Filter) -> anyhow::Result<u64> {
        let bar = self.filter.bar(archive)?;
        let _snapshot = archive.snapshot()?;
        let index = open_index::open(archive)?;
        let openings = opening_games(archive, index.as_ref(), filter, |games| {
            bar.set_position(games);
            ControlFlow::Continue(())
        })?;
        let openings = openings.unwrap_or_default();
        bar.finish_and_clear();
        match self.format {
            Format::Own(OwnFormat::Text) => list::write(TABLE, self.output.list_options(), out, &openings)?,
            Format::Own(OwnFormat::Json) => terminal::json(out, &openings)?,
            Format::Own(OwnFormat::Svg) => bail!("there is no picture of openings: choose another --format"),
            Format::List(format) => list::write(format, self.output.list_options(), out, &openings)?,
        }
        terminal::tell("each game counts once, for its last named position");
        Ok(openings.iter().map(|opening| opening.games).sum())
    }
}

/// What is said of an encoding that is not there: all of them are one choice more.
fn unknown_codec(error: PresentError) -> anyhow::Error {
    match error {
        PresentError::Request(error @ RequestError::Codec { .. }) => anyhow!("{error}, and all"),
        error => error.into(),
    }
}
