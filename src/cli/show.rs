//! `plybook show`

use std::io::{self, IsTerminal, Write};

use anyhow::bail;
use clap::{Args, ValueEnum};

use super::{
    ArchiveArg,
    advice::game_id,
    pages::{PageArgs, tell_shorter},
    picture::BoardArgs,
    step::step_through,
    terminal::{self, OutputArgs},
};
use crate::{
    export::GameFormat,
    present::{self, game::Replay, game_pages::Diagrams},
    record::{GameId, Ply, StoredGame},
};

/// Show a game, or a position of a game
///
/// On a terminal, you can step through the game with the arrow keys. Otherwise the moves are printed, with comments,
/// glyphs and variations. With --ply, the board is printed. Xelto games support the formats moves, board, san (Xelto's
/// notation) and json.
///
/// Examples:
/// * plybook show 1                     step through the game, or print its moves
/// * plybook show 1 --ply 12w           the position after White's 12th move
/// * plybook show 1 --ply -2            one half-move before the end
/// * plybook show 1 --format board      the last position
/// * plybook show 1 --ply 20 --format fen
/// * plybook show 1 --format pgn
/// * plybook show 1 --ply 12w --format png -o game.png
/// * plybook show 1 --bits             how surprising each move is
/// * plybook show 1 --diagrams 20w,35b -o game.html
#[derive(Debug, Args)]
pub(super) struct Show {
    /// Id of the game: the first column of plybook games
    #[arg(value_parser = game_id)]
    id: GameId,
    /// Ply in the game: 23 (after 23 half-moves; 0 is the start), 12w or 12b (after that move), or counted from the
    /// end (-1 is the last position) [default: the last position]
    #[arg(long, allow_hyphen_values = true)]
    ply: Option<Ply>,
    /// Output format [default: moves; with --ply, --ascii or --flip: board]
    #[arg(long, value_enum, help_heading = "Output")]
    format: Option<ShowFormat>,
    /// Print the bits of each move: few for a move that most people would play, many for a surprising one; with --format
    /// json, add them as move_bits
    #[arg(long, help_heading = "Output")]
    bits: bool,
    #[command(flatten)]
    board: BoardArgs,
    #[command(flatten)]
    pages: PageArgs,
    #[command(flatten)]
    output: OutputArgs,
    #[command(flatten)]
    archive: ArchiveArg,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum ShowFormat {
    /// Players and moves, with comments, glyphs and variations
    Moves,
    /// Board, with the players and the last move
    Board,
    /// Position as FEN
    Fen,
    /// Game as PGN (up to --ply, if given)
    Pgn,
    /// Moves in SAN
    San,
    /// Moves in UCI notation
    Uci,
    /// The position and the annotated moves as one JSON object
    Json,
    /// Board as a vector image, with the arrows and circles of comments (%cal, %csl)
    Svg,
    /// Board as a pixel image
    Png,
    /// Game as a page for printing and for a site, with diagrams (--diagrams; with --ply, one there)
    Html,
}

impl Show {
    pub(super) fn run(self) -> anyhow::Result<()> {
        self.pages.check(matches!(self.format, Some(ShowFormat::Html)))?;
        if self.bits && !matches!(self.format, None | Some(ShowFormat::Json)) {
            bail!("--bits prints a table or, with --format json, numbers; omit --format");
        }
        let archive = self.archive.open()?;
        if self.steps() {
            return step_through(&archive, self.id, self.board.style());
        }
        let mut out = self.output.open(&self.archive.protected())?;
        if let ShowFormat::Json = self.format() {
            let answer = if self.bits { present::game::answer_with_bits } else { present::game::answer };
            terminal::json(&mut out, &answer(&archive, self.id, self.ply)?)?;
        } else {
            self.write(&mut out, &*present::game::replay(&archive, self.id, self.ply)?)?;
        }
        Ok(out.finish()?)
    }

    /// Whether to step through the game: standard input and output are terminals, and no format or ply was given.
    fn steps(&self) -> bool {
        let is_asked = self.bits || self.format.is_some() || self.ply.is_some();
        !is_asked && self.output.is_terminal() && io::stdin().is_terminal()
    }

    fn format(&self) -> ShowFormat {
        let is_board = self.ply.is_some() || self.board.is_given();
        self.format.unwrap_or(if is_board { ShowFormat::Board } else { ShowFormat::Moves })
    }

    fn write(&self, out: &mut dyn Write, game: &dyn Replay) -> anyhow::Result<()> {
        match (self.format(), game.chess()) {
            (_, Some(game)) if self.bits => {
                game.write_players(out)?;
                game.move_bits()?.write(out)?;
            }
            (_, None) if self.bits => {
                bail!("game {} is a {} game; only moves of chess have bits", self.id, game.kind())
            }
            (ShowFormat::Moves, _) => game.write_moves(out)?,
            (ShowFormat::Board, _) => game.write_text(out, self.board.style())?,
            (ShowFormat::San, _) => writeln!(out, "{}", game.moves().join(" "))?,
            (ShowFormat::Fen, Some(game)) => writeln!(out, "{}", game.fen())?,
            (ShowFormat::Uci, Some(game)) => writeln!(out, "{}", game.uci().join(" "))?,
            (ShowFormat::Pgn, Some(game)) => write!(out, "{}", game.pgn())?,
            (format @ (ShowFormat::Svg | ShowFormat::Png), Some(game)) => {
                let is_png = matches!(format, ShowFormat::Png);
                self.board.write_picture(out, game.picture(), is_png, self.output.is_terminal())?;
            }
            (ShowFormat::Html, Some(game)) => self.write_page(out, game.stored())?,
            _ => bail!(
                "game {id} is a {kind} game, which has no FEN, PGN, UCI notation, image or page; use --format moves, board, \
                 san (its own notation) or json, or: plybook export --variant {variant} --id {id}",
                id = self.id,
                kind = game.kind(),
                variant = game.kind().name().to_lowercase(),
            ),
        }
        Ok(())
    }

    fn write_page(&self, out: &mut dyn Write, game: &StoredGame) -> anyhow::Result<()> {
        let here: Vec<Diagrams> = self.ply.map(Diagrams::At).into_iter().collect();
        let mut pages = self.pages.pages(self.board.flip);
        if pages.diagrams.is_empty() {
            pages.diagrams = &here;
        }
        let mut text = pages.begin(&game.title());
        pages.write(game, &mut text)?;
        write!(out, "{text}{}", pages.end())?;
        tell_shorter(pages);
        Ok(())
    }
}
