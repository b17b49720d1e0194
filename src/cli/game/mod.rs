//! `plybook game`: single games and their integers.

mod compare;
mod convert;
mod input;
mod prefix;

use super::{ArchiveArg, ExitStatus, terminal};

commands! {
    /// Encode single games as integers, and back
    enum Game {
        Encode(convert::Encode),
        Decode(convert::Decode),
        Compare(compare::Compare),
        Prefix(prefix::Prefix),
    }
}
