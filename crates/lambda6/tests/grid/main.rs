//! Searches over a real NATS server while workers are killed, hang or lie, the
//! server is started again, and the client is killed. Tests wait for events, not for
//! times; the test runner ends a test that waits for ever.

// clippy.toml allows it in functions that are tests, but not in their helpers.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]
#![cfg(unix)]

mod access;
mod hostile;
mod kills;
#[path = "../../../grid/tests/nats/server.rs"]
mod server;

use server::{Process, Server, free_port};
use std::{
    path::{Path, PathBuf},
    process::Command,
    thread,
    time::Duration,
};

fn lambda6(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_lambda6"));
    command.args(arguments);
    command
}

/// A worker's command line.
fn worker(url: &str, name: &str) -> Command {
    lambda6(&["worker", "--nats", url, "--name", name, "--memory", "16"])
}

/// A position that takes a few dozen jobs when they are short.
const POSITION: &str = include_str!("../../data/grid_test.txt");

/// The command line of a client that begins a search of short jobs.
fn begin(file: &Path, url: &str, job_nodes: &str) -> Command {
    let mut command = lambda6(&["search", "start", file.to_str().unwrap(), POSITION, "--attacker", "black"]);
    command.args(["--job-nodes", job_nodes, "--nats", url, "--lease", "5", "--quiet"]);
    command
}

/// What `search status` tells.
fn status(file: &Path) -> serde_json::Value {
    let output = lambda6(&["search", "status", file.to_str().unwrap(), "--json"]).output().unwrap();
    serde_json::from_slice(&output.stdout).unwrap()
}

/// Has the whole search certified and the certificate checked.
fn check(file: &Path) {
    let proof: PathBuf = file.with_extension("proof");
    let (file, proof) = (file.to_str().unwrap(), proof.to_str().unwrap());
    let certified = lambda6(&["search", "certify", file, proof]).output().unwrap();
    assert!(certified.status.success(), "{}", String::from_utf8_lossy(&certified.stderr));
    let checked = lambda6(&["check", proof]).output().unwrap();
    assert!(checked.status.success(), "{}", String::from_utf8_lossy(&checked.stdout));
}

#[test]
fn a_search_survives_the_death_of_a_worker_a_hang_and_a_restart_of_the_server() {
    let mut server = Server::start("");
    let url = server.url();
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("search.l6");
    let mut client = Process::start(&mut begin(&file, &url, "2000"));
    // The first job, that of the root, is the only one there is: whoever has it dies
    // or hangs with it.
    let [killed, hanging] = ["one", "two"].map(|name| {
        let process = Process::start(&mut worker(&url, name));
        process.await_line(" begins");
        process.signal(if name == "one" { "-KILL" } else { "-STOP" });
        process
    });
    let last = Process::start(&mut worker(&url, "three"));
    last.await_line(" done");
    server.restart();
    // It finds the server again, and goes on.
    last.await_line(" done");
    let status = client.child.wait().unwrap();
    assert!(status.success(), "{status}");
    drop((killed, hanging));
    check(&file);
}

/// What was found is there when the client is killed and started again, and the
/// results that came meanwhile are taken in.
#[test]
fn a_search_survives_the_death_of_its_client() {
    let server = Server::start("");
    let url = server.url();
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("search.l6");
    let name = file.to_str().unwrap();
    let first = Process::start(&mut begin(&file, &url, "2000"));
    let worker = Process::start(&mut worker(&url, "one"));
    for _ in 0..3 {
        worker.await_line(" done");
    }
    first.signal("-KILL");
    drop(first);
    let done = || status(&file)["done"].as_u64().unwrap();
    let before = done();
    assert!(before > 0, "nothing is stored");
    let mut second = Process::start(&mut lambda6(&["search", "start", name, "--nats", &url, "--quiet"]));
    let status = second.child.wait().unwrap();
    assert!(status.success(), "{status}");
    assert!(done() > before);
    check(&file);
}

/// The first Ctrl-C lets a worker finish its job; after the second it hands the job
/// back at once, and another worker gets it. Meanwhile anybody can ask what it does.
#[test]
fn ctrl_c_finishes_the_job_and_twice_hands_it_back() {
    let server = Server::start("");
    let url = server.url();
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("short.l6");
    let mut client = lambda6(&["search", "start", file.to_str().unwrap(), "j10 k10k11", "--quiet"]);
    let client = Process::start(client.args(["--job-nodes", "20000", "--nats", &url]));
    let mut one = Process::start(&mut worker(&url, "one"));
    one.await_line(" begins");
    one.signal("-INT");
    one.await_line(" done");
    assert!(one.child.wait().unwrap().success());
    drop(client);
    // A job without an end, on a grid without others.
    let server = Server::start("");
    let url = server.url();
    let file = directory.path().join("long.l6");
    let mut client = lambda6(&["search", "start", file.to_str().unwrap(), "j10 k10k11", "--quiet"]);
    let client = Process::start(client.args(["--job-nodes", "1000000000000", "--nats", &url]));
    let mut two = Process::start(&mut worker(&url, "two"));
    let job = two.await_line(" begins");
    let shown = || {
        let workers = status(&file)["workers"].as_array().unwrap().clone();
        workers.iter().any(|worker| worker["name"] == "worker/two" && worker["job"].is_string())
    };
    while !shown() {
        thread::sleep(Duration::from_millis(100));
    }
    two.signal("-INT");
    // Two signals that come at once count as one.
    two.await_line("Ctrl-C again");
    two.signal("-INT");
    two.await_line(" handed back");
    assert!(two.child.wait().unwrap().success());
    let three = Process::start(&mut worker(&url, "three"));
    assert_eq!(three.await_line(" begins"), job);
    drop((client, three));
}

#[test]
fn client_and_worker_wait_for_a_server_that_is_not_up_yet() {
    let port = free_port();
    let url = format!("nats://127.0.0.1:{port}");
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("search.l6");
    let mut client = Process::start_noting(&mut begin(&file, &url, "2000"));
    let worker = Process::start(&mut worker(&url, "one"));
    for process in [&client, &worker] {
        process.await_line(&format!("waiting for the server: {url}: "));
    }
    let _server = Server::start_at(port);
    let status = client.child.wait().unwrap();
    assert!(status.success(), "{status}");
    check(&file);
}

#[test]
fn ctrl_c_ends_the_wait_for_a_server() {
    let url = format!("nats://127.0.0.1:{}", free_port());
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("search.l6");
    let mut client = Process::start_noting(&mut begin(&file, &url, "2000"));
    let mut worker = Process::start(&mut worker(&url, "one"));
    for process in [&client, &worker] {
        process.await_line("waiting for the server: ");
        process.signal("-INT");
    }
    assert_eq!(client.child.wait().unwrap().code(), Some(2));
    assert_eq!(worker.child.wait().unwrap().code(), Some(0));
}
