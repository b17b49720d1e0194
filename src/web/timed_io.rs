//! A connection that hands on requests one by one, refuses what is none, and is closed when its client takes too long:
//! before the first byte of a request, from there to the end of its head, between two requests, and while it takes none
//! of its answer.
//!
//! hyper's own time-out for headers would count the time between two requests too, and would close nothing while an
//! answer is written; what it refuses by itself lacks the headers that every answer has.

use std::{
    io::{self, ErrorKind},
    pin::Pin,
    sync::{Arc, Mutex, PoisonError},
    task::{Context, Poll, Waker, ready},
    time::Duration,
};

use axum::http::HeaderMap;
use tokio::{
    io::{AsyncRead, AsyncWrite, ReadBuf},
    net::TcpStream,
    time::{Instant, Sleep, sleep_until},
};

use super::heads::{Head, Heads, refusal};
use crate::limits::{HEAD_TIME, IDLE_TIME, STALLED_TIME};

/// Bytes that are read at a time.
const READ_BYTES: usize = 4096;

/// What a connection is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    /// The head of a request is coming, or the first one is still to come.
    Head,
    /// A request is being answered.
    Answer,
    /// The next request is still to come.
    Idle,
}

/// Whether a request is being answered, known to the connection and to whoever answers.
#[derive(Clone, Debug, Default)]
pub(super) struct Exchange(Arc<Mutex<Turn>>);

#[derive(Debug, Default)]
struct Turn {
    is_answer: bool,
    /// Who waits to read the next request.
    next: Option<Waker>,
}

/// A request that is being answered, until it is dropped.
#[derive(Debug)]
pub(super) struct Answering(Exchange);

impl Exchange {
    /// For whoever answers the request that has been handed on.
    pub(super) fn answer(&self) -> Answering {
        Answering(self.clone())
    }

    fn with<T>(&self, act: impl FnOnce(&mut Turn) -> T) -> T {
        act(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Drop for Answering {
    fn drop(&mut self) {
        let next = self.0.with(|turn| {
            turn.is_answer = false;
            turn.next.take()
        });
        if let Some(next) = next {
            next.wake();
        }
    }
}

/// The connection.
pub(super) struct TimedIo {
    stream: TcpStream,
    exchange: Exchange,
    heads: Heads,
    /// What every answer has.
    headers: Arc<HeaderMap>,
    /// What goes out last: why nothing more is answered.
    last_words: Vec<u8>,
    /// Whether the client sends no more, or is not listened to any more.
    has_ended: bool,
    read: Deadline,
    /// The phase that the deadline for reading is about.
    read_phase: Phase,
    write: Deadline,
}

impl TimedIo {
    pub(super) fn new(stream: TcpStream, exchange: Exchange, headers: Arc<HeaderMap>) -> TimedIo {
        let (mut read, write) = (Deadline::default(), Deadline::default());
        read.set(HEAD_TIME);
        TimedIo {
            stream,
            exchange,
            heads: Heads::default(),
            headers,
            last_words: Vec::new(),
            has_ended: false,
            read,
            read_phase: Phase::Head,
            write,
        }
    }

    /// What the connection is doing. While a request is answered, the end of that will wake the task.
    fn phase(&self, context: &Context<'_>) -> Phase {
        let is_answer = self.exchange.with(|turn| {
            turn.next = turn.is_answer.then(|| context.waker().clone());
            turn.is_answer
        });
        match self.read_phase {
            _ if is_answer => Phase::Answer,
            _ if !self.heads.is_empty() => Phase::Head,
            // The first request is still to come.
            Phase::Head => Phase::Head,
            _ => Phase::Idle,
        }
    }

    fn enter(&mut self, phase: Phase) {
        if phase != self.read_phase {
            self.read_phase = phase;
            match phase {
                Phase::Head => self.read.set(HEAD_TIME),
                Phase::Answer => self.read.clear(),
                Phase::Idle => self.read.set(IDLE_TIME),
            }
        }
    }

    /// Hands on what is left of a head, or of the next one if that is whole; whether anything was.
    fn hand_on(&mut self, phase: Phase, buffer: &mut ReadBuf<'_>) -> bool {
        let is_next = self.heads.whole().is_empty() && !self.heads.has_body();
        if is_next && phase != Phase::Answer && !self.has_ended {
            match self.heads.look() {
                Head::Whole => {
                    self.exchange.with(|turn| turn.is_answer = true);
                    self.enter(Phase::Answer);
                }
                Head::Part => {}
                Head::Refused(status) => {
                    self.last_words = refusal(status, self.heads.is_of_api(), &self.headers);
                    self.has_ended = true;
                }
            }
        }
        let bytes = self.heads.whole().len().min(buffer.remaining());
        buffer.put_slice(&self.heads.whole()[..bytes]);
        self.heads.hand_on(bytes);
        bytes > 0
    }

    /// Reads what comes; whether it is the end.
    fn take_in(&mut self, context: &mut Context<'_>) -> Poll<io::Result<bool>> {
        let mut bytes = [0; READ_BYTES];
        let mut bytes = ReadBuf::new(&mut bytes);
        ready!(Pin::new(&mut self.stream).poll_read(context, &mut bytes))?;
        self.heads.add(bytes.filled());
        Poll::Ready(Ok(bytes.filled().is_empty()))
    }
}

impl AsyncRead for TimedIo {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        loop {
            let phase = self.phase(context);
            self.enter(phase);
            let is_handed_on = self.hand_on(phase, buffer);
            if is_handed_on || self.has_ended {
                return Poll::Ready(Ok(()));
            }
            if self.heads.has_body() {
                // It is refused, and the refusal is the last thing that is said.
                self.has_ended = phase != Phase::Answer;
                return if self.has_ended { Poll::Ready(Ok(())) } else { Poll::Pending };
            }
            // Requests that come before their turn wait, not all of them here.
            if phase == Phase::Answer && self.heads.is_full() {
                return Poll::Pending;
            }
            match self.take_in(context) {
                Poll::Ready(ended) => self.has_ended = ended?,
                Poll::Pending => return self.read.poll(context),
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
        while !self.last_words.is_empty() {
            let words = std::mem::take(&mut self.last_words);
            let wrote = self.as_mut().poll_write(context, &words);
            let written = match &wrote {
                Poll::Ready(Ok(bytes)) => *bytes,
                _ => 0,
            };
            self.last_words = words[written..].to_vec();
            if ready!(wrote)? == 0 {
                return Poll::Ready(Err(ErrorKind::WriteZero.into()));
            }
        }
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
