//! The kinds of names in an archive.

use std::fmt::{self, Display};

/// A kind of name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NameKind {
    /// Players.
    Player,
    /// Events.
    Event,
    /// Sites.
    Site,
}

impl Display for NameKind {
    /// The table of the names, which is also the name of the column in `section`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            NameKind::Player => "player",
            NameKind::Event => "event",
            NameKind::Site => "site",
        })
    }
}
