//! What a review concludes from the standings of a game.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use lambda6_proof::{Budget, Limits, Silent, Solver, SolverOptions, Verdict as Solved};
use lambda6_review::{
    AnnotateError, Effort, PlayedGame, Quality, Review, ReviewOptions, Reviewer, Standing, Verdict, annotate,
    playable,
};
use lambda6_rules::{
    Game, Move, Outcome, Position, Setup, Side,
    record::{self, ReadOptions, Record},
};
use lambda6_search::NoClock;
use std::sync::atomic::AtomicBool;

/// White lost by the last move but two.
const GAME: &[u8] = b"j10 l10k9 i7k7 i9j9 h9j7 l7m9 l9k8 i6h7 a1b3 s1r3";

fn record() -> Record {
    record::read(GAME, &ReadOptions::default()).unwrap()
}

fn estimate(black_chance: f64) -> Standing {
    let (line, others) = (Vec::new(), Vec::new());
    Standing { verdict: Verdict::Estimate, black_chance, line, others, nodes: 1 }
}

/// Reviews the positions in this order.
fn reviewed(order: &[usize]) -> Review {
    let game = PlayedGame::of(&record()).unwrap();
    let options = ReviewOptions { effort: Effort::of_nodes(200), ..ReviewOptions::default() };
    let mut reviewer = Reviewer::new(Game::CONNECT6, options);
    let mut review = Review::new(game);
    for &after in order {
        let standing = reviewer.look(review.game(), after, &NoClock, &AtomicBool::new(false)).unwrap();
        review.set(after, standing);
    }
    review
}

fn text(review: &Review) -> String {
    let standings = (0..review.game().positions().len()).map(|after| {
        let standing = review.standing(after).unwrap();
        format!("{standing} {} {:?} {:?}\n", standing.black_chance, standing.line, standing.others)
    });
    standings.collect()
}

#[test]
fn the_order_of_the_looks_makes_no_difference() {
    let forward: Vec<usize> = (0..11).collect();
    let backward: Vec<usize> = (0..11).rev().collect();
    let mixed = [5, 3, 9, 0, 10, 1, 8, 2, 7, 4, 6];
    let expected = text(&reviewed(&forward));
    assert_eq!(text(&reviewed(&backward)), expected);
    assert_eq!(text(&reviewed(&mixed)), expected);
}

#[test]
fn a_missed_win_is_a_blunder_whose_line_can_be_played_to_its_end() {
    let review = reviewed(&(0..11).collect::<Vec<_>>());
    let missed = review.missed_wins();
    // Black's far move is the first; after it White may have a win to miss, too.
    assert_eq!(missed[0].index, 8);
    assert!(missed.iter().all(|judged| review.standing(judged.index).unwrap().win().is_some()));
    assert_eq!((missed[0].quality, missed[0].side), (Quality::Blunder, Side::Black));
    let standing = review.standing(8).unwrap();
    let line = playable(standing.win().unwrap());
    assert_eq!(line, standing.line);
    let mut position = review.game().positions()[8].clone();
    line.iter().for_each(|mv| position.play(mv).unwrap());
    assert_eq!(position.outcome(), Some(Outcome::Win(Side::Black)));
}

/// Two black stones in a column and a move that makes a lasting attack: the proof of the position
/// after it becomes a proof of the position before it.
#[test]
fn a_proof_is_passed_back_over_the_move_that_wins() {
    let start =
        Setup::parse("game: 19 19 6 2 1\nblack: j10 j12\nto-move: black\n").unwrap().position().unwrap();
    let mv = start.game().parse_move("i11s19").unwrap();
    let game = PlayedGame::new(start, vec![mv], None).unwrap();
    let mut solver = Solver::new(Game::CONNECT6, SolverOptions::default());
    let mut budget = Budget::within(Limits::default());
    let report = solver.solve(&game.positions()[1], Side::Black, &mut budget, &mut Silent).unwrap();
    let Solved::Win(win) = report.verdict else { panic!("three open stones win") };
    let mut review = Review::new(game);
    assert_eq!(review.set(0, estimate(0.4)), [0]);
    assert_eq!(review.set(1, Standing::proved(win, 1)), [1, 0]);
    let before = review.standing(0).unwrap();
    assert_eq!((before.certain_winner(), before.line[0]), (Some(Side::Black), mv));
    let mut certificate = Vec::new();
    before.win().unwrap().certificate().write(&mut certificate).unwrap();
    lambda6_checker::check(&certificate[..]).unwrap();
    assert_eq!(review.judgement(0).unwrap().quality, Quality::Wins);
}

#[test]
fn losses_are_those_of_the_mover_and_a_better_move_raises_the_position() {
    let mut review = Review::new(PlayedGame::of(&record()).unwrap());
    for (after, black) in [0.5, 0.5, 0.8, 0.3].into_iter().enumerate() {
        let mut standing = estimate(black);
        // Another move than the one played is the best.
        standing.line =
            vec![Game::CONNECT6.parse_move(["s19", "s19s18", "s19s18", "s19s18"][after]).unwrap()];
        review.set(after, standing);
    }
    let loss = |index: usize| (100.0 * review.judgement(index).unwrap().loss).round();
    // White loses 30 %, and Black 50 %.
    assert_eq!((loss(1), loss(2)), (30.0, 50.0));
    assert_eq!(review.mistakes().iter().map(|judged| judged.index).collect::<Vec<_>>(), [2, 1]);
    assert_eq!(review.summary(Side::White).mistakes, [0, 0, 1]);
    let mut review = Review::new(PlayedGame::of(&record()).unwrap());
    review.set(0, estimate(0.5));
    review.set(1, estimate(0.7));
    assert_eq!(review.standing(0).unwrap().black_chance, 0.7);
    let first = review.judgement(0).unwrap();
    assert!(first.loss == 0.0 && first.is_surprise);
}

#[test]
fn a_quality_is_worse_the_more_is_lost() {
    let losses = [0.0, 0.05, 0.1, 0.2, 0.3, 1.0].map(Quality::of_loss);
    use Quality::{Best, Blunder, Good, Inaccuracy, Mistake};
    assert_eq!(losses, [Best, Good, Inaccuracy, Mistake, Blunder, Blunder]);
    assert!(Quality::ALL.is_sorted());
}

#[test]
fn another_game_is_not_annotated() {
    let review = Review::new(PlayedGame::of(&record()).unwrap());
    for text in ["j10 l10k9", "j10 l10k8", "k10 l10k9"] {
        let other = record::read(text.as_bytes(), &ReadOptions::default()).unwrap();
        assert!(matches!(annotate(&other, &review), Err(AnnotateError::OtherGame(_))), "{text}");
    }
    assert!(PlayedGame::new(Position::new(Game::CONNECT6), vec![Move::NULL], None).is_err());
}
