//! What a file is for in a run.

use std::fmt;

/// The role of a file in a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// The archive, or one of the files that SQLite keeps beside it.
    Archive,
    /// Something that is read.
    Source,
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Role::Archive => "the archive used by this command",
            Role::Source => "a source read by this command",
        })
    }
}
