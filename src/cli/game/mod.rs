//! `plybook game`: encode and decode single games.

mod compare;
mod convert;
mod input;
mod prefix;

use super::{ArchiveArg, ExitStatus, terminal};

commands! {
    /// Encode and decode single games
    enum Game {
        Encode(convert::Encode),
        Decode(convert::Decode),
        Compare(compare::Compare),
        Prefix(prefix::Prefix),
    }
}
