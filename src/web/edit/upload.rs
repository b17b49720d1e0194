//! Files that are sent to the server: written to a temporary directory as they arrive, up to a limit.

use std::{
    collections::BTreeSet,
    ffi::OsStr,
    fs::File,
    io::{self, Write},
    path::{Path, PathBuf},
    sync::Arc,
    time::{SystemTime, UNIX_EPOCH},
};

use axum::{
    body::Bytes,
    extract::{FromRequest, Multipart, Request},
    http::{StatusCode, header::CONTENT_LENGTH},
    response::Response,
};
use http_body_util::BodyExt;
use tokio::task::spawn_blocking;

use crate::{
    files::TemporaryFolder,
    limits::{MAX_UPLOAD_BYTES, MAX_UPLOAD_FILES},
    web::{
        form::{form_text, has_type, too_large},
        pages::PASTED,
        reply::closing,
    },
};

/// Longest name of a file, in bytes.
const MAX_NAME: usize = 100;

/// The name of a file without one.
const UNNAMED: &str = "upload.pgn";

/// The kind of the directories of uploads.
pub(super) const KIND: &str = "upload";

/// Deletes the uploads of servers that were killed.
pub(super) fn remove_abandoned() {
    TemporaryFolder::remove_abandoned(KIND);
}

/// The files of an upload. They are deleted on drop.
pub(super) struct Upload {
    folder: TemporaryFolder,
    pub files: Vec<PathBuf>,
    /// Whether games that were removed or edited are to be imported again.
    pub again: bool,
    /// Whether a field was not a file.
    has_text: bool,
    /// Whether games are kept up to a move that cannot be played.
    pub keep_broken: bool,
    names: BTreeSet<String>,
    /// The bytes that may still arrive.
    left: u64,
}

/// A file that is being written.
struct Arriving {
    path: PathBuf,
    file: Arc<File>,
    is_empty: bool,
}

/// Why an upload was refused.
pub(super) enum Refused {
    TooLarge,
    Broken,
    Disk(io::Error),
}

impl Upload {
    /// Whether it is a text that was pasted.
    pub(super) fn is_pasted(&self) -> bool {
        let is_pasted = |name: &OsStr| name.to_str().is_some_and(|name| name.starts_with(PASTED));
        self.has_text && matches!(&*self.files, [file] if file.file_name().is_some_and(is_pasted))
    }

    /// The text that was pasted, if it is one that a form can hold.
    pub(super) fn pasted(&self) -> Option<String> {
        form_text(self.files.first().filter(|_| self.is_pasted())?)
    }

    /// The directory of the files.
    pub(super) fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Receives the files of a form, or the body itself as one file.
    pub(super) async fn receive(request: Request) -> Result<Upload, Refused> {
        let length =
            request.headers().get(CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse().ok());
        if length.is_some_and(|length: u64| length > MAX_UPLOAD_BYTES) {
            return Err(Refused::TooLarge);
        }
        Upload::new(MAX_UPLOAD_BYTES).map_err(Refused::Disk)?.filled(request).await
    }

    fn new(most: u64) -> io::Result<Upload> {
        Ok(Upload {
            folder: TemporaryFolder::of_kind(KIND)?,
            files: Vec::new(),
            again: false,
            has_text: false,
            keep_broken: false,
            names: BTreeSet::new(),
            left: most,
        })
    }

    async fn filled(mut self, request: Request) -> Result<Upload, Refused> {
        if !has_type(request.headers(), "multipart/form-data") {
            let query = request.uri().query().unwrap_or_default();
            let name = form_urlencoded::parse(query.as_bytes()).find(|(name, _)| name == "name");
            let mut file = self.begin(&name.map(|(_, name)| name).unwrap_or_default())?;
            let mut body = request.into_body();
            while let Some(frame) = body.frame().await {
                let data = frame.map_err(|_| Refused::Broken)?.into_data();
                self.write(&mut file, data.unwrap_or_default()).await?;
            }
            self.end(file);
            return Ok(self);
        }
        let mut parts = Multipart::from_request(request, &()).await.map_err(|_| Refused::Broken)?;
        while let Some(mut part) = parts.next_field().await.map_err(|_| Refused::Broken)? {
            let choice = match part.name() {
                Some("again") => Some(&mut self.again),
                Some("keep_broken") => Some(&mut self.keep_broken),
                _ => None,
            };
            if let Some(choice) = choice {
                *choice = true;
                while let Some(chunk) = part.chunk().await.map_err(|_| Refused::Broken)? {
                    self.count(&chunk)?;
                }
                continue;
            }
            self.has_text |= part.file_name().is_none();
            let mut file = self.begin(&part.file_name().map_or_else(pasted, str::to_owned))?;
            while let Some(chunk) = part.chunk().await.map_err(|_| Refused::Broken)? {
                self.write(&mut file, chunk).await?;
            }
            self.end(file);
        }
        Ok(self)
    }

    /// Begins a file.
    fn begin(&mut self, name: &str) -> Result<Arriving, Refused> {
        if self.names.len() >= MAX_UPLOAD_FILES {
            return Err(Refused::TooLarge);
        }
        let name = self.unused(&plain(name));
        let path = self.path().join(name);
        let file = Arc::new(File::create_new(&path).map_err(Refused::Disk)?);
        Ok(Arriving { path, file, is_empty: true })
    }

    /// Counts bytes that have arrived.
    fn count(&mut self, chunk: &Bytes) -> Result<(), Refused> {
        self.left = self.left.checked_sub(chunk.len() as u64).ok_or(Refused::TooLarge)?;
        Ok(())
    }

    async fn write(&mut self, file: &mut Arriving, chunk: Bytes) -> Result<(), Refused> {
        self.count(&chunk)?;
        file.is_empty &= chunk.is_empty();
        let out = Arc::clone(&file.file);
        // A disk may be slow.
        let written = spawn_blocking(move || (&*out).write_all(&chunk)).await;
        written.map_err(io::Error::other).flatten().map_err(Refused::Disk)
    }

    /// Ends a file. An empty one is left out.
    fn end(&mut self, file: Arriving) {
        if !file.is_empty {
            self.files.push(file.path);
        }
    }

    /// A name that no other file has.
    fn unused(&mut self, name: &str) -> String {
        let numbered = (2..).map(|number| format!("{number}-{name}"));
        let mut free =
            std::iter::once(name.to_owned()).chain(numbered).filter(|name| !self.names.contains(name));
        let name = free.next().unwrap_or_default();
        self.names.insert(name.clone());
        name
    }
}

impl Refused {
    /// The response, and what to log.
    pub(super) fn response(self) -> (Response, Option<String>) {
        match self {
            Refused::TooLarge => (too_large(), None),
            Refused::Broken => {
                let why = "bad request: the upload did not arrive completely";
                (closing(StatusCode::BAD_REQUEST, why), None)
            }
            Refused::Disk(error) => {
                let why = "the upload cannot be stored; see the server log";
                let log = format!("an upload cannot be stored: {error}");
                (closing(StatusCode::INSUFFICIENT_STORAGE, why), Some(log))
            }
        }
    }
}

/// The name of games that were pasted now: every text is a file of its own.
fn pasted() -> String {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    format!("{PASTED}{}.pgn", since.as_millis())
}

/// A name from a browser as that of a file in a directory: without directories, special characters, and the endings of
/// files that SQLite keeps next to a database.
fn plain(name: &str) -> String {
    let last = name.rsplit(['/', '\\']).next().unwrap_or_default();
    let mut plain: String = last
        .chars()
        .map(|c| if c.is_alphanumeric() || " ._-()+,&'".contains(c) { c } else { '_' })
        .collect::<String>()
        .trim_start_matches(['.', '-', ' '])
        .to_owned();
    while plain.len() > MAX_NAME {
        // The ending says what the file is.
        plain.remove(0);
    }
    match plain.as_str() {
        "" => UNNAMED.to_owned(),
        name if ["-wal", "-shm", "-journal"].iter().any(|end| name.ends_with(end)) => format!("{name}.pgn"),
        _ => plain,
    }
}

#[cfg(test)]
mod tests {
    use axum::body::Body;
    use tokio::runtime::Runtime;

    use super::*;

    #[test]
    fn names_of_files_stay_in_their_directory() {
        for (name, expected) in [
            ("games.pgn", "games.pgn"),
            ("C:\\chess\\my games.pgn.zst", "my games.pgn.zst"),
            ("../../etc/passwd", "passwd"),
            ("..", UNNAMED),
            ("", UNNAMED),
            (".hidden.pgn", "hidden.pgn"),
            ("-rf.pgn", "rf.pgn"),
            ("a\0b\n<c>.pgn", "a_b__c_.pgn"),
            ("Müller.pgn", "Müller.pgn"),
            ("a.db-wal", "a.db-wal.pgn"),
        ] {
            assert_eq!(plain(name), expected);
        }
        assert!(plain(&"ü".repeat(300)).len() <= MAX_NAME);
        let long = plain(&format!("{}.pgn", "x".repeat(300)));
        assert!(long.ends_with(".pgn") && long.len() == MAX_NAME);
    }

    fn received(most: u64, request: Request) -> Result<Vec<(String, String)>, &'static str> {
        let received = Runtime::new().unwrap().block_on(Upload::new(most).unwrap().filled(request));
        match received {
            Ok(upload) => Ok(upload
                .files
                .iter()
                .map(|path| {
                    let name = path.file_name().unwrap().to_string_lossy().into_owned();
                    (name, std::fs::read_to_string(path).unwrap())
                })
                .collect()),
            Err(Refused::TooLarge) => Err("too large"),
            Err(Refused::Broken) => Err("broken"),
            Err(Refused::Disk(error)) => panic!("{error}"),
        }
    }

    fn multipart(body: &str) -> Request {
        let body = body.replace('\n', "\r\n");
        let kind = "multipart/form-data; boundary=xyz";
        Request::post("/").header("content-type", kind).body(Body::from(body)).unwrap()
    }

    #[test]
    fn uploads_are_files_up_to_a_limit() {
        let raw = |name: &str, body: &str| {
            Request::post(format!("/edit/import{name}")).body(Body::from(body.to_owned())).unwrap()
        };
        let file = |name: &str, text: &str| (name.to_owned(), text.to_owned());
        assert_eq!(received(9, raw("?name=a.pgn", "1. e4 e5 ")).unwrap(), [file("a.pgn", "1. e4 e5 ")]);
        assert_eq!(received(9, raw("", "1")).unwrap(), [file(UNNAMED, "1")]);
        assert_eq!(received(9, raw("", "")).unwrap(), []);
        assert_eq!(received(8, raw("?name=a.pgn", "1. e4 e5 ")), Err("too large"));
        let two = "--xyz\nContent-Disposition: form-data; name=\"files\"; filename=\"a.pgn\"\n\n1. e4 *\n\
            --xyz\nContent-Disposition: form-data; name=\"files\"; filename=\"x/a.pgn\"\n\n1. d4 *\n\
            --xyz\nContent-Disposition: form-data; name=\"pgn\"\n\n\n--xyz--\n";
        assert_eq!(
            received(14, multipart(two)).unwrap(),
            [file("a.pgn", "1. e4 *"), file("2-a.pgn", "1. d4 *")]
        );
        assert_eq!(received(13, multipart(two)), Err("too large"));
        let choice = |name| format!("--xyz\nContent-Disposition: form-data; name=\"{name}\"\n\non\n");
        let choices = choice("again") + &choice("keep_broken");
        let upload = Runtime::new()
            .unwrap()
            .block_on(Upload::new(18).unwrap().filled(multipart(&format!("{choices}{two}"))));
        assert!(upload.is_ok_and(|upload| upload.again && upload.keep_broken && upload.files.len() == 2));
        assert_eq!(received(99, multipart(&two[..120])), Err("broken"));
        assert_eq!(received(99, multipart("no boundary")), Err("broken"));
        let many = "--xyz\nContent-Disposition: form-data; name=\"f\"; filename=\"a\"\n\n*\n"
            .repeat(MAX_UPLOAD_FILES + 1);
        assert_eq!(received(9999, multipart(&format!("{many}--xyz--\n"))), Err("too large"));
    }
}
