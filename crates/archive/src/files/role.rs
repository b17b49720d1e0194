//! The role of a file in a command.

use std::fmt;

/// The role of a file in a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// The archive, or one of the files that SQLite keeps next to it.
    Archive,
    /// A file that is read.
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
