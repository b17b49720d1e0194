//! Xelto positions as text.

use crate::records;
use plybook_xelto::{Diagram, Position, notation::Record};

/// The diagram after some plies of a record, counted from 1.
fn after(record: &Record, ply: usize) -> String {
    let position: Position = record.positions().nth(ply).unwrap();
    Diagram::after(&position, record.moves[ply - 1]).to_string()
}

#[test]
fn the_last_position_of_the_second_record() {
    let record: Record = records::text("second").parse().unwrap();
    assert_eq!(
        after(&record, 47),
        "      1    2    3    4    5    6    7
v |   .    .    .    .    .    .    .
e |  rav   .    .    .   mir  jil  tan
s |   .    .    .    .   tem   .   nen
t |  din   .  [dia]  .    .    .    .
b |   .    .    .   zan  gil   .    .
i |  pal   .   ful   .    .    .   RUJ
p |   .   dyu   .   ser   .    .   ral
sorn to move
arxe: hand lin rez ket len pin mat, mounted -
sorn: hand vio lis mel mik fav, mounted -
box: lax kun
"
    );
}

#[test]
fn the_last_position_of_the_first_record_shows_the_result() {
    let mut record: Record = records::text("first").parse().unwrap();
    record.moves.append(&mut record.continuation);
    assert_eq!(
        after(&record, 69),
        "      1    2    3    4    5    6    7
v |   .    .    .    .  [dyu]  .    .
e |   .    .    .    .    .    .   mir
s |  din   .    .    .    .   ral   .
t |   .   fav   .   lis   .   mel  tan
b |   .    .    .    .    .    .    .
i |  pal  ful   .    .   tem  gil   .
p |   .    .    .    .   ser   .    .
sorn to move
arxe: hand rav rez ket len lax pin mat kun, mounted nen
sorn: hand dia, mounted zan
box: vio mik ruj lin jil
arxe vast vol hacma ok 3 ito.
"
    );
}

/// The names in brackets in a diagram.
fn marked(diagram: &str) -> Vec<&str> {
    diagram.split('[').skip(1).filter_map(|rest| rest.split_once(']')).map(|(name, _)| name).collect()
}

#[test]
fn every_kind_of_move_is_marked() {
    let record: Record = records::text("second").parse().unwrap();
    for (ply, names) in [
        (1, vec!["vio"]),
        (11, vec!["mik", "ful"]),
        (13, vec!["tem"]),
        (15, vec!["tem"]),
        (16, vec!["ket"]),
        (25, vec!["MIK"]),
    ] {
        assert_eq!(marked(&after(&record, ply)), names, "ply {ply}");
    }
    let first: Record = "1.b5vio\n2.s5lin\n3.b4fav".parse().unwrap();
    assert_eq!(marked(&Diagram::new(&first.last_position()).to_string()), [""; 0]);
}
