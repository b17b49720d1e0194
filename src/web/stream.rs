//! An answer that is sent while it is written, in constant memory.

use std::{
    io::{self, BufWriter, ErrorKind, Write},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering::Relaxed},
    },
};

use axum::body::{Body, Bytes};
use futures_util::stream::poll_fn;
use tokio::{
    sync::{OwnedSemaphorePermit, mpsc, oneshot},
    task::spawn_blocking,
};

use super::{Result, reply::Failure};

/// The size of a chunk, and how many chunks may wait to be sent.
const PART: usize = 64 << 10;
const PARTS: usize = 4;

/// Writes a body, once it is clear that there is one.
pub(super) type Writing<'a> = Box<dyn FnOnce(&mut dyn Write) -> Result<()> + 'a>;

/// A body that is written in its own thread, which holds `permit` until it ends. `prepare` receives a flag that is set
/// when the client is gone, and a function that sends the body. It calls that function once with what to write, or
/// fails, and then there is no body.
pub(super) async fn body(
    permit: OwnedSemaphorePermit,
    prepare: impl FnOnce(&Arc<AtomicBool>, &mut dyn FnMut(Writing<'_>)) -> Result<()> + Send + 'static,
) -> Result<Body> {
    let (sender, mut parts) = mpsc::channel::<BodyChunk>(PARTS);
    let (begin, begun) = oneshot::channel();
    let stop = CancelOnDrop::default();
    let flag = Arc::clone(&stop.0);
    spawn_blocking(move || {
        let (_permit, mut begin) = (permit, Some(begin));
        let prepared = prepare(&flag, &mut |writing| {
            begin.take().into_iter().for_each(|begin| drop(begin.send(Ok(()))));
            send(&sender, writing);
        });
        if let (Err(failure), Some(begin)) = (prepared, begin) {
            drop(begin.send(Err(failure)));
        }
    });
    begun.await.unwrap_or_else(|_| Err(Failure::internal("an export thread panicked")))?;
    Ok(Body::from_stream(poll_fn(move |context| {
        // Set when the client is gone, which drops the body.
        let _stop = &stop;
        parts.poll_recv(context)
    })))
}

/// A chunk of a body; an error if the body is cut off.
type BodyChunk = Result<Bytes, io::Error>;

/// Sends what is written.
fn send(sender: &mpsc::Sender<BodyChunk>, writing: Writing<'_>) {
    let mut out = BufWriter::with_capacity(PART, Sink(sender));
    let written = writing(&mut out).map_err(|failure| io::Error::other(failure.to_string()));
    if let Err(error) = written.and_then(|()| out.flush()) {
        // A client that has gone sees nothing; one that is still there sees that something is missing.
        let _ = sender.blocking_send(Err(error));
    }
}

struct Sink<'a>(&'a mpsc::Sender<BodyChunk>);

impl Write for Sink<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let sent = self.0.blocking_send(Ok(Bytes::copy_from_slice(bytes)));
        sent.map(|()| bytes.len()).map_err(|_| ErrorKind::BrokenPipe.into())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Sets its flag when it is dropped.
#[derive(Debug, Default)]
pub(super) struct CancelOnDrop(pub Arc<AtomicBool>);

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        self.0.store(true, Relaxed);
    }
}
