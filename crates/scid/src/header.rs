//! The header of a Scid 4 index.

use crate::bytes::Bytes;

/// The first bytes of an index of Scid 3 and Scid 4.
const MAGIC: &[u8] = b"Scid.si\0";

/// The version that is read.
const SCID_4: u64 = 400;

/// The header of a Scid 4 index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Header {
    /// The number of games.
    pub games: u64,
}

/// Why a file is not a Scid 4 index.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum HeaderError {
    /// It begins with other bytes.
    #[error("this is not an index of Scid 4")]
    NotScid,
    /// It is of another version, which it names.
    #[error(
        "this is a database of Scid 3: open it in Scid 4, which converts it to Scid 4, then import the new \
         .si4 file"
    )]
    Scid3,
    /// Its version is unknown.
    #[error("this is an index of an unknown version of Scid ({0})")]
    Unknown(u64),
    /// It ends within the header.
    #[error("the file ends within its header")]
    CutShort,
}

impl Header {
    /// Whether a file with these first bytes is an index of Scid 3 or Scid 4.
    pub fn is_begun(beginning: &[u8]) -> bool {
        beginning.starts_with(MAGIC)
    }

    /// Reads the header.
    ///
    /// # Errors
    /// The file is something else, or cut short.
    pub fn read(beginning: &[u8]) -> Result<Header, HeaderError> {
        if !Header::is_begun(beginning) {
            return Err(HeaderError::NotScid);
        }
        let mut bytes = Bytes::new(beginning);
        bytes.take(MAGIC.len()).ok_or(HeaderError::CutShort)?;
        match bytes.big_endian(2).ok_or(HeaderError::CutShort)? {
            SCID_4 => {}
            300..SCID_4 => return Err(HeaderError::Scid3),
            other => return Err(HeaderError::Unknown(other)),
        }
        bytes.take(4).ok_or(HeaderError::CutShort)?;
        let games = bytes.big_endian(3).ok_or(HeaderError::CutShort)?;
        Ok(Header { games })
    }
}
