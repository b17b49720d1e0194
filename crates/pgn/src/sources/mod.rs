//! Where games come from: files, folders, members of zip archives, standard input; plain or packed, in any encoding.
//!
//! A source gives bytes; what they are as games is for [`plybook_pgn`](crate) to say. This is the only folder that names
//! the libraries that unpack and convert.

mod encoding;
mod file_watch;
mod find;
mod foreign_format;
mod packed_runs;
mod path_name;
mod peek_reader;
mod source;
mod to_utf8;
mod unpack;
mod unpack_ahead;
mod zip_members;

pub use encoding::{Encoding, UnknownEncoding};
pub use file_watch::{FileChange, FileWatch, is_fresh, own_change};
pub use find::find_sources;
pub use path_name::path_name;
pub use peek_reader::PeekReader;
pub use source::{OpenSource, Source, SourceError};
pub use zip_members::ZipMember;
