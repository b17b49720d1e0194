//! `plybook show` of a game of Xelto.

use std::io::Write;

use anyhow::bail;
use serde_json::{Value, json};

use super::{
    super::{output, xelto::board},
    Format, Show, about,
};
use crate::{
    archive::{Archive, StoredGame},
    codec::xelto::hash34,
    printable,
    query::Ply,
    xelto::{Position, notation::Record, notation::Written},
};

/// A game of Xelto replayed to a ply.
struct Shown {
    game: StoredGame,
    record: Record,
    ply: usize,
    /// The position shown.
    position: Position,
    /// The moves up to it (or all, if no ply was asked for), in notation.
    moves: Vec<String>,
}

/// Prints a game of Xelto, or its position at a ply.
pub(super) fn show(command: &Show, archive: &Archive, game: StoredGame) -> anyhow::Result<()> {
    let shown = Shown::new(game, command.ply)?;
    let mut out = output::stdout();
    match command.format {
        Format::Board => shown.board(&mut out)?,
        Format::San => writeln!(out, "{}", shown.moves.join(" "))?,
        Format::Json => output::json(&shown.json(archive)?)?,
        Format::Fen | Format::Pgn | Format::Uci => bail!(
            "game {id} is a game of Xelto: it has no FEN, PGN or UCI notation; --format board, san (its own \
             notation) and json are there, and: plybook export --variant xelto --id {id}",
            id = shown.game.id
        ),
    }
    Ok(out.flush()?)
}

impl Shown {
    fn new(game: StoredGame, asked: Option<Ply>) -> anyhow::Result<Shown> {
        let ply = game.ply(asked.unwrap_or(Ply::FromEnd(1)))?;
        let record = game.xelto()?;
        let (mut position, mut moves) = (record.start(), Vec::new());
        for &m in record.moves.iter().take(ply) {
            moves.push(Written::from_move(&position, m).to_string());
            position.play(m);
        }
        Ok(Shown { game, record, ply, position, moves })
    }

    fn board(&self, out: &mut dyn Write) -> std::io::Result<()> {
        let tag = |name| self.game.tags.get(name).filter(|value: &&str| !value.is_empty());
        let player = |name| tag(name).unwrap_or("?");
        let players = format!("{} – {}", player("White"), player("Black"));
        writeln!(out, "{}  {}", printable::line(&players), self.game.result)?;
        let about = ["event", "site", "date", "round"].into_iter().filter_map(|name| {
            let header = |header: &&crate::xelto::notation::Header| header.name().eq_ignore_ascii_case(name);
            self.record.headers.iter().find(header).map(|header| header.value())
        });
        let about: Vec<&str> = ["Xelto"].into_iter().chain(about.filter(|value| !value.is_empty())).collect();
        writeln!(out, "{}\n", printable::line(&about.join(", ")))?;
        board(out, &self.record, self.ply)?;
        let sentence = self.record.result.filter(|_| self.ply == self.game.plies);
        sentence.map_or(Ok(()), |sentence| writeln!(out, "{sentence}"))
    }

    fn json(&self, archive: &Archive) -> anyhow::Result<Value> {
        let own = json!({
            "ending": self.record.result.map(|ending| ending.to_string()),
            "ply": self.ply,
            "hash": hash34::encode(&self.position),
            "last_move": self.moves.last(),
            "moves": self.moves,
            "continuation": self.record.continuation_words(),
        });
        about(archive, &self.game, own)
    }
}
