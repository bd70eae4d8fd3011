//! Looks for positions of small games that take several moves to win. Random
//! positions seldom do, so those found are kept in `data/late_wins.txt`, and the
//! tests try what lies around them.
//!
//! `cargo test -p lambda6-proof --test harvest -- --ignored --nocapture` prints
//! more.

mod support;

use lambda6_proof::{Budget, Method, Silent, Verdict, WinSearch, prove};
use lambda6_rules::{Move, Square};
use lambda6_search::{
    vcdt::{Defence, Partners, VcdtOptions, VcdtSolver},
    vcst_rounds::{RoundsOptions, VcstRounds},
};
use lambda6_threats::{Board, Play};
use proptest::{
    strategy::{Strategy, ValueTree},
    test_runner::{Config, RngSeed, TestRunner},
};
use std::{
    collections::BTreeMap,
    time::{Duration, Instant},
};
use support::{Case, Kind, Role, late_wins, mutated, oracle::Class, position, sharp_cases, small_games};

const NODES: u64 = 1_000;

/// Kept of each game and kind.
const MOST: usize = 25;

/// The win that a search finds, with its certificate.
fn solve(search: &mut dyn WinSearch, case: &Case, nodes: u64) -> Verdict {
    let mut budget = Budget::of_nodes(nodes);
    prove(search, &case.position, case.attacker, Method::Mutual, &mut budget, &mut Silent)
        .expect("no search is wrong")
}

/// Which kind of late win a position is, with the moves that it takes, and the
/// position after the first of them.
fn kind(case: &Case, full_only: bool) -> Option<(Kind, usize, Option<Case>)> {
    let game = case.position.game();
    if case.position.to_move() != case.attacker {
        let verdict = solve(&mut VcstRounds::new(game, EVERY_VCST, 1 << 16), case, NODES);
        return verdict.win().map(|win| (Kind::Defender, win.depth(), None));
    }
    let options = VcdtOptions { defence: Defence::Normal, partners: Partners::All };
    let verdict = solve(&mut VcdtSolver::new(game, options, 1 << 16), case, NODES);
    if let Some(win) = verdict.win() {
        return (win.depth() >= 3).then(|| (Kind::Full, win.depth(), after(case, &win.line()[0])));
    }
    if full_only {
        return None;
    }
    let verdict = solve(&mut VcstRounds::new(game, EVERY_VCST, 1 << 16), case, 20_000);
    verdict.win().map(|win| (Kind::Any, win.depth(), after(case, &win.line()[0])))
}

const EVERY_VCST: RoundsOptions = RoundsOptions { defence: Defence::Normal, exhaustive: true };

/// The position after a move, the defender to move.
fn after(case: &Case, mv: &Move) -> Option<Case> {
    let mut board = Board::from_position(&case.position);
    board.place_all(case.attacker, mv);
    let position = position(&board, case.attacker.other())?;
    Some(Case { position, ..case.clone() })
}

type Found = BTreeMap<(String, Kind), Vec<(usize, Case)>>;

fn keep(found: &mut Found, kind: Kind, depth: usize, case: Case) {
    let list = found.entry((case.position.game().to_string(), kind)).or_default();
    if list.iter().all(|(_, known)| known.position != case.position) {
        list.push((depth, case));
        if list.len() > MOST {
            // The shallowest goes, the oldest first.
            let shallow = (0..list.len()).min_by_key(|&i| list[i].0);
            shallow.map(|i| list.remove(i));
        }
    }
}

#[test]
#[ignore = "prints data, tests nothing"]
fn harvest() {
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse::<u64>().ok());
    let seconds = number("HARVEST_SECONDS").unwrap_or(60);
    let near_share = number("HARVEST_NEAR").unwrap_or(50);
    let mut runner = TestRunner::new(Config {
        rng_seed: RngSeed::Fixed(number("HARVEST_SEED").unwrap_or(1)),
        max_local_rejects: u32::MAX,
        ..Config::default()
    });
    let p = number("HARVEST_P");
    let games: Vec<_> =
        small_games().into_iter().filter(|(game, ..)| p.is_none_or(|p| u64::from(game.p()) == p)).collect();
    let oracles = support::Oracles::default();
    let mut found = Found::new();
    for case in [Kind::Full, Kind::Any, Kind::Defender].into_iter().flat_map(late_wins) {
        if let Some((kind, depth, _)) = kind(&case, false) {
            keep(&mut found, kind, depth, case);
        }
    }
    let start = Instant::now();
    for round in 0u64.. {
        if start.elapsed() > Duration::from_secs(seconds) {
            break;
        }
        let near = !found.is_empty() && round % 100 < near_share;
        let case = if near {
            let lists: Vec<&Vec<(usize, Case)>> = found.values().collect();
            let list = lists[(0..lists.len()).new_tree(&mut runner).unwrap().current()];
            let (_, base) = &list[(0..list.len()).new_tree(&mut runner).unwrap().current()];
            let changes = proptest::collection::vec((0..base.position.game().area(), 0..3u8), 1..5);
            let changes = changes.new_tree(&mut runner).unwrap().current();
            let changes: Vec<_> = changes.into_iter().map(|(s, to)| (Square::new(s), to)).collect();
            let Some(case) = mutated(base, &changes) else { continue };
            case
        } else {
            sharp_cases(games.clone(), Role::Attacker).new_tree(&mut runner).unwrap().current()
        };
        let Some((kind, depth, next)) = kind(&case, !near && round % 16 != 0) else { continue };
        let class = if kind == Kind::Full { Class::Full } else { Class::Any };
        if oracles.wins(&case, class) != Ok(true) {
            continue;
        }
        keep(&mut found, kind, depth, case);
        if let Some(next) = next
            && oracles.wins(&next, Class::Any) == Ok(true)
        {
            keep(&mut found, Kind::Defender, depth, next);
        }
    }
    for ((game, kind), list) in &found {
        let depths: Vec<usize> = list.iter().map(|(depth, _)| *depth).collect();
        eprintln!("{game} {}: {depths:?}", kind.name());
        for (_, case) in list {
            println!("{} {}", kind.name(), case.line());
        }
    }
}
