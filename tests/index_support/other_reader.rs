//! Games as another reader than the program's own reads them.

use std::{
    fs,
    io::{BufRead, BufReader},
    ops::ControlFlow::{self, Continue},
    path::Path,
};

use pgn_reader::{RawTag, Reader, SanPlus, Visitor};
use shakmaty::{CastlingMode, Chess, Move, Position, fen::Fen};

/// A game: what is asked of its tag pairs, and its moves.
#[derive(Default)]
pub struct Game {
    pub result: String,
    pub elo: [Option<u64>; 2],
    pub year: Option<u16>,
    pub start: Chess,
    pub moves: Vec<Move>,
}

impl Game {
    /// Hands over its positions, from the start on, each with the number of moves before it.
    pub fn each(&self, mut each: impl FnMut(usize, &Chess)) {
        let mut position = self.start.clone();
        each(0, &position);
        for (ply, &m) in (1..).zip(&self.moves) {
            position.play_unchecked(m);
            each(ply, &position);
        }
    }

    pub fn positions(&self) -> Vec<Chess> {
        let mut positions = Vec::new();
        self.each(|_, position| positions.push(position.clone()));
        positions
    }
}

/// Reads games with another reader than the program's own.
struct Games(Vec<Game>);

impl Visitor for Games {
    type Tags = Game;
    type Movetext = (Game, Chess);
    type Output = ();

    fn begin_tags(&mut self) -> ControlFlow<(), Game> {
        Continue(Game::default())
    }

    fn tag(&mut self, game: &mut Game, name: &[u8], value: RawTag<'_>) -> ControlFlow<()> {
        let value = value.decode_utf8_lossy();
        let rating = || value.parse().ok().filter(|elo| *elo > 0);
        match name {
            b"Result" => game.result = value.into_owned(),
            b"WhiteElo" => game.elo[0] = rating(),
            b"BlackElo" => game.elo[1] = rating(),
            b"Date" => game.year = value.get(..4).and_then(|year| year.parse().ok()),
            b"FEN" => {
                let fen: Fen = value.parse().unwrap();
                game.start = fen.into_position(CastlingMode::Standard).unwrap();
            }
            _ => {}
        }
        Continue(())
    }

    fn begin_movetext(&mut self, game: Game) -> ControlFlow<(), (Game, Chess)> {
        let start = game.start.clone();
        Continue((game, start))
    }

    fn san(&mut self, (game, position): &mut (Game, Chess), san: SanPlus) -> ControlFlow<()> {
        let m = san.san.to_move(position).unwrap();
        position.play_unchecked(m);
        game.moves.push(m);
        Continue(())
    }

    fn end_game(&mut self, (game, _): (Game, Chess)) {
        self.0.push(game);
    }
}

/// The text of the first games of a collection of master games.
pub fn beginning(otb: &Path, most: usize) -> String {
    let source = BufReader::new(zstd::Decoder::new(fs::File::open(otb).unwrap()).unwrap());
    let (mut text, mut games) = (String::new(), 0);
    for line in source.split(b'\n') {
        let line = line.unwrap();
        games += usize::from(line.starts_with(b"[Event "));
        if games > most {
            break;
        }
        text += &String::from_utf8_lossy(&line);
        text += "\n";
    }
    text
}

/// The games of a text.
pub fn games_of(text: &str) -> Vec<Game> {
    let mut games = Games(Vec::new());
    Reader::new(text.as_bytes()).visit_all_games(&mut games).unwrap();
    games.0
}
