//! The input of `plybook game`: a game of an archive, or PGN on standard input.

use std::io;

use clap::Args;

use super::{ArchiveArg, ExitStatus, terminal};
use crate::{
    chess::VariantPosition,
    cli::usage::game_id,
    codec::game::GameMoves,
    pgn::{GameSplitter, Reader, Reject},
    record::GameId,
};

/// The number of bytes of PGN to parse at a time.
const PORTION: usize = 1 << 20;

/// The input games.
#[derive(Debug, Args)]
pub(super) struct Input {
    /// Id of a game of the archive, or - for PGN on standard input [default: -]
    #[arg(value_parser = id_or_stdin)]
    id: Option<IdOrStdin>,
    #[command(flatten)]
    archive: ArchiveArg,
}

/// The parsed argument.
#[derive(Clone, Copy, Debug)]
enum IdOrStdin {
    Id(GameId),
    Stdin,
}

fn id_or_stdin(text: &str) -> Result<IdOrStdin, String> {
    match text {
        "-" => Ok(IdOrStdin::Stdin),
        id => game_id(id).map(IdOrStdin::Id).map_err(|error| format!("{error}; use - for standard input")),
    }
}

/// A game, or the reason why it cannot be read, with its number in the input.
type Numbered = (u64, Result<GameMoves<VariantPosition>, Reject>);

impl Input {
    /// Passes each game to `each`. Complete if every game could be read and `each` accepted all of them.
    pub(super) fn for_each(
        &self,
        mut each: impl FnMut(&GameMoves<VariantPosition>) -> anyhow::Result<()>,
    ) -> anyhow::Result<ExitStatus> {
        if let Some(IdOrStdin::Id(id)) = self.id {
            each(&self.archive.open()?.game(id)?.line()?)?;
            return Ok(ExitStatus::Complete);
        }
        let mut done = ExitStatus::Complete;
        from_stdin(|(number, game)| {
            match game.map_err(anyhow::Error::from).and_then(|line| each(&line)) {
                Err(error) if error.is::<io::Error>() => return Err(error),
                Err(error) => {
                    terminal::tell_error(format_args!("game {number}: "), &error);
                    done = ExitStatus::Partial;
                }
                Ok(()) => {}
            }
            Ok(())
        })?;
        Ok(done)
    }
}

fn from_stdin(mut each: impl FnMut(Numbered) -> anyhow::Result<()>) -> anyhow::Result<()> {
    let (mut cutter, mut reader, mut number) = (GameSplitter::new(io::stdin().lock()), Reader::new(), 0);
    while let Some(batch) = cutter.next_batch(PORTION)? {
        for piece in &batch.games {
            let mut games = Vec::new();
            for (_, game) in reader.read(&batch.text[piece.range.clone()]) {
                number += 1;
                if game.as_ref().is_ok_and(|game| !game.annotations.continuation().is_empty()) {
                    terminal::tell(format_args!(
                        "game {number}: encoded only up to its null move, because no encoding supports null moves"
                    ));
                }
                let line = |game: crate::pgn::Game| GameMoves {
                    start: game.start(),
                    moves: game.moves,
                    outcome: game.outcome,
                };
                games.push((number, game.map(line)));
            }
            games.into_iter().try_for_each(&mut each)?;
        }
    }
    Ok(())
}
