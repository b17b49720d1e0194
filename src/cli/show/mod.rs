//! `plybook show`

mod xelto;

use std::io::Write;

use clap::{Args, ValueEnum};
use serde_json::{Map, Value, json};
use shakmaty::{EnPassantMode, Move, Position, san::SanPlus, uci::UciMove, variant::VariantPosition};

use super::{ArchiveArg, Done, board, output};
use crate::{
    archive::{Archive, GameKind, StoredGame},
    bits::mixed_radix::MixedRadix,
    chess::{Annotation, Annotations, Tags},
    codec::game::GameMoves,
    pgn::{continuation, write_game},
    printable,
    query::{Ply, fen},
};

/// Show a game, or its position at a ply
///
/// A game of Xelto has the formats board, san (its own notation) and json.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  plybook show 1                     the game and its last position
  plybook show 1 --ply 12w           the position after White's 12th move
  plybook show 1 --ply -2            one half-move before the end
  plybook show 1 --ply 20 --format fen
  plybook show 1 --format pgn")]
pub(super) struct Show {
    /// The game's id (see: plybook games)
    id: i64,
    /// The place in the game: 23 (after 23 half-moves; 0 is the start), 12w or 12b (after that move), or
    /// counted from the end (-1 is the last position) [default: the last position]
    #[arg(long, allow_hyphen_values = true)]
    ply: Option<Ply>,
    /// What to print
    #[arg(long, value_enum, default_value_t = Format::Board)]
    format: Format,
    /// Letters instead of chess figures
    #[arg(long)]
    ascii: bool,
    /// The board seen from Black's side
    #[arg(long)]
    flip: bool,
    #[command(flatten)]
    archive: ArchiveArg,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Format {
    /// The board with the players and the last move
    Board,
    /// The position as FEN
    Fen,
    /// The game as PGN (up to --ply, if given)
    Pgn,
    /// The moves in SAN
    San,
    /// The moves in UCI notation
    Uci,
    /// Everything, as one JSON object
    Json,
}

/// A game replayed to a ply.
struct Shown {
    game: StoredGame,
    line: GameMoves<VariantPosition>,
    /// The position shown.
    position: VariantPosition,
    /// Its ply.
    ply: usize,
    annotations: Annotations,
    /// The moves up to it (or all, if no ply was asked for), in SAN.
    san: Vec<String>,
    uci: Vec<String>,
}

impl Show {
    pub(super) fn run(self) -> anyhow::Result<Done> {
        let archive = self.archive.open()?;
        let game = archive.game(self.id)?;
        if game.kind == GameKind::Xelto {
            xelto::show(&self, &archive, game)?;
            return Ok(true);
        }
        let (shown, mut out) = (Shown::new(game, self.ply)?, output::raw_stdout());
        match self.format {
            Format::Board => self.board(&shown)?,
            Format::Fen => writeln!(out, "{}", fen(&shown.position))?,
            Format::San => writeln!(out, "{}", shown.san.join(" "))?,
            Format::Uci => writeln!(out, "{}", shown.uci.join(" "))?,
            Format::Pgn => {
                let mut text = String::new();
                write_game(
                    &mut text,
                    &shown.game.tags,
                    &shown.line.start,
                    shown.moves(),
                    &shown.annotations(),
                    shown.line.outcome,
                );
                out.write_all(text.as_bytes())?;
            }
            Format::Json => {
                serde_json::to_writer_pretty(&mut out, &shown.json(&archive)?)?;
                writeln!(out)?;
            }
        }
        out.flush()?;
        Ok(true)
    }

    fn board(&self, shown: &Shown) -> std::io::Result<()> {
        let mut out = output::stdout();
        let tag = |name| shown.game.tags.get(name).filter(|value: &&str| !value.is_empty());
        let player = |name, elo| {
            let rating = tag(elo).map(|elo| format!(" ({elo})")).unwrap_or_default();
            format!("{}{rating}", tag(name).unwrap_or("?"))
        };
        let (white, black) = (player("White", "WhiteElo"), player("Black", "BlackElo"));
        writeln!(out, "{}  {}", printable::line(&format!("{white} – {black}")), shown.line.outcome)?;
        let about: Vec<&str> =
            ["Event", "Site", "Date", "Round", "ECO"].into_iter().filter_map(tag).collect();
        writeln!(out, "{}\n", printable::line(&about.join(", ")))?;
        let style = board::Style { ascii: self.ascii, colour: output::in_colour(), flip: self.flip };
        let last = shown.ply.checked_sub(1).and_then(|place| shown.line.moves.get(place)).copied();
        out.styled(&board::draw(&shown.position, last, style))?;
        writeln!(out, "\n{}", shown.status())?;
        writeln!(out, "{}", fen(&shown.position))?;
        if let Some(moves) = shown.continuation() {
            writeln!(out, "\nafter a null move:")?;
            moves.lines().try_for_each(|line| writeln!(out, "{line}"))?;
        }
        for comment in shown.comments() {
            writeln!(out)?;
            comment.trim().lines().try_for_each(|line| writeln!(out, "{line}"))?;
        }
        out.flush()
    }
}

impl Shown {
    fn new(game: StoredGame, asked: Option<Ply>) -> anyhow::Result<Shown> {
        let ply = game.ply(asked.unwrap_or(Ply::FromEnd(1)))?;
        let line = game.line()?;
        let mode = line.start.castles().mode();
        let (mut position, mut san, mut uci) = (line.start.clone(), Vec::new(), Vec::new());
        for &m in line.moves.iter().take(ply) {
            uci.push(UciMove::from_move(m, mode).to_string());
            san.push(SanPlus::from_move_and_play_unchecked(&mut position, m).to_string());
        }
        let annotations = game.annotations(&line)?;
        Ok(Shown { game, line, position, ply, annotations, san, uci })
    }

    /// The annotations up to the ply shown.
    fn annotations(&self) -> Annotations {
        let mut shown = Annotations::default();
        for (ply, annotation) in self.annotations.iter().filter(|(ply, _)| *ply <= self.ply) {
            shown.push(ply, annotation);
        }
        shown
    }

    /// What the game goes on with after a null move, if its last position is shown.
    fn continuation(&self) -> Option<String> {
        let is_last = self.ply == self.line.moves.len();
        is_last.then(|| continuation(&self.position, &self.annotations)).flatten()
    }

    /// The comments on the ply shown, without those of variations.
    fn comments(&self) -> Vec<&str> {
        let (mut depth, mut comments) = (0, Vec::new());
        let here = self.annotations.iter().filter(|(ply, _)| *ply == self.ply);
        for (_, annotation) in here.take_while(|(_, annotation)| *annotation != Annotation::Continue) {
            match annotation {
                Annotation::Open => depth += 1,
                Annotation::Close => depth -= 1,
                Annotation::Comment(comment) if depth == 0 => comments.push(comment),
                _ => {}
            }
        }
        comments
    }

    /// The moves up to the ply shown.
    fn moves(&self) -> &[Move] {
        self.line.moves.get(..self.ply).unwrap_or(&self.line.moves)
    }

    /// "ply 24 of 85, after 12... Nf6; White to move"
    fn status(&self) -> String {
        let turn = self.position.turn().fold_wb("White", "Black");
        let after = match (self.ply.checked_sub(1), self.san.last()) {
            (Some(_), Some(san)) => {
                let halves = self.position.fullmoves().get() * 2 + self.position.turn().fold_wb(0, 1) - 1;
                let dots = if halves.is_multiple_of(2) { "." } else { "..." };
                format!("after {}{dots} {san}", halves / 2)
            }
            _ => "the start position".to_owned(),
        };
        let next = if self.position.is_game_over() {
            "the game is over".to_owned()
        } else {
            format!("{turn} to move")
        };
        format!("ply {} of {}, {after}; {next}", self.ply, self.game.plies)
    }

    fn json(&self, archive: &Archive) -> anyhow::Result<Value> {
        let own = json!({
            "ply": self.ply,
            "fen": fen(&self.position),
            "legal_ep_fen": shakmaty::fen::Fen::from_position(&self.position, EnPassantMode::Legal).to_string(),
            "last_move": self.san.last().zip(self.uci.last()).map(|(san, uci)| json!({"san": san, "uci": uci})),
            "san": self.san,
            "uci": self.uci,
            "comments": self.comments(),
            "continuation": self.continuation(),
        });
        about(archive, &self.game, own)
    }
}

/// A game as JSON: what is told of every game around what its kind tells of it.
fn about(archive: &Archive, game: &StoredGame, own: Value) -> anyhow::Result<Value> {
    let origin = archive.origin(game.id)?;
    let head = json!({
        "id": game.id,
        "variant": game.kind.name(),
        "tags": tags_json(&game.tags),
        "result": game.result.as_str(),
        "plies": game.plies,
    });
    let tail = json!({
        "integer": MixedRadix::from_bytes_le(&game.moves).to_integer().to_string(),
        "bits": game.bits(),
        "source": origin.as_ref().map(|origin| origin.source.clone()),
        "number_in_source": origin.map(|origin| origin.number),
    });
    let mut fields = Map::new();
    for part in [head, own, tail] {
        if let Value::Object(mut part) = part {
            fields.append(&mut part);
        }
    }
    Ok(Value::Object(fields))
}

/// Tag pairs as an object; a name that repeats has a list of its values.
fn tags_json(tags: &Tags) -> Value {
    let mut object = Map::new();
    for (name, value) in tags.iter() {
        match object.get_mut(name) {
            None => {
                object.insert(name.to_owned(), value.into());
            }
            Some(Value::Array(values)) => values.push(value.into()),
            Some(other) => *other = json!([other.take(), value]),
        }
    }
    Value::Object(object)
}
