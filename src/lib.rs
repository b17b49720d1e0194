//! plybook keeps chess games. Each game is one integer: the indices of its moves among the legal moves, in mixed
//! radix, closed by an End marker. A collection is one SQLite file, and any position of any game is given back at
//! once.
//!
//! # Decode a game
//!
//! The integer is the whole game. This one is 1. e4 e5 2. Nf3 f6:
//!
//! ```
//! use plybook::{chess::Chess, codec::game::index, record::fen, rules::Rules};
//!
//! let game = index::decode(Chess::new(), &8_712_609_247_u64.to_le_bytes()[..5])?;
//! let mut position = game.start;
//! for m in game.moves {
//!     position.make(m);
//! }
//! assert_eq!(fen(&position), "rnbqkbnr/pppp2pp/5p2/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 0 3");
//! # Ok::<(), plybook::codec::DecodeError>(())
//! ```
//!
//! # Read PGN
//!
//! ```
//! # #[cfg(feature = "pgn")] {
//! use plybook::pgn::Reader;
//!
//! let text = b"[White \"Anderssen\"]\n\n1. e4 e5 2. f4 exf4 {the gambit} 3. Bc4 *";
//! for (_, game) in Reader::new().read(text) {
//!     let game = game.unwrap();
//!     assert_eq!((game.tags.get("White"), game.moves.len()), (Some("Anderssen"), 5));
//! }
//! # }
//! ```
//!
//! # Open an archive
//!
//! ```
//! # #[cfg(feature = "archive")] {
//! use plybook::{archive::{Archive, Filter}, import::{Options, import_paths}, record::{Ply, fen}};
//!
//! let folder = tempfile::tempdir()?;
//! let path = folder.path().join("games.db");
//! import_paths(&path, &["data/famous.pgn".into()], &Options::default())?;
//!
//! let archive = Archive::open(&path)?;
//! for game in archive.games(&Filter { player: Some("Morphy".to_owned()), ..Filter::default() }) {
//!     println!("{}", fen(&game?.position_at(Ply::After(10))?));
//! }
//! # }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # The layers
//!
//! The lower layers are members of the workspace, under `crates/`; what is above them is in directories here. A layer uses
//! only those below it: see `docs/architecture.md`.
//!
//! # Features
//!
//! | feature | what it adds |
//! |---|---|
//! | (none) | [`bits`], [`chess`], [`openings`], [`xelto`], [`codec`], [`record`], [`functions`]: nothing that needs a C compiler or opens a file |
//! | `pgn` | `pgn`: reading and writing PGN |
//! | `sources` | `sources`: files and directories, packed, in any encoding; packing of comments and originals |
//! | `proofgame` | `proofgame`: the shortest games to a position |
//! | `archive` | `archive`, `columns`, `conditions`, `edit`, `import`, `query`, `stats`, `report`, `export`, `parts`, `request`, `present`, `scid` |
//! | `columns` | `columns::ParquetFile`: tables as Parquet |
//! | `web` (default) | `web`: the HTTP server |
//! | `cli` (default) | the command line |
//!
//! # What is promised
//!
//! * Every archive that a release has written can be read by every later release: see [`archive::VERSION`] and
//!   `docs/design.md`.
//! * What is named under "Stability" is a format and never changes: the order of legal moves, the numbers and the
//!   bytes of codecs, fingerprints, checksums. A changed encoding is a new codec.
//! * The library follows semantic versioning. Before 1.0 a minor version may change names and signatures, never
//!   formats. A new version of the archive's file is at least a minor version.
//! * No function panics on any input, and every length is bounded before memory is taken for it ([`limits`]).
#![cfg_attr(not(feature = "archive"), allow(rustdoc::broken_intra_doc_links))]
// Where people read, text from outside is shown escaped: see `printable`.
#![warn(clippy::print_stdout, clippy::print_stderr)]

#[cfg(feature = "archive")]
pub use plybook_archive::{archive, files};
pub use plybook_chess::{
    bits, case_fold, chess, counts, limits, model, name_pattern, name_start, openings, player_name, rules,
};
#[cfg(feature = "archive")]
pub use plybook_chessbase as chessbase;
#[cfg(feature = "archive")]
pub use plybook_index::{position_index, recording, trail};
#[cfg(feature = "pgn")]
pub use plybook_pgn as pgn;
#[cfg(feature = "sources")]
pub use plybook_pgn::sources;
#[cfg(feature = "proofgame")]
pub use plybook_proofgame as proofgame;
pub use plybook_record::{self as record, functions};
#[cfg(feature = "archive")]
pub use plybook_scid as scid;
pub use plybook_xelto as xelto;

/// The encodings of games, of positions and of Xelto.
pub mod codec {
    pub use plybook_chess::codec::*;
    pub use plybook_encodings as position;
    pub use plybook_xelto::codec as xelto;
}

#[cfg(feature = "cli")]
pub mod cli;
#[cfg(feature = "archive")]
pub mod columns;
#[cfg(feature = "archive")]
pub mod conditions;
#[cfg(feature = "archive")]
pub mod edit;
#[cfg(feature = "archive")]
pub mod export;
#[cfg(feature = "pgn")]
pub mod generate;
#[cfg(feature = "archive")]
pub mod import;
#[cfg(feature = "archive")]
pub mod parts;
// What only the command line or the server needs of it is of no use where they are left out.
#[cfg(feature = "archive")]
#[cfg_attr(not(all(feature = "cli", feature = "web")), allow(dead_code, unused_imports))]
pub mod present;
#[cfg(feature = "archive")]
mod printable;
#[cfg(feature = "archive")]
pub mod query;
#[cfg(feature = "archive")]
pub mod report;
#[cfg(feature = "archive")]
pub mod request;
#[cfg(feature = "archive")]
pub mod stats;
#[cfg(feature = "web")]
pub mod web;

/// The example of the page on the library.
#[cfg(all(doctest, feature = "archive"))]
#[doc = include_str!("../docs/library.md")]
struct LibraryPage;
