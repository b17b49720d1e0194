//! Prints the FEN of a game of an archive at a ply: `guest ARCHIVE ID PLY`.

use std::{env, error::Error};

use plybook::record::{GameId, GameRow, Ply, Round, fen};
use sqlite::{State, Statement, Type};

/// Every column of a stored game, with the names resolved.
const GAME: &str = "
    SELECT game.id, codec, variant, names, slots, moves, plies, result, white.name AS white, black.name AS black,
           event.name AS event, site.name AS site, round, date, white_elo, black_elo, eco,
           section.tags AS section_tags, game.tags AS tags, marks
    FROM game
    JOIN section ON section.id = game.section
    JOIN tag_layout ON tag_layout.id = section.layout
    LEFT JOIN player AS white ON white.id = game.white
    LEFT JOIN player AS black ON black.id = game.black
    LEFT JOIN event ON event.id = section.event
    LEFT JOIN site ON site.id = section.site
    LEFT JOIN annotation ON annotation.game = game.id
    WHERE game.id = ?";

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [archive, id, ply] = &arguments[..] else { return Err("usage: guest ARCHIVE ID PLY".into()) };
    let db = sqlite::open(archive)?;
    let mut game = db.prepare(GAME)?;
    game.bind((1, id.parse::<GameId>()?))?;
    if game.next()? != State::Row {
        return Err("there is no such game".into());
    }
    let game = row(&game)?.into_game(|id| {
        let mut text = db.prepare("SELECT text FROM tag_value WHERE id = ?").ok()?;
        text.bind((1, id)).ok()?;
        text.next().ok()?;
        text.read(0).ok()
    })?;
    let tag = |name| game.tags.get(name).unwrap_or("?");
    println!("{} - {}", tag("White"), tag("Black"));
    println!("{}", fen(&game.position_at(ply.parse::<Ply>()?)?));
    Ok(())
}

fn row(row: &Statement<'_>) -> Result<GameRow, sqlite::Error> {
    Ok(GameRow {
        id: row.read("id")?,
        codec: row.read("codec")?,
        variant: row.read("variant")?,
        names: row.read("names")?,
        slots: row.read("slots")?,
        moves: row.read("moves")?,
        plies: row.read("plies")?,
        result: row.read("result")?,
        white: row.read("white")?,
        black: row.read("black")?,
        event: row.read("event")?,
        site: row.read("site")?,
        round: match row.column_type("round")? {
            Type::Integer => Round::Number(row.read("round")?),
            Type::String => Round::Text(row.read("round")?),
            _ => Round::None,
        },
        date: row.read("date")?,
        white_elo: row.read("white_elo")?,
        black_elo: row.read("black_elo")?,
        eco: row.read("eco")?,
        section_tags: row.read("section_tags")?,
        tags: row.read("tags")?,
        marks: row.read("marks")?,
    })
}
