//! How much of a text the checksums of its compression have confirmed, and errors that show that it is damaged.

use std::{
    io,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
};

/// How far the checksums of a compressed source have confirmed its text.
#[derive(Clone, Debug, Default)]
pub struct Confirmed {
    bytes: Arc<AtomicU64>,
    /// Whether the text is converted, so that its bytes are not those that are confirmed.
    is_converted: bool,
}

impl Confirmed {
    /// A text that is not compressed.
    pub fn all() -> Confirmed {
        let confirmed = Confirmed::default();
        confirmed.reach(u64::MAX);
        confirmed
    }

    /// The bytes of the text that are confirmed; `u64::MAX` if it is not compressed.
    pub fn bytes(&self) -> u64 {
        match self.bytes.load(Ordering::Relaxed) {
            bytes if bytes == u64::MAX || !self.is_converted => bytes,
            _ => 0,
        }
    }

    /// The decompressed bytes up to here are confirmed.
    pub(super) fn reach(&self, bytes: u64) {
        self.bytes.fetch_max(bytes, Ordering::Relaxed);
    }

    pub(super) fn of_converted(self, is_converted: bool) -> Confirmed {
        Confirmed { is_converted, ..self }
    }
}

/// An error of a decompressor that cannot be explained by a missing end.
#[derive(Debug, thiserror::Error)]
#[error(transparent)]
struct Damage(io::Error);

/// Marks an error of a decompressor as damage, unless only the end of the data is missing. Errors of the system, which
/// have numbers, say nothing about the data.
pub(super) fn damage(error: io::Error) -> io::Error {
    if error.kind() == io::ErrorKind::UnexpectedEof || error.raw_os_error().is_some() {
        return error;
    }
    io::Error::new(error.kind(), Damage(error))
}

/// The same if the end of the data cannot be missing.
pub(super) fn damage_of_complete(error: io::Error) -> io::Error {
    if error.raw_os_error().is_some() {
        error
    } else {
        io::Error::new(io::ErrorKind::InvalidData, Damage(error))
    }
}

/// Whether a source cannot be read because its compressed data is damaged, so that even the text before may be wrong
/// where it is not [`Confirmed`].
pub fn is_damage(error: &io::Error) -> bool {
    error.get_ref().is_some_and(|error| error.is::<Damage>())
}
