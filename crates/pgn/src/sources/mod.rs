//! Where games come from: files, directories, zip archive members and standard input; compressed or not, in any
//! encoding.
//!
//! A source gives bytes; [`plybook_pgn`](crate) reads games from them. This is the only module that uses the libraries
//! for decompression and encodings.

mod confirmed;
mod encoding;
mod file_watch;
mod find;
mod foreign_format;
mod packed_runs;
mod parts;
mod path_name;
mod peek_reader;
mod source;
mod to_utf8;
mod unpack;
mod unpack_ahead;
mod zip_members;

pub use confirmed::{Confirmed, is_damage};
pub use encoding::{Encoding, EncodingGuess, UnknownEncoding};
pub use file_watch::{FileChange, FileWatch, is_fresh, own_change};
pub use find::find_sources;
pub use foreign_format::is_archive;
pub use path_name::path_name;
pub use peek_reader::PeekReader;
pub use source::{OpenSource, Source, SourceError};
pub use zip_members::ZipMember;
