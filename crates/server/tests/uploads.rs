//! Uploads that are large, slow or never finished: the server holds a bounded
//! number of bytes and gives them back. The tests of the program measure the memory
//! of its process.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod common;

use common::{OCTETS, Reply, Server, start};
use lambda6_server::Options;
use std::time::{Duration, Instant};
use tokio::{io::AsyncWriteExt, net::TcpStream, task::JoinSet, time::timeout};

/// A valid certificate. Space behind it changes nothing.
const CERTIFICATE: &str = "connect-proof 1\ngame: 3 3 3 1 1\nblack: a1 b1\nwhite: a3 b2\nto-move: black\n\
    attacker: black\nmethod: rzop\nreplies: 1\n\nc1\n";
const MIB: usize = 1 << 20;
const UPLOADS: usize = 20;
/// The length that the uploads announce.
const LENGTH: usize = 60 * MIB;

/// Starts uploads of 60 MiB and sends all but the last byte of each, as far as the
/// server takes it within two seconds.
async fn unfinished(server: &Server, path: &str, begin: &str) -> Vec<TcpStream> {
    let mut body = vec![b' '; LENGTH - 1];
    body[..begin.len()].copy_from_slice(begin.as_bytes());
    let body: std::sync::Arc<[u8]> = body.into();
    let mut sending = JoinSet::new();
    for _ in 0..UPLOADS {
        let head = server.head("POST", path, &format!("{OCTETS}Content-Length: {LENGTH}\r\n\r\n"));
        let mut stream = server.open(head.as_bytes()).await;
        let body = std::sync::Arc::clone(&body);
        sending.spawn(async move {
            // A server that refuses the upload closes the connection.
            let _ = timeout(Duration::from_secs(2), stream.write_all(&body)).await;
            stream
        });
    }
    sending.join_all().await
}

/// Waits until the server holds nothing any more.
async fn released(server: &Server, within: Duration) -> bool {
    let begun = Instant::now();
    while server.memory.bytes() > 0 && begun.elapsed() < within {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    server.memory.bytes() == 0
}

#[tokio::test(flavor = "multi_thread")]
async fn unfinished_uploads_hold_no_more_than_the_budget_and_others_are_served() {
    let mut options = Options { uploads: 2, body_bytes: 64 * MIB, ..Options::default() };
    options.ceiling.record = 16 * MIB;
    let server = start(options).await;
    for (path, begin, least, most) in [
        // Two certificates are received, the others wait unread.
        ("/api/v1/proofs", CERTIFICATE, 1, 2 * 64 * MIB),
        // Records are refused when the budget is spent.
        ("/api/v1/record/read", "(;FF[4]", 32 * MIB, 64 * MIB),
    ] {
        let streams = unfinished(&server, path, begin).await;
        let held = server.memory.bytes();
        assert!((least..=most).contains(&held), "{path}: {} MiB held", held / MIB);
        assert_eq!(server.post("/api/v1/position", "{}").await.status, 200, "{path}");
        drop(streams);
        assert!(released(&server, Duration::from_secs(10)).await, "{path}: {}", server.memory.bytes());
    }
}

#[tokio::test]
async fn a_slow_upload_is_dropped_after_its_time() {
    let server = start(Options { upload_time: Duration::from_millis(300), ..Options::default() }).await;
    let begun = Instant::now();
    for (path, status) in [("/api/v1/record/read", 408), ("/api/v1/position", 408), ("/api/v1/proofs", 200)] {
        let head = server.head("POST", path, &format!("{OCTETS}Content-Length: 1000\r\n\r\n"));
        let mut stream = server.open(head.as_bytes()).await;
        let (mut reading, mut writing) = stream.split();
        let trickle = async {
            for byte in CERTIFICATE.bytes() {
                let _ = writing.write_all(&[byte]).await;
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
        };
        let reply = tokio::select! {
            reply = Reply::read(&mut reading) => reply,
            () = trickle => panic!("{path}: not dropped"),
        };
        assert_eq!(reply.status, status, "{path}: {}", reply.body);
        assert!(reply.body.contains("\"code\":\"timeout\""), "{path}: {}", reply.body);
        assert_eq!(server.memory.bytes(), 0, "{path}");
    }
    assert!(begun.elapsed() < Duration::from_secs(5), "{:?}", begun.elapsed());
}

#[tokio::test]
async fn the_time_of_the_check_does_not_count_as_the_time_of_the_upload() {
    let server =
        start(Options { upload_time: Duration::from_secs(2), uploads: 1, ..Options::default() }).await;
    // The second upload waits unread for longer than an upload may take.
    let head = server.head("POST", "/api/v1/proofs", &format!("{OCTETS}Content-Length: 1000\r\n\r\n"));
    let _first = server.open(head.as_bytes()).await;
    tokio::time::sleep(Duration::from_millis(100)).await;
    let second = server.raw(&server.request("/api/v1/proofs", OCTETS, CERTIFICATE.as_bytes())).await;
    assert!(second.body.contains("event: queued") && second.body.contains("event: done"), "{}", second.body);
}

#[tokio::test]
async fn a_rejected_certificate_is_read_to_its_end_so_that_the_client_sees_why() {
    let server = start(Options::default()).await;
    let wrong = CERTIFICATE.replace("\nc1\n", "\nc3\n");
    let body = [wrong.as_bytes(), &vec![b' '; 8 * MIB]].concat();
    let reply = server.raw(&server.request("/api/v1/proofs", OCTETS, &body)).await;
    assert!(reply.body.contains("\"code\":\"rejected\""), "{} {}", reply.status, reply.body);
    assert_eq!(server.memory.bytes(), 0);
}

#[tokio::test]
async fn a_check_ends_when_its_limit_is_over() {
    let mut options = Options::default();
    options.ceiling.time = Duration::from_millis(300);
    let server = start(options).await;
    // Eight threats of eight squares: 8^8 defences to search.
    let endless = "connect-proof 1\ngame: 9 8 9 8 1\nblack: a1 a2 a3 a4 a5 a6 a7 a8\nwhite:\nto-move: white\n\
                   attacker: black\nmethod: mutual\nreplies: 1\n\na1\n";
    let begun = Instant::now();
    let reply = server.raw(&server.request("/api/v1/proofs", OCTETS, endless.as_bytes())).await;
    assert!(reply.body.contains("\"code\":\"timeout\""), "{}", reply.body);
    // A busy machine takes longer than the 50 ms that the checker allows itself.
    assert!(begun.elapsed() < Duration::from_secs(3), "{:?}", begun.elapsed());
    assert_eq!(server.memory.bytes(), 0);
}
