//! `plybook serve`

use std::{
    io::{self, Write},
    net::{Ipv4Addr, SocketAddr, ToSocketAddrs},
    path::{Path, PathBuf},
    process::{Command, Stdio},
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering::Relaxed},
    },
    thread::available_parallelism,
};

use anyhow::{anyhow, bail};
use clap::{Args, builder::RangedU64ValueParser};

use super::{ArchiveArg, ExitStatus, advice, archive_arg::usual_archive, interrupt, open_index, terminal};
use crate::{
    counts::GAMES,
    files::TemporaryFolder,
    import::{Options, import_paths},
    limits::MAX_THREADS,
    parts::Catalogue,
    sources::{Source, find_sources},
    web::{Access, AppState, Server, Stopper},
};

/// Answer questions about an archive over HTTP, on this machine
///
/// The first line of the output is the address, once requests are accepted. There are the routes of an opening
/// explorer, /masters, /lichess and /player, for programs that know them, an API, /api/v1, and /health, which says
/// that the archive can be read. Ctrl-C ends it.
///
/// The archive is only read; an import into it meanwhile is seen by the next request. Of other files and folders a
/// temporary archive is made, which goes when the server ends.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  plybook serve
  plybook serve chess.db --open
  plybook serve games.pgn.zst ~/chess
  plybook serve -a chess.db --port 8080
  plybook serve -a chess.db --bind 0.0.0.0:9002
  plybook serve --cors https://example.org")]
pub(super) struct Serve {
    /// An archive, or a folder with a catalogue of parts; or files and folders of games
    #[arg(value_name = "PATH", conflicts_with = "archive")]
    paths: Vec<PathBuf>,
    /// The archive's file
    #[arg(short, long, value_name = "FILE", default_value_os_t = usual_archive())]
    archive: PathBuf,
    /// The address and the port to answer at; port 0 for one that is free
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:9002", conflicts_with = "port")]
    bind: String,
    /// The port to answer at on this machine, in place of --bind; 0 for one that is free
    #[arg(long, value_name = "N")]
    port: Option<u16>,
    /// Open the address in the browser
    #[arg(long)]
    open: bool,
    /// Let pages of this origin read answers, such as https://example.org; * for all
    #[arg(long, value_name = "ORIGIN")]
    cors: Vec<String>,
    /// Let the server be asked by this name too, besides localhost
    #[arg(long, value_name = "NAME")]
    allowed_host: Vec<String>,
    /// Questions to the archive that are answered at a time, at most 64 [default: as many as there are cores]
    #[arg(long, value_name = "N", value_parser = RangedU64ValueParser::<usize>::new().range(1..=MAX_THREADS as u64))]
    threads: Option<usize>,
    /// Say nothing but the address and errors
    #[arg(short, long)]
    quiet: bool,
}

impl Serve {
    pub(super) fn run(self) -> anyhow::Result<ExitStatus> {
        let end = End::on_signal();
        let address = self.address()?;
        let made = self.temporary_archive(&end)?;
        let archive = match &made {
            Some(made) => made.path().join("games.db").into(),
            None => ArchiveArg::of(self.archive_path()).paths()?,
        };
        let threads = self.threads.unwrap_or_else(|| available_parallelism().map_or(1, usize::from));
        let state = Arc::new(AppState::open(
            archive.clone(),
            threads,
            |line| terminal::tell(line),
            open_index::report,
        )?);
        let access = Access { names: self.allowed_host.clone(), origins: self.cors.clone() };
        let server =
            Server::bind(address, access, Arc::clone(&state)).map_err(|error| unbound(address, &error))?;
        let address = server.address()?;
        self.tell_warnings(address, archive.name(), &state);
        end.stop(server.stopper());
        let url = format!("http://{address}/");
        let mut out = terminal::raw_stdout();
        writeln!(out, "{url}")?;
        out.flush()?;
        drop(out);
        if self.open {
            open_browser(&url);
        }
        server.run()?;
        Ok(ExitStatus::Complete)
    }

    fn address(&self) -> anyhow::Result<SocketAddr> {
        if let Some(port) = self.port {
            return Ok((Ipv4Addr::LOCALHOST, port).into());
        }
        let mut found = self.bind.to_socket_addrs().map_err(|error| {
            anyhow!("{}: {error}; write an address and a port, such as 127.0.0.1:9002", self.bind)
        })?;
        found.next().ok_or_else(|| anyhow!("{}: there is no such address", self.bind))
    }

    fn archive_path(&self) -> PathBuf {
        self.paths.first().unwrap_or(&self.archive).clone()
    }

    /// An archive of the files and folders, in a folder that goes with it; `None` if an archive is to be served.
    fn temporary_archive(&self, end: &End) -> anyhow::Result<Option<TemporaryFolder>> {
        if self.paths.is_empty()
            || matches!(&self.paths[..], [path] if Catalogue::is_in(path))
            || matches!(find_sources(&self.paths, &[".pgn", ".xelto"])?[..], [Source::Archive(_)])
        {
            return Ok(None);
        }
        let folder = TemporaryFolder::new()?;
        let options = Options { index: true, cancel: Arc::clone(&end.asked), ..Options::default() };
        let report = import_paths(&folder.path().join("games.db"), &self.paths, &options)?;
        if report.cancelled || report.index.as_ref().is_some_and(|index| index.stopped) {
            bail!("stopped while the games were read");
        }
        for failure in &report.failures {
            terminal::tell(format_args!("{}: {}", failure.source, failure.reason));
        }
        if report.stored == 0 && report.sources_read == 0 {
            bail!("nothing could be read");
        }
        if let Some(why) = &report.index_failure {
            terminal::tell(format_args!("the games are not indexed: {why}"));
        }
        if report.rejected > 0 && !self.quiet {
            let rejected = GAMES.count(report.rejected);
            terminal::tell(format_args!(
                "{rejected} could not be read and are left out; plybook import says why"
            ));
        }
        Ok(Some(folder))
    }

    fn tell_warnings(&self, address: SocketAddr, archive: &Path, state: &AppState) {
        if !address.ip().is_loopback() {
            terminal::tell(format_args!("whoever reaches {address} can read all games of this archive"));
        }
        let missing = state.explorer.ask(|_, index| {
            Ok(match (index.is_complete(), index.has_all_trails()) {
                // Reported already.
                _ if index.is_ignored() => None,
                (true, true) => None,
                (true, false) => {
                    Some("have trails, so that games are looked through for material and patterns")
                }
                (false, _) => Some("are indexed, so that games are looked through for each question"),
            })
        });
        if let Ok(Some(missing)) = missing
            && !self.quiet
        {
            let how = advice::to_index(archive);
            terminal::tell(format_args!("not all games {missing}; to index them: {how}"));
        }
    }
}

/// An address that cannot be bound.
fn unbound(address: SocketAddr, error: &io::Error) -> anyhow::Error {
    let how = match error.kind() {
        io::ErrorKind::AddrInUse => {
            "; another program uses this port: choose another one with --port, or 0 for one that is free"
        }
        _ => "",
    };
    anyhow!("{address}: {error}{how}")
}

/// What the first Ctrl-C ends: reading games, or the server.
struct End {
    asked: Arc<AtomicBool>,
    server: Arc<Mutex<Option<Stopper>>>,
}

impl End {
    fn on_signal() -> End {
        let end = End { asked: Arc::default(), server: Arc::default() };
        let (asked, server) = (Arc::clone(&end.asked), Arc::clone(&end.server));
        interrupt::stop_first(move || {
            asked.store(true, Relaxed);
            let server = server.lock().unwrap_or_else(PoisonError::into_inner);
            server.iter().for_each(Stopper::stop);
        });
        end
    }

    /// From now on it is a server that is ended.
    fn stop(&self, stopper: Stopper) {
        let mut server = self.server.lock().unwrap_or_else(PoisonError::into_inner);
        if self.asked.load(Relaxed) {
            stopper.stop();
        }
        *server = Some(stopper);
    }
}

/// Opens an address in the user's browser. That there is none is no error: the address is printed.
fn open_browser(url: &str) {
    let program = match std::env::consts::OS {
        "windows" => "explorer",
        "macos" => "open",
        _ => "xdg-open",
    };
    let mut command = Command::new(program);
    let quiet = command.arg(url).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    if quiet.spawn().is_err() {
        terminal::tell(format_args!("no browser could be opened; the address is {url}"));
    }
}
