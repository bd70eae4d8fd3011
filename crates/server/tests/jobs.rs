//! Job-level searches over HTTP.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use axum::{
    body::{Body, to_bytes},
    http::{Request, StatusCode},
};
use lambda6_jobs::{Change, NodeId, PolicyName, Settings, SqliteStore, Store, Value};
use lambda6_rules::{Game, Position, Side};
use lambda6_search::Limits;
use lambda6_server::{Options, router};
use serde_json::{Value as Json, json};
use std::path::Path;
use tower::ServiceExt;

/// A server without a network, and the directory of its searches.
struct TestServer {
    directory: tempfile::TempDir,
    router: axum::Router,
}

impl TestServer {
    fn new() -> TestServer {
        let directory = tempfile::tempdir().expect("there is room");
        let options = Options { jobs: Some(directory.path().to_path_buf()), ..Options::default() };
        TestServer { directory, router: router(options) }
    }

    async fn ask(&self, path: &str, body: Option<Json>) -> (StatusCode, Json) {
        let request = Request::builder().uri(format!("/api/v1/{path}")).header("Host", "localhost");
        let request = match body {
            None => request.body(Body::empty()),
            Some(body) => request
                .method("POST")
                .header("Content-Type", "application/json")
                .body(Body::from(body.to_string())),
        };
        let response = self.router.clone().oneshot(request.expect("a request")).await.expect("an answer");
        let status = response.status();
        let bytes = to_bytes(response.into_body(), 1 << 24).await.expect("an answer");
        (status, serde_json::from_slice(&bytes).unwrap_or(Json::Null))
    }

    fn file(&self, name: &str) -> std::path::PathBuf {
        self.directory.path().join(format!("{name}.l6"))
    }
}

fn settings(moves: &str) -> Settings {
    let mut root = Position::new(Game::CONNECT6);
    for text in moves.split(' ') {
        root.play(&Game::CONNECT6.parse_move(text).expect("a move")).expect("legal");
    }
    Settings {
        root,
        attacker: Side::Black,
        policy: PolicyName::default(),
        limits: Limits { nodes: Some(100), ..Limits::default() },
        verify: false,
        method: lambda6_search::Method::default(),
        build: "test".to_string(),
    }
}

/// A search that has been solved, as far as its file says.
fn solved(file: &Path, moves: &str) {
    SqliteStore::create(file, &settings(moves)).expect("a file");
    let value = Value::Win(Side::Black);
    SqliteStore::open(file)
        .expect("a file")
        .commit(&[Change::Own { node: NodeId::ROOT, value, proof: None }])
        .expect("a file");
}

#[tokio::test]
async fn what_the_searches_have_found_is_in_the_list_and_in_the_atlas() {
    let server = TestServer::new();
    let entry = |atlas: &Json| {
        let all = atlas["openings"].as_array().unwrap().iter();
        all.clone().find(|entry| entry["name"] == "TX-H9").unwrap().clone()
    };
    assert_eq!(entry(&server.ask("atlas", None).await.1)["status"], "claimed");
    solved(&server.file("tx"), "j10 k8l9 i11h10");
    SqliteStore::create(&server.file("open"), &settings("j10 k8l8")).unwrap();
    std::fs::write(server.file("broken"), "not a database").unwrap();
    std::fs::write(server.directory.path().join("NO NAME.l6"), "").unwrap();
    let (_, list) = server.ask("jobs", None).await;
    let seen: Vec<_> = list["searches"]
        .as_array()
        .unwrap()
        .iter()
        .map(|search| {
            (search["name"].as_str().unwrap(), search["value"].as_str(), search["trouble"].is_null())
        })
        .collect();
    assert_eq!(seen, [("broken", None, false), ("open", None, true), ("tx", Some("black"), true)]);
    let found = entry(&server.ask("atlas", None).await.1);
    assert_eq!((&found["status"], &found["search"]), (&"solved".into(), &"tx".into()));
    // A file that has changed is read again.
    std::fs::remove_file(server.file("tx")).unwrap();
    assert_eq!(entry(&server.ask("atlas", None).await.1)["status"], "claimed");
}

#[tokio::test]
async fn a_search_that_another_process_works_on_is_called_so() {
    let server = TestServer::new();
    SqliteStore::create(&server.file("a"), &settings("j10 k8l9")).unwrap();
    let held = SqliteStore::open(&server.file("a")).unwrap();
    assert_eq!(server.ask("jobs", None).await.1["searches"][0]["state"], "elsewhere");
    assert_eq!(server.ask("jobs/a/go", Some(json!({}))).await.0, StatusCode::SERVICE_UNAVAILABLE);
    drop(held);
    assert_eq!(server.ask("jobs", None).await.1["searches"][0]["state"], "stopped");
}

#[tokio::test]
async fn a_search_is_steered_while_nobody_works_on_it() {
    let server = TestServer::new();
    SqliteStore::create(&server.file("a"), &settings("j10 k8l9")).unwrap();
    let order = |order: &str, mv: &str| Some(json!({ "order": order, "node": 0, "move": mv }));
    assert_eq!(server.ask("jobs/a/steer", order("suggest", "i11h10")).await.0, StatusCode::OK);
    assert_eq!(server.ask("jobs", None).await.1["searches"][0]["nodes"], 2);
    for (what, mv) in [("suggest", "j10k10"), ("suggest", "zz"), ("dance", "i11h10"), ("forbid", "a1")] {
        let (status, body) = server.ask("jobs/a/steer", order(what, mv)).await;
        assert_eq!((status, &body["code"]), (StatusCode::BAD_REQUEST, &"bad_request".into()), "{what} {mv}");
    }
}

#[tokio::test]
async fn names_lead_nowhere_else_and_bad_requests_leave_nothing_behind() {
    let server = TestServer::new();
    let new = |name: &str| json!({ "name": name, "position": { "moves": ["j10", "k8l9"] } });
    for name in ["", "..", "../x", "a/b", "a.b", "A", "a b", "%2e%2e", &"a".repeat(61), "a\u{0}"] {
        assert_eq!(server.ask("jobs", Some(new(name))).await.0, StatusCode::BAD_REQUEST, "{name:?}");
    }
    for path in ["jobs/..%2fx/events", "jobs/nothing/go", "jobs/nothing/stop", "jobs/a%2fb/steer"] {
        let body = (!path.ends_with("events")).then(|| json!({ "order": "pause", "node": 0 }));
        let status = server.ask(path, body).await.0;
        assert!(status.is_client_error(), "{path}: {status}");
    }
    let with = |field: &str, value: Json| {
        let mut request = new("a");
        request[field] = value;
        request
    };
    for (request, field) in [
        (with("attacker", json!("red")), "attacker"),
        (with("policy", json!("luck")), "policy"),
        (with("threads", json!(0)), "threads"),
        (with("threads", json!(100_000)), "threads"),
        (with("workers", json!("elves")), "workers"),
        (with("position", json!({})), "position"),
        (with("position", json!({ "moves": ["j10", "j10k10"] })), "moves[1]"),
    ] {
        let (status, body) = server.ask("jobs", Some(request)).await;
        assert_eq!((status, &body["field"]), (StatusCode::BAD_REQUEST, &field.into()), "{body}");
    }
    // There is no grid to have the jobs done.
    assert_eq!(server.ask("jobs", Some(with("workers", json!("grid")))).await.0, StatusCode::NOT_IMPLEMENTED);
    assert_eq!(std::fs::read_dir(server.directory.path()).unwrap().count(), 0);
}

#[tokio::test]
async fn a_grid_that_cannot_be_reached_leaves_no_search_behind() {
    let directory = tempfile::tempdir().unwrap();
    let access =
        lambda6_grid::nats::Access { url: "nats://me:secret@127.0.0.1:1".to_string(), ..Default::default() };
    let nats = lambda6_server::Nats { access, grid: Default::default() };
    assert!(!format!("{nats:?}").contains("secret"));
    let options =
        Options { jobs: Some(directory.path().to_path_buf()), nats: Some(nats), ..Options::default() };
    let server = TestServer { router: router(options), directory };
    assert_eq!(server.ask("jobs", None).await.1["grid"], "lambda6");
    let new = json!({ "name": "a", "position": { "moves": ["j10", "k8l9"] }, "workers": "grid" });
    let (status, body) = server.ask("jobs", Some(new)).await;
    assert_eq!(status, StatusCode::SERVICE_UNAVAILABLE);
    assert!(!body.to_string().contains("secret"), "{body}");
    assert_eq!(std::fs::read_dir(server.directory.path()).unwrap().count(), 0);
}
