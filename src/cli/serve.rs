//! `plybook serve`

use std::{
    io::{self, BufRead, IsTerminal},
    net::{Ipv4Addr, SocketAddr, ToSocketAddrs},
    path::{Path, PathBuf},
    process::{Command, Stdio},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering::Relaxed},
    },
    thread::{self, available_parallelism},
};

use anyhow::{anyhow, bail};
use clap::{Args, builder::RangedU64ValueParser};

use super::{
    ArchiveArg, advice,
    archive_arg::{report_damaged_index, usual_archive},
    interrupt, terminal,
};
use crate::{
    archive::check_is_not_in_parts,
    counts::GAMES,
    files::TemporaryFolder,
    import::{Options, import_paths},
    limits::MAX_THREADS,
    parts::Catalogue,
    sources::{Source, is_archive},
    web::{Access, AppState, Editing, Server, Stopper, check_origin},
};

/// Browse an archive in a web browser, and serve it to other programs over HTTP
///
/// When the server is ready, it prints its URL as the first line of output. It serves pages for the browser, the
/// opening explorer routes /masters, /lichess and /player for programs that support them, an API at /api/v1, and
/// /health, which reports whether the archive can be read. Press Ctrl-C to stop it.
///
/// The archive is opened read-only; new imports are visible to the next request. Other files and directories are imported
/// into a temporary archive, which is deleted when the server stops. With --edit, the archive can be edited in the
/// browser in which you open the URL; it works once. Press Enter to get a new one. Every change can be undone.
///
/// Examples:
/// * plybook serve
/// * plybook serve chess.db --open
/// * plybook serve games.pgn.zst ~/chess
/// * plybook serve -a chess.db --port 8080
/// * plybook serve -a chess.db --bind 0.0.0.0:9002
/// * plybook serve --cors https://example.org
/// * plybook serve --embed https://club.example
/// * plybook serve chess.db --edit
#[derive(Debug, Args)]
pub(super) struct Serve {
    /// Archive, directory of parts, or files and directories of games
    #[arg(value_name = "PATH", conflicts_with = "archive")]
    paths: Vec<PathBuf>,
    /// Archive file
    #[arg(short, long, value_name = "FILE", default_value_os_t = usual_archive())]
    archive: PathBuf,
    /// Address and port to listen on; port 0 chooses a free port
    #[arg(
        long,
        value_name = "ADDRESS",
        default_value = "127.0.0.1:9002",
        conflicts_with = "port",
        help_heading = "Network"
    )]
    bind: String,
    /// Port to listen on, on this machine only, instead of --bind; 0 chooses a free port
    #[arg(long, value_name = "N", help_heading = "Network")]
    port: Option<u16>,
    /// Open the URL in your browser
    #[arg(long)]
    open: bool,
    /// Edit the archive in the browser, on this machine only
    #[arg(long)]
    edit: bool,
    /// Allow web pages of this origin to read responses, for example https://example.org; * allows all
    #[arg(long, value_name = "ORIGIN", help_heading = "Network")]
    cors: Vec<String>,
    /// Allow web pages of this origin to show games in frames, for example https://club.example; may be repeated
    #[arg(long, value_name = "ORIGIN", value_parser = check_origin, help_heading = "Network")]
    embed: Vec<String>,
    /// Accept requests for this host name, in addition to localhost
    #[arg(long, value_name = "NAME", help_heading = "Network")]
    allowed_host: Vec<String>,
    /// Number of queries to run at the same time, at most 64 [default: number of cores]
    #[arg(long, value_name = "N", value_parser = RangedU64ValueParser::<usize>::new().range(1..=MAX_THREADS as u64))]
    threads: Option<usize>,
    /// Print only the URL and errors
    #[arg(short, long)]
    quiet: bool,
}

impl Serve {
    pub(super) fn run(self) -> anyhow::Result<()> {
        // What the first Ctrl-C stops: the import of the games, and the server.
        let (cancel, stopper) = (Arc::<AtomicBool>::default(), Stopper::default());
        let (asked, stop) = (Arc::clone(&cancel), stopper.clone());
        interrupt::stop_first(move || {
            asked.store(true, Relaxed);
            stop.stop();
        });
        let address = self.address()?;
        if self.edit {
            self.check_editing(address)?;
        }
        let made = self.temporary_archive(cancel)?;
        let archive = match &made {
            Some(made) => made.path().join("games.db").into(),
            None => ArchiveArg::of(self.archive_path()).paths()?,
        };
        let threads = self.threads.unwrap_or_else(|| available_parallelism().map_or(1, usize::from));
        let state =
            AppState::open(archive.clone(), threads, |line| terminal::tell(line), report_damaged_index)?;
        let state = Arc::new(if self.edit { state.with_editing()? } else { state });
        let (names, origins) = (self.allowed_host.clone(), self.cors.clone());
        let access = Access { names, origins, embedding: self.embed.clone() };
        let server =
            Server::bind(address, access, Arc::clone(&state)).map_err(|error| unbound(address, &error))?;
        let address = server.address()?;
        self.tell_warnings(address, archive.name(), &state);
        let editing = server.editing();
        let url = match &editing {
            Some(editing) => editing.url()?,
            None => format!("http://{address}/"),
        };
        terminal::print(&url)?;
        if self.open {
            open_browser(&url);
        }
        if let Some(editing) = editing {
            self.print_urls(editing);
        }
        Ok(server.run(&stopper)?)
    }

    fn address(&self) -> anyhow::Result<SocketAddr> {
        if let Some(port) = self.port {
            return Ok((Ipv4Addr::LOCALHOST, port).into());
        }
        let mut found = self.bind.to_socket_addrs().map_err(|error| {
            anyhow!("{}: {error}; expected an address and a port, such as 127.0.0.1:9002", self.bind)
        })?;
        found.next().ok_or_else(|| anyhow!("{}: address not found", self.bind))
    }

    /// Checks that what is served can be edited, and only from this machine.
    fn check_editing(&self, address: SocketAddr) -> anyhow::Result<()> {
        if !address.ip().is_loopback() {
            bail!(
                "{address}: with --edit, the server must be bound to an address of this machine only, such as 127.0.0.1"
            );
        }
        check_is_not_in_parts(&self.archive_path())?;
        if self.is_imported()? {
            bail!(
                "with --edit, serve one archive; to edit the games of other files, import them first: plybook import"
            );
        }
        Ok(())
    }

    /// Prints a new URL whenever Enter is pressed in the terminal.
    fn print_urls(&self, editing: Arc<Editing>) {
        if !io::stdin().is_terminal() {
            return;
        }
        if !self.quiet {
            terminal::tell("the URL works once; press Enter for a new one");
        }
        thread::spawn(move || {
            for line in io::stdin().lock().lines() {
                match (line, editing.url()) {
                    (Ok(_), Ok(url)) if terminal::print(&url).is_ok() => {}
                    _ => break,
                }
            }
        });
    }

    fn archive_path(&self) -> PathBuf {
        self.paths.first().unwrap_or(&self.archive).clone()
    }

    /// Whether the games are imported into a temporary archive.
    fn is_imported(&self) -> anyhow::Result<bool> {
        Ok(!self.paths.is_empty()
            && !matches!(&self.paths[..], [path] if Catalogue::is_in(path))
            && !matches!(&self.paths[..], [path] if is_archive(&Source::File(path.clone()).beginning())))
    }

    /// Imports files and directories into an archive in a temporary directory, which is deleted on drop; `None` if an
    /// archive is served.
    fn temporary_archive(&self, cancel: Arc<AtomicBool>) -> anyhow::Result<Option<TemporaryFolder>> {
        if !self.is_imported()? {
            return Ok(None);
        }
        let folder = TemporaryFolder::new()?;
        let options = Options { index: true, cancel, ..Options::default() };
        let report = import_paths(&folder.path().join("games.db"), &self.paths, &options)?;
        if report.cancelled || report.index.as_ref().is_some_and(|index| index.stopped) {
            bail!("stopped while importing the games");
        }
        for failure in &report.failures {
            terminal::tell(format_args!("{}: {}", failure.source, failure.reason));
        }
        if report.stored == 0 && report.sources_read == 0 {
            bail!("none of the files could be read");
        }
        if let Some(why) = &report.index_failure {
            terminal::tell(format_args!("the games are not indexed: {why}"));
        }
        if report.rejected > 0 && !self.quiet {
            let rejected = GAMES.count(report.rejected);
            terminal::tell(format_args!(
                "skipped {rejected} that could not be read; plybook import reports why"
            ));
        }
        Ok(Some(folder))
    }

    fn tell_warnings(&self, address: SocketAddr, archive: &Path, state: &AppState) {
        if !address.ip().is_loopback() {
            terminal::tell(format_args!("anyone who can reach {address} can read all games of this archive"));
        }
        let missing = state.explorer.ask(|context| {
            let Some(index) = context.index() else { return Ok(None) };
            Ok(match (index.covers_all_games(), index.has_all_trails()) {
                // Reported before.
                _ if index.is_ignored() || index.is_former_reported() => None,
                (true, true) => None,
                (true, false) => Some("have trails, so searches for material and patterns replay games"),
                (false, _) if index.has_positions() => Some("are indexed, so every query replays the others"),
                (false, _) => Some("are indexed, so every query replays games"),
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

/// The error for an address that the server cannot bind to.
fn unbound(address: SocketAddr, error: &io::Error) -> anyhow::Error {
    let how = match error.kind() {
        io::ErrorKind::AddrInUse => {
            "; another program uses this port; choose another one with --port, or use --port 0"
        }
        _ => "",
    };
    anyhow!("{address}: {error}{how}")
}

/// Opens a URL in the user's browser. A missing browser is not an error, because the URL is printed.
fn open_browser(url: &str) {
    let program = match std::env::consts::OS {
        "windows" => "explorer",
        "macos" => "open",
        _ => "xdg-open",
    };
    let mut command = Command::new(program);
    let quiet = command.arg(url).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    if quiet.spawn().is_err() {
        terminal::tell(format_args!("could not open a browser; the URL is {url}"));
    }
}
