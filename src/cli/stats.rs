//! `plybook stats`

use std::io::Write;

use anyhow::{anyhow, bail, ensure};
use clap::Args;

use super::{
    ExitStatus,
    answer::AnswerArgs,
    format::{Form, Format, Own, lists_or},
    open_index, terminal,
};
use crate::{
    archive::{Archive, Filter},
    present::{PresentError, RequestError, codec_lengths, game_lengths, stats::opening_games},
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
    #[arg(long, value_parser = lists_or(FORMS), default_value = "text")]
    format: Format<Form>,
    #[command(flatten)]
    answer: AnswerArgs,
}

/// CSV and the other formats of lists have the histogram, or the table.
const FORMS: [Own<Form>; 3] = [
    ("text", "For people, with a histogram", Form::Text),
    ("json", "JSON", Form::Json),
    ("svg", "The histogram, or the positions' cost against ply, as a picture", Form::Svg),
];

impl Stats {
    pub(super) fn run(self) -> anyhow::Result<ExitStatus> {
        let archive = self.answer.archive.open()?;
        let mut filter = self.answer.filter.before_sample(&archive)?;
        // The others would be chosen in vain.
        filter.chess |= self.positions && filter.kind != Some(GameKind::Xelto);
        let filter = self.answer.filter.sampled(&archive, filter)?;
        let mut out = self.answer.out()?;
        let done = if self.positions {
            self.positions(&mut out, &archive, &filter)?
        } else if self.openings {
            self.openings(&mut out, &archive, &filter)?
        } else {
            self.codecs(&mut out, &archive, &filter)?
        };
        out.finish()?;
        Ok(done)
    }

    /// The games in the encoding that was asked for, or in several or all of them side by side.
    fn codecs(&self, out: &mut dyn Write, archive: &Archive, filter: &Filter) -> anyhow::Result<ExitStatus> {
        let codecs: Vec<&str> = self.codec.iter().map(String::as_str).collect();
        let codecs = match codecs.as_slice() {
            ["all"] => &[],
            [one] => {
                let lengths = game_lengths(archive, filter, one).map_err(unknown_codec)?;
                return self.answer.write(out, self.format, Some(lengths));
            }
            several => several,
        };
        let bar = self.answer.filter.bar(archive)?;
        let lengths = codec_lengths(archive, filter, codecs, move |games| bar.set_position(games));
        let lengths = lengths.map_err(unknown_codec)?;
        self.refuse_picture("a picture shows one codec: choose one of them with --codec")?;
        self.answer.write(out, self.format, Some(lengths))
    }

    /// Positions in all encodings.
    fn positions(
        &self,
        out: &mut dyn Write,
        archive: &Archive,
        filter: &Filter,
    ) -> anyhow::Result<ExitStatus> {
        if filter.kind == Some(GameKind::Xelto) {
            bail!("the position codecs are those of chess; the two of Xelto have a fixed size");
        }
        let bar = self.answer.filter.bar(archive)?;
        let costs = position_stats(archive, filter, move |games| bar.set_position(games))?;
        self.answer.write(out, self.format, Some(costs))
    }

    fn openings(
        &self,
        out: &mut dyn Write,
        archive: &Archive,
        filter: &Filter,
    ) -> anyhow::Result<ExitStatus> {
        let watch = self.answer.watch(archive)?;
        let _snapshot = archive.snapshot()?;
        let index = open_index::open(archive)?;
        let openings = opening_games(archive, index.as_ref(), filter, watch)?;
        self.refuse_picture("there is no picture of openings: choose another --format")?;
        let done = self.answer.write(out, self.format, openings)?;
        terminal::tell("each game counts once, for its last named position");
        Ok(done)
    }

    fn refuse_picture(&self, why: &'static str) -> anyhow::Result<()> {
        ensure!(!matches!(self.format, Format::Own(Form::Svg)), why);
        Ok(())
    }
}

/// What is said of an encoding that is not there: all of them are one choice more.
fn unknown_codec(error: PresentError) -> anyhow::Error {
    match error {
        PresentError::Request(error @ RequestError::Codec { .. }) => anyhow!("{error}, and all"),
        error => error.into(),
    }
}
