//! A connection that is closed when its client reads nothing for some time. hyper limits the wait for the header of a
//! request, but not the wait to write: a client that reads nothing would keep its connection, and the thread that
//! writes an export for it, permanently.

use std::{
    io::{self, ErrorKind, IoSlice},
    pin::Pin,
    task::{Context, Poll, ready},
    time::Duration,
};

use tokio::{
    io::{AsyncRead, AsyncWrite, ReadBuf},
    time::{Instant, Sleep, sleep},
};

/// The connection.
pub(super) struct WriteTimeout<S> {
    stream: S,
    time: Duration,
    timer: Pin<Box<Sleep>>,
    /// Whether the last write had to wait, so that the timer runs.
    waits: bool,
}

impl<S> WriteTimeout<S> {
    /// A write that waits longer than `time` is an error.
    pub(super) fn new(stream: S, time: Duration) -> WriteTimeout<S> {
        WriteTimeout { stream, time, timer: Box::pin(sleep(time)), waits: false }
    }

    /// The result of a write. The time begins with the first write that has to wait, and ends with any write that
    /// succeeds.
    fn limit(
        &mut self,
        context: &mut Context<'_>,
        written: Poll<io::Result<usize>>,
    ) -> Poll<io::Result<usize>> {
        if written.is_ready() {
            self.waits = false;
            return written;
        }
        if !self.waits {
            self.waits = true;
            self.timer.as_mut().reset(Instant::now() + self.time);
        }
        ready!(self.timer.as_mut().poll(context));
        Poll::Ready(Err(ErrorKind::TimedOut.into()))
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for WriteTimeout<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for WriteTimeout<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.limit(context, written)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        parts: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write_vectored(context, parts);
        self.limit(context, written)
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

#[cfg(test)]
mod tests {
    use std::future::poll_fn;

    use tokio::{
        net::{TcpListener, TcpStream},
        runtime::Runtime,
        time::timeout,
    };

    use super::*;

    const TIME: Duration = Duration::from_millis(500);

    /// Both ends of a connection.
    async fn connection() -> (WriteTimeout<TcpStream>, TcpStream) {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let client = TcpStream::connect(listener.local_addr().unwrap()).await.unwrap();
        (WriteTimeout::new(listener.accept().await.unwrap().0, TIME), client)
    }

    /// Writes until an error.
    async fn write(mut server: WriteTimeout<TcpStream>) -> ErrorKind {
        let bytes = [0; 1 << 16];
        loop {
            let written = poll_fn(|context| Pin::new(&mut server).poll_write(context, &bytes)).await;
            if let Err(error) = written {
                return error.kind();
            }
        }
    }

    #[test]
    fn a_client_that_reads_nothing_is_cut_off_and_a_slow_one_is_not() {
        Runtime::new().unwrap().block_on(async {
            let (server, _client) = connection().await;
            assert_eq!(timeout(30 * TIME, write(server)).await, Ok(ErrorKind::TimedOut));

            let (server, client) = connection().await;
            let written = tokio::spawn(write(server));
            let mut taken = vec![0; 16 << 20];
            for _ in 0..8 {
                sleep(TIME / 4).await;
                client.readable().await.unwrap();
                while client.try_read(&mut taken).is_ok_and(|bytes| bytes > 0) {}
                assert!(!written.is_finished());
            }
            assert_eq!(timeout(30 * TIME, written).await.unwrap().unwrap(), ErrorKind::TimedOut);
        });
    }
}
