//! A browser that edits an archive, over raw sockets.
#![cfg(feature = "web")]

use std::io::{BufReader, Write};

use data_encoding::BASE64;
use serde_json::Value;

use crate::common::{
    Bench, data,
    server::{Reply, Served},
};

/// A server with `--edit`, and the key and the cookie of a browser.
pub struct Editor {
    pub bench: Bench,
    pub served: Served,
    pub key: String,
    pub cookie: String,
}

impl Editor {
    /// Edits the bundled famous games.
    pub fn new() -> Editor {
        Editor::of(Bench::with_games())
    }

    pub fn of(bench: Bench) -> Editor {
        let served = Served::new(&bench, &["--edit"]);
        Editor::browsing(bench, served)
    }

    /// Opens the URL that a server printed.
    pub fn browsing(bench: Bench, served: Served) -> Editor {
        let key = key(&served.url);
        let reply = served.get_with("/edit", &key);
        assert_eq!(reply.status, 303, "{}", reply.text());
        let cookie = reply.header("set-cookie").unwrap().split(';').next().unwrap().to_owned();
        Editor { bench, served, key, cookie }
    }

    /// The headers of a form that a page of the server sends.
    pub fn headers(&self) -> String {
        let (address, key, cookie) = (self.served.address, &self.key, &self.cookie);
        format!(
            "Host: {address}\r\n{key}Cookie: {cookie}\r\nOrigin: http://{address}\r\nSec-Fetch-Site: same-origin\r\n"
        )
    }

    /// Sends a body with some headers.
    pub fn send(&self, path: &str, headers: &str, body: &[u8]) -> Reply {
        let head = format!("POST {path} HTTP/1.1\r\n{headers}Content-Length: {}\r\n\r\n", body.len());
        let mut stream = self.served.connect();
        stream.write_all(head.as_bytes()).unwrap();
        // The server may refuse a body before its end.
        let _ = stream.write_all(body);
        Reply::read(&mut BufReader::new(stream)).expect("no answer")
    }

    /// Sends a form; the reply is JSON.
    pub fn post(&self, path: &str, fields: &[(&str, &str)]) -> Reply {
        let headers = self.headers() + FORM + "Accept: application/json\r\n";
        self.send(path, &headers, form(fields).as_bytes())
    }

    /// Sends a form that must be accepted.
    pub fn done(&self, path: &str, fields: &[(&str, &str)]) -> Value {
        let reply = self.post(path, fields);
        assert_eq!(reply.status, 200, "{path} {fields:?}: {}", reply.text());
        serde_json::from_slice(&reply.body).unwrap()
    }

    /// Sends a form that must be refused; returns the reason.
    pub fn refused(&self, path: &str, fields: &[(&str, &str)], status: u16) -> String {
        let reply = self.post(path, fields);
        assert_eq!(reply.status, status, "{path} {fields:?}: {}", reply.text());
        let error: Value = serde_json::from_slice(&reply.body).unwrap();
        error["error"].as_str().unwrap().to_owned()
    }

    /// A page that only editors see.
    pub fn page(&self, path: &str) -> Reply {
        self.served.get_with(path, &format!("{}Cookie: {}\r\n", self.key, self.cookie))
    }

    /// The fingerprint that the page of a game has in its forms.
    pub fn fingerprint(&self, id: i64) -> String {
        let page = self.page(&format!("/edit/game/{id}"));
        assert_eq!(page.status, 200, "{}", page.text());
        field(&page.text(), "fingerprint")
    }

    /// All games as PGN, read by another process.
    pub fn exported(&self) -> String {
        self.bench.ok(&["export"])
    }

    /// A game as PGN, read by another process.
    pub fn game(&self, id: i64) -> String {
        self.bench.ok(&["show", &id.to_string(), "--format", "pgn"])
    }
}

pub const FORM: &str = "Content-Type: application/x-www-form-urlencoded\r\n";

pub fn form(fields: &[(&str, &str)]) -> String {
    form_urlencoded::Serializer::new(String::new()).extend_pairs(fields).finish()
}

/// The header with the key of a URL that the server printed, as browsers send it.
pub fn key(url: &str) -> String {
    let (key, _) = url.strip_prefix("http://").unwrap().split_once('@').unwrap();
    format!("Authorization: Basic {}\r\n", BASE64.encode(key.as_bytes()))
}

/// The value of the first field with a name.
pub fn field(page: &str, name: &str) -> String {
    let from = page.find(&format!("name=\"{name}\" value=\"")).unwrap_or_else(|| panic!("no {name}: {page}"));
    page[from..].split('"').nth(3).unwrap().to_owned()
}

pub fn famous() -> String {
    std::fs::read_to_string(data("famous.pgn")).unwrap()
}
