//! `plybook path`

use std::{
    io::{self, IsTerminal},
    path::PathBuf,
    time::Duration,
};

use anyhow::Context;
use clap::Args;
use indicatif::{HumanDuration, ProgressBar};

use super::{
    ArchiveArg, ExitStatus, answer::ReportFormat, archive_arg::usual_archive, position_arg::PositionReader,
    terminal,
};
use crate::{
    archive::Archive,
    limits::{MAX_PATH_PLIES, PATH_MEMORY},
    present::proof_game::{self, ProofGame, ReachingGame, progress_text},
    proofgame::{Limits, Progress, Target, search},
    query::shortest_through,
};

const MIB: usize = 1 << 20;

/// Find the shortest legal game that reaches a position
///
/// The search is complete: if it finds a game, no shorter one exists. Fields that a FEN omits are unconstrained: a
/// placement with a side to move ("… w") allows any castling rights and en passant square. An en passant square without
/// a legal capture counts as none, because programs differ in whether they write it. With --archive, the shortest
/// stored game through the position is printed first. The exit code is 1 if no game was found.
///
/// Examples:
/// * plybook path rnbqkbn1/ppppppp1/8/8/6p1/4P2r/PPPP1PPP/RNBK1BNR w
/// * plybook path 'r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq' -a plybook.db
/// * plybook path 'rnbqkbnr/8/8/8/8/8/8/RNBQKBNR w' --timeout 10
#[derive(Debug, Args)]
pub(super) struct Path {
    /// Position: a FEN or its first fields, moves ('1. e4 c5'), GAME:PLY of the archive, or the name of an opening
    #[arg(required = true, value_name = "FEN")]
    fen: Vec<String>,
    /// Take the en passant field literally: its square is the one that the last move passed; "-" means the last
    /// move was not a double step
    #[arg(long)]
    exact_ep: bool,
    /// First print the shortest game of this archive through the position
    #[arg(short, long, value_name = "FILE")]
    archive: Option<PathBuf>,
    /// Search only games of at least N plies; shorter ones may exist
    #[arg(long, value_name = "N", default_value_t = 0)]
    min_plies: usize,
    /// Search only games of at most N plies
    #[arg(long, value_name = "N", default_value_t = MAX_PATH_PLIES)]
    max_plies: usize,
    /// Stop after this many seconds
    #[arg(long, value_name = "SECONDS")]
    timeout: Option<f64>,
    /// Memory for the search tables, in MiB
    #[arg(long, value_name = "MIB", default_value_t = PATH_MEMORY / MIB)]
    memory: usize,
    /// Output format
    #[arg(long, value_enum, default_value_t = ReportFormat::Text)]
    format: ReportFormat,
}

impl Path {
    pub(super) fn run(self) -> anyhow::Result<ExitStatus> {
        let target = self.target()?;
        let timeout = self.timeout.map(Duration::try_from_secs_f64).transpose().context("--timeout")?;
        let stored = self.stored(&target)?;
        let limits = Limits {
            min_plies: self.min_plies,
            max_plies: self.max_plies,
            timeout,
            memory: self.memory.saturating_mul(MIB),
        };
        let bar = if io::stderr().is_terminal() { ProgressBar::new_spinner() } else { ProgressBar::hidden() };
        let outcome = search(&target, &limits, &mut |progress: Progress| {
            bar.set_message(format!("{}, {}", progress_text(progress), HumanDuration(progress.elapsed)));
            bar.tick();
        });
        bar.finish_and_clear();
        let answer = ProofGame { stored, ..ProofGame::new(&outcome)? };
        self.format.print(&answer, |out| answer.write_text(out))?;
        Ok(ExitStatus::complete_if(answer.found))
    }

    fn target(&self) -> anyhow::Result<Target> {
        let archive = self.archive.clone().unwrap_or_else(usual_archive);
        let (text, positions) = (self.fen.join(" "), PositionReader::new(ArchiveArg::of(archive)));
        proof_game::target(&text, self.exact_ep, || positions.archive())
            .with_context(|| format!("cannot search for {text:?}"))
    }

    /// Looks the position up in the archive. With the text format, prints the game immediately.
    fn stored(&self, target: &Target) -> anyhow::Result<Option<Option<ReachingGame>>> {
        let Some(path) = &self.archive else { return Ok(None) };
        let stored = shortest_through(&Archive::open(path)?, target)?;
        let stored = stored.as_ref().map(ReachingGame::new);
        if self.format == ReportFormat::Text {
            let none = || "no stored game passes through this position".to_owned();
            terminal::print(stored.as_ref().map_or_else(none, ReachingGame::text))?;
        }
        Ok(Some(stored))
    }
}
