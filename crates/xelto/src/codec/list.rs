//! The list of the encodings of games.

use super::{XeltoCodec, byte::Byte, index::Index, move14::Move14, url::Url};

/// Every encoding of games, that of archives first.
pub static XELTO_CODECS: [&dyn XeltoCodec; 4] = [&Index, &Byte, &Move14, &Url];

/// The encoding with the given name.
///
/// ```
/// use plybook_xelto::codec::{TextError, by_name};
/// assert_eq!(by_name("url").unwrap().read_text("JAxY")?.len(), 3);
/// assert!(by_name("URL").is_none());
/// # Ok::<(), TextError>(())
/// ```
pub fn by_name(name: &str) -> Option<&'static dyn XeltoCodec> {
    XELTO_CODECS.into_iter().find(|codec| codec.name() == name)
}
