//! The server itself: accepts, limits, answers and closes connections.

use std::{
    convert::Infallible,
    io,
    net::{SocketAddr, TcpListener},
    sync::Arc,
    time::Duration,
};

use axum::{
    Router,
    http::{Request, header::ORIGIN},
    response::Response,
};
use hyper::{
    body::Incoming,
    server::conn::http1,
    service::{Service, service_fn},
};
use hyper_util::{
    rt::{TokioIo, TokioTimer},
    server::graceful::GracefulShutdown,
    service::TowerToHyperService,
};
use tokio::{
    runtime::Runtime,
    sync::watch,
    time::{sleep, timeout},
};

use super::{
    AppState,
    bounded::bounded,
    connections::{Place, Places},
    cross_origin::CrossOrigin,
    edit::{self, Editing},
    guard::{Guard, has_body},
    reply::as_json,
    routes,
    write_timeout::WriteTimeout,
};
use crate::limits::{MAX_CONNECTIONS, MAX_REQUEST_HEAD_BYTES, REQUEST_TIME, SHUTDOWN_TIMEOUT, STALLED_TIME};

/// How long the server waits if the system cannot accept another connection.
const RETRY_DELAY: Duration = Duration::from_millis(50);

/// Who may use a server, in addition to this machine.
#[derive(Clone, Debug, Default)]
pub struct Access {
    /// Allowed host names, in addition to `localhost`.
    pub names: Vec<String>,
    /// Origins whose pages may read answers, as browsers write them; `*` for all.
    pub origins: Vec<String>,
    /// Origins whose pages may show games in frames; see [`check_origin`](super::check_origin).
    pub embedding: Vec<String>,
}

/// A server that is bound to its address.
#[derive(Debug)]
pub struct Server {
    listener: TcpListener,
    shared: Arc<Shared>,
    editing: Option<Arc<Editing>>,
    state: Option<Arc<AppState>>,
}

/// Stops a server from any thread.
#[derive(Clone, Debug, Default)]
pub struct Stopper(watch::Sender<bool>);

/// State shared by all connections.
#[derive(Debug)]
struct Shared {
    guard: Guard,
    router: TowerToHyperService<Router>,
}

impl Server {
    /// Binds an address. Clients can connect from then on; they are answered once the server [runs](Server::run).
    ///
    /// # Errors
    /// From the system: the address is in use, or does not belong to this machine.
    pub fn bind(address: SocketAddr, access: Access, state: Arc<AppState>) -> io::Result<Server> {
        let listener = TcpListener::bind(address)?;
        let (address, log) = (listener.local_addr()?, state.log);
        let editing = state.edits.clone();
        let editing = editing.map(|path| Arc::new(Editing::new(Arc::clone(&state), path, address)));
        let mut routes = bounded(routes::router(Arc::clone(&state)));
        if let Some(editing) = &editing {
            routes = edit::router(routes, editing);
        }
        Ok(Server { editing, state: Some(state), ..Server::of(listener, access, log, routes)? })
    }

    /// The same for any routes. `log` receives lines for the operator of the server.
    fn of(listener: TcpListener, access: Access, log: fn(&str), routes: Router) -> io::Result<Server> {
        listener.set_nonblocking(true)?;
        let bound = listener.local_addr()?.ip();
        let guard =
            Guard::new(bound, access.names, CrossOrigin::new(access.origins, &access.embedding)?, log);
        let shared = Arc::new(Shared { guard, router: TowerToHyperService::new(routes) });
        Ok(Server { listener, shared, editing: None, state: None })
    }

    /// Editing the archive, if the server does that.
    pub fn editing(&self) -> Option<Arc<Editing>> {
        self.editing.clone()
    }

    /// The bound address, with the port that the system chose if it was left open.
    ///
    /// # Errors
    /// From the system.
    pub fn address(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }

    /// Answers requests until the server is stopped. Then it accepts no new connections, and answers in progress get
    /// some time to finish.
    ///
    /// # Errors
    /// From the system.
    pub fn run(self, stopper: &Stopper) -> io::Result<()> {
        let runtime = Runtime::new()?;
        runtime.block_on(self.accept(stopper.0.subscribe()))?;
        // Queries that have not ended by now are abandoned.
        runtime.shutdown_background();
        Ok(())
    }

    async fn accept(self, mut stop: watch::Receiver<bool>) -> io::Result<()> {
        let listener = tokio::net::TcpListener::from_std(self.listener)?;
        let places = Places::new(MAX_CONNECTIONS);
        let (http, connections) = (http(), GracefulShutdown::new());
        self.state.map(|state| tokio::spawn(async move { state.count_names().await }));
        loop {
            let accepted = async {
                let (stream, _) = listener.accept().await?;
                Ok::<_, io::Error>((stream, places.take().await))
            };
            let accepted = tokio::select! {
                accepted = accepted => accepted,
                _ = stop.wait_for(|stop| *stop) => break,
            };
            let Ok((stream, place)) = accepted else {
                sleep(RETRY_DELAY).await;
                continue;
            };
            // Answers are sent in one piece; there is nothing to wait for.
            let _ = stream.set_nodelay(true);
            let (shared, own) = (Arc::clone(&self.shared), Arc::clone(&place));
            let service = service_fn(move |request| {
                let (shared, place) = (Arc::clone(&shared), Arc::clone(&own));
                async move { Ok::<_, Infallible>(shared.work(&place, request).await) }
            });
            let io = TokioIo::new(WriteTimeout::new(stream, STALLED_TIME));
            let connection = connections.watch(http.serve_connection(io, service));
            tokio::spawn(async move {
                tokio::select! {
                    // Errors of a client concern only that client.
                    _ = connection => (),
                    () = place.closed() => (),
                }
            });
        }
        drop(listener);
        let _ = timeout(SHUTDOWN_TIMEOUT, connections.shutdown()).await;
        Ok(())
    }
}

impl Stopper {
    /// Stops the server, or one that is not running yet.
    pub fn stop(&self) {
        self.0.send_replace(true);
    }
}

/// hyper's limits for a client. It reads ahead while it answers, at most one more header.
fn http() -> http1::Builder {
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new())
        .header_read_timeout(REQUEST_TIME)
        .max_header_size(MAX_REQUEST_HEAD_BYTES)
        .max_buf_size(2 * MAX_REQUEST_HEAD_BYTES);
    http
}

impl Shared {
    /// Responds to a request of the connection at a place.
    async fn work(&self, place: &Arc<Place>, request: Request<Incoming>) -> Response {
        // A body that anybody may send is waited for like a header.
        let waits = has_body(request.headers()) && !request.uri().path().starts_with("/edit/");
        let work = (!waits).then(|| place.work());
        let response = self.respond(request).await;
        match work {
            Some(work) => work.end_with(response),
            None => response,
        }
    }

    async fn respond(&self, request: Request<Incoming>) -> Response {
        let origin = request.headers().get(ORIGIN).cloned();
        let uri = request.uri().clone();
        let is_api = routes::is_api(uri.path());
        let refused = self.guard.refusal(&request).or_else(|| self.guard.cross_origin.options(&request));
        let mut response = match refused {
            Some(response) => response,
            None => match self.router.call(request).await {
                Ok(response) => response,
                Err(never) => match never {},
            },
        };
        if is_api {
            response = as_json(response);
        }
        self.guard.cross_origin.add_headers(uri.path(), origin, response.headers_mut());
        response
    }
}

#[cfg(test)]
mod tests {
    use std::{
        io::{Read, Write},
        net::{Shutdown, TcpStream},
        pin::Pin,
        task::{Context, Poll},
        thread,
    };

    use axum::{
        body::{Body, Bytes, HttpBody},
        extract::DefaultBodyLimit,
        http::StatusCode,
        routing::{get, post},
    };
    use hyper::body::Frame;
    use tokio::sync::Semaphore;

    use super::*;
    use crate::web::{Failure, bounded::bounded_by, stream};

    /// A route that takes a body and streams it back, as a future page might need.
    async fn echo(body: Bytes) -> Result<Body, Failure> {
        let permit = Arc::new(Semaphore::new(1)).acquire_owned().await;
        let permit = permit.map_err(|_| Failure::Busy)?;
        stream::body(permit, move |_, send| {
            send(Box::new(move |out| {
                body.chunks(3).try_for_each(|part| out.write_all(part)).map_err(|_| Failure::Unwanted)
            }));
            Ok(())
        })
        .await
    }

    async fn panics() -> Response {
        panic!("as it was asked to")
    }

    fn routes() -> Router {
        Router::new()
            .route("/echo", post(echo).layer(DefaultBodyLimit::max(10)))
            .route("/unlimited", post(echo))
            .route("/panics", get(panics))
    }

    /// The status of a response, and all of its text.
    fn ask(address: SocketAddr, line: &str, headers: &str, body: &str) -> (u16, String) {
        let mut stream = TcpStream::connect(address).unwrap();
        let length = match body {
            "" => String::new(),
            body => format!("Content-Length: {}\r\n", body.len()),
        };
        let head =
            format!("{line} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n{headers}{length}\r\n");
        stream.write_all((head + body).as_bytes()).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        (answer.split(' ').nth(1).unwrap().parse().unwrap(), answer)
    }

    /// Runs a test against a server with these routes.
    fn serving(test: impl FnOnce(SocketAddr)) {
        let access = Access { origins: vec!["https://a.example".to_owned()], ..Access::default() };
        let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
        let server = Server::of(listener, access, |_| (), bounded(routes())).unwrap();
        let (address, stopper) = (server.address().unwrap(), Stopper::default());
        thread::scope(|threads| {
            threads.spawn(|| server.run(&stopper).unwrap());
            test(address);
            stopper.stop();
        });
    }

    #[test]
    fn a_route_may_accept_a_bounded_body_and_others_accept_none() {
        serving(|address| {
            let (status, answer) = ask(address, "POST /echo", "", "0123456789");
            assert_eq!(status, 200);
            assert!(
                answer.contains("transfer-encoding: chunked") && answer.contains("0123456789"),
                "{answer}"
            );
            let chunked = "Transfer-Encoding: chunked\r\n\r\n6\r\nabcdef\r\n5\r\nghijk\r\n0\r\n";
            for (line, headers, body, status) in [
                ("POST /echo", "", "0123456789a", 413),
                ("POST /echo", chunked, "", 413),
                ("POST /unlimited", "", "0", 413),
                ("GET /echo", "", "0", 413),
                ("GET /echo", "", "", 405),
                ("PUT /echo", "", "0", 405),
            ] {
                let (found, answer) = ask(address, line, headers, body);
                assert_eq!(found, status, "{line} {answer}");
                assert!(answer.contains("x-content-type-options: nosniff"), "{answer}");
            }
        });
    }

    #[test]
    fn only_pages_of_the_server_itself_may_do_more_than_read() {
        serving(|address| {
            for (headers, status) in [
                (String::new(), 200),
                (format!("Origin: http://{address}\r\n"), 200),
                (format!("Origin: http://{address}\r\nSec-Fetch-Site: same-origin\r\n"), 200),
                // A proxy that used its own host name.
                ("Origin: https://chess.example\r\nSec-Fetch-Site: same-origin\r\n".to_owned(), 200),
                ("Origin: http://localhost:1\r\n".to_owned(), 403),
                ("Origin: null\r\n".to_owned(), 403),
                // Origins that may read answers may not do more.
                ("Origin: https://a.example\r\n".to_owned(), 403),
                ("Origin: https://a.example\r\nSec-Fetch-Site: cross-site\r\n".to_owned(), 403),
                (format!("Origin: http://{address}\r\nSec-Fetch-Site: same-site\r\n"), 403),
            ] {
                assert_eq!(ask(address, "POST /echo", &headers, "a").0, status, "{headers}");
            }
        });
    }

    #[test]
    fn a_handler_that_panics_does_not_affect_other_requests() {
        serving(|address| {
            for _ in 0..3 {
                let (status, answer) = ask(address, "GET /panics", "", "");
                assert_eq!(status, 500);
                assert!(answer.ends_with("internal error; see the server log\n"), "{answer}");
            }
            // Neither does a body that is cut off.
            let mut broken = TcpStream::connect(address).unwrap();
            let head = format!("POST /echo HTTP/1.1\r\nHost: {address}\r\nContent-Length: 5\r\n\r\nab");
            broken.write_all(head.as_bytes()).unwrap();
            broken.shutdown(Shutdown::Write).unwrap();
            let _ = broken.read_to_string(&mut String::new());
            assert_eq!(ask(address, "POST /echo", "", "a").0, 200);
        });
    }

    /// A body that never sends anything.
    struct Never;

    impl HttpBody for Never {
        type Data = Bytes;
        type Error = Infallible;

        fn poll_frame(
            self: Pin<&mut Self>,
            _: &mut Context<'_>,
        ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
            Poll::Pending
        }
    }

    #[test]
    fn a_body_that_does_not_arrive_times_out() {
        let router = TowerToHyperService::new(bounded_by(routes(), Duration::from_millis(50)));
        let request = Request::post("/echo").body(Body::new(Never)).unwrap();
        let answer = Runtime::new().unwrap().block_on(async { router.call(request).await });
        assert_eq!(answer.unwrap().status(), StatusCode::BAD_REQUEST);
    }
}
