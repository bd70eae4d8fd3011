//! Puzzles with themes, and the judge of defences.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use lambda6_api::{About, Ceiling, JudgeRequest, PositionSpec, Puzzles, Service, Where, Work};
use lambda6_search::NoClock;
use std::sync::atomic::AtomicBool;

/// The puzzles with the moves that are asked for.
const THEMES: &str = include_str!("../../lambda6/data/themes.tsv");

fn judged(request: &JudgeRequest) -> serde_json::Value {
    let ceiling = Ceiling::default();
    let service = Service::new(About::new(Where::Server, &ceiling, 1), ceiling);
    let stop = AtomicBool::new(false);
    let mut work = Work { clock: &NoClock, stop: &stop, report: &mut |_| {} };
    let search = service.prepare("puzzles/judge", &serde_json::to_vec(request).unwrap()).unwrap().unwrap();
    serde_json::from_str(&service.search(search, &mut work).unwrap().data).unwrap()
}

#[test]
fn every_puzzle_has_a_theme_and_a_position_of_its_game() {
    let themes = ["double-threat", "single-threat", "inversion", "quiet", "defence"];
    let puzzles = &Puzzles::all().puzzles;
    for puzzle in puzzles {
        assert!(themes.contains(&puzzle.theme.as_str()), "{puzzle:?}");
        let spec = PositionSpec { game: Some(puzzle.game.clone()), start: None, moves: puzzle.moves.clone() };
        assert!(spec.position().unwrap().0.outcome().is_none(), "{}", puzzle.id);
    }
    let count = |theme: &str| puzzles.iter().filter(|puzzle| puzzle.theme == theme).count();
    assert!(count("defence") >= 30 && count("inversion") >= 40 && count("double-threat") >= 40);
}

#[test]
fn another_defence_loses_by_proof_and_the_one_asked_for_is_not_refuted() {
    let easy = Puzzles::all().puzzles.iter().find(|puzzle| puzzle.id == "d1.1").unwrap();
    let moves = easy.moves.join(" ");
    let row = THEMES.lines().find(|line| line.ends_with(&format!("\t{moves}"))).unwrap();
    let solution = row.split('\t').nth(9).unwrap().to_string();
    let position = PositionSpec { game: Some(easy.game.clone()), start: None, moves: easy.moves.clone() };
    let (board, _) = position.position().unwrap();
    let far = board.empty_squares().map(|square| board.game().square_name(square));
    let other = far.into_iter().find(|name| *name != solution).unwrap();
    let request = JudgeRequest { position, r#move: other, theme: Some("defence".to_string()) };
    let wrong = judged(&request);
    assert_eq!(wrong["verdict"], "wrong", "{wrong}");
    assert!(wrong["message"].as_str().unwrap().contains("(proved)"), "{wrong}");
    assert_eq!(wrong["reply"], wrong["line"][0]);
    let right = judged(&JudgeRequest { r#move: solution, ..request });
    assert_eq!(right["verdict"], "solved", "{right}");
}
