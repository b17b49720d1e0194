//! Steps through a game on a terminal with the arrow keys.

use std::io::{self, Write};

use crossterm::{
    cursor::{Hide, MoveTo, Show},
    event::{Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers, read},
    execute, queue,
    style::Print,
    terminal::{
        Clear, ClearType, EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode, size,
    },
};

use super::interrupt;
use crate::{
    archive::Archive,
    chess::BoardStyle,
    present::{self, list::cut},
    record::{GameId, Ply},
};

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
        let _ = execute!(io::stdout(), Show, LeaveAlternateScreen);
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
            if let Event::Key(key) = read()?
                && key.kind != KeyEventKind::Release
                && let Some(is_interrupt) = self.key(key)
            {
                return Ok(is_interrupt);
            }
        }
    }

    /// Returns whether the user interrupted the command, once it ends.
    fn key(&mut self, KeyEvent { code, modifiers, .. }: KeyEvent) -> Option<bool> {
        match code {
            KeyCode::Char('c') if modifiers.contains(KeyModifiers::CONTROL) => return Some(true),
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
