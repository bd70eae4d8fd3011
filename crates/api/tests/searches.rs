//! Searches that are continued, and defences that are verified.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use lambda6_api::{About, ApiError, Ceiling, Service, Where, Work};
use lambda6_search::SystemClock;
use serde_json::{Value, json};
use std::sync::atomic::AtomicBool;

fn service(ceiling: Ceiling) -> Service {
    Service::new(About::new(Where::Server, &ceiling, 1), ceiling)
}

fn search(service: &Service, path: &str, request: &Value) -> Result<Value, ApiError> {
    let stop = AtomicBool::new(false);
    let clock = SystemClock::start();
    let mut work = Work { clock: &clock, stop: &stop, report: &mut |_| {} };
    let search = service.prepare(path, request.to_string().as_bytes())?.unwrap();
    let done = service.search(search, &mut work)?;
    Ok(serde_json::from_str(&done.data).unwrap())
}

/// Black to move wins by double threats in three moves.
const WIN: &str = r#"["j10","l10k9","i7k7","i9j9","h9j7","l7m9","l9k8","i6h7"]"#;

fn won() -> Value {
    json!({ "moves": serde_json::from_str::<Value>(WIN).unwrap() })
}

/// White to move; Black threatens nothing at once.
fn quiet() -> Value {
    json!({ "start": { "black": ["j10", "k11", "l10"], "white": ["i8", "h9"], "to_move": "white" } })
}

#[test]
fn a_search_is_continued_with_what_it_has_found_out() {
    let service = service(Ceiling::default());
    let part = |resume: bool| {
        let request = json!({ "position": quiet(), "attacker": "black", "class": "lambda3", "nodes": 3000,
            "memory_mib": 16, "resume": resume });
        search(&service, "solve", &request).unwrap()
    };
    let first = part(false);
    assert_eq!(
        (&first["why"], &first["resumed"], &first["resumable"]),
        (&json!("nodes"), &json!(false), &json!(true))
    );
    let second = part(true);
    assert_eq!(second["resumed"], true);
    // Both parts are counted, and the second had moves of its own to try.
    assert!(second["nodes"].as_u64() > first["nodes"].as_u64(), "{first} {second}");
    // A new search forgets it.
    let again = part(false);
    assert_eq!((&again["resumed"], &again["nodes"]), (&json!(false), &first["nodes"]));
    // With other memory the winning moves are taken along.
    let larger = json!({ "position": quiet(), "attacker": "black", "class": "lambda3", "nodes": 3000,
        "memory_mib": 32, "resume": true });
    assert_eq!(search(&service, "solve", &larger).unwrap()["resumed"], true);
}

#[test]
fn what_is_solved_or_has_no_room_is_not_kept() {
    let solved = json!({ "position": won(), "class": "vcdt" });
    let found = search(&service(Ceiling::default()), "solve", &solved).unwrap();
    assert_eq!((&found["verdict"], &found["resumable"]), (&json!("win"), &json!(false)));
    let small = service(Ceiling { kept: 1 << 20, ..Ceiling::default() });
    let request = json!({ "position": quiet(), "attacker": "black", "class": "lambda3", "nodes": 100, "memory_mib": 16 });
    assert_eq!(search(&small, "solve", &request).unwrap()["resumable"], false);
}

#[test]
fn a_win_that_is_seen_is_told_in_words() {
    let found = search(&service(Ceiling::default()), "analyse", &json!({ "position": won(), "nodes": 2000 }))
        .unwrap();
    let best = &found["choices"][0];
    assert_eq!((&best["outlook"]["winner"], &best["outlook"]["proved"]), (&json!("black"), &json!(true)));
    assert_eq!(best["outlook"]["moves"], best["proof"]["longest"]);
}

#[test]
fn the_defences_that_are_left_are_listed() {
    let service = service(Ceiling::default());
    // After the first move of the win every defence loses, with a certificate.
    let solved = search(&service, "solve", &json!({ "position": won(), "class": "vcdt" })).unwrap();
    let mut position = won();
    position["moves"].as_array_mut().unwrap().push(solved["line"][0].clone());
    let lost = search(&service, "verify", &json!({ "position": position })).unwrap();
    assert_eq!((&lost["open"], &lost["proof"]["attacker"]), (&json!([]), &json!("black")));
    // White has time for anything, and there is more of it than time to try.
    let position = json!({ "moves": ["j10"] });
    let request = json!({ "position": position, "class": "vcdt", "each_ms": 100, "time_ms": 500 });
    let open = search(&service, "verify", &request).unwrap();
    assert!(open["proof"].is_null() && open["incomplete"].is_string(), "{open}");
    let error = search(&service, "verify", &json!({ "position": won(), "class": "no-class" })).unwrap_err();
    assert_eq!(error.field.as_deref(), Some("class"));
}
