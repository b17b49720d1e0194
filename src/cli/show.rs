//! `plybook show`: a game as text or as an image, or step by step on a terminal; `plybook board`; and the options for
//! boards

use std::io::{self, IsTerminal, Write};

use anyhow::bail;
use clap::{
    Args, ValueEnum,
    builder::{PossibleValue, TypedValueParser},
};
use crossterm::{
    cursor::{self, Hide, MoveTo},
    event::{Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers, read},
    execute, queue,
    style::Print,
    terminal::{
        Clear, ClearType, EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode, size,
    },
};

use super::{
    ArchiveArg,
    advice::game_id,
    answer::named,
    interrupt,
    position_arg::{self, PositionReader},
    terminal::{self, OutputArgs},
};
use crate::{
    archive::Archive,
    chess::{BoardStyle, board_of_setup},
    limits::{MAX_PICTURE_SIDE, MIN_PICTURE_SIDE},
    present::{
        self,
        board_picture::{BoardPicture, Shape, Theme},
        game::Replay,
        list::cut,
    },
    record::{GameId, Ply},
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
    #[command(flatten)]
    board: BoardArgs,
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
}

impl Show {
    pub(super) fn run(self) -> anyhow::Result<()> {
        let archive = self.archive.open()?;
        if self.steps() {
            return step_through(&archive, self.id, self.board.style());
        }
        let mut out = self.output.open(&self.archive.protected())?;
        if let ShowFormat::Json = self.format() {
            terminal::json(&mut out, &present::game::answer(&archive, self.id, self.ply)?)?;
        } else {
            self.write(&mut out, &*present::game::replay(&archive, self.id, self.ply)?)?;
        }
        Ok(out.finish()?)
    }

    /// Whether to step through the game: standard input and output are terminals, and no format or ply was given.
    fn steps(&self) -> bool {
        let is_asked = self.format.is_some() || self.ply.is_some();
        !is_asked && self.output.is_terminal() && io::stdin().is_terminal()
    }

    fn format(&self) -> ShowFormat {
        let is_board = self.ply.is_some() || self.board.is_given();
        self.format.unwrap_or(if is_board { ShowFormat::Board } else { ShowFormat::Moves })
    }

    fn write(&self, out: &mut dyn Write, game: &dyn Replay) -> anyhow::Result<()> {
        match (self.format(), game.chess()) {
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
            _ => bail!(
                "game {id} is a {kind} game, which has no FEN, PGN, UCI notation or image; use --format moves, board, \
                 san (its own notation) or json, or: plybook export --variant {variant} --id {id}",
                id = self.id,
                kind = game.kind(),
                variant = game.kind().name().to_lowercase(),
            ),
        }
        Ok(())
    }
}

/// The keys, shown in the last line.
const KEYS: &str = "← → step   ↑ ↓ ten plies   Home End   f flip   q quit";

/// The number of plies that the up and down keys move.
const LEAP: usize = 10;

/// Shows a game ply by ply until the user quits, and restores the terminal.
pub(super) fn step_through(archive: &Archive, id: GameId, style: BoardStyle) -> anyhow::Result<()> {
    // Report errors in the game before the screen changes.
    present::game::replay(archive, id, None)?;
    let mut shown = SteppedGame { archive, id, style, plies: archive.game(id)?.plies, ply: 0 };
    let screen = Screen::enter()?;
    interrupt::end_after(Screen::leave);
    let ended = shown.run();
    drop(screen);
    if ended? {
        std::process::exit(interrupt::STOPPED);
    }
    Ok(())
}

/// A terminal in raw mode, on the alternate screen.
struct Screen;

impl Screen {
    fn enter() -> io::Result<Screen> {
        enable_raw_mode()?;
        // From here on, drop restores the terminal on any error.
        let screen = Screen;
        execute!(io::stdout(), EnterAlternateScreen, Hide)?;
        Ok(screen)
    }

    fn leave() {
        // If this fails, there is no way to report it.
        let _ = execute!(io::stdout(), cursor::Show, LeaveAlternateScreen);
        let _ = disable_raw_mode();
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        Screen::leave();
    }
}

/// A game and the current ply.
struct SteppedGame<'a> {
    archive: &'a Archive,
    id: GameId,
    style: BoardStyle,
    plies: usize,
    ply: usize,
}

impl SteppedGame<'_> {
    /// Returns whether the user interrupted the command.
    fn run(&mut self) -> anyhow::Result<bool> {
        loop {
            self.draw()?;
            match read()? {
                Event::Key(key) if key.kind != KeyEventKind::Release => {
                    if let Some(is_interrupt) = self.key(key) {
                        return Ok(is_interrupt);
                    }
                }
                _ => {}
            }
        }
    }

    /// Returns whether the user interrupted the command, once it ends.
    fn key(&mut self, KeyEvent { code, modifiers, .. }: KeyEvent) -> Option<bool> {
        match code {
            KeyCode::Char('c') if modifiers.contains(KeyModifiers::CONTROL) => {
                return Some(true);
            }
            KeyCode::Char('q') | KeyCode::Esc => return Some(false),
            KeyCode::Right | KeyCode::Char(' ' | 'l') => self.ply += 1,
            KeyCode::Left | KeyCode::Backspace | KeyCode::Char('h') => self.ply = self.ply.saturating_sub(1),
            KeyCode::Down | KeyCode::PageDown | KeyCode::Char('j') => self.ply += LEAP,
            KeyCode::Up | KeyCode::PageUp | KeyCode::Char('k') => self.ply = self.ply.saturating_sub(LEAP),
            KeyCode::Home | KeyCode::Char('g') => self.ply = 0,
            KeyCode::End | KeyCode::Char('G') => self.ply = self.plies,
            KeyCode::Char('f') => self.style.flip = !self.style.flip,
            _ => {}
        }
        self.ply = self.ply.min(self.plies);
        None
    }

    /// Draws the ply, cut to the size of the terminal.
    fn draw(&self) -> anyhow::Result<()> {
        let mut text = Vec::new();
        present::game::replay(self.archive, self.id, Some(Ply::After(self.ply)))?
            .write_text(&mut text, self.style)?;
        let (width, height) = size()?;
        let room = usize::from(height).saturating_sub(2);
        let mut out = io::stdout().lock();
        queue!(out, Clear(ClearType::All))?;
        for (row, line) in (0..).zip(String::from_utf8_lossy(&text).lines().take(room)) {
            // The rows of the board contain escape sequences, which take no space.
            let line = if line.contains('\x1b') { line.to_owned() } else { cut(line, width.into()) };
            queue!(out, MoveTo(0, row), Print(line))?;
        }
        let keys = cut(KEYS, width.into());
        queue!(out, MoveTo(0, height.saturating_sub(1)), Print(keys))?;
        out.flush()?;
        Ok(())
    }
}

/// Draw a position as text or as an image
///
/// Examples:
/// * plybook board '1. e4 c5'
/// * plybook board '1. e4 c5' --format svg > sicilian.svg
/// * plybook board 'sicilian najdorf' --flip --format png --size 600 -o najdorf.png
/// * plybook board '1. e4 c5' --theme print --format svg -o for-paper.svg
/// * plybook board '1. e4 e5 2. Bc4' --shape Rc4f7 --shape Rf7 --format png -o f7.png
#[derive(Debug, Args)]
#[command(after_help = position_arg::HELP)]
pub(super) struct Board {
    /// Position to draw
    #[arg(required = true, value_name = "POSITION")]
    position: Vec<String>,
    /// Output format
    #[arg(long, value_enum, default_value_t = BoardFormat::Board, help_heading = "Output")]
    format: BoardFormat,
    #[command(flatten)]
    board: BoardArgs,
    #[command(flatten)]
    output: OutputArgs,
    #[command(flatten)]
    archive: ArchiveArg,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum BoardFormat {
    /// Text
    Board,
    /// Vector image
    Svg,
    /// Pixel image
    Png,
}

impl Board {
    pub(super) fn run(self) -> anyhow::Result<()> {
        let protected = self.archive.protected();
        let setup = PositionReader::new(self.archive.clone()).read(&self.position.join(" "))?;
        let mut out = self.output.open(&protected)?;
        match self.format {
            BoardFormat::Board => {
                out.write_all(board_of_setup(&setup, self.board.style()).as_bytes())?;
            }
            format => {
                let picture = BoardPicture::of_setup(&setup);
                let is_png = matches!(format, BoardFormat::Png);
                self.board.write_picture(&mut out, picture, is_png, self.output.is_terminal())?;
            }
        }
        Ok(out.finish()?)
    }
}

/// How to draw a board, in text or as an image.
#[derive(Debug, Args)]
#[command(next_help_heading = "Board")]
pub(super) struct BoardArgs {
    /// Use letters instead of chess symbols
    #[arg(long)]
    ascii: bool,
    /// Show the board from Black's side
    #[arg(long)]
    flip: bool,
    #[command(flatten)]
    picture: PictureArgs,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Images (svg, png)")]
struct PictureArgs {
    /// Width in pixels [default: 400 for png; svg scales to the available width]
    #[arg(long, value_name = "PIXELS", value_parser = clap::value_parser!(u32).range(i64::from(MIN_PICTURE_SIDE)..=i64::from(MAX_PICTURE_SIDE)))]
    size: Option<u32>,
    /// Theme; print is black and white with hatched dark squares, for paper
    #[arg(long, default_value = Theme::default().name(), value_parser = themes())]
    theme: Theme,
    /// Omit the coordinates
    #[arg(long)]
    no_coordinates: bool,
    /// Draw an arrow or a circle: a colour (G, R, Y or B) and two squares or one, as in %cal and %csl; may be
    /// repeated
    #[arg(long, value_name = "Ge2e4")]
    shape: Vec<Shape>,
}

fn themes() -> impl TypedValueParser<Value = Theme> {
    named(Theme::ALL.map(|theme| (PossibleValue::new(theme.name()), theme)))
}

impl BoardArgs {
    /// Whether an option for boards in text was given.
    pub(super) fn is_given(&self) -> bool {
        self.ascii || self.flip
    }

    /// The style of a board in text.
    pub(super) fn style(&self) -> BoardStyle {
        let marks = if terminal::in_colour() { terminal::REVERSED } else { ["[", "]"] };
        BoardStyle { ascii: self.ascii, flip: self.flip, marks }
    }

    /// Writes an image of a board, SVG or PNG; PNG is not written to a terminal.
    pub(super) fn write_picture(
        &self,
        out: &mut dyn Write,
        mut picture: BoardPicture,
        is_png: bool,
        to_terminal: bool,
    ) -> anyhow::Result<()> {
        picture.flip = self.flip;
        picture.coordinates = !self.picture.no_coordinates;
        picture.theme = self.picture.theme;
        picture.width = self.picture.size;
        picture.shapes.extend(&self.picture.shape);
        if is_png && to_terminal {
            bail!("cannot show a PNG on the terminal; write it to a file with --output FILE");
        }
        let picture = if is_png { picture.png()? } else { picture.svg().into_bytes() };
        Ok(out.write_all(&picture)?)
    }
}
