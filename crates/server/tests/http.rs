//! The server from outside: what it answers, what it refuses, and what it
//! survives.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod common;

use common::{OCTETS, WIN, start};
use lambda6_server::{Listening, Options, Token};
use std::time::Duration;
use tokio::{io::AsyncReadExt, net::TcpStream};

/// Black wins, but not within the time of a test.
const LONG: &str = r#"{"position":{"start":{"black":["j10","k11","l10"],"white":["i8","h9"],"to_move":"white"}},"attacker":"black","class":"lambda3","time_ms":600000}"#;
#[tokio::test]
async fn questions_and_searches_are_answered() {
    let server = start(Options::default()).await;
    let about = server.get("/api/v1/about", "").await;
    assert_eq!((about.status, &about.json()["engine"]), (200, &"server".into()));
    assert!(about.head.contains("cache-control: no-store"), "{}", about.head);
    assert_eq!(server.post("/api/v1/position", WIN).await.json()["to_move"], "black");
    let solved = server.post("/api/v1/solve", &format!(r#"{{"position":{WIN}}}"#)).await;
    assert!(solved.head.contains("content-type: text/event-stream"), "{}", solved.head);
    let done = solved.body.split("event: done\ndata: ").nth(1).unwrap();
    let done: serde_json::Value = serde_json::from_str(done.lines().next().unwrap()).unwrap();
    assert_eq!(done["verdict"], "win");
    let id = done["proof"]["id"].as_str().unwrap();
    let certificate = server.get(&format!("/api/v1/proofs/{id}"), "").await;
    assert!(certificate.body.starts_with("connect-proof 1\n"));
    let answer = server.post(&format!("/api/v1/proofs/{id}/answer"), r#"{"defences":["-"]}"#).await;
    assert_eq!(answer.json()["status"], "won");
    let verify = format!(r#"{{"position":{WIN},"each_ms":50,"time_ms":100}}"#);
    let verified = server.post("/api/v1/verify", &verify).await;
    assert!(verified.body.contains(r#""defender":"black""#), "{}", verified.body);
    let checked = server.raw(&server.request("/api/v1/proofs", OCTETS, certificate.body.as_bytes())).await;
    assert!(checked.body.contains("event: done"), "{}", checked.body);
}

#[tokio::test]
async fn the_page_is_served_with_a_strict_policy() {
    let server = start(Options::default()).await;
    let page = server.get("/", "").await;
    assert_eq!(page.status, 200);
    for header in ["content-security-policy: default-src 'none'", "x-content-type-options: nosniff", "etag: "]
    {
        assert!(page.head.contains(header), "{}", page.head);
    }
    assert!(!page.body.contains("<script>"), "no script inside the page");
    let script = page.body.split("src=\"./").nth(1).unwrap().split('"').next().unwrap();
    let script = server.get(&format!("/{script}"), "").await;
    assert!(script.status == 200 && script.head.contains("immutable"), "{}", script.head);
    let tag = page.head.lines().find_map(|line| line.strip_prefix("etag: ")).unwrap();
    assert_eq!(server.get("/", &format!("If-None-Match: {tag}\r\n")).await.status, 304);
}

#[tokio::test]
async fn there_is_no_way_out_of_the_page() {
    let server = start(Options::default()).await;
    for path in [
        "/../Cargo.toml",
        "/assets/../../src/lib.rs",
        "/%2e%2e/%2e%2e/Cargo.toml",
        "/..%2f..%2fetc/passwd",
        "//etc/passwd",
        "/assets/",
        "/index.html/",
        "/api/v1/proofs/..%2f..%2fabout",
        "/api/v1/proofs/%00",
        "/api/v2/about",
    ] {
        let reply = server.get(path, "").await;
        assert_eq!(reply.status, 404, "{path}: {}", reply.body);
    }
}

#[tokio::test]
async fn other_sites_are_refused() {
    let server = start(Options::default()).await;
    let own = format!("Origin: http://{}\r\n", server.address);
    assert_eq!(server.get("/api/v1/about", &own).await.status, 200);
    for more in [
        "Origin: http://evil.example\r\n",
        "Origin: null\r\n",
        "Origin: http://127.0.0.1:1\r\n",
        "Sec-Fetch-Site: cross-site\r\n",
        "Sec-Fetch-Site: same-site\r\n",
        // A name that was made to point here.
        "Host: evil.example\r\n",
        "Host: evil.example:6006\r\nOrigin: http://evil.example:6006\r\n",
    ] {
        assert_eq!(server.get("/api/v1/about", more).await.status, 403, "{more}");
    }
    assert_eq!(server.get("/", "Host: evil.example\r\n").await.status, 403);
    // What a form can send without asking.
    for kind in ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"] {
        let request = server.request("/api/v1/position", &format!("Content-Type: {kind}\r\n"), b"{}");
        assert_eq!(server.raw(&request).await.status, 400, "{kind}");
    }
    // Asking for permission gets none.
    let asked = server
        .raw(
            format!("{}\r\n", server.head("OPTIONS", "/api/v1/position", "Origin: http://evil.example\r\n"))
                .as_bytes(),
        )
        .await;
    assert!(!asked.head.to_ascii_lowercase().contains("access-control-allow"), "{}", asked.head);
}

#[tokio::test]
async fn a_token_is_needed_where_others_can_listen() {
    let everywhere = Options { address: "0.0.0.0:0".parse().unwrap(), ..Options::default() };
    assert!(Listening::start(everywhere.clone()).await.is_err());
    let token = Token::random().unwrap();
    let listening = Listening::start(Options { token: Some(token.clone()), ..everywhere }).await.unwrap();
    assert!(listening.url().ends_with(&format!("/#token={}", token.text())));
    assert!(!format!("{token:?}").contains(token.text()));
    drop(listening);
    let server = start(Options { token: Some(token.clone()), ..Options::default() }).await;
    for more in [
        "",
        "Authorization: Bearer \r\n",
        "Authorization: Bearer 0123456789abcdef0123\r\n",
        "Authorization: Basic x\r\n",
    ] {
        let reply = server.get("/api/v1/about", more).await;
        assert_eq!((reply.status, &reply.json()["code"]), (401, &"unauthorized".into()), "{more}");
    }
    let bearer = format!("Authorization: Bearer {}\r\n", token.text());
    assert_eq!(server.get("/api/v1/about", &bearer).await.status, 200);
    assert!(Token::new("short").is_none() && Token::new("with space in it 123456").is_none());
}

#[tokio::test]
async fn too_much_is_refused() {
    let mut options = Options::default();
    options.ceiling.certificate = 1 << 16;
    options.ceiling.record = 1 << 12;
    let server = start(options).await;
    let long = vec![b' '; (1 << 20) + 1];
    for (path, kind, length) in [
        ("/api/v1/position", "", long.len()),
        ("/api/v1/solve", "", long.len()),
        ("/api/v1/proofs", OCTETS, (1 << 16) + 1),
        ("/api/v1/record/read", OCTETS, (1 << 14) + 1),
        ("/api/v1/record/read", OCTETS, (1 << 12) + 1),
    ] {
        let reply = server.raw(&server.request(path, kind, &long[..length])).await;
        assert_eq!(reply.status, 413, "{path}: {}", reply.body);
    }
    for (body, field) in [
        (r#"{"position":{},"time_ms":99999999999}"#, "time_ms"),
        (r#"{"position":{},"memory_mib":99999999999}"#, "memory_mib"),
        (r#"{"position":{},"memory_mib":0}"#, "memory_mib"),
    ] {
        let reply = server.post("/api/v1/solve", body).await;
        assert_eq!((reply.status, &reply.json()["field"]), (400, &field.into()), "{}", reply.body);
    }
    // A head without end.
    let endless = format!("GET / HTTP/1.1\r\nHost: localhost\r\nX: {}", "x".repeat(200_000));
    assert!(matches!(server.raw(endless.as_bytes()).await.status, 0 | 431 | 400));
    assert_eq!(server.get("/api/v1/about", "").await.status, 200);
}

/// Whatever is sent, the answer is a refusal that says why, and the server goes on.
#[tokio::test]
async fn malformed_questions_are_refused_with_reasons() {
    let server = start(Options::default()).await;
    let bodies = [
        "",
        "null",
        "[]",
        "{",
        "{}}",
        r#"{"position":3}"#,
        r#"{"moves":[1]}"#,
        r#"{"moves":["zz99"]}"#,
        r#"{"game":"0 0 0 0 0"}"#,
        r#"{"unknown":1}"#,
        r#"{"moves":["j10","j10"]}"#,
        r#"{"position":{"moves":["j10"]},"class":"magic"}"#,
        r#"{"position":{"moves":["j10"]},"level":"god"}"#,
        r#"{"position":{"moves":["j10"]},"thinking":{"control":"never"}}"#,
        "\u{0}",
        r#"{"defences":[""]}"#,
    ];
    for path in [
        "position",
        "play",
        "analyse",
        "evaluate",
        "solve",
        "puzzles/judge",
        "record/write",
        "proofs/00/answer",
    ] {
        for body in bodies {
            let reply = server.post(&format!("/api/v1/{path}"), body).await;
            assert!((400..500).contains(&reply.status), "{path} {body}: {} {}", reply.status, reply.body);
        }
    }
    let nested = "[".repeat(500_000);
    assert_eq!(server.post("/api/v1/position", &nested).await.status, 400);
}

#[tokio::test]
async fn hostile_records_stay_text() {
    let server = start(Options::default()).await;
    let evil = r#"<script>alert(1)</script>"#;
    let sgf = format!("(;FF[4]PB[{evil}];B[j10]C[{evil}");
    let read = |text: String| {
        let request = server.request("/api/v1/record/read", OCTETS, text.as_bytes());
        let server = &server;
        async move { server.raw(&request).await }
    };
    let broken = read(sgf).await;
    assert_eq!((broken.status, broken.head.contains("application/json")), (400, true), "{}", broken.body);
    let fine = read(format!("(;FF[4]PB[{evil}];B[j10]C[{evil}])")).await;
    assert_eq!(fine.json()["nodes"][1]["comment"], evil);
    assert!(fine.head.contains("nosniff") && fine.head.contains("application/json"));
    // Deeper and longer than any game.
    for text in ["(;".repeat(300_000), format!("(;FF[4]{})", ";".repeat(200_000)), "\u{fffd}".repeat(1000)] {
        let reply = read(text).await;
        assert!((400..=413).contains(&reply.status), "{}", reply.status);
    }
}

/// Reads events until one of this name, or the end.
async fn wait_for(stream: &mut TcpStream, name: &str) -> bool {
    let (mut seen, mut bytes) = (String::new(), [0; 4096]);
    while !seen.contains(&format!("event: {name}\n")) {
        match stream.read(&mut bytes).await {
            Ok(0) | Err(_) => return false,
            Ok(count) => seen.push_str(&String::from_utf8_lossy(&bytes[..count])),
        }
    }
    true
}

#[tokio::test]
async fn searches_wait_for_their_turn_and_end_with_their_client() {
    let server = start(Options { searches: 1, waiting: 2, ..Options::default() }).await;
    let long = server.request("/api/v1/solve", "", LONG.as_bytes());
    let mut first = server.open(&long).await;
    assert!(wait_for(&mut first, "progress").await);
    let mut second = server
        .open(&server.request("/api/v1/solve", "", format!(r#"{{"position":{WIN}}}"#).as_bytes()))
        .await;
    assert!(wait_for(&mut second, "queued").await);
    // No place for a third; everything else goes on.
    let third = server.raw(&long).await;
    assert_eq!((third.status, third.head.contains("retry-after: 1")), (503, true));
    assert_eq!(server.post("/api/v1/position", WIN).await.status, 200);
    // The first client goes away: its search stops and the second gets its turn.
    drop(first);
    let done = tokio::time::timeout(Duration::from_secs(60), wait_for(&mut second, "done")).await;
    assert_eq!(done, Ok(true));
}

#[tokio::test]
async fn clients_that_say_nothing_do_not_keep_others_out() {
    let server = start(Options::default()).await;
    let mut silent = Vec::new();
    for i in 0..200 {
        let part: &[u8] = if i % 2 == 0 {
            b""
        } else {
            b"POST /api/v1/solve HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99\r\n\r\n{"
        };
        silent.push(server.open(part).await);
    }
    assert_eq!(server.get("/api/v1/about", "").await.status, 200);
}

#[tokio::test]
async fn no_operation_takes_what_a_form_can_send() {
    let server = start(Options::default()).await;
    let document: serde_json::Value = serde_json::from_str(&lambda6_server::openapi()).unwrap();
    let paths = document["paths"].as_object().unwrap().iter();
    let posts: Vec<String> = paths
        .filter(|(_, path)| path.get("post").is_some())
        .map(|(path, _)| path.replace("{id}", &"0".repeat(32)).replace("{name}", "a"))
        .collect();
    assert!(posts.len() > 10);
    for path in posts {
        let reply = server.raw(&server.request(&path, "Content-Type: text/plain\r\n", b"{}")).await;
        assert!(reply.status == 400 && reply.body.contains("Content-Type"), "{path}: {}", reply.body);
    }
}

/// The page's types are made from this file.
#[test]
fn the_description_of_the_interface_is_up_to_date() {
    let file = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../web/openapi.json");
    let now = format!("{}\n", lambda6_server::openapi());
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(&file, &now).unwrap();
    }
    let kept = std::fs::read_to_string(&file).unwrap();
    assert!(kept == now, "web/openapi.json is out of date: make openapi writes it");
    let document: serde_json::Value = serde_json::from_str(&now).unwrap();
    for reference in now.split("\"$ref\": \"#").skip(1) {
        let pointer = reference.split('"').next().unwrap();
        assert!(document.pointer(pointer).is_some(), "{pointer} is not described");
    }
}
