//! A search that is told to stop, stops.

#![allow(clippy::unwrap_used, reason = "helpers of tests may fail as tests do")]

mod support;

use lambda6_proof::{
    Budget, Class, Limits, NoClock, Observer, Progress, Silent, Solver, SolverOptions, Strategy, SystemClock,
    Verdict, Why,
};
use lambda6_rules::{Game, Position, Side};
use lambda6_search::{
    vcdt::{Defence, Partners, VcdtOptions},
    vcst_rounds::RoundsOptions,
};
use std::{
    sync::{
        atomic::{AtomicBool, Ordering},
        mpsc,
    },
    time::{Duration, Instant},
};
use support::{
    Kind,
    hard::{Looks, hard},
    late_wins,
};

/// How long a search goes on behind the signal. Positions that are settled before
/// it are passed over; a fast machine may settle all.
fn latency(game: Game, strategy: Strategy) -> Option<Duration> {
    (0..100).find_map(|seed| latency_in(hard(game, seed), strategy))
}

fn latency_in(position: Position, strategy: Strategy) -> Option<Duration> {
    let options = SolverOptions { strategy, table_bytes: 1 << 22, ..SolverOptions::default() };
    let mut solver = Solver::new(position.game(), options);
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
        let mut budget = Budget::new(Limits::default(), &clock, stop);
        let report = solver.solve(&position, Side::Black, &mut budget, &mut Silent).unwrap();
        let end = Instant::now();
        drop(done);
        let begin = signal.join().unwrap();
        let stopped = matches!(report.verdict, Verdict::Unknown(Why::Stopped));
        stopped.then(|| end.saturating_duration_since(begin))
    })
}

#[test]
fn searches_stop_soon_after_the_signal() {
    let every = VcdtOptions { defence: Defence::Normal, partners: Partners::All };
    let thorough = RoundsOptions { defence: Defence::Normal, exhaustive: true };
    let conservative = RoundsOptions { defence: Defence::Conservative, exhaustive: false };
    let [vcdt, vcst, lambda3] = [Class::Vcdt, Class::Vcst, Class::Lambda3].map(|c| Strategy::for_class(c, 1));
    let connect = |m, k, p| Game::new(m, m, k, p, 1).unwrap();
    let mut stopped = 0;
    for (name, game, strategy) in [
        ("vcst", Game::CONNECT6, vcst),
        ("vcst, conservative", Game::CONNECT6, Strategy::VcstRounds(conservative)),
        ("vcst, exhaustive", Game::CONNECT6, Strategy::VcstRounds(thorough)),
        ("vcdt, all partners", Game::CONNECT6, Strategy::Vcdt(every)),
        ("vcst, 59x59", connect(59, 6, 2), vcst),
        ("vcst, p = 3", connect(11, 7, 3), vcst),
        ("vcst, p = 3, 19x19", connect(19, 8, 3), vcst),
        ("vcst in rounds, p = 3", connect(19, 8, 3), Strategy::VcstRounds(RoundsOptions::default())),
        ("vcst, p = 5, 59x59", connect(59, 12, 5), vcst),
        ("lambda3, p = 3", connect(19, 8, 3), lambda3),
        ("vcdt, p = 3", connect(19, 8, 3), vcdt),
        ("vcdt, p = 5, 59x59", connect(59, 12, 5), vcdt),
    ] {
        let Some(latency) = latency(game, strategy) else {
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

/// With three stones a move or more, finding the moves of one position takes
/// long. The clock is looked at while that goes on: the time is up after a hundred
/// looks, and not two moves have been tried by then.
#[test]
fn searches_look_at_the_clock_while_they_find_moves() {
    let rounds = Strategy::VcstRounds(RoundsOptions::default());
    let [vcdt, vcst, lambda3] = [Class::Vcdt, Class::Vcst, Class::Lambda3].map(|c| Strategy::for_class(c, 1));
    for (m, k, p) in [(19, 8, 3), (19, 9, 4), (25, 12, 5), (40, 14, 6), (59, 20, 8)] {
        let game = Game::new(m, m, k, p, 1).unwrap();
        for strategy in [vcdt, vcst, rounds, lambda3] {
            let options = SolverOptions { strategy, table_bytes: 1 << 20, ..SolverOptions::default() };
            let ended = (0..20).filter(|&seed| {
                let (clock, stop) = (Looks::most(100), AtomicBool::new(false));
                let limits = Limits { time: Some(Duration::from_secs(1)), ..Limits::default() };
                let mut budget = Budget::new(limits, &clock, &stop);
                let mut solver = Solver::new(game, options);
                let report = solver.solve(&hard(game, seed), Side::Black, &mut budget, &mut Silent).unwrap();
                matches!(report.verdict, Verdict::Unknown(Why::Time)) && report.nodes <= 2
            });
            assert!(ended.count() > 0, "{game}, {strategy:?}");
        }
    }
}

#[test]
fn a_search_that_is_stopped_before_it_begins_claims_nothing() {
    let position = hard(Game::CONNECT6, 0);
    for class in [Class::Vcdt, Class::Vcst] {
        let mut solver = Solver::new(Game::CONNECT6, SolverOptions::for_class(class));
        let stop = AtomicBool::new(true);
        let mut budget = Budget::new(Limits::default(), &NoClock, &stop);
        let report = solver.solve(&position, Side::Black, &mut budget, &mut Silent).unwrap();
        assert!(matches!(report.verdict, Verdict::Unknown(Why::Stopped)));
    }
}

/// Asks for a stop at the report with this number.
struct StopAt<'a> {
    left: usize,
    stop: &'a AtomicBool,
}

impl Observer for StopAt<'_> {
    fn report(&mut self, _: &Progress) {
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
    line: Vec<lambda6_rules::Move>,
}

impl Observer for Count {
    fn report(&mut self, progress: &Progress) {
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
        let options = SolverOptions { table_bytes: 1 << 16, ..SolverOptions::for_class(Class::Vcdt) };
        let stop = AtomicBool::new(false);
        let solve = |observer: &mut dyn Observer| {
            let mut solver = Solver::new(case.position.game(), options);
            let mut budget = Budget::new(Limits::default(), &NoClock, &stop);
            solver.solve(&case.position, case.attacker, &mut budget, observer).unwrap().verdict
        };
        let mut count = Count::default();
        let verdict = solve(&mut count);
        won += usize::from(verdict.win().is_some_and(|win| win.line().starts_with(&count.line[..1])));
        assert!(solve(&mut StopAt { left: count.reports, stop: &stop }).win().is_none());
    }
    assert!(won > 10);
}
