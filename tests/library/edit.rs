//! Random changes, undone and redone: the archive always answers like a fresh one with the same games.

use std::{collections::BTreeMap, fs, ops::ControlFlow::Continue};

use crate::common::{
    Bench, Random, many_games,
    questions::{QUESTIONS, answer},
    text, trials,
};
use plybook::{
    archive::{Archive, ArchiveError, ChangeSummary, Editor, Filter, GameSet, LoggedChange, OnUpdate},
    codec::CodecId,
    edit::{TagEdit, check_shown, record_of, shown_now, with_comment, with_glyphs},
    import::{Options, import_paths},
    query::renew_index,
    record::GameId,
};
use serde_json::Value;

fn ids(bench: &Bench, archive: &str) -> Vec<GameId> {
    let archive = Archive::open(bench.path(archive)).unwrap();
    archive.list::<GameId>(&Filter::default()).map(Result::unwrap).collect()
}

/// Imports two of a few games, which may be there in another version. Returns whether one was updated.
fn import_versions(bench: &Bench, random: &mut Random, number: usize) -> bool {
    let game = |random: &mut Random| {
        let (id, moves) = (random.below(12), random.below(4));
        let moves = ["1. e4", "1. e4 e5", "1. e4 e5 2. Nf3", "1. d4 d5"][moves];
        let comment = ["", " { [%eval 0.2] }", " { good } $1", " { [%clk 0:01:00] }"][random.below(4)];
        let result = ["1-0", "*"][random.below(2)];
        format!(
            "[Event \"Blitz\"]\n[Site \"https://lichess.org/{id:08}\"]\n[White \"W{id}\"]\n[Black \"B{id}\"]\n\n{moves}{comment} {result}\n\n"
        )
    };
    let name = format!("versions-{number}.pgn");
    fs::write(bench.path(&name), game(random) + &game(random)).unwrap();
    let on_update = [OnUpdate::Join, OnUpdate::Replace, OnUpdate::Both, OnUpdate::Skip][random.below(4)];
    let options = Options { on_update, base: Some(bench.folder.path().to_owned()), ..Options::default() };
    import_paths(&bench.path("a.db"), &[bench.path(&name)], &options).unwrap().updated > 0
}

fn places(ids: &[GameId]) -> BTreeMap<i64, i64> {
    ids.iter().copied().zip(1..).collect()
}

/// Compares all answers with those of an archive that was made from the export.
fn equals_a_fresh_archive(bench: &Bench) {
    let verified = text(&bench.run(&["verify", "-a", "a.db"]).stdout);
    assert!(verified.contains("all intact"), "{verified}");
    let export = bench.ok(&["export", "-a", "a.db"]);
    fs::write(bench.path("export.pgn"), &export).unwrap();
    // After changes and undoing, two games may have one identity. A part of a collection keeps both.
    let _ = fs::remove_dir_all(bench.path("fresh"));
    bench.ok(&["import", "export.pgn", "--into", "fresh", "--quiet"]);
    fs::rename(bench.path("fresh/part-0001.db"), bench.path("fresh.db")).unwrap();
    assert!(bench.ok(&["export", "-a", "fresh.db"]) == export);
    let (here, there) = (places(&ids(bench, "a.db")), places(&ids(bench, "fresh.db")));
    assert_eq!(here.len(), there.len());
    for question in QUESTIONS {
        let expected = answer(bench, "fresh.db", question, &there);
        assert_eq!(answer(bench, "a.db", question, &here), expected, "{question:?}");
    }
    equals_a_plain_count(bench);
}

/// Compares numbers that are derived from the keys of players with counts of the rows.
fn equals_a_plain_count(bench: &Bench) {
    let json = |arguments: &[&str]| -> Value {
        serde_json::from_str(&bench.ok(&[arguments, &["--format", "json", "-a", "a.db"]].concat())).unwrap()
    };
    let sql = "SELECT name, count(*) AS games FROM (SELECT id, white AS name FROM games UNION SELECT id, black FROM games)
               WHERE name LIKE 'Edited%' OR name LIKE 'Morphy%' GROUP BY name";
    for counted in json(&["sql", sql]).as_array().unwrap() {
        let (name, games) = (counted["name"].as_str().unwrap(), &counted["games"]);
        let listed = json(&["names", name]);
        let same = listed.as_array().unwrap().iter().find(|listed| listed["name"] == name);
        assert_eq!(same.map(|listed| &listed["games"]), Some(games), "{name}");
    }
}

/// Makes a random change. A change that is refused changes nothing.
fn change(editor: &mut Editor, random: &mut Random, number: usize) -> Result<ChangeSummary, ArchiveError> {
    let ids: Vec<GameId> =
        editor.archive().list::<GameId>(&Filter::default()).collect::<Result<_, _>>().unwrap();
    // Its import was undone.
    if ids.is_empty() {
        return editor.redo(None);
    }
    let some = |random: &mut Random, most: usize| -> GameSet {
        (0..=random.below(most)).map(|_| ids[random.below(ids.len())]).collect()
    };
    let command = format!("change {number}");
    let watch = |_| Continue(());
    let tag = |name: &str, value: String| {
        TagEdit::new(name, Some(&value).filter(|value| !value.is_empty()).map(String::as_str)).unwrap()
    };
    match random.below(10) {
        0 => editor.undo(None),
        1 => editor.redo(None),
        2 => {
            let log = editor.archive().changes()?;
            let Some(any) = log.get(random.below(log.len())) else { return editor.redo(None) };
            let first = ids[random.below(ids.len())];
            match (any.undone, random.below(2)) {
                (true, _) => editor.redo(Some(any.id)),
                (false, 0) => editor.undo(Some(any.id)),
                (false, _) => editor.undo_games(Some(any.id), &[first..=first + 40], &command),
            }
        }
        3 => {
            let games = some(random, 4);
            editor.change(&command, false, |change| change.remove(&games, watch)).map(|(_, made)| made)
        }
        4 => {
            let games = some(random, 1);
            let ply = random.below(12);
            let comment = ["", "A remark.", "Another\nremark", "ein Übel"][random.below(4)];
            let edit = |game: &_| with_comment(game, ply, comment);
            editor.change(&command, false, |change| change.edit(&games, edit, watch)).map(|(_, made)| made)
        }
        5 => {
            let games = some(random, 1);
            let (ply, glyph) = (1 + random.below(12), random.below(7) as u16);
            let edit = |game: &_| with_glyphs(game, ply, &[glyph][usize::from(glyph == 0)..]);
            editor.change(&command, false, |change| change.edit(&games, edit, watch)).map(|(_, made)| made)
        }
        6 => {
            let text = format!("[Event \"added {}\"]\n\n1. e4 e5 2. Nf3 *\n", random.below(5));
            let record = record_of(text.as_bytes(), CodecId::Index)?;
            editor.change(&command, false, |change| change.add("added", &record)).map(|(_, made)| made)
        }
        _ => {
            let games = some(random, 6);
            let edits = [match random.below(6) {
                0 => tag("White", format!("Edited, {}", random.below(3))),
                1 => tag("Black", ["", "Morphy, Paul", "Edited, X"][random.below(3)].to_owned()),
                2 => tag("Event", format!("Changed {}", random.below(3))),
                3 => tag("Date", ["1800.01.01", "2030.05.??", "", "????.??.??"][random.below(4)].to_owned()),
                4 => tag("Result", ["1-0", "0-1", "*"][random.below(3)].to_owned()),
                _ => tag("WhiteElo", ["", "2000", "2900", "?"][random.below(4)].to_owned()),
            }];
            let edit = |game: &_| TagEdit::apply(&edits, game);
            editor.change(&command, false, |change| change.edit(&games, edit, watch)).map(|(_, made)| made)
        }
    }
}

#[test]
fn changed_archives_answer_like_fresh_ones_and_every_change_can_be_undone() {
    let bench = Bench::new();
    fs::write(bench.path("games.pgn"), many_games(trials(400, 20_000))).unwrap();
    bench.run(&["import", "games.pgn", "-a", "a.db", "--quiet", "--index"]);
    let before = bench.ok(&["export", "-a", "a.db"]);
    let ids_before = ids(&bench, "a.db");
    let answers =
        |bench: &Bench| QUESTIONS.map(|question| answer(bench, "a.db", question, &places(&ids_before)));
    let answers_before = answers(&bench);
    let (mut random, changes) = (Random(41), trials(300, 10_000));
    let (mut made, mut updated) = (0, 0);
    for number in 0..changes {
        if random.below(6) == 0 {
            updated += usize::from(import_versions(&bench, &mut random, number));
        }
        let mut editor = Editor::open(bench.path("a.db")).unwrap();
        match change(&mut editor, &mut random, number) {
            Ok(summary) => made += usize::from(summary.id.is_some()),
            Err(ArchiveError::Edit(_) | ArchiveError::Conflict(_) | ArchiveError::Equal { .. }) => {}
            Err(error) => panic!("change {number}: {error}"),
        }
        // Without its games, an archive has nothing to compare.
        if editor.archive().count().unwrap() == 0 {
            editor.redo(None).unwrap();
        }
        if number % 50 == 0 {
            renew_index(editor.archive(), |_, _| Continue(())).unwrap();
        }
        drop(editor);
        if number % (changes / 5) == changes / 5 - 1 {
            equals_a_fresh_archive(&bench);
        }
    }
    assert!(made > changes / 2 && updated > changes / 60, "{made} {updated}");
    // Without the index, and with a new one.
    bench.ok(&["index", "--drop", "-a", "a.db"]);
    equals_a_fresh_archive(&bench);
    bench.ok(&["index", "-a", "a.db"]);
    equals_a_fresh_archive(&bench);
    undo_everything(&bench);
    assert!(bench.ok(&["verify", "-a", "a.db"]).contains("all intact"));
    assert!(bench.ok(&["export", "-a", "a.db"]) == before);
    assert_eq!(ids(&bench, "a.db"), ids_before);
    for (question, (now, then)) in QUESTIONS.iter().zip(answers(&bench).into_iter().zip(answers_before)) {
        assert_eq!(now, then, "{question:?}");
    }
    bench.ok(&["compact", "--yes", "-a", "a.db"]);
    assert!(bench.ok(&["verify", "-a", "a.db"]).contains("all intact"));
    assert!(bench.ok(&["export", "-a", "a.db"]) == before);
}

/// Undoes all changes that are in effect, and all imports but the first. What a later one builds on has to wait.
fn undo_everything(bench: &Bench) {
    let mut editor = Editor::open(bench.path("a.db")).unwrap();
    loop {
        let log = editor.archive().changes().unwrap();
        let has_effect = |change: &&LoggedChange| change.games > 0 || change.is_logged();
        let others = log.iter().filter(|change| !change.undone && change.id > 1);
        let in_effect: Vec<i64> = others.filter(has_effect).map(|change| change.id).collect();
        if in_effect.is_empty() {
            return;
        }
        let undone = in_effect.iter().rev().filter(|id| editor.undo(Some(**id)).is_ok()).count();
        let conflict = in_effect.last().map(|last| editor.undo(Some(*last)).unwrap_err().to_string());
        assert!(undone > 0, "{conflict:?}");
    }
}

#[test]
fn what_was_decided_on_a_game_is_not_done_with_another_state_of_it() {
    let bench = Bench::with_games();
    let path = bench.path("plybook.db");
    let two: GameSet = [1, 2].into_iter().collect();
    let mut editor = Editor::open(&path).unwrap();
    let shown = shown_now(editor.archive(), two.clone()).unwrap();
    let remove = |editor: &mut Editor| {
        editor.change("remove", false, |change| {
            check_shown(change, &shown)?;
            change.remove(&two, |_| Continue(()))
        })
    };
    bench.ok(&["comment", "2", "3", "edited while somebody was asked"]);
    let error = remove(&mut editor).unwrap_err().to_string();
    assert!(error.contains("game 2 has been changed in the meantime"), "{error}");
    bench.ok(&["undo"]);
    bench.ok(&["remove", "1"]);
    assert!(remove(&mut editor).is_err());
    bench.ok(&["undo"]);
    assert_eq!(remove(&mut editor).unwrap().1.games, 2);
}
