//! A small archive with an index, in which arbitrary conditions and names are looked up.

use plybook::{
    archive::Archive,
    import::{Options, import_paths},
    query::PositionIndex,
};

const GAMES: [&[u8]; 4] = [
    include_bytes!("../../data/famous.pgn"),
    include_bytes!("../../data/annotated.pgn"),
    include_bytes!("../../data/chess960.pgn"),
    include_bytes!("../../data/setup.pgn"),
];

pub struct Collection {
    pub archive: Archive,
    pub index: Option<PositionIndex>,
    _folder: tempfile::TempDir,
}

thread_local! {
    static COLLECTION: Collection = Collection::new();
}

/// Looks something up in the collection of this thread, which is made once.
pub fn with_collection<T>(look_up: impl FnOnce(&Collection) -> T) -> T {
    COLLECTION.with(look_up)
}

impl Collection {
    fn new() -> Collection {
        let folder = tempfile::tempdir().unwrap();
        let (source, path) = (folder.path().join("games.pgn"), folder.path().join("games.db"));
        std::fs::write(&source, GAMES.join(&b'\n')).unwrap();
        import_paths(&path, &[source], &Options { threads: 1, index: true, ..Options::default() }).unwrap();
        let archive = Archive::open(&path).unwrap();
        let index = PositionIndex::open(&archive).unwrap();
        assert!(index.is_some());
        Collection { archive, index, _folder: folder }
    }
}
