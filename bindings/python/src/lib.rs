//! Python bindings for plybook archives. The public documentation is in `plybook.pyi` and `README.md`.
//!
//! Classes hold no Python objects. Long operations run without the interpreter's lock, which is taken regularly to
//! check for Ctrl-C.

mod archive;
mod codecs;
mod columns;
mod edit;
mod error;
mod filter;
mod functions;
mod game;
mod games;
mod import;
mod index;
mod json;
mod shared;

use pyo3::prelude::*;

/// Read chess games from plybook archives, with fast access to any position of any game.
#[pymodule(name = "plybook")]
mod module {
    #[pymodule_export]
    use super::{
        archive::{Archive, open},
        codecs::{codecs, decode, decode_position, encode, encode_position},
        columns::Columns,
        edit::{Editor, edit},
        error::{ArchiveError, DamagedError},
        functions::call,
        game::Game,
        games::{GameIterator, Games},
        import::import_pgn,
    };
}
