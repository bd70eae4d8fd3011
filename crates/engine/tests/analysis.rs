//! The analysis engine: lines in, lines out.

#![allow(clippy::unwrap_used, reason = "a test that fails may panic")]

mod common;

use common::{Endless, Nearest};
use lambda6_engine::{
    Thinker,
    analysis::{AnalysisOptions, ThinkerFactory, run},
};
use lambda6_search::Limits;
use serde_json::{Value, json};
use std::{
    io::{self, BufReader, Cursor, Write},
    sync::{Arc, Mutex, atomic::AtomicBool},
};

/// An output that several threads write to.
#[derive(Clone, Default)]
struct Output(Arc<Mutex<Vec<u8>>>);

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn answers_of(thinker: fn() -> Box<dyn Thinker>, threads: usize, quit: bool, input: &str) -> Vec<Value> {
    let thinkers: ThinkerFactory = Arc::new(move |_| thinker());
    let options = AnalysisOptions { threads, limits: Limits::default(), quit_without_waiting: quit };
    let output = Output::default();
    let reader = BufReader::new(Cursor::new(input.as_bytes().to_vec()));
    run(&options, &thinkers, reader, output.clone(), &AtomicBool::new(false)).unwrap();
    let text = String::from_utf8(output.0.lock().unwrap().clone()).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn answers(input: &str) -> Vec<Value> {
    let mut answers = answers_of(|| Box::new(Nearest), 1, false, input);
    // The time varies.
    for answer in &mut answers {
        if let Some(seconds) = answer.pointer_mut("/rootInfo/seconds") {
            *seconds = json!(0);
        }
    }
    answers
}

#[test]
fn a_query_gets_one_final_report() {
    let expected = json!({
        "id": "a",
        "isDuringSearch": false,
        "turnNumber": 1,
        "rootInfo": {
            "toMove": "white", "status": "stable", "score": 0, "winrate": 0.5, "depth": 1, "nodes": 7,
            "seconds": 0,
        },
        "moveInfos": [
            {"move": "j11i10", "order": 0, "score": 0, "winrate": 0.5, "status": "stable", "pv": ["j11i10"]},
        ],
    });
    for moves in [r#""moves":["j10"]"#, r#""moves":"j10""#, r#""record":"(;GM[511];B[JJ])""#] {
        assert_eq!(
            answers(&format!("{{\"id\":\"a\",{moves}}}\n")),
            std::slice::from_ref(&expected),
            "{moves}"
        );
    }
}

#[test]
fn positions_come_in_every_form() {
    let turn = |query: &str| {
        let answers = answers(&format!("{{\"id\":\"a\",{query}}}"));
        assert_eq!(answers.len(), 1);
        (answers[0]["turnNumber"].clone(), answers[0]["rootInfo"]["toMove"].clone())
    };
    assert_eq!(turn(r#""record":"TX-H9""#), (json!(2), json!("black")));
    assert_eq!(turn(r#""record":"TX-H9","at":1"#), (json!(1), json!("white")));
    assert_eq!(turn(r#""setup":{"black":["a1"],"toMove":"black"}"#), (json!(0), json!("black")));
    assert_eq!(turn(r#""setup":{"toMove":"white"},"moves":["a1"]"#), (json!(1), json!("black")));
    assert_eq!(turn(r#""game":"go-moku","moves":["h8","a1"]"#), (json!(2), json!("black")));
    assert_eq!(turn(r#""game":{"m":3,"n":3,"k":3,"p":1,"q":1},"moves":[]"#), (json!(0), json!("black")));
}

#[test]
fn errors_name_the_field() {
    for (query, field) in [
        (r#""moves":["j99"]"#, "moves[0]"),
        (r#""moves":["j10","j10k10"]"#, "moves[1]"),
        (r#""moves":["j10",7]"#, "moves[1]"),
        (r#""moves":7"#, "moves"),
        (r#""moves":"j10 x""#, "moves"),
        (r#""priority":0"#, "moves"),
        (r#""game":"chess","moves":[]"#, "game"),
        (r#""game":{"m":19},"moves":[]"#, "game"),
        (r#""game":"19 99 6 2 1","moves":[]"#, "game"),
        (r#""record":7"#, "record"),
        (r#""record":"j10 j10""#, "record"),
        (r#""record":"j10","moves":[]"#, "moves"),
        (r#""record":"j10","at":2"#, "at"),
        (r#""setup":7"#, "setup"),
        (r#""setup":{}"#, "setup.toMove"),
        (r#""setup":{"toMove":"red"}"#, "setup.toMove"),
        (r#""setup":{"black":["a1"],"white":["a1"],"toMove":"black"}"#, "setup"),
        (r#""setup":{"black":["z9"],"toMove":"black"}"#, "setup.black[0]"),
        (r#""setup":{"black":7,"toMove":"black"}"#, "setup.black"),
        (r#""moves":[],"limits":7"#, "limits"),
        (r#""moves":[],"limits":{"time":0}"#, "limits.time"),
        (r#""moves":[],"limits":{"time":"1"}"#, "limits.time"),
        (r#""moves":[],"limits":{"nodes":-1}"#, "limits.nodes"),
        (r#""moves":[],"limits":{"depth":1.5}"#, "limits.depth"),
        (r#""moves":[],"level":"divine""#, "level"),
        (r#""moves":[],"priority":"high""#, "priority"),
        (r#""moves":[],"reportEvery":-1"#, "reportEvery"),
        (r#""moves":[],"maxCandidates":0"#, "maxCandidates"),
        (r#""moves":[],"maxCandidates":9999"#, "maxCandidates"),
        (r#""moves":[],"includeProof":"yes""#, "includeProof"),
        (r#""action":"dance""#, "action"),
        (r#""action":"terminate""#, "terminateId"),
        (r#""game":"3 1 2 1 1","moves":["a1","c1","b1"]"#, "moves"),
    ] {
        let answers = answers(&format!("{{\"id\":\"a\",{query}}}"));
        assert_eq!(answers.len(), 1, "{query}");
        assert_eq!((&answers[0]["id"], &answers[0]["field"]), (&json!("a"), &json!(field)), "{query}");
        assert!(answers[0]["error"].as_str().is_some_and(|text| !text.is_empty()), "{query}");
    }
    for (line, field) in
        [("x", Value::Null), ("[]", Value::Null), ("{}", json!("id")), (r#"{"id":7}"#, json!("id"))]
    {
        let answers = answers(line);
        assert_eq!((answers.len(), &answers[0]["field"]), (1, &field), "{line}");
        assert!(answers[0]["error"].is_string());
    }
}

#[test]
fn unknown_fields_get_a_warning_and_are_skipped() {
    let answers = answers(r#"{"id":"a","moves":[],"komi":7,"limits":{"nodes":1,"visits":1}}"#);
    let fields: Vec<&Value> =
        answers.iter().filter(|a| a["warning"].is_string()).map(|a| &a["field"]).collect();
    assert_eq!(fields, ["komi", "limits.visits"]);
    assert_eq!(answers.len(), 3);
    assert_eq!(answers[2]["isDuringSearch"], false);
}

#[test]
fn partial_reports_are_marked_and_the_final_one_comes_last() {
    let answers = answers(r#"{"id":"a","moves":["j10"],"reportEvery":1e-9,"maxCandidates":2}"#);
    assert_eq!(answers.len(), 2);
    assert_eq!((&answers[0]["isDuringSearch"], &answers[1]["isDuringSearch"]), (&json!(true), &json!(false)));
    assert_eq!(answers[0]["moveInfos"].as_array().unwrap().len(), 2);
}

#[test]
fn every_query_is_answered_once_whoever_ends_it() {
    // One thread: the first is under way or waits, the others wait.
    let mut input = String::new();
    for id in ["a", "b", "c"] {
        input += &format!("{{\"id\":\"{id}\",\"moves\":[]}}\n");
    }
    input += "{\"id\":\"t\",\"action\":\"terminate\",\"terminateId\":\"b\"}\n";
    input += "{\"id\":\"v\",\"action\":\"queryVersion\"}\n";
    input += "{\"id\":\"u\",\"action\":\"terminateAll\"}\n";
    let answers = answers_of(|| Box::new(Endless), 1, false, &input);
    for id in ["a", "b", "c"] {
        let own: Vec<&Value> = answers.iter().filter(|answer| answer["id"] == id).collect();
        assert_eq!(own.len(), 1, "{id}");
        assert_eq!((&own[0]["isDuringSearch"], &own[0]["terminated"]), (&json!(false), &json!(true)));
    }
    assert!(answers.iter().any(|answer| answer["id"] == "b" && answer["noResults"] == true));
    assert!(answers.contains(&json!({"id": "t", "action": "terminate", "terminateId": "b"})));
    assert!(answers.contains(&json!({"id": "u", "action": "terminateAll"})));
    assert!(answers.iter().any(|a| a["id"] == "v" && a["version"] == env!("CARGO_PKG_VERSION")));
}

#[test]
fn several_threads_answer_everything_before_the_end() {
    let input: String = (0..50).map(|i| format!("{{\"id\":\"{i}\",\"moves\":[\"j10\"]}}\n")).collect();
    let answers = answers_of(|| Box::new(Nearest), 3, false, &input);
    let mut ids: Vec<usize> = answers.iter().map(|a| a["id"].as_str().unwrap().parse().unwrap()).collect();
    ids.sort_unstable();
    assert_eq!(ids, (0..50).collect::<Vec<_>>());
}

#[test]
fn without_waiting_the_end_of_the_input_ends_the_queries() {
    let answers = answers_of(|| Box::new(Endless), 2, true, "{\"id\":\"a\",\"moves\":[]}\n");
    assert_eq!(answers.len(), 1);
    assert_eq!(answers[0]["terminated"], true);
}
