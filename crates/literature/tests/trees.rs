//! The searches of trees: every win is one by trying everything, whatever the
//! search, and limits are kept.

#![allow(clippy::unwrap_used, reason = "helpers of tests may fail as tests do")]

#[path = "../../proof/tests/support/mod.rs"]
mod support;

use lambda6_literature::{
    Compared, ComparisonOptions, ComparisonSolver, ComparisonStrategy, VcdtVariant,
    dbs::DbsOptions,
    staged::{TreeKind, TreeOptions},
};
use lambda6_proof::{Class, Verdict};
use lambda6_rules::{Game, Position, Side};
use lambda6_search::{Budget, Limits, Method, NoClock, Observer, Progress, Silent, Why, vcdt::VcdtOptions};
use proptest::prelude::*;
use std::{
    sync::{
        atomic::{AtomicBool, Ordering},
        mpsc,
    },
    time::Duration,
};
use support::{
    Case, Kind, Oracles,
    hard::{Looks, hard},
    oracle, positions, run,
};

fn solver(game: Game, tree: TreeOptions, table_bytes: usize) -> ComparisonSolver {
    let strategy = ComparisonStrategy::Tree(tree);
    ComparisonSolver::new(game, ComparisonOptions { table_bytes, ..ComparisonOptions::new(strategy) })
}

fn solve(case: &Case, tree: TreeOptions, table_bytes: usize, limits: Limits) -> Compared {
    let mut solver = solver(case.position.game(), tree, table_bytes);
    solver.solve(&case.position, case.attacker, &mut Budget::within(limits), &mut Silent).unwrap()
}

/// Small trees: small boards need no more.
fn small(kind: TreeKind) -> TreeOptions {
    TreeOptions { nodes: 3_000, effort: 50, ..TreeOptions::new(kind) }
}

/// Every search on random positions, each with one effort of evaluation and one
/// method of certificates; the oracle has the last word.
fn wins_are_wins(kind: Kind, cases: u32, name: &str) {
    let oracles = Oracles::default();
    let proved = std::cell::Cell::new(0);
    run(cases, positions(kind, 11), |case| {
        let class = match case.choice % 3 {
            0 => (Some(Class::Vcdt), oracle::Class::Full),
            1 => (Some(Class::Vcst), oracle::Class::Any),
            _ => (None, oracle::Class::All),
        };
        let Ok(won) = oracles.wins(&case, class.1) else { return Ok(()) };
        for kind in TreeKind::ALL {
            let method = Method::ALL[(case.choice / 3) as usize % 4];
            let effort = [0, 5, 50][(case.choice / 12) as usize % 3];
            let tree = TreeOptions { class: class.0, effort, ..small(kind) };
            let options =
                ComparisonOptions { strategy: ComparisonStrategy::Tree(tree), method, table_bytes: 1 << 18 };
            let mut solver = ComparisonSolver::new(case.position.game(), options);
            let mut budget = Budget::of_nodes(20_000);
            let solved = solver.solve(&case.position, case.attacker, &mut budget, &mut Silent).unwrap();
            if let Verdict::Win(_) = &solved.report.verdict {
                prop_assert!(won, "{kind} says that it is a win: {}", case.line());
                proved.set(proved.get() + 1);
            }
            let searched = solved.searched.unwrap();
            if let Some(tree) = &searched.tree {
                prop_assert!(tree.len() <= 3_000);
            }
        }
        Ok(())
    });
    println!("{name}: {} proofs", proved.get());
    // The positions differ from run to run; where a defender is to move few are won.
    assert!(proved.get() > cases / 8, "hardly anything was proved: {}", proved.get());
}

#[test]
fn with_the_attacker_to_move_every_win_is_one_by_trying_everything() {
    wins_are_wins(Kind::Any, 150, "attacker");
}

#[test]
fn with_the_defender_to_move_every_win_is_one_by_trying_everything() {
    wins_are_wins(Kind::Defender, 80, "defender");
}

/// Positions of games with their winners to move.
fn puzzle(moves: &str) -> Case {
    let mut position = Position::new(Game::CONNECT6);
    for mv in moves.split_whitespace() {
        position.play(&position.game().parse_move(mv).unwrap()).unwrap();
    }
    Case { attacker: position.to_move(), position, choice: 0 }
}

/// A win that takes single threats, and one by double threats.
const SINGLE: &str = "j10 j9i9 k9i11 h12h11";
const DOUBLE: &str = "j10 k9i9 j9i10 h10j12 j8j7 j11j5";

#[test]
fn proof_number_searches_win_real_positions() {
    for kind in [TreeKind::Pns1, TreeKind::Pns2a, TreeKind::Pns2b, TreeKind::Pns3, TreeKind::Dfpn] {
        for moves in [SINGLE, DOUBLE] {
            let tree = TreeOptions { nodes: 60_000, ..TreeOptions::new(kind) };
            let solved = solve(&puzzle(moves), tree, 8 << 20, Limits::default());
            assert!(solved.report.verdict.win().is_some(), "{kind} {moves}");
            assert_eq!(solved.searched.unwrap().widened, 0);
        }
    }
}

#[test]
fn the_cap_on_nodes_is_kept() {
    for kind in TreeKind::ALL.into_iter().filter(|&kind| kind != TreeKind::Dfpn) {
        for nodes in [0, 1, 100] {
            let tree = TreeOptions { nodes, effort: 10, ..TreeOptions::new(kind) };
            let limits = Limits { nodes: Some(20_000), ..Limits::default() };
            let Compared { report, searched } = solve(&puzzle(SINGLE), tree, 1 << 20, limits);
            assert!(matches!(report.verdict, Verdict::Unknown(Why::Nodes | Why::Depth)), "{kind} {nodes}");
            assert!(searched.unwrap().nodes <= nodes, "{kind} {nodes}");
        }
    }
}

#[test]
fn a_search_that_is_told_to_stop_says_so() {
    let case = puzzle(SINGLE);
    for kind in TreeKind::ALL {
        let stop = AtomicBool::new(true);
        let mut budget = Budget::new(Limits::default(), &NoClock, &stop);
        let mut solver = solver(case.position.game(), small(kind), 1 << 18);
        let solved = solver.solve(&case.position, case.attacker, &mut budget, &mut Silent).unwrap();
        assert!(matches!(solved.report.verdict, Verdict::Unknown(Why::Stopped)), "{kind}");
    }
}

/// Tells another thread that the search is under way.
struct Tell(mpsc::Sender<()>);

impl Observer for Tell {
    fn report(&mut self, _: &Progress) {
        // The other side goes when it has heard it once.
        let _ = self.0.send(());
    }
}

#[test]
fn a_search_is_stopped_from_another_thread() {
    let case = puzzle(SINGLE);
    let mut stopped = 0;
    for kind in TreeKind::ALL {
        let tree = TreeOptions { nodes: usize::MAX, effort: 0, ..TreeOptions::new(kind) };
        let mut solver = solver(case.position.game(), tree, 1 << 20);
        let stop = AtomicBool::new(false);
        let (tell, told) = mpsc::channel();
        std::thread::scope(|scope| {
            let stop = &stop;
            scope.spawn(move || {
                let heard = told.recv();
                stop.store(heard.is_ok(), Ordering::Relaxed);
            });
            // Without limits: what ends it is a verdict or the signal.
            let mut budget = Budget::new(Limits::default(), &NoClock, stop);
            let solved = solver.solve(&case.position, case.attacker, &mut budget, &mut Tell(tell)).unwrap();
            stopped += usize::from(matches!(solved.report.verdict, Verdict::Unknown(Why::Stopped)));
        });
    }
    assert!(stopped > 4, "{stopped}");
}

#[test]
fn a_board_without_knowledge_leads_to_the_same_tree() {
    let run = |naive| {
        let tree = TreeOptions { nodes: 2_000, effort: 20, naive, ..TreeOptions::new(TreeKind::Pns2b) };
        let limits = Limits { nodes: Some(5_000), ..Limits::default() };
        let Compared { report, searched } = solve(&puzzle(SINGLE), tree, 1 << 20, limits);
        (report.nodes, searched.unwrap().nodes, report.verdict.win().is_some())
    };
    assert_eq!(run(false), run(true));
}

/// With three stones a move or more, finding the moves of one position takes
/// long: the clock is looked at while that goes on.
#[test]
fn searches_look_at_the_clock_while_they_find_moves() {
    let vcdt = ComparisonStrategy::Vcdt {
        variant: VcdtVariant::Dfpn,
        options: VcdtOptions::default(),
        dbs: DbsOptions::default(),
    };
    let kinds = [TreeKind::Pns, TreeKind::Pns1, TreeKind::Pns2b, TreeKind::Dfpn, TreeKind::Mcts];
    let trees = kinds.map(|kind| {
        ComparisonStrategy::Tree(TreeOptions { nodes: 1_000, effort: 0, ..TreeOptions::new(kind) })
    });
    for (m, k, p) in [(19, 8, 3), (25, 12, 5), (59, 20, 8)] {
        let game = Game::new(m, m, k, p, 1).unwrap();
        for strategy in trees.into_iter().chain([vcdt]) {
            let (clock, stop) = (Looks::most(100), AtomicBool::new(false));
            let limits = Limits { time: Some(Duration::from_secs(1)), ..Limits::default() };
            let options = ComparisonOptions { table_bytes: 1 << 20, ..ComparisonOptions::new(strategy) };
            let mut solver = ComparisonSolver::new(game, options);
            let mut budget = Budget::new(limits, &clock, &stop);
            let solved = solver.solve(&hard(game, 1), Side::Black, &mut budget, &mut Silent).unwrap();
            assert!(solved.report.verdict.win().is_none(), "{game}, {strategy:?}");
        }
    }
}
