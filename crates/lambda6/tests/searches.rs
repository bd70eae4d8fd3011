//! Searches in a file, on one machine: steered, and killed with kill -9 at random
//! moments, again and again.

// clippy.toml allows it in functions that are tests, but not in their helpers.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]
#![cfg(unix)]

use std::{
    collections::hash_map::RandomState,
    env,
    hash::{BuildHasher, Hasher},
    path::Path,
    process::{Command, Stdio},
    thread,
    time::Duration,
};

/// A position that takes a few dozen jobs when they are short.
const POSITION: &str = include_str!("../data/grid_test.txt");

fn lambda6(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_lambda6"));
    command.args(arguments).stdin(Stdio::null());
    command
}

/// A number below `end`, another one each time.
fn random(end: u64) -> u64 {
    RandomState::new().build_hasher().finish() % end
}

/// Jobs done, nodes, and whether the root is solved.
fn status(file: &str) -> (u64, u64, bool) {
    let output = lambda6(&["search", "status", file, "--json"]).output().unwrap();
    assert!(output.status.code() != Some(2), "{}", String::from_utf8_lossy(&output.stderr));
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let number = |name: &str| json[name].as_u64().unwrap();
    (number("done"), number("nodes"), !json["value"].is_null())
}

#[test]
fn kill_9_of_a_client_at_any_moment_loses_nothing() {
    let kills: u64 = env::var("CLIENT_KILLS").ok().and_then(|text| text.parse().ok()).unwrap_or(8);
    let mut killed = 0;
    while killed < kills {
        let directory = tempfile::tempdir().unwrap();
        let file = directory.path().join("search.l6");
        let file = file.to_str().unwrap();
        let mut known = (0, 0, false);
        while !known.2 {
            let mut start =
                lambda6(&["search", "start", file, "--threads", "2", "--memory", "16", "--quiet"]);
            if !Path::new(file).exists() {
                start.args([POSITION, "--attacker", "black", "--job-nodes", "2000"]);
            }
            let mut client = start.stdout(Stdio::null()).spawn().unwrap();
            // Up to a few jobs; sometimes before it has made its file.
            thread::sleep(Duration::from_micros(random(if killed % 4 == 0 { 50_000 } else { 800_000 })));
            client.kill().unwrap();
            client.wait().unwrap();
            killed += 1;
            if Path::new(file).exists() {
                let now = status(file);
                assert!(now.0 >= known.0 && now.1 >= known.1, "{now:?} after {known:?}");
                known = now;
            }
            if killed >= kills {
                // The last one is left alone.
                let mut start = lambda6(&["search", "start", file, "--quiet"]);
                if !Path::new(file).exists() {
                    start.args([POSITION, "--attacker", "black", "--job-nodes", "2000"]);
                }
                assert!(start.stdout(Stdio::null()).status().unwrap().success());
                known = status(file);
            }
        }
        let proof = directory.path().join("search.proof");
        let proof = proof.to_str().unwrap();
        let certified = lambda6(&["search", "certify", file, proof]).output().unwrap();
        assert!(certified.status.success(), "{}", String::from_utf8_lossy(&certified.stderr));
        let checked = lambda6(&["check", proof]).output().unwrap();
        assert!(checked.status.success(), "{}", String::from_utf8_lossy(&checked.stdout));
    }
}

/// Runs a command that must not fail, and returns what it prints as JSON.
fn json(arguments: &[&str]) -> serde_json::Value {
    let output = lambda6(arguments).arg("--json").output().unwrap();
    assert!(output.status.code() != Some(2), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn a_person_steers_and_looks_at_the_tree() {
    let directory = tempfile::tempdir().unwrap();
    let path = |name: &str| directory.path().join(name).to_str().unwrap().to_string();
    let (file, sgf, nodes) = (path("search.l6"), path("tree.sgf"), path("tree.json"));
    let file = file.as_str();
    let work = |jobs: &str, more: &[&str]| {
        let start = ["search", "start", file, "--jobs", jobs, "--threads", "1", "--memory", "16", "--quiet"];
        json(&[&start[..], more].concat())
    };
    let begun = work("1", &[POSITION, "--attacker", "black", "--job-nodes", "300"]);
    assert_eq!((begun["value"].is_null(), begun["done"].as_u64()), (true, Some(1)), "{begun}");
    // White moves at the root. A move of our own is tried next; the one that was
    // found is left alone, and so what is looked for next is another one.
    let best = begun["line"][0].as_str().unwrap().to_string();
    json(&["search", "steer", file, "suggest", "0", "l9l11"]);
    json(&["search", "steer", file, "forbid", "0", &best]);
    json(&["search", "steer", file, "force", "0"]);
    let steered = work("2", &[]);
    assert_eq!(steered["done"].as_u64(), Some(3), "{steered}");
    assert!(steered["nodes"].as_u64() > begun["nodes"].as_u64(), "{steered}");
    // Nothing is done below what is paused, and the search says so.
    json(&["search", "steer", file, "pause", "0"]);
    let stuck = work("5", &[]);
    assert_eq!(stuck["done"], steered["done"]);
    json(&["search", "steer", file, "resume", "0"]);
    json(&["search", "steer", file, "allow", "0", &best]);
    for (order, words) in [
        (&["suggest", "0", "j10a1"][..], "j10"),
        (&["suggest", "999", "a1a2"], "there is no node 999"),
        (&["pause", "0", "a1a2"], "takes no MOVE"),
    ] {
        let refused = lambda6(&["search", "steer", file]).args(order).output().unwrap();
        let error = String::from_utf8_lossy(&refused.stderr).into_owned();
        assert!(refused.status.code() == Some(2) && error.contains(words), "{error}");
    }
    // The tree, for people and for programs.
    json(&["search", "export", file, &sgf]);
    json(&["search", "export", file, &nodes]);
    let tree: serde_json::Value = serde_json::from_slice(&std::fs::read(&nodes).unwrap()).unwrap();
    assert_eq!(tree["nodes"].as_array().unwrap().len() as u64, steered["nodes"].as_u64().unwrap());
    assert!(tree["nodes"].as_array().unwrap().iter().any(|node| node["move"] == "l9l11"), "{tree}");
    let text = std::fs::read_to_string(&sgf).unwrap();
    assert!(text.contains("node 0: "), "{text}");
    assert_eq!(json(&["search", "pause", file])["stopped"], false);
    assert!(json(&["search", "certify", file, &path("no.proof")])["winner"].is_null());
}

/// A file that is missing, that is no search, or that is cut off is an error of every
/// command; it is named, and left as it is.
#[test]
fn a_file_that_is_no_search_is_an_error_of_every_command() {
    let directory = tempfile::tempdir().unwrap();
    let path = |name: &str| directory.path().join(name).to_str().unwrap().to_string();
    let (whole, cut, text, missing) = (path("whole.l6"), path("cut.l6"), path("text.l6"), path("missing.l6"));
    let start =
        ["search", "start", &whole, POSITION, "--attacker", "black", "--job-nodes", "300", "--jobs", "3"];
    let begun = lambda6(&start).args(["--threads", "1", "--memory", "16", "--quiet"]).output().unwrap();
    assert!(begun.status.code() != Some(2), "{}", String::from_utf8_lossy(&begun.stderr));
    let bytes = std::fs::read(&whole).unwrap();
    std::fs::write(&cut, &bytes[..bytes.len() / 2]).unwrap();
    std::fs::write(&text, "j10 k10k11\n").unwrap();
    let out = path("out");
    for file in [&cut, &text, &missing, &path("")] {
        let before = std::fs::read(file).ok();
        for arguments in [
            &["start", file][..],
            &["status", file],
            &["watch", file],
            &["pause", file],
            &["steer", file, "pause", "0"],
            &["export", file, "out.sgf"],
            &["certify", file, &out],
        ] {
            let output = lambda6(&["search"]).args(arguments).output().unwrap();
            let error = String::from_utf8_lossy(&output.stderr).into_owned();
            assert_eq!(output.status.code(), Some(2), "{arguments:?}: {error}");
            assert!(error.starts_with("error: "), "{arguments:?}: {error}");
            assert!(error.contains(file.as_str()) && !error.contains("panicked"), "{arguments:?}: {error}");
        }
        assert_eq!(std::fs::read(file).ok(), before, "{file}");
    }
    assert!(!Path::new(&out).exists());
}

#[test]
fn bad_arguments_of_a_search_are_told() {
    let directory = tempfile::tempdir().unwrap();
    let path = |name: &str| directory.path().join(name).to_str().unwrap().to_string();
    let (file, other) = (path("search.l6"), path("other.l6"));
    let begin =
        ["search", "start", &file, POSITION, "--attacker", "black", "--jobs", "1", "--job-nodes", "300"];
    let begun = lambda6(&begin).args(["--threads", "1", "--memory", "16", "--quiet"]).output().unwrap();
    assert!(begun.status.code() != Some(2), "{}", String::from_utf8_lossy(&begun.stderr));
    for (arguments, words) in [
        (&["start", &file, POSITION][..], "search.l6"),
        (&["start", &other, "j10 j10"], "j10"),
        (&["start", &other, "j10 k10k11", "--policy", "best"], "is not a policy"),
        (&["start", &other, "j10 k10k11", "--job-nodes", "0"], "--job-nodes"),
        (&["start", &other, "j10 k10k11", "--attacker", "green"], "green"),
        (&["start", &other, "j10 k10k11", "--threads", "0"], "--threads"),
        (&["start", &file, "--one-by-one"], "POSITION"),
        (&["start", &other, "j10", "--nats", "nats://127.0.0.1:1", "--grid", "a b"], "--grid"),
        (&["export", &file, "tree.txt"], "tree.txt"),
        (&["steer", &file, "dance", "0"], "dance"),
        (&["steer", &file, "pause", "-1"], "-1"),
        (&["steer", &file, "suggest", "0"], "MOVE"),
        (&["steer", &file, "suggest", "0", "z99"], "z99"),
        (&["steer", &file, "force", "4000000000"], "4000000000"),
        (&["status"], "FILE"),
    ] {
        let output = lambda6(&["search"]).args(arguments).output().unwrap();
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {error}");
        assert!(error.contains(words) && !error.contains("panicked"), "{arguments:?}: {error}");
    }
    assert!(!Path::new(&other).exists());
}
