//! Decompresses the parts of a source one after another: gzip members, zstd frames, xz and bzip2 streams. What their
//! checksums confirm is noted as soon as it is known: after a gzip member, an xz stream, a zstd frame that has a
//! checksum, and after every block of bzip2.

use std::io::{self, BufRead, ErrorKind, Read};

use flate2::bufread::GzDecoder;
use zstd::stream::raw::{InBuffer, Operation, OutBuffer};

use super::confirmed::{Confirmed, damage};

/// Compression formats.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Compression {
    Zstd,
    Gzip,
    Bzip2,
    Xz,
}

impl Compression {
    /// The format of a source by its first bytes; `None` if it is not compressed.
    pub(super) fn of(magic: &[u8]) -> Option<Compression> {
        Some(match magic {
            [0x28, 0xb5, 0x2f, 0xfd, ..] => Compression::Zstd,
            // A skippable frame, which some compressors write first.
            [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..] => Compression::Zstd,
            [0x1f, 0x8b, ..] => Compression::Gzip,
            [b'B', b'Z', b'h', ..] => Compression::Bzip2,
            [0xfd, b'7', b'z', b'X', b'Z', 0] => Compression::Xz,
            _ => return None,
        })
    }
}

/// What a decompressor returns next.
enum Next {
    /// Bytes of text, at least one.
    Text(usize),
    /// All text since the last part is correct.
    Checked,
    /// A part with text has no checksum.
    Unchecked,
    /// There are no more parts.
    End,
}

/// A decompressor of consecutive parts.
trait Parts {
    /// Writes text to the buffer, which is not empty, or reports what has been reached.
    fn next(&mut self, buffer: &mut [u8]) -> io::Result<Next>;
}

/// A reader of the text of all parts.
pub(super) struct PartsReader<'a> {
    parts: Box<dyn Parts + 'a>,
    given: u64,
    /// Whether a part had no checksum: then nothing after it is confirmed either, because all text up to there would
    /// be.
    has_unchecked: bool,
    confirmed: Confirmed,
}

impl<'a> PartsReader<'a> {
    /// A reader of compressed data.
    pub(super) fn new(
        packed: impl BufRead + 'a,
        compression: Compression,
        confirmed: Confirmed,
    ) -> io::Result<PartsReader<'a>> {
        let parts: Box<dyn Parts + 'a> = match compression {
            Compression::Gzip => Box::new(Gzip(Some(GzDecoder::new(packed)))),
            Compression::Zstd => Box::new(Zstd::new(packed)?),
            Compression::Xz => Box::new(Xz { packed, stream: xz_stream()?, part: Part::default() }),
            Compression::Bzip2 => Box::new(Bzip2::new(packed)),
        };
        Ok(PartsReader { parts, given: 0, has_unchecked: false, confirmed })
    }
}

impl Read for PartsReader<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if buffer.is_empty() {
            return Ok(0);
        }
        loop {
            match self.parts.next(buffer).map_err(damage)? {
                Next::Text(bytes) => {
                    self.given += bytes as u64;
                    return Ok(bytes);
                }
                Next::Unchecked => self.has_unchecked = true,
                Next::Checked if self.has_unchecked => {}
                Next::Checked => self.confirmed.reach(self.given),
                Next::End => return Ok(0),
            }
        }
    }
}

/// The part that is being decompressed.
#[derive(Default)]
struct Part {
    /// Its first bytes.
    header: Vec<u8>,
    has_text: bool,
    has_ended: bool,
}

impl Part {
    /// Bytes of a header that are kept.
    const HEADER: usize = 8;

    /// Notes what has been read and written.
    fn advance(&mut self, read: &[u8], written: usize) {
        self.header.extend(read.iter().take(Part::HEADER - self.header.len()));
        self.has_text |= written > 0;
    }

    fn end(&mut self, is_checked: bool) -> Next {
        let Part { has_text, .. } = std::mem::take(self);
        if is_checked || !has_text { Next::Checked } else { Next::Unchecked }
    }

    fn header_byte(&self, place: usize) -> u8 {
        self.header.get(place).copied().unwrap_or(0)
    }
}

fn cut() -> io::Error {
    io::Error::new(ErrorKind::UnexpectedEof, "the end of the compressed data is missing")
}

/// Members; `None` at the end.
struct Gzip<R>(Option<GzDecoder<R>>);

impl<R: BufRead> Parts for Gzip<R> {
    fn next(&mut self, buffer: &mut [u8]) -> io::Result<Next> {
        let Some(member) = &mut self.0 else { return Ok(Next::End) };
        match member.read(buffer)? {
            0 => {
                let is_last = member.get_mut().fill_buf()?.is_empty();
                let packed = self.0.take().filter(|_| !is_last).map(GzDecoder::into_inner);
                self.0 = packed.map(GzDecoder::new);
                Ok(Next::Checked)
            }
            bytes => Ok(Next::Text(bytes)),
        }
    }
}

/// Frames.
struct Zstd<R> {
    packed: R,
    decoder: zstd::stream::raw::Decoder<'static>,
    part: Part,
}

impl<R> Zstd<R> {
    fn new(packed: R) -> io::Result<Zstd<R>> {
        let mut decoder = zstd::stream::raw::Decoder::new()?;
        // Required for files compressed with --long=31.
        decoder.set_parameter(zstd::stream::raw::DParameter::WindowLogMax(31))?;
        Ok(Zstd { packed, decoder, part: Part::default() })
    }
}

impl<R: BufRead> Parts for Zstd<R> {
    fn next(&mut self, buffer: &mut [u8]) -> io::Result<Next> {
        loop {
            if self.part.has_ended {
                let is_checked = self.part.header_byte(4) & 4 != 0;
                return Ok(self.part.end(is_checked));
            }
            let packed = self.packed.fill_buf()?;
            let is_at_end = packed.is_empty();
            if is_at_end && self.part.header.is_empty() {
                return Ok(Next::End);
            }
            let (mut from, mut to) = (InBuffer::around(packed), OutBuffer::around(&mut *buffer));
            self.part.has_ended = self.decoder.run(&mut from, &mut to)? == 0;
            let (read, written) = (from.pos(), to.pos());
            self.part.advance(packed.get(..read).unwrap_or_default(), written);
            self.packed.consume(read);
            match written {
                0 if is_at_end && !self.part.has_ended => return Err(cut()),
                0 => {}
                bytes => return Ok(Next::Text(bytes)),
            }
        }
    }
}

/// Streams.
struct Xz<R> {
    packed: R,
    stream: liblzma::stream::Stream,
    part: Part,
}

fn xz_stream() -> io::Result<liblzma::stream::Stream> {
    Ok(liblzma::stream::Stream::new_stream_decoder(u64::MAX, 0)?)
}

/// The types of checksums in a stream's header that the library verifies: CRC32, CRC64 and SHA-256.
const XZ_CHECKS: [u8; 3] = [1, 4, 10];

impl<R: BufRead> Parts for Xz<R> {
    fn next(&mut self, buffer: &mut [u8]) -> io::Result<Next> {
        use liblzma::stream::{Action, Status};
        loop {
            if self.part.has_ended {
                self.stream = xz_stream()?;
                let is_checked = XZ_CHECKS.contains(&self.part.header_byte(7));
                return Ok(self.part.end(is_checked));
            }
            let packed = self.packed.fill_buf()?;
            let is_at_end = packed.is_empty();
            if self.part.header.is_empty() {
                // Zeros may follow a stream.
                let zeros = packed.iter().take_while(|byte| **byte == 0).count();
                if is_at_end {
                    return Ok(Next::End);
                } else if zeros > 0 {
                    self.packed.consume(zeros);
                    continue;
                }
            }
            let (read, written) = (self.stream.total_in(), self.stream.total_out());
            let action = if is_at_end { Action::Finish } else { Action::Run };
            self.part.has_ended = self.stream.process(packed, buffer, action)? == Status::StreamEnd;
            let read = to_usize(self.stream.total_in() - read);
            let written = to_usize(self.stream.total_out() - written);
            self.part.advance(packed.get(..read).unwrap_or_default(), written);
            self.packed.consume(read);
            match written {
                0 if self.part.has_ended || read > 0 => {}
                0 if is_at_end => return Err(cut()),
                0 => return Err(ErrorKind::InvalidData.into()),
                bytes => return Ok(Next::Text(bytes)),
            }
        }
    }
}

/// Streams, of which each block has a checksum.
struct Bzip2<R> {
    packed: R,
    decoder: bzip2::Decompress,
    /// Whether the text of a block is being written. Without input the decoder writes only the rest of this block, and
    /// without an output buffer it reads no further than the next one: so it is known where a block ends.
    is_writing: bool,
    has_ended: bool,
}

impl<R> Bzip2<R> {
    fn new(packed: R) -> Bzip2<R> {
        Bzip2 { packed, decoder: bzip2::Decompress::new(false), is_writing: false, has_ended: false }
    }

    /// Passes data to the decoder. Returns whether the stream has ended, and the bytes read and written.
    fn run(
        decoder: &mut bzip2::Decompress,
        packed: &[u8],
        buffer: &mut [u8],
    ) -> io::Result<(bool, usize, usize)> {
        let (read, written) = (decoder.total_in(), decoder.total_out());
        let status = decoder.decompress(packed, buffer);
        let status = status.map_err(|error| io::Error::new(ErrorKind::InvalidData, error))?;
        let (read, written) = (decoder.total_in() - read, decoder.total_out() - written);
        Ok((status == bzip2::Status::StreamEnd, to_usize(read), to_usize(written)))
    }
}

impl<R: BufRead> Parts for Bzip2<R> {
    fn next(&mut self, buffer: &mut [u8]) -> io::Result<Next> {
        loop {
            if self.is_writing {
                let (_, _, written) = Self::run(&mut self.decoder, &[], buffer)?;
                self.is_writing = written > 0;
                return Ok(if self.is_writing { Next::Text(written) } else { Next::Checked });
            }
            let packed = self.packed.fill_buf()?;
            let is_at_end = packed.is_empty();
            if std::mem::take(&mut self.has_ended) {
                if is_at_end {
                    self.has_ended = true;
                    return Ok(Next::End);
                }
                self.decoder = bzip2::Decompress::new(false);
            }
            let (has_ended, read, _) = Self::run(&mut self.decoder, packed, &mut [])?;
            self.packed.consume(read);
            (self.has_ended, self.is_writing) = (has_ended, !has_ended);
            if read == 0 && !has_ended {
                return Err(if is_at_end { cut() } else { ErrorKind::InvalidData.into() });
            }
        }
    }
}

/// The size of something in a buffer.
fn to_usize(bytes: u64) -> usize {
    usize::try_from(bytes).unwrap_or(usize::MAX)
}
