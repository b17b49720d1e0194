//! A server that is driven over raw sockets, as a client that keeps no rules would.

use std::{
    io::{BufRead, BufReader, ErrorKind, Write},
    net::{SocketAddr, TcpStream},
    process::{Child, ChildStdout, Command, ExitStatus, Stdio},
    time::{Duration, Instant},
};

use super::Bench;

/// A running server. It is killed when this is dropped.
pub struct Served {
    child: Child,
    _stdout: BufReader<ChildStdout>,
    pub url: String,
    pub address: SocketAddr,
}

/// A response.
#[derive(Clone, Debug)]
pub struct Reply {
    pub status: u16,
    /// Names in small letters.
    pub headers: Vec<(String, String)>,
    pub body: Vec<u8>,
}

impl Served {
    /// Serves with these arguments, at a port that is free.
    pub fn new(bench: &Bench, arguments: &[&str]) -> Served {
        let arguments = [&["serve", "--bind", "127.0.0.1:0", "--quiet"], arguments].concat();
        Served::of(bench.command(&arguments))
    }

    /// Runs a command that serves.
    pub fn of(mut command: Command) -> Served {
        let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
        let mut stdout = BufReader::new(child.stdout.take().unwrap());
        let mut line = String::new();
        stdout.read_line(&mut line).unwrap();
        let url = line.trim().to_owned();
        let address = url.strip_prefix("http://").unwrap_or_else(|| panic!("no address: {line:?}"));
        let authority = address.split('/').next().unwrap();
        // With editing, the key is before the address.
        let address = authority.rsplit('@').next().unwrap().parse().unwrap();
        Served { child, _stdout: stdout, url, address }
    }

    pub fn id(&self) -> u32 {
        self.child.id()
    }

    pub fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(self.address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        stream
    }

    /// What comes back for some bytes, on a connection of its own.
    pub fn send(&self, request: impl AsRef<[u8]>) -> Reply {
        let mut stream = self.connect();
        stream.write_all(request.as_ref()).unwrap();
        Reply::read(&mut BufReader::new(stream)).expect("no answer")
    }

    /// A request of a path, with more headers.
    pub fn get_with(&self, path: &str, headers: &str) -> Reply {
        self.send(format!("GET {path} HTTP/1.1\r\nHost: localhost\r\n{headers}\r\n"))
    }

    pub fn get(&self, path: &str) -> Reply {
        self.get_with(path, "")
    }

    /// The answer as JSON; it must be one.
    pub fn json(&self, path: &str) -> serde_json::Value {
        let reply = self.get(path);
        assert_eq!(reply.status, 200, "{path}: {}", reply.text());
        serde_json::from_slice(&reply.body)
            .unwrap_or_else(|error| panic!("{path}: {error}: {}", reply.text()))
    }

    /// Sends a signal.
    #[cfg(unix)]
    pub fn signal(&self, name: &str) {
        super::signals::signal(self.id(), name);
    }

    /// Waits for the end, for so long.
    pub fn ended_within(&mut self, time: Duration) -> Option<ExitStatus> {
        let begin = Instant::now();
        while begin.elapsed() < time {
            if let Some(status) = self.child.try_wait().unwrap() {
                return Some(status);
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        None
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Reply {
    /// Reads a response with its body; `None` if there is none. The body of a response to HEAD is not there.
    pub fn read(from: &mut impl BufRead) -> Option<Reply> {
        Reply::read_head(from).map(|mut reply| {
            if reply.header("transfer-encoding").is_some() {
                reply.body = chunks(from);
            } else {
                let length = reply.header("content-length").map_or(0, |length| length.parse().unwrap());
                reply.body = vec![0; length];
                from.read_exact(&mut reply.body).unwrap();
            }
            reply
        })
    }

    /// Reads a response without its body.
    pub fn read_head(from: &mut impl BufRead) -> Option<Reply> {
        let mut line = String::new();
        match from.read_line(&mut line) {
            Ok(0) => return None,
            Err(error) if error.kind() == ErrorKind::ConnectionReset => return None,
            read => drop(read.unwrap()),
        }
        let status = line.split(' ').nth(1).unwrap_or_else(|| panic!("{line:?}")).parse().unwrap();
        let mut headers = Vec::new();
        loop {
            let mut line = String::new();
            from.read_line(&mut line).unwrap();
            let Some((name, value)) = line.trim_end().split_once(':') else { break };
            headers.push((name.to_lowercase(), value.trim().to_owned()));
        }
        Some(Reply { status, headers, body: Vec::new() })
    }

    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// All values of a header, separated by commas.
    pub fn all(&self, name: &str) -> String {
        let values = self.headers.iter().filter(|(known, _)| known == name).map(|(_, value)| value.as_str());
        values.collect::<Vec<_>>().join(", ")
    }

    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }
}

/// A body in chunks, which must have an end.
fn chunks(from: &mut impl BufRead) -> Vec<u8> {
    let mut body = Vec::new();
    loop {
        let mut line = String::new();
        from.read_line(&mut line).unwrap();
        let length = usize::from_str_radix(line.trim(), 16).unwrap_or_else(|_| panic!("no chunk: {line:?}"));
        let from_here = body.len();
        body.resize(from_here + length + 2, 0);
        from.read_exact(&mut body[from_here..]).unwrap();
        body.truncate(from_here + length);
        if length == 0 {
            return body;
        }
    }
}
