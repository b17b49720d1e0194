//! A connection that is closed when its client takes too long: before the first byte of a request, from there to the
//! end of its head, between two requests, and while it takes none of its answer.
//!
//! hyper's own time-out for headers would count the time between two requests too, and would close nothing while an
//! answer is written.

use std::{
    io::{self, ErrorKind},
    pin::Pin,
    sync::{
        Arc,
        atomic::{AtomicU8, Ordering::Relaxed},
    },
    task::{Context, Poll, ready},
    time::Duration,
};

use tokio::{
    io::{AsyncRead, AsyncWrite, ReadBuf},
    net::TcpStream,
    time::{Instant, Sleep, sleep_until},
};

use crate::limits::{HEAD_TIME, IDLE_TIME, STALLED_TIME};

/// What a connection is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
enum Phase {
    /// The head of a request is coming, or the first one is still to come.
    Head,
    /// A request is being answered.
    Answer,
    /// The next request is still to come.
    Idle,
}

/// What a connection is doing, known to whoever answers its requests.
#[derive(Clone, Debug)]
pub(super) struct Exchange(Arc<AtomicU8>);

/// A request that is being answered, until it is dropped.
#[derive(Debug)]
pub(super) struct Answering(Exchange);

impl Exchange {
    /// A connection that has just been made.
    pub(super) fn new() -> Exchange {
        Exchange(Arc::new(AtomicU8::new(Phase::Head as u8)))
    }

    /// The head of a request is whole.
    pub(super) fn answer(&self) -> Answering {
        self.set(Phase::Answer);
        Answering(self.clone())
    }

    fn set(&self, phase: Phase) {
        self.0.store(phase as u8, Relaxed);
    }

    fn phase(&self) -> Phase {
        match self.0.load(Relaxed) {
            0 => Phase::Head,
            1 => Phase::Answer,
            _ => Phase::Idle,
        }
    }
}

impl Drop for Answering {
    fn drop(&mut self) {
        self.0.set(Phase::Idle);
    }
}

/// The connection.
pub(super) struct TimedIo {
    stream: TcpStream,
    exchange: Exchange,
    read: Deadline,
    /// The phase that the deadline for reading is about.
    read_phase: Phase,
    write: Deadline,
}

impl TimedIo {
    pub(super) fn new(stream: TcpStream, exchange: Exchange) -> TimedIo {
        let (mut read, write) = (Deadline::default(), Deadline::default());
        read.set(HEAD_TIME);
        TimedIo { stream, exchange, read, read_phase: Phase::Head, write }
    }

    /// Looks whether the client has been waited for long enough.
    fn wait_to_read(&mut self, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let phase = self.exchange.phase();
        if phase != self.read_phase {
            self.read_phase = phase;
            match phase {
                Phase::Head => self.read.set(HEAD_TIME),
                Phase::Answer => self.read.clear(),
                Phase::Idle => self.read.set(IDLE_TIME),
            }
        }
        self.read.poll(context)
    }
}

impl AsyncRead for TimedIo {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        match Pin::new(&mut self.stream).poll_read(context, buffer) {
            Poll::Pending => self.wait_to_read(context),
            Poll::Ready(read) => {
                if self.exchange.phase() == Phase::Idle && buffer.filled().len() > before {
                    self.exchange.set(Phase::Head);
                    self.read_phase = Phase::Head;
                    self.read.set(HEAD_TIME);
                }
                Poll::Ready(read)
            }
        }
    }
}

impl TimedIo {
    /// What came of a write: one that waits has a deadline, one that wrote has none.
    fn wrote(
        &mut self,
        context: &mut Context<'_>,
        wrote: Poll<io::Result<usize>>,
    ) -> Poll<io::Result<usize>> {
        if wrote.is_ready() {
            self.write.clear();
            return wrote;
        }
        if self.write.at.is_none() {
            self.write.set(STALLED_TIME);
        }
        ready!(self.write.poll(context))?;
        Poll::Pending
    }
}

impl AsyncWrite for TimedIo {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let wrote = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.wrote(context, wrote)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        parts: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let wrote = Pin::new(&mut self.stream).poll_write_vectored(context, parts);
        self.wrote(context, wrote)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}

/// A time at which waiting ends. To move it costs nothing: the timer is set anew when it has run out too early.
#[derive(Default)]
struct Deadline {
    at: Option<Instant>,
    timer: Option<Pin<Box<Sleep>>>,
}

impl Deadline {
    fn set(&mut self, after: Duration) {
        self.at = Some(Instant::now() + after);
    }

    fn clear(&mut self) {
        self.at = None;
    }

    /// An error once the time has come; until then it wakes the task in time.
    fn poll(&mut self, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let Some(at) = self.at else { return Poll::Pending };
        let timer = self.timer.get_or_insert_with(|| Box::pin(sleep_until(at)));
        if timer.deadline() > at {
            timer.as_mut().reset(at);
        }
        loop {
            ready!(timer.as_mut().poll(context));
            if timer.deadline() >= at {
                return Poll::Ready(Err(ErrorKind::TimedOut.into()));
            }
            timer.as_mut().reset(at);
        }
    }
}
