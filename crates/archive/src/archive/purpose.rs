//! What an archive is opened for.

/// The purpose of opening an archive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Purpose {
    Read,
    Write,
}
