//! The encoding assumed for text that is not UTF-8: one of many with the feature `sources`, otherwise always
//! Windows-1252.

#[cfg(any(test, not(feature = "sources")))]
mod windows_1252;

#[cfg(feature = "sources")]
pub use crate::sources::Encoding;
#[cfg(not(feature = "sources"))]
pub use windows_1252::Encoding;
