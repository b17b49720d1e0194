use super::*;
use crate::archive::schema;

fn add_players(db: &Connection, checksums: &mut Checksums, ids: std::ops::Range<i64>) {
    let mut insert = db.prepare("INSERT INTO player VALUES (?1, ?2)").unwrap();
    for id in ids {
        let name = format!("Ö{id}");
        insert.execute(params![id, name]).unwrap();
        checksums.add(Checked::Player, id, &[&name]).unwrap();
    }
    checksums.flush(db).unwrap();
}

fn changes(db: &Connection) -> Vec<(i64, &'static str)> {
    let mut changes = Vec::new();
    for table in Checked::required() {
        for_each_change(db, table, |change| {
            let Changed { ids, what, .. } = change.unwrap();
            changes.push((ids.start, what));
        })
        .unwrap();
    }
    changes
}

#[test]
fn row_hashes_match_the_schema() {
    let db = Connection::open_in_memory().unwrap();
    db.execute_batch(schema::tables()).unwrap();
    add_players(&db, &mut Checksums::default(), 5..6);
    let bytes = b"\x01\x05\0\0\0\0\0\0\0\x03\x03\0\0\0\0\0\0\0\xc3\x965";
    let sum = twox_hash::XxHash3_64::oneshot_with_seed(2, bytes);
    assert_eq!(stored(&db, Checked::Player, 0).unwrap(), Some((RowSum { count: 1, sum }, 0)));
}

#[test]
fn batched_checksums_equal_those_of_all_rows() {
    let db = Connection::open_in_memory().unwrap();
    db.execute_batch(schema::tables()).unwrap();
    let mut checksums = Checksums::default();
    for ids in [1..2, 2..4000, 4000..4096, 4096..9000] {
        add_players(&db, &mut checksums, ids);
    }
    assert!(changes(&db).is_empty());
    let sums = || [0, 1, 2].map(|bucket| stored(&db, Checked::Player, bucket).unwrap().unwrap().0);
    let written = sums();
    db.execute("DELETE FROM checksum", []).unwrap();
    make_all(&db).unwrap();
    assert_eq!(sums(), written);
    assert_eq!(unproved(&db, Checked::Player).unwrap(), 8999);
    // The number of late rows is protected by the checksum, and does not change when rows are added.
    add_players(&db, &mut checksums, 9000..9003);
    assert_eq!((changes(&db), unproved(&db, Checked::Player).unwrap()), (vec![], 8999));
    db.execute("UPDATE checksum SET late = 0 WHERE bucket = 1", []).unwrap();
    assert_eq!(changes(&db), [(4096, "rows have changed")]);
    db.execute("UPDATE checksum SET late = 4096 WHERE bucket = 1", []).unwrap();

    db.execute("UPDATE player SET name = 'x' WHERE id = 5000", []).unwrap();
    db.execute("DELETE FROM player WHERE id = 9", []).unwrap();
    db.execute("INSERT INTO player VALUES (-1, 'y'), (1 << 62, 'z')", []).unwrap();
    let new = "there are unexpected rows";
    let found = [(-4096, new), (0, "rows are missing"), (4096, "rows have changed"), (1 << 62, new)];
    assert_eq!(changes(&db), found);
}

#[test]
fn replacing_a_row_does_not_hide_earlier_damage() {
    let db = Connection::open_in_memory().unwrap();
    db.execute_batch(schema::tables()).unwrap();
    let mut checksums = Checksums::default();
    add_players(&db, &mut checksums, 1..3);
    let mut replace = |name: &str| {
        checksums.replace(&db, Checked::Player, 2, &[&name]).unwrap();
        checksums.flush(&db).unwrap();
    };
    replace("a");
    assert!(changes(&db).is_empty());
    db.execute("UPDATE player SET name = 'b' WHERE id = 2", []).unwrap();
    replace("c");
    assert_eq!(changes(&db), [(0, "rows have changed")]);
}
