//! Reviews of games, as a page asks for them.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use lambda6_api::{
    About, ApiError, Ceiling, Event, NodeDoc, PositionSpec, Puzzles, RecordDoc, ReviewDoc, ReviewFileRequest,
    ReviewRequest, ReviewedMove, ReviewedPosition, Service, Where, Work,
};
use lambda6_search::NoClock;
use std::{
    collections::BTreeMap,
    sync::atomic::{AtomicBool, Ordering},
};

fn new_service() -> Service {
    let ceiling = Ceiling::default();
    Service::new(About::new(Where::Server, &ceiling, 1), ceiling)
}

/// Runs a review. The stop flag is set after so many reports.
fn review(service: &Service, request: &ReviewRequest, stop_after: usize) -> (ReviewDoc, Vec<Event>) {
    let stop = AtomicBool::new(false);
    let mut events = Vec::new();
    let mut report = |event: Event| {
        events.push(event);
        stop.store(events.len() >= stop_after, Ordering::Relaxed);
    };
    let mut work = Work { clock: &NoClock, stop: &stop, report: &mut report };
    let search = service.prepare("review", &serde_json::to_vec(request).unwrap()).unwrap().unwrap();
    let done = service.search(search, &mut work).unwrap();
    (serde_json::from_str(&done.data).unwrap(), events)
}

/// The last moves of an easy puzzle, and then a move of the winner far away from the win.
fn missed() -> ReviewRequest {
    let puzzle = Puzzles::all().puzzles.iter().find(|puzzle| puzzle.id == "1.1").unwrap();
    let spec = PositionSpec { moves: puzzle.moves.clone(), ..PositionSpec::default() };
    let (mut position, _) = spec.position().unwrap();
    let before = PositionSpec { moves: puzzle.moves[..puzzle.moves.len() - 1].to_vec(), ..spec.clone() };
    let game = position.game();
    let far = ["a1b3", "s1r3", "a19b17", "s19r17"].into_iter().map(|text| game.parse_move(text).unwrap());
    let far = far.into_iter().find(|mv| position.play(mv).is_ok()).unwrap();
    let mut moves = puzzle.moves[puzzle.moves.len() - 1..].to_vec();
    moves.push(game.move_name(&far));
    let start = PositionSpec::of(&before.position().unwrap().0);
    ReviewRequest { position: PositionSpec { moves, ..start }, nodes: Some(1000), ..ReviewRequest::default() }
}

#[test]
fn a_missed_win_is_found_and_its_proof_can_be_browsed() {
    let service = new_service();
    let (doc, events) = review(&service, &missed(), usize::MAX);
    assert!(doc.complete);
    assert_eq!((doc.positions.len(), doc.moves.len(), events.len()), (3, 2, 3));
    assert_eq!((&doc.missed_wins, doc.mistakes.contains(&2)), (&vec![2], true));
    let won = &doc.positions[1];
    assert_eq!((won.certainty.as_str(), won.winner.as_ref()), ("proved", Some(&won.to_move)));
    let proof = won.proof.as_ref().unwrap();
    assert!(service.proofs.get(&proof.id).is_ok());
    assert_eq!(won.length, Some(proof.longest as usize));
    let blunder = &doc.moves[1];
    assert!(blunder.missed_win && blunder.remark.contains("(proved)"), "{blunder:?}");
    // The reports say the same as the answer.
    let mut told: BTreeMap<usize, ReviewedPosition> = BTreeMap::new();
    let mut judged: BTreeMap<usize, ReviewedMove> = BTreeMap::new();
    for event in &events {
        let progress: serde_json::Value = serde_json::from_str(&event.data).unwrap();
        assert_eq!(progress["total"], 3);
        let positions: Vec<ReviewedPosition> = serde_json::from_value(progress["positions"].clone()).unwrap();
        told.extend(positions.into_iter().map(|position| (position.after, position)));
        let moves: Vec<ReviewedMove> = serde_json::from_value(progress["moves"].clone()).unwrap();
        judged.extend(moves.into_iter().map(|mv| (mv.number, mv)));
    }
    assert!(told.into_values().eq(doc.positions.iter().cloned()));
    assert!(judged.into_values().eq(doc.moves.iter().cloned()));
}

#[test]
fn a_review_that_was_stopped_is_taken_up_again() {
    let service = new_service();
    let (whole, _) = review(&service, &missed(), usize::MAX);
    let (part, _) = review(&service, &missed(), 2);
    assert!(!part.complete && part.positions.len() == 2, "{part:?}");
    let go_on = ReviewRequest { known: part.positions.clone(), ..missed() };
    let (rest, events) = review(&service, &go_on, usize::MAX);
    assert_eq!((&rest, events.len()), (&whole, 1));
    // A proof that is not here is not believed: the position is looked at again.
    let (again, events) = review(&new_service(), &go_on, usize::MAX);
    assert_eq!((again.positions.len(), events.len()), (3, 2));
}

#[test]
fn a_review_becomes_a_record_and_a_page() {
    let service = new_service();
    let request = missed();
    let (doc, _) = review(&service, &request, usize::MAX);
    let body = |record| serde_json::to_vec(&ReviewFileRequest { review: doc.clone(), record }).unwrap();
    let answer = service.answer("review/record", None, &body(None)).unwrap();
    let record: RecordDoc = serde_json::from_slice(&answer.bytes).unwrap();
    let played: Vec<&NodeDoc> = record.nodes.iter().filter(|node| !node.comment.is_empty()).collect();
    assert!(played.iter().any(|node| node.comment.contains("Missed:")), "{record:?}");
    let bad = record.nodes.iter().find(|node| node.properties.iter().any(|p| p.ident == "BM")).unwrap();
    assert_eq!(bad.r#move.as_ref(), request.position.moves.last());
    assert!(bad.marks.iter().any(|mark| mark.kind == "CR"));
    // Reviewing it again changes nothing: the same paragraphs take the place of the old ones.
    let again = service.answer("review/record", None, &body(Some(record.clone()))).unwrap();
    let again: RecordDoc = serde_json::from_slice(&again.bytes).unwrap();
    assert_eq!(serde_json::to_value(again).unwrap(), serde_json::to_value(record).unwrap());
    let page = service.answer("review/page", None, &body(None)).unwrap();
    let page = String::from_utf8(page.bytes).unwrap();
    assert!(page.contains("connect-proof 1") && !page.contains("http://") && !page.contains("https://"));
}

#[test]
fn a_claim_without_its_proof_is_left_out() {
    let (doc, _) = review(&new_service(), &missed(), usize::MAX);
    let body = serde_json::to_vec(&ReviewFileRequest { review: doc, record: None }).unwrap();
    let record = new_service().answer("review/record", None, &body).unwrap();
    assert!(!String::from_utf8(record.bytes).unwrap().contains("(proved)"));
}

#[test]
fn errors_name_the_field() {
    let service = new_service();
    let refused = |body: &str| -> ApiError { service.prepare("review", body.as_bytes()).err().unwrap() };
    for (body, field) in [
        (r#"{"position":{"moves":[]}}"#, "position.moves"),
        (r#"{"position":{"moves":["j10","-"]}}"#, "position.moves[1]"),
        (r#"{"position":{"moves":["j10"]},"nodes":0}"#, "nodes"),
        (r#"{"position":{"moves":["j10"]},"class":"x"}"#, "class"),
        (r#"{"position":{"moves":["j10"]},"winner":"red"}"#, "winner"),
    ] {
        assert_eq!(refused(body).field.as_deref(), Some(field), "{body}");
    }
}
