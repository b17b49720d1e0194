//! The server itself: connections are accepted, bounded, answered, and ended.

use std::{
    future::Future,
    io,
    net::{SocketAddr, TcpListener},
    panic::{AssertUnwindSafe, catch_unwind},
    pin::Pin,
    sync::Arc,
    task::{Context, Poll},
    time::Duration,
};

use axum::{
    Router,
    body::{Body, Bytes, HttpBody},
    http::{HeaderMap, Request, Response, StatusCode, header::ORIGIN},
};
use hyper::{
    body::{Frame, Incoming, SizeHint},
    server::conn::http1,
    service::{Service, service_fn},
};
use hyper_util::{rt::TokioIo, service::TowerToHyperService};
use tokio::{
    net::TcpStream,
    runtime::Runtime,
    sync::{Semaphore, watch},
    time::{sleep, timeout},
};

use super::{
    AppState,
    cross_origin::CrossOrigin,
    guard::Guard,
    reply::{as_json, refusal},
    routes,
    timed_io::{Answering, Exchange, TimedIo},
};
use crate::limits::{GRACE_TIME, MAX_CONNECTIONS, MAX_REQUEST_HEAD_BYTES};

/// How long it is waited when the system has no room for a connection.
const A_WHILE: Duration = Duration::from_millis(50);

/// Who may ask a server besides this machine by its own names.
#[derive(Clone, Debug, Default)]
pub struct Access {
    /// Names that the server may be asked by, besides `localhost`.
    pub names: Vec<String>,
    /// Origins whose pages may read answers, as browsers name them; `*` for all.
    pub origins: Vec<String>,
}

/// A server that is bound to its address.
#[derive(Debug)]
pub struct Server {
    listener: TcpListener,
    shared: Arc<Shared>,
    stop: watch::Sender<bool>,
}

/// Ends a server.
#[derive(Clone, Debug)]
pub struct Stopper(watch::Sender<bool>);

/// What all connections share.
#[derive(Debug)]
struct Shared {
    guard: Guard,
    router: TowerToHyperService<Router>,
    /// What every answer has.
    headers: Arc<HeaderMap>,
}

impl Server {
    /// Binds an address. Who connects from then on is answered once the server [runs](Server::run).
    ///
    /// # Errors
    /// The system's: the address is taken, or not this machine's.
    pub fn bind(address: SocketAddr, access: Access, state: Arc<AppState>) -> io::Result<Server> {
        let listener = TcpListener::bind(address)?;
        listener.set_nonblocking(true)?;
        let bound = listener.local_addr()?.ip();
        let guard = Guard::new(bound, access.names, CrossOrigin::new(access.origins), state.logger());
        let router = TowerToHyperService::new(routes::router(state));
        let mut headers = HeaderMap::new();
        guard.cross_origin.add_headers(None, &mut headers);
        let shared = Arc::new(Shared { guard, router, headers: Arc::new(headers) });
        Ok(Server { listener, shared, stop: watch::Sender::new(false) })
    }

    /// The address that is bound, with the port that the system chose where it was to choose.
    ///
    /// # Errors
    /// The system's.
    pub fn address(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }

    /// What ends the server, from any thread.
    pub fn stopper(&self) -> Stopper {
        Stopper(self.stop.clone())
    }

    /// Answers requests until the server is stopped: then no new connection is accepted, and answers that have begun
    /// get some time.
    ///
    /// # Errors
    /// The system's.
    pub fn run(self) -> io::Result<()> {
        let runtime = Runtime::new()?;
        runtime.block_on(self.accept())?;
        // Work that has not ended by now is not waited for.
        runtime.shutdown_background();
        Ok(())
    }

    async fn accept(self) -> io::Result<()> {
        let listener = tokio::net::TcpListener::from_std(self.listener)?;
        let room = Arc::new(Semaphore::new(MAX_CONNECTIONS));
        let mut stop = self.stop.subscribe();
        loop {
            let accepted = async {
                let room = Arc::clone(&room).acquire_owned().await;
                (listener.accept().await, room)
            };
            let (connection, place) = tokio::select! {
                accepted = accepted => accepted,
                _ = stop.wait_for(|stop| *stop) => break,
            };
            match connection {
                Ok((stream, _)) => {
                    let (shared, stop) = (Arc::clone(&self.shared), self.stop.subscribe());
                    tokio::spawn(async move {
                        converse(stream, shared, stop).await;
                        drop(place);
                    });
                }
                Err(_) => sleep(A_WHILE).await,
            }
        }
        drop(listener);
        // All have ended when there is room for all.
        let _ = timeout(GRACE_TIME, room.acquire_many(MAX_CONNECTIONS as u32)).await;
        Ok(())
    }
}

impl Stopper {
    /// Ends the server.
    pub fn stop(&self) {
        self.0.send_replace(true);
    }
}

/// Answers the requests of a connection.
async fn converse(stream: TcpStream, shared: Arc<Shared>, mut stop: watch::Receiver<bool>) {
    // Answers go out in one piece; they need not wait for more.
    let _ = stream.set_nodelay(true);
    let exchange = Exchange::default();
    let io = TokioIo::new(TimedIo::new(stream, exchange.clone(), Arc::clone(&shared.headers)));
    let service = service_fn(move |request| {
        let (shared, answering) = (Arc::clone(&shared), exchange.answer());
        async move { Ok::<_, std::convert::Infallible>(shared.respond(request, answering).await) }
    });
    let connection =
        http1::Builder::new().max_buf_size(2 * MAX_REQUEST_HEAD_BYTES).serve_connection(io, service);
    let mut connection = std::pin::pin!(connection);
    // What a client does wrong is its own affair.
    let is_stopped = tokio::select! {
        _ = connection.as_mut() => false,
        _ = stop.wait_for(|stop| *stop) => true,
    };
    if is_stopped {
        connection.as_mut().graceful_shutdown();
        let _ = connection.await;
    }
}

impl Shared {
    async fn respond(&self, request: Request<Incoming>, answering: Answering) -> Response<Until> {
        let origin = request.headers().get(ORIGIN).cloned();
        let is_api = routes::is_api(request.uri().path());
        let refused = self.guard.refusal(&request).or_else(|| self.guard.cross_origin.options(&request));
        let mut response = match refused {
            Some(response) => response,
            None => match Caught(Box::pin(self.router.call(request))).await {
                Some(Ok(response)) => response,
                _ => refusal(
                    StatusCode::INTERNAL_SERVER_ERROR,
                    "there is no answer; the log of the server says why",
                ),
            },
        };
        if is_api {
            response = as_json(response);
        }
        self.guard.cross_origin.add_headers(origin, response.headers_mut());
        response.map(|body| Until { body, _answering: answering })
    }
}

/// A body, and what is over when it has gone out.
struct Until {
    body: Body,
    _answering: Answering,
}

impl HttpBody for Until {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        Pin::new(&mut self.body).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

/// A future that comes to nothing where it panics: the server goes on.
struct Caught<F>(Pin<Box<F>>);

impl<F: Future> Future for Caught<F> {
    type Output = Option<F::Output>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<F::Output>> {
        match catch_unwind(AssertUnwindSafe(|| self.0.as_mut().poll(context))) {
            Ok(polled) => polled.map(Some),
            Err(_) => Poll::Ready(None),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_handler_that_panics_takes_nothing_else_along() {
        let runtime = Runtime::new().unwrap();
        let panics = || -> u8 { panic!("as it was asked to") };
        assert_eq!(runtime.block_on(Caught(Box::pin(async move { panics() }))), None);
        assert_eq!(runtime.block_on(Caught(Box::pin(async { 7 }))), Some(7));
    }
}
