//! Every level on random positions of random games: the moves are legal, rows
//! are completed, threats are met. `PROPTEST_CASES` sets how many.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

#[path = "../../proof/tests/support/exhaustive.rs"]
mod exhaustive;

use exhaustive::Exhaustive;
use lambda6_player::{JobAnswer, Level, PlayError, Player, PlayerOptions, Status, WON};
use lambda6_proof::{Solver, SolverOptions};
use lambda6_rules::{Game, Move, Outcome, Position, Side, Square};
use lambda6_search::{Budget, Clock, Control, Limits, NoClock, Random, Silent};
use lambda6_threats::{Board, Defences, ThreatCount, rows};
use proptest::prelude::*;
use std::{
    sync::atomic::{AtomicBool, AtomicU32, Ordering},
    time::Duration,
};

const GAMES: [[u32; 5]; 17] = [
    [19, 19, 6, 2, 1],
    [9, 9, 6, 2, 1],
    [25, 25, 6, 2, 1],
    [15, 15, 5, 1, 1],
    [20, 20, 5, 1, 1],
    [10, 10, 6, 3, 2],
    [9, 7, 5, 3, 2],
    [3, 3, 3, 1, 1],
    [4, 7, 4, 2, 2],
    [1, 9, 3, 2, 1],
    [7, 7, 2, 2, 1],
    [6, 6, 6, 4, 4],
    [12, 5, 7, 2, 1],
    [64, 64, 6, 2, 1],
    [13, 13, 8, 8, 1],
    [13, 13, 10, 5, 2],
    [5, 4, 30, 2, 1],
];

/// Games that can be searched to the end.
const SMALL: [[u32; 5]; 4] = [[5, 5, 4, 1, 1], [5, 5, 4, 2, 1], [6, 4, 4, 2, 1], [5, 5, 5, 2, 2]];

/// A position after some random moves, biased towards the middle of the board so
/// that rows come about; the game is not over.
fn position(game: Game, moves: usize, seed: u64) -> Position {
    let mut random = Random::new(seed);
    let mut position = Position::new(game);
    for _ in 0..moves {
        let before = position.clone();
        let mut mv = Move::NULL;
        let mut squares: Vec<Square> = position.empty_squares().collect();
        random.shuffle(&mut squares);
        let middle = |s: &Square| {
            let (col, row) = game.col_row(*s);
            let off = |x: u8, len: u8| (2 * i32::from(x) - i32::from(len) + 1).abs();
            off(col, game.cols()).max(off(row, game.rows())) > 9
        };
        squares.sort_by_key(middle);
        squares.iter().take(position.stones_to_place()).for_each(|&square| {
            mv.push(square);
        });
        if position.play(&mv).is_err() || position.outcome().is_some() {
            return before;
        }
    }
    position
}

fn nodes(nodes: u64) -> Limits {
    Limits { nodes: Some(nodes), ..Limits::default() }
}

fn player(game: Game, level: Level) -> Player {
    Player::new(game, PlayerOptions { level, table_bytes: 1 << 16, ..PlayerOptions::default() })
}

fn ask(player: &mut Player, position: &Position, limits: &Limits) -> lambda6_player::Choice {
    player.choose(position, Control::new(*limits, &NoClock, &AtomicBool::new(false)), &mut Silent).unwrap()
}

fn cases(fallback: u32) -> ProptestConfig {
    let cases = std::env::var("PROPTEST_CASES").ok().and_then(|text| text.parse().ok()).unwrap_or(fallback);
    ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() }
}

proptest! {
    #![proptest_config(cases(500))]

    #[test]
    fn a_winning_score_is_a_win(small in prop::sample::select(SMALL.to_vec()), moves in 3usize..9, seed in any::<u64>()) {
        winning_scores_are_wins(small, moves, seed);
    }
}

/// A score beyond [`WON`] is a win against every move, not only against those that
/// the search has tried.
fn winning_scores_are_wins([m, n, k, p, q]: [u32; 5], moves: usize, seed: u64) {
    let game = Game::new(m, n, k, p, q).unwrap();
    let position = position(game, moves, seed);
    let wins = Exhaustive::new(game).wins(&position, position.to_move(), 100_000);
    for level in [Level::Club, Level::Strong] {
        let choice = ask(&mut player(game, level), &position, &nodes(3_000));
        assert!(choice.score < WON || wins != Ok(false), "{level:?}: {}", choice.score);
    }
}

/// The few answers that the tree tries lose here, but others do not.
#[test]
fn a_win_against_some_answers_is_not_a_win() {
    winning_scores_are_wins([5, 5, 4, 2, 1], 3, 7_730_288_407_680_480_495);
}

proptest! {
    #![proptest_config(cases(80))]

    #[test]
    fn moves_are_legal_wins_are_taken_and_threats_met(
        game in prop::sample::select(GAMES.to_vec()),
        level in prop::sample::select(Level::ALL.to_vec()),
        moves in 0usize..14,
        seed: u64,
    ) {
        let [m, n, k, p, q] = game;
        let game = Game::new(m, n, k, p, q).unwrap();
        let position = position(game, moves, seed);
        prop_assume!(position.outcome().is_none());
        let side = position.to_move();
        let board = Board::from_position(&position);
        let stones = position.stones_to_place();
        let mut wins = false;
        lambda6_threats::defence::for_each_threat(&board, side, |threat| wins |= threat.len() <= stones);
        // With four stones a move and more there are too many defences to ask for.
        let mut defences = Defences::default();
        if game.p() <= 3 {
            defences.find(&board, side.other());
        }
        let met = defences.count() != ThreatCount::More && defences.iter().any(|set| set.len() <= stones);
        let choice = ask(&mut player(game, level), &position, &nodes(200));
        let mut after = position.clone();
        prop_assert!(after.play(&choice.mv).is_ok(), "{:?} {:?}", position, choice);
        if wins {
            prop_assert_eq!(after.outcome(), Some(Outcome::Win(side)));
        } else if met {
            prop_assert!(!Board::from_position(&after).has_threat(side.other()), "{:?} {:?}", position, choice);
        }
        if let Status::Win(_) = choice.status {
            prop_assert!(choice.win.is_some());
        }
    }

    #[test]
    fn the_same_nodes_give_the_same_answer(
        level in prop::sample::select(Level::ALL.to_vec()),
        moves in 1usize..10,
        seed: u64,
    ) {
        let position = position(Game::CONNECT6, moves, seed);
        prop_assume!(position.outcome().is_none());
        let mut one = player(Game::CONNECT6, level);
        let first = ask(&mut one, &position, &nodes(300));
        let second = ask(&mut player(Game::CONNECT6, level), &position, &nodes(300));
        prop_assert_eq!(first.mv, second.mv);
        prop_assert_eq!((first.score, first.nodes, first.depth), (second.score, second.nodes, second.depth));
    }
}

/// A clock on which a millisecond passes with every look: time that nobody looks at
/// costs nothing, so the nodes tell how long a search went on without a look.
#[derive(Default)]
struct Looks(AtomicU32);

impl Clock for Looks {
    fn elapsed(&self) -> Duration {
        Duration::from_millis(self.0.fetch_add(1, Ordering::Relaxed).into())
    }
}

/// Looks at the clock within the time, those after it (each search that is cut short
/// looks once more, and so do those around it), and nodes from one look to the next.
const LOOKS: u32 = 40;
const LATE_LOOKS: u32 = 200;
const NODES_A_LOOK: u64 = 600;

proptest! {
    #![proptest_config(cases(120))]

    #[test]
    fn every_level_answers_any_game_within_its_time(
        game in prop::sample::select(GAMES.to_vec()),
        level in prop::sample::select(Level::ALL.to_vec()),
        moves in 1usize..12,
        seed: u64,
    ) {
        let [m, n, k, p, q] = game;
        let position = position(Game::new(m, n, k, p, q).unwrap(), moves, seed);
        let (clock, stop) = (Looks::default(), AtomicBool::new(false));
        let limits = Limits { time: Some(Duration::from_millis(LOOKS.into())), ..Limits::default() };
        let choice = player(position.game(), level)
            .choose(&position, Control::new(limits, &clock, &stop), &mut Silent)
            .unwrap();
        let looks = clock.0.load(Ordering::Relaxed);
        prop_assert!(looks <= LOOKS + LATE_LOOKS, "{level}: {looks} looks");
        let most = NODES_A_LOOK * u64::from(looks + 1);
        prop_assert!(choice.nodes <= most, "{level}: {} nodes, {looks} looks", choice.nodes);
    }
}

fn played(moves: &str) -> Position {
    let mut position = Position::new(Game::CONNECT6);
    for text in moves.split_whitespace() {
        position.play(&Game::CONNECT6.parse_move(text).unwrap()).unwrap();
    }
    position
}

#[test]
fn whole_games_are_played_at_every_level() {
    let game = Game::new(9, 9, 6, 2, 1).unwrap();
    for level in Level::ALL {
        let mut position = Position::new(game);
        let mut players = [player(game, level), player(game, Level::Novice)];
        while position.outcome().is_none() {
            let choice = ask(&mut players[position.to_move().index()], &position, &nodes(300));
            position.play(&choice.mv).unwrap();
        }
    }
}

#[test]
fn a_win_by_single_or_double_threats_is_proved_and_played() {
    let position = played("j10 i10j9 h11i9 g10j12");
    let choice = ask(&mut player(Game::CONNECT6, Level::Strong), &position, &nodes(200_000));
    assert_eq!(choice.status, Status::Win(position.to_move()));
    let win = choice.win.unwrap();
    assert_eq!(win.certificate().attacker(), position.to_move());
    assert_eq!(win.line()[0], choice.mv);
}

#[test]
fn jobs_leave_out_excluded_moves() {
    let position = played("j10 i9i11");
    let mut strong = player(Game::CONNECT6, Level::Strong);
    let mut excluded: Vec<Move> = Vec::new();
    for _ in 0..5 {
        let stop = AtomicBool::new(false);
        let answer = strong
            .job(&position, &excluded, Control::new(nodes(3_000), &NoClock, &stop), &mut Silent)
            .unwrap();
        let JobAnswer::Best(choice) = answer else { panic!("nothing is lost here") };
        assert!(!excluded.contains(&choice.mv));
        excluded.push(choice.mv);
    }
}

/// Black has more threats than White can meet.
#[test]
fn a_job_on_a_lost_position_says_so_with_proof() {
    let position = played("j10 a1a19 i10h10 s1s19 g10f12 a2a18 f11f10");
    let mut strong = player(Game::CONNECT6, Level::Strong);
    let stop = AtomicBool::new(false);
    // Black to move completes a row.
    let answer =
        strong.job(&position, &[], Control::new(nodes(3_000), &NoClock, &stop), &mut Silent).unwrap();
    match answer {
        JobAnswer::OthersLose { win, .. } => {
            let certificate = win.certificate();
            assert_eq!(certificate.position(), &position);
            assert_eq!(certificate.attacker(), position.to_move().other());
        }
        JobAnswer::Best(choice) => panic!("{choice:?}"),
    }
}

/// White must meet four in a row: both stones at its ends are better than one, and
/// one is better than none.
#[test]
fn moves_are_ranked_by_evaluation() {
    let game = Game::CONNECT6;
    let position = played("j10 i3j3 k10l10 k3l16 m10a1");
    let mut moves = ["a19b19", "n10s19", "i10n10"].map(|text| game.parse_move(text).unwrap());
    let best = [moves[2], moves[1], moves[0]];
    player(game, Level::Strong).rank(&position, &mut moves);
    assert_eq!(moves, best);
}

#[test]
fn candidates_come_best_first_and_differ() {
    let position = played("j10 i9i11");
    let mut strong = player(Game::CONNECT6, Level::Strong);
    let stop = AtomicBool::new(false);
    let list =
        strong.candidates(&position, Control::new(nodes(20_000), &NoClock, &stop), &mut Silent, 5).unwrap();
    assert_eq!(list.len(), 5);
    for pair in list.windows(2) {
        assert!(pair[0].score >= pair[1].score && pair[0].mv != pair[1].mv);
    }
}

#[test]
fn impossible_questions_are_refused() {
    let mut strong = player(Game::CONNECT6, Level::Strong);
    let stop = AtomicBool::new(false);
    let over = played("a1 a19b19 b1c1 c19d19 d1e1 s19r19 f1g1");
    let error = strong.choose(&over, Control::new(nodes(100), &NoClock, &stop), &mut Silent).unwrap_err();
    assert!(matches!(error, PlayError::GameOver(_)));
    let other = Position::new(Game::GO_MOKU);
    let error = strong.choose(&other, Control::new(nodes(100), &NoClock, &stop), &mut Silent).unwrap_err();
    assert!(matches!(error, PlayError::OtherGame { .. }));
    let open = played("j10");
    let error = strong.choose(&open, Control::new(nodes(0), &NoClock, &stop), &mut Silent).unwrap_err();
    assert!(matches!(error, PlayError::Limits(_)));
    let tiny = Position::new(Game::new(2, 1, 2, 1, 1).unwrap());
    let mut player = player(tiny.game(), Level::Strong);
    let all: Vec<Move> = tiny.empty_squares().map(Move::single).collect();
    let answer = player.job(&tiny, &all, Control::new(nodes(100), &NoClock, &stop), &mut Silent);
    assert!(matches!(answer, Err(PlayError::NothingLeft)));
}

/// In each of these positions tempting moves lose to a VCST win that ten thousand
/// nodes find.
#[test]
fn no_move_is_played_that_loses_at_once() {
    for moves in [
        "j10 j8l9 i9h8",
        "j10 j8k12 i11k9",
        "j10 j9j12 h12i11 i9k9",
        "j10 i9k9 j9j8 j11j7 i10k10 h11l11 i8k8 h10l8 l7h7 g6m6 g8l10 m10f8 j5i6 f9k4 i4i5",
        "j10 j9k11 k9l8 i11h11 j11l7 l10j12 i13h10 g10i12 g12f9 k14k10 j13m7 n6k13 k12m12 o7l11 l13m9 m5l4 \
         p8j2 m14i8",
    ] {
        let mut position = played(moves);
        let options = PlayerOptions { table_bytes: 16 << 20, openings: false, ..PlayerOptions::default() };
        let choice = ask(&mut Player::new(Game::CONNECT6, options), &position, &nodes(400_000));
        if choice.score <= -WON {
            continue;
        }
        position.play(&choice.mv).unwrap();
        let limits = Limits { nodes: Some(10_000), ..Limits::default() };
        let mut solver = Solver::new(Game::CONNECT6, SolverOptions::default());
        let stop = AtomicBool::new(false);
        let report = solver.solve(
            &position,
            position.to_move(),
            &mut Budget::new(limits, &NoClock, &stop),
            &mut Silent,
        );
        let lost = report.unwrap().verdict.win().is_some();
        assert!(!lost, "{moves}: {} loses", Game::CONNECT6.move_name(&choice.mv));
    }
}

/// h9i8 is a quiet win: `lambda6 verify` refutes all defences. m9n7 allows
/// it.
#[test]
fn a_quiet_win_is_found_and_moves_that_allow_it_are_avoided() {
    let options = PlayerOptions { table_bytes: 16 << 20, openings: false, ..PlayerOptions::default() };
    let mut player = Player::new(Game::CONNECT6, options);
    let choice = ask(&mut player, &played("j10 j9k10 l11k8 l9m8 m9n7"), &nodes(6_000_000));
    assert_eq!(Game::CONNECT6.move_name(&choice.mv), "h9i8");
    assert!(choice.win.is_none() && choice.score < WON, "no claim without a proof");
    let choice = ask(&mut player, &played("j10 j9k10 l11k8 l9m8"), &nodes(5_000_000));
    assert_ne!(Game::CONNECT6.move_name(&choice.mv), "m9n7");
}

fn go_moku(side: u32, moves: &str) -> Position {
    let mut position = Position::new(Game::new(side, side, 5, 1, 1).unwrap());
    for text in moves.split_whitespace() {
        position.play(&position.game().parse_move(text).unwrap()).unwrap();
    }
    position
}

/// Whoever does not meet an open three loses to an open four. Only `novice` may overlook one.
#[test]
fn open_threes_of_go_moku_are_met() {
    let open_three = |position: &Position, side: Side| {
        rows(&Board::from_position(position), side).iter().any(|row| row.name() == "open three")
    };
    for (side, moves) in [(15, "h8 h12 g8 d4 i8"), (15, "h8 a1 g7 c3 i9"), (20, "j10 a1 k10 a3 l10")] {
        let position = go_moku(side, moves);
        let attacker = position.to_move().other();
        assert!(open_three(&position, attacker), "{moves}");
        for level in Level::ALL.into_iter().filter(|&level| level != Level::Novice) {
            let choice = ask(&mut player(position.game(), level), &position, &nodes(20_000));
            let mut after = position.clone();
            after.play(&choice.mv).unwrap();
            let name = after.game().move_name(&choice.mv);
            assert!(!open_three(&after, attacker), "{level} plays {name} after {moves}");
        }
    }
}

/// Fours and threes win: the levels that search for attacks find it, with a proof.
#[test]
fn wins_by_fours_and_threes_are_found() {
    let position = go_moku(15, "h8 a1 h9 o15 i8 a15 j10 o1");
    for level in [Level::Kagami, Level::Strong] {
        let choice = ask(&mut player(position.game(), level), &position, &nodes(50_000));
        assert_eq!(choice.status, Status::Win(Side::Black), "{level}");
        assert_eq!(choice.win.unwrap().certificate().attacker(), Side::Black);
    }
}

/// Pondering relies on this: the search of the opponent's move fills the tables for
/// the search of the next move.
#[test]
fn tables_are_kept_from_move_to_move() {
    let position = played("j10 i9i11");
    let deep = |depth| Limits { depth: Some(depth), ..Limits::default() };
    let mut pondering = player(Game::CONNECT6, Level::Club);
    let expected = ask(&mut pondering, &position, &deep(2));
    let mut next = position;
    next.play(&expected.line[0]).unwrap();
    let known = ask(&mut pondering, &next, &deep(1));
    let fresh = ask(&mut player(Game::CONNECT6, Level::Club), &next, &deep(1));
    assert!(known.nodes < fresh.nodes, "{} nodes, {} without memory", known.nodes, fresh.nodes);
}

#[test]
fn two_threads_play_legal_moves() {
    let position = played("j10 i9i11");
    let options = PlayerOptions { threads: 2, table_bytes: 1 << 20, ..PlayerOptions::default() };
    let mut strong = Player::new(Game::CONNECT6, options);
    let choice = ask(&mut strong, &position, &nodes(5_000));
    position.clone().play(&choice.mv).unwrap();
}
