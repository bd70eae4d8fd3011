//! A server on a free port, and a client that writes raw requests.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
#![allow(dead_code, reason = "each test file uses a part of this")]

use lambda6_server::{Listening, Memory, Options};
use std::net::SocketAddr;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
    task::JoinHandle,
};

/// A server on a free port, which ends with the test.
pub struct Server {
    pub address: SocketAddr,
    pub memory: Memory,
    task: JoinHandle<()>,
}

impl Drop for Server {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// An answer: status, head, body.
pub struct Reply {
    pub status: u16,
    pub head: String,
    pub body: String,
}

impl Reply {
    /// Reads until the server closes the connection.
    pub async fn read(stream: &mut (impl AsyncReadExt + Unpin)) -> Reply {
        let mut bytes = Vec::new();
        // A server that refuses a body may close before all of it was sent.
        let _ = stream.read_to_end(&mut bytes).await;
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let (head, body) = text.split_once("\r\n\r\n").unwrap_or((&text, ""));
        let status = head.split(' ').nth(1).and_then(|code| code.parse().ok()).unwrap_or(0);
        let body =
            if head.contains("transfer-encoding: chunked") { unchunked(body) } else { body.to_string() };
        Reply { status, head: head.to_string(), body }
    }

    pub fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.body).unwrap_or_else(|e| panic!("{e}: {}", self.body))
    }
}

pub async fn start(options: Options) -> Server {
    let options = Options { address: SocketAddr::from(([127, 0, 0, 1], 0)), ..options };
    let listening = Listening::start(options).await.expect("the server starts");
    Server { address: listening.address(), memory: listening.memory(), task: tokio::spawn(listening.serve()) }
}

impl Server {
    pub async fn open(&self, request: &[u8]) -> TcpStream {
        let mut stream = TcpStream::connect(self.address).await.expect("the server listens");
        stream.write_all(request).await.expect("the server reads");
        stream
    }

    /// Sends bytes and reads until the server closes the connection.
    pub async fn raw(&self, request: &[u8]) -> Reply {
        let mut stream = self.open(request).await;
        Reply::read(&mut stream).await
    }

    pub fn head(&self, method: &str, path: &str, more: &str) -> String {
        let host = if more.to_ascii_lowercase().contains("host:") {
            String::new()
        } else {
            format!("Host: {}\r\n", self.address)
        };
        format!("{method} {path} HTTP/1.1\r\n{host}Connection: close\r\n{more}")
    }

    pub async fn get(&self, path: &str, more: &str) -> Reply {
        self.raw(format!("{}\r\n", self.head("GET", path, more)).as_bytes()).await
    }

    pub fn request(&self, path: &str, more: &str, body: &[u8]) -> Vec<u8> {
        let kind = match more.to_ascii_lowercase().contains("content-type") {
            true => "",
            false => "Content-Type: application/json\r\n",
        };
        let length = body.len();
        let head = self.head("POST", path, &format!("{more}{kind}Content-Length: {length}\r\n\r\n"));
        [head.as_bytes(), body].concat()
    }

    pub async fn post(&self, path: &str, body: &str) -> Reply {
        self.raw(&self.request(path, "", body.as_bytes())).await
    }
}

fn unchunked(mut body: &str) -> String {
    let mut text = String::new();
    while let Some((length, rest)) = body.split_once("\r\n") {
        let length = usize::from_str_radix(length, 16).unwrap_or(0);
        text.push_str(rest.get(..length).unwrap_or_default());
        body = rest.get(length + 2..).unwrap_or_default();
    }
    text
}

/// A position that is won by double threats.
pub const WIN: &str = r#"{"moves":["j10","l10k9","i7k7","i9j9","h9j7","l7m9","l9k8","i6h7"]}"#;
pub const OCTETS: &str = "Content-Type: application/octet-stream\r\n";
