//! Explores an archive: makes one, lists games, looks at positions, and counts what is played in one of them.
//!
//! ```console
//! cargo run --example explore_archive
//! ```

use std::collections::BTreeMap;

use plybook::{
    archive::{Archive, Filter, Summary},
    chess::{Position, SanPlus},
    import::{Options, import_paths},
    record::{Ply, fen},
};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("games.db");
    let report = import_paths(&path, &["data/famous.pgn".into()], &Options::default())?;
    println!("{} games stored, {} rejected", report.stored, report.rejected);

    let archive = Archive::open(&path)?;
    let filter = Filter { player: Some("Morphy".to_owned()), ..Filter::default() };
    for summary in archive.list::<Summary>(&filter) {
        let summary = summary?;
        let name = |name: &Option<String>| name.clone().unwrap_or_default();
        println!("{}: {} - {} {}", summary.id, name(&summary.white), name(&summary.black), summary.result);
    }

    let game = archive.game(1)?;
    println!(
        "after move 12 of White: {}",
        fen(&game.position_at(Ply::Move(12, plybook::chess::Color::White))?)
    );

    // What is played in the start position.
    let mut played: BTreeMap<String, u32> = BTreeMap::new();
    for game in archive.games(&Filter::default()) {
        let line = game?.line()?;
        if let Some(&first) = line.moves.first()
            && line.start.board().occupied().count() == 32
        {
            *played.entry(SanPlus::from_move(line.start, first).to_string()).or_default() += 1;
        }
    }
    for (san, games) in played {
        println!("{san:4} {games}");
    }
    Ok(())
}
