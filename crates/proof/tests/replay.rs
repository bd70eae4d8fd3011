//! Wins on the full board, played out against every defence.

#![allow(clippy::unwrap_used, reason = "helpers of tests may fail as tests do")]

mod support;

use lambda6_proof::{Budget, Class, Method, Silent, Solver, SolverOptions, Verdict, Why, Win};
use lambda6_rules::{Game, Move, Setup, Side, Square};
use lambda6_threats::{Board, Defences, Play, defence};
use proptest::prelude::*;
use rustc_hash::FxHashMap;
use std::{cell::Cell, ops::Range};
use support::{Case, position, run};

/// Positions as in the middle of a game, rich in threats: runs and single stones
/// around the centre. `share` is how many of a hundred are the attacker's.
fn midgame(game: Game, share: Range<u8>) -> impl Strategy<Value = Case> {
    let (cols, rows) = (i32::from(game.cols()), i32::from(game.rows()));
    let centre = |length: i32| {
        let reach = (length / 2).min(5);
        length / 2 - reach..=(length / 2 + reach).min(length - 1)
    };
    let single = (centre(cols), centre(rows), 0..100u8).prop_map(|(x, y, shade)| vec![(x, y, shade)]);
    let run = (centre(cols), centre(rows), 0..100u8, 0..4usize, 2..4i32, 1..3i32).prop_map(
        |(x, y, shade, direction, length, step)| {
            let (dx, dy) = [(1, 0), (0, 1), (1, 1), (1, -1)][direction];
            (0..length).map(|i| (x + dx * i * step, y + dy * i * step, shade)).collect::<Vec<_>>()
        },
    );
    let parts = proptest::collection::vec(prop_oneof![3 => single, 1 => run], 6..24);
    (parts, share, any::<bool>(), any::<u64>()).prop_filter_map(
        "a row",
        move |(parts, share, black, choice)| {
            let attacker = if black { Side::Black } else { Side::White };
            let mut board = Board::new(game);
            for (x, y, shade) in parts.into_iter().flatten() {
                let on_board = (0..cols).contains(&x) && (0..rows).contains(&y);
                let side = if shade < share { attacker } else { attacker.other() };
                if on_board && board.is_empty(game.square(x as u8, y as u8)) {
                    let square = game.square(x as u8, y as u8);
                    board.place(side, square);
                    // The attacker is to move: a threat would end the game.
                    if board.has_row_through(side, square) || board.has_threat(attacker) {
                        board.remove(side, square);
                    }
                }
            }
            Some(Case { position: position(&board, attacker)?, attacker, choice })
        },
    )
}

fn solve(case: &Case, class: Class, method: Method, nodes: u64) -> Verdict {
    let options = SolverOptions { method, table_bytes: 1 << 22, ..SolverOptions::for_class(class) };
    let mut solver = Solver::new(case.position.game(), options);
    let report = solver.solve(&case.position, case.attacker, &mut Budget::of_nodes(nodes), &mut Silent);
    report.unwrap_or_else(|error| panic!("{error}: {}", case.line())).verdict
}

/// The replies of a proof, by the keys of the boards.
type Replies = FxHashMap<u64, Move>;

fn replies(win: &Win) -> Replies {
    let (mut replies, attacker) = (Replies::default(), win.certificate().attacker());
    let note = |board: &Board, reply: &Move| {
        replies.insert(board.key(attacker), *reply);
    };
    win.certificate().for_each_reply(note).unwrap();
    replies
}

/// Plays the replies against every critical defence until the attacker has `k` in
/// a row. A defence that leaves a threat open is met by connecting on it.
fn replay(board: &mut Board, attacker: Side, replies: &Replies, boards: &Cell<u64>) {
    boards.set(boards.get() + 1);
    let reply = replies[&board.key(attacker)];
    assert!(reply.iter().all(|square| board.is_empty(square)));
    board.place_all(attacker, reply);
    if !board.has_row(attacker) {
        assert_eq!(reply.len(), usize::from(board.game().p()));
        assert!(!board.has_threat(attacker.other()), "the defender connects");
        assert!(board.has_threat(attacker), "a move without a threat");
        let mut defences = Defences::default();
        defences.find(board, attacker);
        for mv in defences.iter() {
            board.play(attacker.other(), mv, |board| replay(board, attacker, replies, boards));
        }
        leave_one_open(board, attacker, &defences);
    }
    board.remove_all(attacker, reply);
}

/// Tries the pairs of squares of the threats that are no defence.
fn leave_one_open(board: &mut Board, attacker: Side, defences: &Defences) {
    let mut squares: Vec<Square> = Vec::new();
    defence::for_each_threat(board, attacker, |threat| squares.extend(threat.iter()));
    squares.sort_unstable();
    squares.dedup();
    let defender = attacker.other();
    for (i, &a) in squares.iter().enumerate() {
        for &b in &squares[..i] {
            if defences.iter().any(|mv| mv.iter().all(|square| square == a || square == b)) {
                continue;
            }
            board.play(defender, [a, b], |board| {
                assert!(!board.has_row(defender));
                let open = lambda6_search::connecting(board, attacker).expect("a threat left open");
                assert!(board.play(attacker, open, |board| board.has_row(attacker)));
            });
        }
    }
}

/// The line shown for a win: legal, the defender's moves hold what can be held,
/// and it ends with `k` in a row.
fn replay_line(case: &Case, win: &Win) {
    let mut board = Board::from_position(&case.position);
    let mut side = case.position.to_move();
    for mv in win.line() {
        assert!(!board.has_row(side.other()), "the line goes on behind its end");
        board.place_all(side, mv);
        side = side.other();
    }
    assert!(board.has_row(case.attacker), "the line does not connect: {}", case.line());
    assert_eq!(side, case.attacker.other(), "the defender has the last move: {}", case.line());
}

fn check(win: &Win, method: Method) -> u64 {
    let certificate = win.certificate();
    assert_eq!(certificate.method(), method);
    let mut text = Vec::new();
    certificate.write(&mut text).unwrap();
    let checked = lambda6_checker::check(&text[..]).unwrap();
    assert_eq!(checked.summary.replies, certificate.replies().len() as u64);
    checked.summary.replies
}

#[test]
fn wins_by_full_threats_replay_against_every_defence() {
    let (tried, won, longest, boards) = (Cell::new(0), Cell::new(0), Cell::new(0), Cell::new(0));
    run(400, midgame(Game::CONNECT6, 15..55), |case| {
        tried.set(tried.get() + 1);
        let method = Method::ALL[tried.get() % 4];
        match solve(&case, Class::Vcdt, method, 3_000) {
            Verdict::Win(win) => {
                won.set(won.get() + 1);
                longest.set(longest.get().max(win.depth()));
                let mut board = Board::from_position(&case.position);
                replay(&mut board, case.attacker, &replies(&win), &boards);
                replay_line(&case, &win);
                check(&win, method);
            }
            Verdict::Unknown(why) => prop_assert!(matches!(why, Why::Narrowed | Why::Nodes | Why::Exhausted)),
        }
        Ok(())
    });
    let text = format!("{} positions, {} won, at most {} moves", tried.get(), won.get(), longest.get());
    println!("vcdt: {text}, {} boards replayed", boards.get());
    assert!(won.get() > tried.get() / 10 && won.get() < tried.get() * 9 / 10, "one-sided: {text}");
    assert!(longest.get() >= 4, "only short wins: {text}");
}

/// Solves a position by each method. The methods differ in the defender's moves
/// that must be answered, not in who wins.
fn certify_by_all(case: &Case, nodes: u64, replies: &mut [u64; 4]) -> bool {
    let mut wins = 0;
    for (method, sum) in Method::ALL.into_iter().zip(replies) {
        let Verdict::Win(win) = solve(case, Class::Vcst, method, nodes) else { continue };
        wins += 1;
        *sum += check(&win, method);
        replay_line(case, &win);
    }
    wins == Method::ALL.len()
}

#[test]
fn wins_by_single_threats_are_certified_by_every_method() {
    // Found among random positions like those above: full threats do not win.
    let positions = include_str!("data/single_threat_wins.txt").lines();
    let positions: Vec<_> =
        positions.map(|line| Setup::parse(&line.replace(';', "\n")).unwrap().position().unwrap()).collect();
    let (mut won, mut replies) = (0, [0; 4]);
    for position in &positions {
        let case = Case { attacker: position.to_move(), position: position.clone(), choice: 0 };
        assert!(solve(&case, Class::Vcdt, Method::Mutual, 3_000).win().is_none());
        won += usize::from(certify_by_all(&case, 20_000, &mut replies));
    }
    println!("{won} of {} positions won, replies by method {replies:?}", positions.len());
    assert!(won > positions.len() / 2, "{won} of {} positions", positions.len());
}

#[test]
fn wins_against_a_defender_to_move_are_certified_by_every_method() {
    let (tried, won, replies) = (Cell::new(0), Cell::new(0), Cell::new([0; 4]));
    run(60, midgame(Game::CONNECT6, 60..90), |case| {
        let board = Board::from_position(&case.position);
        let position = position(&board, case.attacker.other()).unwrap();
        let case = Case { position, ..case };
        tried.set(tried.get() + 1);
        let mut sums = replies.get();
        won.set(won.get() + u32::from(certify_by_all(&case, 3_000, &mut sums)));
        replies.set(sums);
        Ok(())
    });
    let text = format!("{} positions, {} won", tried.get(), won.get());
    println!("defender to move: {text}, replies by method {:?}", replies.get());
    assert!(won.get() > tried.get() / 20, "few wins: {text}");
}
