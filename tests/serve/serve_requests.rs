//! Which requests the server answers, over raw sockets: allowed hosts and methods, the size of headers, and the
//! security headers of every answer. hyper refuses what is not HTTP.
#![cfg(feature = "web")]

use std::{
    io::{BufReader, Write},
    net::TcpStream,
};

use crate::common::{
    Bench,
    server::{Reply, Served},
};

const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; style-src-attr 'unsafe-inline'; \
    img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

fn served(arguments: &[&str]) -> (Bench, Served) {
    let bench = Bench::with_games();
    let served = Served::new(&bench, arguments);
    (bench, served)
}

/// What every answer has.
fn assert_is_guarded(reply: &Reply, resource: &str) {
    for (name, value) in [
        ("content-security-policy", POLICY),
        ("x-content-type-options", "nosniff"),
        ("referrer-policy", "same-origin"),
        ("cross-origin-opener-policy", "same-origin"),
        ("cross-origin-resource-policy", resource),
    ] {
        assert_eq!(reply.header(name), Some(value), "{reply:?}");
    }
    assert_eq!((reply.header("server"), reply.header("access-control-allow-credentials")), (None, None));
}

/// Invalid requests are refused by hyper, if there is time to answer, and nothing after them is answered.
fn assert_is_cut_off(stream: &mut BufReader<TcpStream>) {
    if let Some(refused) = Reply::read(stream) {
        assert!((400..500).contains(&refused.status), "{refused:?}");
        assert!(Reply::read(stream).is_none());
    }
}

/// The message of an API error.
fn error(reply: &Reply) -> String {
    assert_eq!(reply.header("content-type"), Some("application/json"), "{reply:?}");
    let error: serde_json::Value = serde_json::from_slice(&reply.body).unwrap();
    assert_eq!(error["status"], reply.status);
    error["error"].as_str().unwrap().to_owned()
}

#[test]
fn only_requests_to_a_name_of_this_machine_are_answered() {
    let (_bench, served) = served(&["--allowed-host", "chess.example"]);
    let ask = |head: &str| {
        let reply = served.send(format!("{head}\r\n\r\n"));
        assert_is_guarded(&reply, "same-origin");
        reply
    };
    for (hosts, status) in [
        ("Host: localhost", 200),
        ("host: LOCALHOST:12", 200),
        ("Host: 127.0.0.1:9002", 200),
        ("Host: 127.9.8.7", 200),
        ("Host: [::1]:9002", 200),
        ("Host: chess.example", 200),
        ("Host: evil.example", 403),
        ("Host: localhost.evil.example", 403),
        ("Host: 10.0.0.1", 403),
        ("Host:", 403),
        ("Host: user@localhost", 403),
        ("Host: localhost\r\nHost: localhost", 400),
        ("Host: localhost\r\nHost: evil.example", 400),
        ("X-Host: localhost", 400),
    ] {
        let reply = ask(&format!("GET /api/v1/info HTTP/1.1\r\n{hosts}"));
        assert_eq!(reply.status, status, "{hosts}");
        assert!(status != 403 || error(&reply).starts_with("this host name is not allowed"), "{hosts}");
    }
    // The authority of the request line counts too, and HTTP/1.0 is no way around it.
    for (line, status) in [
        ("GET http://localhost/api/v1/info HTTP/1.1", 200),
        ("GET http://evil.example/api/v1/info HTTP/1.1", 403),
        ("GET /api/v1/info HTTP/1.0", 200),
    ] {
        assert_eq!(ask(&format!("{line}\r\nHost: localhost")).status, status, "{line}");
    }
    assert_eq!(ask("GET http://localhost/api/v1/info HTTP/1.1\r\nHost: evil.example").status, 403);
    assert_eq!(ask("GET /api/v1/info HTTP/1.0\r\nX: y").status, 400);
}

#[test]
fn a_refused_host_name_is_explained_and_logged_once() {
    let bench = Bench::with_games();
    let mut command = bench.command(&["serve", "--port", "0", "--quiet"]);
    command.stderr(std::fs::File::create(bench.path("log")).unwrap());
    let served = Served::of(command);
    let ask = |host: &str| served.send(format!("GET /games HTTP/1.1\r\nHost: {host}\r\n\r\n"));
    let said =
        "this host name is not allowed; to allow it, start the server with --allowed-host club.example\n";
    for _ in 0..3 {
        let reply = ask("club.example:8080");
        assert_is_guarded(&reply, "same-origin");
        assert_eq!((reply.status, reply.text().as_str()), (403, said));
        assert_eq!(reply.header("content-type"), Some("text/plain; charset=utf-8"));
    }
    assert_eq!(
        ask("<b>\"&").text(),
        "this host name is not allowed: \"<b>\\\"&\" is not a valid host name\n"
    );
    (0..100).for_each(|number| assert_eq!(ask(&format!("{number}.example")).status, 403));
    let log = std::fs::read_to_string(bench.path("log")).unwrap();
    assert_eq!(log.lines().next(), Some(&*format!("plybook: a request was refused: {}", said.trim_end())));
    assert_eq!((log.lines().count(), log.matches("club.example").count()), (11, 1), "{log}");
}

#[test]
fn health_reports_whether_the_archive_can_be_read() {
    let (bench, served) = served(&["--allowed-host", "club.example"]);
    for host in ["127.0.0.1:9002", "club.example"] {
        for method in ["GET", "HEAD"] {
            let mut stream = served.connect();
            let request = format!("{method} /health HTTP/1.1\r\nHost: {host}\r\nIf-None-Match: *\r\n\r\n");
            stream.write_all(request.as_bytes()).unwrap();
            let head = Reply::read_head(&mut BufReader::new(stream)).unwrap();
            assert_is_guarded(&head, "same-origin");
            // No cached answer is used instead.
            assert_eq!((head.status, head.header("etag")), (200, None), "{method} {host}");
            assert_eq!(head.header("cache-control"), Some("no-cache"));
        }
    }
    assert_eq!(served.get("/health").text(), "ok: the archive can be read\n");
    // Windows does not delete an open file.
    if cfg!(unix) {
        std::fs::remove_file(bench.path("plybook.db")).unwrap();
        assert_eq!(served.get("/health").status, 500);
    }
}

#[test]
fn every_error_of_the_api_is_json() {
    let (_bench, served) = served(&[]);
    for (line, more, status, why) in [
        ("GET /api/v1/nothing", "", 404, "not found: unknown URL"),
        ("GET /api/v1", "", 404, "not found: unknown URL"),
        ("GET /api/v1/games/9999", "", 404, "the archive has no game 9999"),
        ("GET /api/v1/games?elo=x", "", 400, "bad request: \"x\" is not a valid range"),
        ("GET /api/v1/games?nonsense=1", "", 400, "bad request: unknown field"),
        ("GET /api/v1/export?elo=x", "", 400, "bad request: "),
        ("GET /api/v1/names", "", 400, "bad request: kind"),
        ("GET /api/v1/games/x", "", 400, "bad request: \"x\" is not a valid game"),
        ("GET /api/v1/games/%ff", "", 400, "bad request: invalid URL"),
        ("DELETE /api/v1/games/1", "", 405, "method not allowed"),
        ("GET /api/v1/info", "Content-Length: 3\r\n", 413, "requests must not have a body"),
        ("GET /api/v1/info", "Host: localhost\r\n", 400, "bad request: exactly one Host"),
        ("GET /api/v1/info", "Sec-Fetch-Site: cross-site\r\n", 403, "requests from pages of other sites"),
    ] {
        let reply = served.send(format!("{line} HTTP/1.1\r\nHost: localhost\r\n{more}\r\n"));
        assert_is_guarded(&reply, "same-origin");
        assert_eq!(reply.status, status, "{line:.40} {more:.40}");
        assert!(error(&reply).starts_with(why), "{line:.40}: {}", reply.text());
    }
    // Other paths return a line of text, as clients of explorers expect.
    for path in ["/api", "/api/v10/info", "/nothing"] {
        assert_eq!(served.get(path).text(), "not found: unknown URL\n", "{path}");
        let page = served.get_with(path, "Accept: text/html,*/*;q=0.8\r\nAccept-Language: de\r\n");
        assert!(
            page.status == 404 && page.text().contains("<h1>Nicht gefunden</h1>"),
            "{path}: {}",
            page.text()
        );
    }
}

#[test]
fn binding_a_public_address_is_logged_and_allows_its_hosts() {
    let bench = Bench::with_games();
    let mut command = bench.command(&["serve", "--bind", "0.0.0.0:0", "--quiet"]);
    command.stderr(std::fs::File::create(bench.path("log")).unwrap());
    let served = Served::of(command);
    let log = std::fs::read_to_string(bench.path("log")).unwrap();
    assert!(log.contains("anyone who can reach 0.0.0.0") && log.lines().count() == 1, "{log}");
    for (host, status) in
        [("192.168.1.7:9002", 200), ("[fe80::1]", 200), ("localhost", 200), ("evil.example", 403)]
    {
        let reply = served.send(format!("GET /api/v1/info HTTP/1.1\r\nHost: {host}\r\n\r\n"));
        assert_eq!(reply.status, status, "{host}");
    }
}

#[test]
fn there_are_three_methods_and_no_bodies() {
    let (_bench, served) = served(&[]);
    for method in ["POST", "PUT", "DELETE", "PATCH", "TRACE", "BREW"] {
        let reply = served.send(format!(
            "{method} /api/v1/info HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3\r\n\r\nabc"
        ));
        assert_is_guarded(&reply, "same-origin");
        assert_eq!((reply.status, reply.header("allow")), (405, Some("GET, HEAD, OPTIONS")), "{method}");
    }
    for body in ["Content-Length: 1\r\n\r\na", "Transfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\n\r\n"] {
        let reply = served.send(format!("GET /api/v1/info HTTP/1.1\r\nHost: localhost\r\n{body}"));
        assert_eq!((reply.status, reply.header("connection")), (413, Some("close")), "{body}");
    }
    // The bytes after the header are its body, whatever they look like, and are not answered.
    for (method, body) in [
        ("GET", "Content-Length: 9\r\n\r\nhello\r\n\r\n"),
        ("GET", "Transfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\n\r\n"),
        ("POST", "Content-Length: 50\r\n\r\nGET /api/v1/info HTTP/1.1\r\nHost: localhost\r\n\r\n"),
    ] {
        let mut stream = served.connect();
        stream.write_all(format!("{method} / HTTP/1.1\r\nHost: localhost\r\n{body}").as_bytes()).unwrap();
        let mut stream = BufReader::new(stream);
        let reply = Reply::read(&mut stream).unwrap();
        assert!(matches!(reply.status, 405 | 413), "{reply:?}");
        assert!(Reply::read(&mut stream).is_none(), "{method} {body}");
    }
    assert_eq!(served.get_with("/api/v1/info", "Content-Length: 0\r\n").status, 200);
    // The response to HEAD has everything except the body: the next response follows immediately.
    let whole = served.get("/api/v1/info");
    let mut stream = served.connect();
    stream.write_all(b"HEAD /api/v1/info HTTP/1.1\r\nHost: localhost\r\n\r\nGET /nothing HTTP/1.1\r\nHost: localhost\r\n\r\n").unwrap();
    let mut stream = BufReader::new(stream);
    let head = Reply::read_head(&mut stream).unwrap();
    assert_eq!(head.status, 200);
    for name in ["content-length", "content-type", "etag", "cache-control"] {
        assert!(head.header(name).is_some() && head.header(name) == whole.header(name), "{name}: {head:?}");
    }
    let next = Reply::read(&mut stream).unwrap();
    assert_eq!((next.status, next.header("content-type")), (404, Some("text/plain; charset=utf-8")));
    assert_eq!(next.text().lines().count(), 1);
    assert_is_guarded(&next, "same-origin");
}

#[test]
fn requests_from_pages_of_other_sites_are_refused() {
    let (_bench, local) = served(&[]);
    let (_bench, shared) = served(&["--cors", "https://a.example"]);
    for (headers, status, if_shared) in [
        ("Sec-Fetch-Site: cross-site", 403, 403),
        ("Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: navigate\r\nSec-Fetch-Dest: document", 403, 403),
        ("Sec-Fetch-Site: cross-site\r\nOrigin: https://b.example", 403, 403),
        ("Sec-Fetch-Site: cross-site\r\nOrigin: https://a.example", 403, 200),
        ("Sec-Fetch-Site: same-origin", 200, 200),
        ("Sec-Fetch-Site: none", 200, 200),
        ("Origin: https://b.example", 200, 200),
    ] {
        let headers = format!("{headers}\r\n");
        assert_eq!(local.get_with("/api/v1/info", &headers).status, status, "{headers}");
        assert_eq!(shared.get_with("/api/v1/info", &headers).status, if_shared, "{headers}");
    }
    // Other methods are refused for all pages of other sites, even for those that may read answers.
    for (headers, status) in [
        ("Origin: https://a.example", 403),
        ("Origin: http://localhost:8080", 403),
        ("Origin: null", 403),
        ("Origin: https://a.example\r\nSec-Fetch-Site: cross-site", 403),
        ("Origin: http://localhost", 405),
        ("Origin: https://chess.example\r\nSec-Fetch-Site: same-origin", 405),
    ] {
        let head = format!("POST /api/v1/info HTTP/1.1\r\nHost: localhost\r\n{headers}\r\n\r\n");
        let reply = shared.send(head);
        assert_is_guarded(&reply, "cross-origin");
        assert_eq!(reply.status, status, "{headers}");
    }
    // A link leads to a page, not to an answer of the API.
    let visit = "Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: navigate\r\nSec-Fetch-Dest: document\r\n";
    assert_ne!(local.get_with("/explorer", visit).status, 403);
    assert_eq!(local.get_with("/explorer", &visit.replace("document", "iframe")).status, 403);
}

#[test]
fn allowed_origins_may_read_answers() {
    let headers = |reply: &Reply| {
        ["access-control-allow-origin", "vary", "cross-origin-resource-policy"]
            .map(|name| reply.all(name).replace("Accept-Encoding, ", "").replace("Accept-Encoding", ""))
    };
    let some = |texts: [&str; 3]| texts.map(str::to_owned);
    for (cors, origin, expected) in [
        (None, "https://a.example", ["", "", "same-origin"]),
        (Some("https://a.example"), "https://a.example", ["https://a.example", "Origin", "cross-origin"]),
        (Some("https://a.example"), "https://b.example", ["", "Origin", "cross-origin"]),
        (Some("*"), "https://b.example", ["*", "Origin", "cross-origin"]),
    ] {
        let arguments: Vec<&str> = cors.into_iter().flat_map(|cors| ["--cors", cors]).collect();
        let (_bench, served) = served(&arguments);
        let origin_line = format!("Origin: {origin}\r\n");
        let reply = served.get_with("/api/v1/info", &origin_line);
        assert_eq!((reply.status, headers(&reply)), (200, some(expected)), "{cors:?} {origin}");
        assert_is_guarded(&reply, expected[2]);
        let preflight = served.send(format!(
            "OPTIONS /api/v1/info HTTP/1.1\r\nHost: localhost\r\n{origin_line}Access-Control-Request-Method: GET\r\n\
             Access-Control-Request-Headers: authorization\r\n\r\n"
        ));
        assert_eq!((preflight.status, headers(&preflight)), (204, some(expected)), "{cors:?} {origin}");
        let allowed = ["access-control-allow-methods", "access-control-allow-headers"]
            .map(|name| preflight.header(name));
        let is_allowed = !expected[0].is_empty();
        let methods =
            ["GET, HEAD", "Authorization, Accept, Content-Type"].map(|text| is_allowed.then_some(text));
        assert_eq!(allowed, methods);
    }
}

#[test]
fn the_header_of_a_request_is_limited() {
    let (_bench, served) = served(&[]);
    let head = |filler: usize| {
        format!("GET /api/v1/info HTTP/1.1\r\nHost: localhost\r\nX: {}\r\n\r\n", "x".repeat(filler))
    };
    let rest = head(0).len();
    let refused = |request: String| {
        let mut stream = BufReader::new(served.connect());
        stream.get_mut().write_all(request.as_bytes()).unwrap();
        assert_is_cut_off(&mut stream);
    };
    for bytes in [(16 << 10) - 1, 16 << 10] {
        assert_eq!(served.send(head(bytes - rest)).status, 200, "{bytes}");
    }
    for bytes in [(16 << 10) + 1, 2 * (16 << 10)] {
        refused(head(bytes - rest));
    }
    refused(format!("GET /{} HTTP/1.1\r\nHost: localhost\r\n\r\n", "x".repeat(20 << 10)));
    // Too many header lines.
    refused(format!("GET / HTTP/1.1\r\nHost: localhost\r\n{}\r\n", "a:b\r\n".repeat(300)));
}

#[test]
fn pipelined_requests_are_answered_in_order_until_an_invalid_one() {
    let (_bench, served) = served(&[]);
    let asked = |path: usize| format!("GET /api/v1/games/{path} HTTP/1.1\r\nHost: localhost\r\n\r\n");
    let all: String = (1..=50).map(asked).collect();
    let stream = served.connect();
    (&stream).write_all((all + "GET / HTTP/1.1\r\nno header\r\n\r\n" + &asked(7)).as_bytes()).unwrap();
    let mut stream = BufReader::new(stream);
    for id in 1..=50 {
        let reply = Reply::read(&mut stream).unwrap();
        let game: serde_json::Value = serde_json::from_slice(&reply.body).unwrap();
        assert_eq!(game["id"], id);
    }
    assert_is_cut_off(&mut stream);
}

#[test]
fn invalid_requests_are_refused_and_the_server_continues() {
    let (_bench, served) = served(&[]);
    for nonsense in [
        &b"\0\0\0\0\r\n\r\n"[..],
        b"GET\r\n\r\n",
        b"GET / HTTP/9.9\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost localhost\r\n\r\n",
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    ] {
        let mut stream = served.connect();
        stream.write_all(nonsense).unwrap();
        stream.shutdown(std::net::Shutdown::Write).unwrap();
        if let Some(reply) = Reply::read(&mut BufReader::new(stream)) {
            assert!((400..500).contains(&reply.status), "{nonsense:?}");
        }
    }
    for path in ["/..", "/../../etc/passwd", "/%2e%2e/", "/%5c..", "/%00", "//", "//etc/passwd", "/%ff"] {
        let reply = served.get(path);
        assert_eq!(reply.status, 404, "{path}");
        assert_is_guarded(&reply, "same-origin");
    }
    assert_eq!(served.get("/api/v1/info").status, 200);
}

#[test]
fn an_answer_that_the_client_already_has_is_not_sent_again() {
    let (_bench, served) = served(&[]);
    let whole = served.get("/api/v1/info");
    let tag = whole.header("etag").unwrap();
    assert_eq!(whole.header("cache-control"), Some("no-cache"));
    for (tags, status) in [
        (tag.to_owned(), 304),
        (format!("W/{tag}"), 304),
        (format!("\"a\", {tag}"), 304),
        ("*".to_owned(), 304),
        ("\"a\"".to_owned(), 200),
        (tag.trim_matches('"').to_owned(), 200),
    ] {
        let reply = served.get_with("/api/v1/info", &format!("If-None-Match: {tags}\r\n"));
        assert_eq!(
            (reply.status, reply.header("etag"), reply.body.is_empty()),
            (status, Some(tag), status == 304),
            "{tags}"
        );
        assert_is_guarded(&reply, "same-origin");
    }
}
