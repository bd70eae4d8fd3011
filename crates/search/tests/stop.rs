//! A search that is told to stop, stops.

#![allow(clippy::unwrap_used, reason = "helpers of tests may fail as tests do")]

mod support;

use lambda6_search::{
    Class, Clock, Limits, NoClock, Observer, Progress, Silent, Solver, SolverOptions, SystemClock, Vcdt,
    Vcst, Verdict, Why,
    any::AnyOptions,
    full::{Defence, Options, Partners},
    pns::{TreeKind, TreeOptions},
};
use rules::{Game, Position, Side};
use std::{
    sync::{
        atomic::{AtomicBool, AtomicU32, Ordering},
        mpsc,
    },
    time::{Duration, Instant},
};
use support::{Kind, late_wins, position};
use threats::Board;

/// Many stones of both sides spread so that there are threats to make and no win
/// at hand.
fn hard(game: Game, seed: u64) -> Position {
    let mut board = Board::new(game);
    let mut state = seed;
    let mut below = |end: u8| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 40) as u8 % end
    };
    for i in 0..game.area() / (8 + seed as usize % 8) {
        let square = game.square(below(game.cols()), below(game.rows()));
        let side = Side::ALL[i % 2];
        if board.is_empty(square) {
            board.place(side, square);
            if board.has_threat(side) {
                board.remove(side, square);
            }
        }
    }
    position(&board, Side::Black).unwrap()
}

/// How long a search goes on behind the signal. Positions that are settled before
/// it are passed over; a fast machine may settle all.
fn latency(game: Game, options: SolverOptions) -> Option<Duration> {
    (0..100).find_map(|seed| latency_in(hard(game, seed), options))
}

fn latency_in(position: Position, options: SolverOptions) -> Option<Duration> {
    let game = position.game();
    let mut solver = Solver::new(game, options);
    let stop = AtomicBool::new(false);
    let clock = SystemClock::start();
    std::thread::scope(|scope| {
        let (done, wait) = mpsc::channel::<()>();
        let stop = &stop;
        let signal = scope.spawn(move || {
            // Ends early when the search does.
            let _ = wait.recv_timeout(Duration::from_millis(5));
            stop.store(true, Ordering::Relaxed);
            Instant::now()
        });
        let report =
            solver.solve(&position, Side::Black, Limits::default(), &clock, stop, &mut Silent).unwrap();
        let end = Instant::now();
        drop(done);
        let begin = signal.join().unwrap();
        let stopped = matches!(report.verdict, Verdict::Unknown(Why::Stopped));
        stopped.then(|| end.saturating_duration_since(begin))
    })
}

#[test]
fn searches_stop_soon_after_the_signal() {
    let every = Options { defence: Defence::Normal, partners: Partners::All };
    let thorough = AnyOptions { defence: Defence::Normal, exhaustive: true };
    let conservative = AnyOptions { defence: Defence::Conservative, exhaustive: false };
    let default = SolverOptions { table_bytes: 1 << 22, ..SolverOptions::default() };
    let connect = |m, k, p| Game::new(m, m, k, p, 1).unwrap();
    let mut stopped = 0;
    for (name, game, options) in [
        ("vcst", Game::CONNECT6, default),
        ("vcst, conservative", Game::CONNECT6, SolverOptions { any: conservative, ..default }),
        ("vcst, exhaustive", Game::CONNECT6, SolverOptions { any: thorough, ..default }),
        ("vcdt, all partners", Game::CONNECT6, SolverOptions { class: Class::Vcdt, full: every, ..default }),
        ("vcst, 59x59", connect(59, 6, 2), default),
        ("vcst, p = 3", connect(11, 7, 3), default),
        ("vcst, p = 3, 19x19", connect(19, 8, 3), default),
        ("vcst in rounds, p = 3", connect(19, 8, 3), SolverOptions { vcst: Vcst::Rounds, ..default }),
        ("vcst, p = 5, 59x59", connect(59, 12, 5), default),
        ("lambda3, p = 3", connect(19, 8, 3), SolverOptions { class: Class::Lambda3, ..default }),
        ("vcdt, p = 3", connect(19, 8, 3), SolverOptions { class: Class::Vcdt, ..default }),
        ("vcdt, p = 5, 59x59", connect(59, 12, 5), SolverOptions { class: Class::Vcdt, ..default }),
    ] {
        let Some(latency) = latency(game, options) else {
            println!("{name}: settled before the signal");
            continue;
        };
        stopped += 1;
        println!("{name}: stopped {latency:?} after the signal");
        // A loaded machine may be slow; a search that does not look is slower.
        assert!(latency < Duration::from_secs(1), "{name}: {latency:?}");
    }
    // An exhaustive search of the large board takes hours on any machine.
    assert!(stopped > 0);
}

/// A clock on which the time is up when it has been looked at so many times.
struct Looks {
    left: AtomicU32,
}

impl Clock for Looks {
    fn elapsed(&self) -> Duration {
        let less = |left: u32| Some(left.saturating_sub(1));
        let _ = self.left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, less);
        Duration::from_secs(if self.left.load(Ordering::Relaxed) == 0 { 2 } else { 0 })
    }
}

/// With three stones a move or more, finding the moves of one position takes
/// long. The clock is looked at while that goes on: the time is up after a hundred
/// looks, and not two moves have been tried by then.
#[test]
fn searches_look_at_the_clock_while_they_find_moves() {
    let default = SolverOptions { table_bytes: 1 << 20, ..SolverOptions::default() };
    for (m, k, p) in [(19, 8, 3), (19, 9, 4), (25, 12, 5), (40, 14, 6), (59, 20, 8)] {
        let game = Game::new(m, m, k, p, 1).unwrap();
        for options in [
            SolverOptions { class: Class::Vcdt, vcdt: Vcdt::Plain, ..default },
            SolverOptions { class: Class::Vcdt, vcdt: Vcdt::Dfpn, ..default },
            SolverOptions { class: Class::Vcst, vcst: Vcst::Numbers, ..default },
            SolverOptions { class: Class::Vcst, vcst: Vcst::Rounds, ..default },
            SolverOptions { class: Class::Lambda3, ..default },
        ] {
            let ended = (0..20).filter(|&seed| {
                let clock = Looks { left: AtomicU32::new(100) };
                let limits = Limits { time: Some(Duration::from_secs(1)), ..Limits::default() };
                let stop = AtomicBool::new(false);
                let mut solver = Solver::new(game, options);
                let report =
                    solver.solve(&hard(game, seed), Side::Black, limits, &clock, &stop, &mut Silent).unwrap();
                matches!(report.verdict, Verdict::Unknown(Why::Time)) && report.nodes <= 2
            });
            assert!(ended.count() > 0, "{game}, {:?} {:?}", options.class, options.vcst);
        }
    }
}

/// So do the searches of trees: their lists of moves are bounded, and the clock is
/// looked at while they are made.
#[test]
fn searches_of_trees_look_at_the_clock_while_they_find_moves() {
    for (m, k, p) in [(19, 8, 3), (25, 12, 5), (59, 20, 8)] {
        let game = Game::new(m, m, k, p, 1).unwrap();
        for kind in [TreeKind::Pns, TreeKind::Pns1, TreeKind::Pns2b, TreeKind::Dfpn, TreeKind::Mcts] {
            let tree =
                TreeOptions { nodes: 1_000, effort: 0, table_bytes: 1 << 20, ..TreeOptions::new(kind) };
            let options = SolverOptions { tree: Some(tree), ..SolverOptions::default() };
            let clock = Looks { left: AtomicU32::new(100) };
            let limits = Limits { time: Some(Duration::from_secs(1)), ..Limits::default() };
            let stop = AtomicBool::new(false);
            let mut solver = Solver::new(game, options);
            let report =
                solver.solve(&hard(game, 1), Side::Black, limits, &clock, &stop, &mut Silent).unwrap();
            assert!(report.verdict.win().is_none(), "{game}, {kind}");
        }
    }
}

#[test]
fn a_search_that_is_stopped_before_it_begins_claims_nothing() {
    let position = hard(Game::CONNECT6, 0);
    for class in [Class::Vcdt, Class::Vcst] {
        let mut solver = Solver::new(Game::CONNECT6, SolverOptions { class, ..SolverOptions::default() });
        let stop = AtomicBool::new(true);
        let report =
            solver.solve(&position, Side::Black, Limits::default(), &NoClock, &stop, &mut Silent).unwrap();
        assert!(matches!(report.verdict, Verdict::Unknown(Why::Stopped)));
    }
}

/// Asks for a stop at the report with this number.
struct StopAt<'a> {
    left: usize,
    stop: &'a AtomicBool,
}

impl Observer for StopAt<'_> {
    fn report(&mut self, _: &Progress<'_>) {
        self.left = self.left.saturating_sub(1);
        self.stop.fetch_or(self.left == 0, Ordering::Relaxed);
    }
}

/// Counts reports, and knows how deep and how far the last was.
#[derive(Default)]
struct Count {
    reports: usize,
    depth: u32,
    nodes: u64,
    line: Vec<rules::Move>,
}

impl Observer for Count {
    fn report(&mut self, progress: &Progress<'_>) {
        assert!(progress.depth >= self.depth && progress.nodes >= self.nodes);
        self.reports += 1;
        (self.depth, self.nodes) = (progress.depth, progress.nodes);
        self.line = progress.line.to_vec();
    }
}

#[test]
fn a_win_whose_certificate_is_interrupted_is_not_claimed() {
    // The last report is of the win, before it is written down.
    let mut won = 0;
    for case in late_wins(Kind::Full).take(20) {
        let options = SolverOptions { class: Class::Vcdt, table_bytes: 1 << 16, ..SolverOptions::default() };
        let stop = AtomicBool::new(false);
        let solve = |observer: &mut dyn Observer| {
            let mut solver = Solver::new(case.position.game(), options);
            let limits = Limits::default();
            solver.solve(&case.position, case.attacker, limits, &NoClock, &stop, observer).unwrap().verdict
        };
        let mut count = Count::default();
        let verdict = solve(&mut count);
        won += usize::from(verdict.win().is_some_and(|win| win.line.starts_with(&count.line[..1])));
        assert!(solve(&mut StopAt { left: count.reports, stop: &stop }).win().is_none());
    }
    assert!(won > 10);
}
