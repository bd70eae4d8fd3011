//! What the tests of the searches share: an oracle, and positions to ask it
//! about.

#![allow(dead_code, reason = "each test file uses a part of it")]
#![allow(clippy::unwrap_used, reason = "helpers of tests may fail as tests do")]

pub mod claims;
pub mod exhaustive;
pub mod hard;
pub mod oracle;

use lambda6_rules::{Game, Position, Setup, Side, Square, Symmetry};
use lambda6_search::{Budget, Limits, Silent, Why, WinSearch};
use lambda6_threats::Board;
use oracle::{Class, Oracle, Stones, TooLong};
use proptest::{
    prelude::*,
    test_runner::{Config, TestRunner},
};
use rustc_hash::FxHashMap;
use std::cell::{Cell, RefCell};

/// A small game, and how many of its squares are left empty.
pub type Small = (Game, usize, usize);

/// Small games with up to so many squares left that the oracle takes
/// milliseconds at most.
pub fn small_games() -> Vec<Small> {
    [
        (3, 3, 3, 1, 1, 2, 9),
        (4, 3, 3, 1, 1, 2, 10),
        (4, 4, 3, 1, 1, 4, 10),
        (4, 4, 4, 1, 1, 4, 12),
        (5, 4, 4, 1, 1, 5, 14),
        (5, 5, 4, 1, 1, 6, 14),
        (6, 5, 5, 1, 1, 6, 14),
        (4, 3, 3, 2, 1, 1, 8),
        (4, 4, 4, 2, 1, 2, 11),
        (5, 4, 4, 2, 2, 2, 12),
        (5, 5, 4, 2, 1, 4, 12),
        (5, 5, 5, 2, 1, 4, 13),
        (6, 5, 5, 2, 1, 5, 13),
        (6, 5, 6, 2, 1, 5, 14),
        (7, 4, 5, 2, 1, 5, 13),
        (6, 6, 6, 2, 1, 6, 14),
        (4, 4, 4, 3, 1, 2, 10),
        (5, 4, 5, 3, 2, 3, 11),
        (5, 5, 5, 3, 1, 4, 12),
        (6, 5, 6, 3, 1, 5, 12),
        (6, 6, 6, 3, 3, 6, 12),
        (8, 8, 6, 2, 1, 6, 14),
        (7, 7, 6, 2, 1, 6, 14),
        (8, 8, 5, 2, 1, 6, 14),
        (7, 7, 5, 2, 1, 6, 14),
        (8, 8, 7, 2, 1, 6, 14),
        (8, 8, 7, 3, 1, 6, 12),
        (8, 8, 8, 3, 1, 6, 12),
    ]
    .into_iter()
    .map(|(m, n, k, p, q, low, high)| (Game::new(m, n, k, p, q).unwrap(), low, high))
    .collect()
}

/// A position of a small game and a side to attack. Its squares are mostly full,
/// and nobody has a row.
#[derive(Clone, Debug)]
pub struct Case {
    pub position: Position,
    pub attacker: Side,
    /// For choices of the test's own.
    pub choice: u64,
}

/// Random positions of these games in which `to_move` is to move. In most of them
/// that side has no threat to begin with, which would end the game, and in many
/// neither has: a stone that would make one is the other side's, or left out.
pub fn cases(games: Vec<Small>, to_move: Role) -> impl Strategy<Value = Case> {
    proptest::sample::select(games)
        .prop_flat_map(|(game, low, high)| {
            let order = Just(game.squares().collect::<Vec<_>>()).prop_shuffle();
            let shades = proptest::collection::vec(0..100u8, game.area());
            (Just(game), order, shades, low..=high, 35..75u8, 0..20u8, any::<bool>(), any::<u64>())
        })
        .prop_filter_map(
            "nothing to play for",
            move |(game, order, shades, empty, share, calm, black, choice)| {
                let attacker = if black { Side::Black } else { Side::White };
                let moves = if to_move == Role::Attacker { attacker } else { attacker.other() };
                let bad = |board: &Board, side: Side, square: Square| {
                    let threat = board.has_threat(side) && calm >= if side == moves { 1 } else { 8 };
                    threat || board.has_row_through(side, square)
                };
                let mut board = Board::new(game);
                for &square in &order[empty..] {
                    let side = if shades[square.index()] < share { attacker } else { attacker.other() };
                    for side in [side, side.other()] {
                        board.place(side, square);
                        if !bad(&board, side, square) {
                            break;
                        }
                        board.remove(side, square);
                    }
                }
                Some(Case { position: position(&board, moves)?, attacker, choice })
            },
        )
}

/// Random positions that are won late or lost late more often: some segments are
/// left half full for one side, the rest of the board is settled.
pub fn sharp_cases(games: Vec<Small>, to_move: Role) -> impl Strategy<Value = Case> {
    proptest::sample::select(games)
        .prop_flat_map(|(game, _, high)| {
            let segments = segments(game);
            let stones = (game.k() - 1).saturating_sub(2 * game.p())..game.k() - game.p();
            let plan = (0..segments.len(), 0..6u8, stones, any::<u64>());
            let plans = proptest::collection::vec(plan, 2..7);
            let rest = proptest::collection::vec(0..100u8, game.area());
            (Just((game, segments, high)), plans, rest, 10..60u8, any::<bool>(), any::<u64>())
        })
        .prop_filter_map(
            "nothing to play for",
            move |((game, segments, high), plans, rest, share, black, choice)| {
                let attacker = if black { Side::Black } else { Side::White };
                let mut board = Board::new(game);
                let mut open = vec![false; game.area()];
                let place = |board: &mut Board, side: Side, square: Square| {
                    if board.is_empty(square) {
                        board.place(side, square);
                        if board.has_threat(side) || board.has_row_through(side, square) {
                            board.remove(side, square);
                        }
                    }
                };
                for (segment, owner, stones, order) in plans {
                    let side = if owner < 5 { attacker } else { attacker.other() };
                    let mut squares = segments[segment].clone();
                    let turn = (order % squares.len() as u64) as usize;
                    squares.rotate_left(turn);
                    if order >> 32 & 1 != 0 {
                        squares.sort_by_key(|s| (s.index() as u64).wrapping_mul(order | 1) >> 40);
                    }
                    for (i, &square) in squares.iter().enumerate() {
                        if i < usize::from(stones) && !open[square.index()] {
                            place(&mut board, side, square);
                        }
                        open[square.index()] = true;
                    }
                }
                for square in game.squares().filter(|s| !open[s.index()]) {
                    let side = if rest[square.index()] < share { attacker } else { attacker.other() };
                    place(&mut board, side, square);
                    place(&mut board, side.other(), square);
                }
                let moves = if to_move == Role::Attacker { attacker } else { attacker.other() };
                let position = position(&board, moves)?;
                (position.empty_count() <= high).then_some(Case { position, attacker, choice })
            },
        )
}

/// The segments of a game.
fn segments(game: Game) -> Vec<Vec<Square>> {
    let mut segments = Vec::new();
    for square in game.squares() {
        for (dx, dy) in [(1, 0), (0, 1), (1, 1), (1, -1)] {
            let squares: Option<Vec<_>> =
                (0..i32::from(game.k())).map(|i| game.offset(square, dx * i, dy * i)).collect();
            segments.extend(squares);
        }
    }
    segments
}

/// What a late win takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// Full threats.
    Full,
    /// Threats, the attacker to move; full ones do not do.
    Any,
    /// Threats, the defender to move.
    Defender,
}

impl Kind {
    pub fn name(self) -> &'static str {
        match self {
            Kind::Full => "full",
            Kind::Any => "any",
            Kind::Defender => "defender",
        }
    }
}

/// Positions that take several moves to win: see `harvest.rs`.
pub fn late_wins(kind: Kind) -> impl Iterator<Item = Case> {
    let lines = include_str!("../data/late_wins.txt").lines();
    lines.filter_map(move |line| line.strip_prefix(kind.name())).map(Case::parse)
}

/// Late wins and positions around them: up to three squares changed, the colours
/// and the board turned.
pub fn near_late_wins(kind: Kind) -> impl Strategy<Value = Case> {
    let bases: Vec<Case> = late_wins(kind).collect();
    let changes = proptest::collection::vec((any::<u16>(), 0..3u8), 0..4);
    (proptest::sample::select(bases), changes, 0..8usize, any::<bool>(), any::<u64>()).prop_filter_map(
        "a row, or a full board",
        |(base, changes, turn, swap, choice)| {
            let area = base.position.game().area();
            let changes: Vec<_> =
                changes.into_iter().map(|(s, to)| (Square::new(usize::from(s) % area), to)).collect();
            let case = mutated(&base, &changes)?;
            let symmetries: Vec<_> = Symmetry::of(case.position.game()).collect();
            let mut setup = case.position.transformed(symmetries[turn % symmetries.len()]).setup();
            let mut attacker = case.attacker;
            if swap {
                std::mem::swap(&mut setup.black, &mut setup.white);
                (setup.to_move, attacker) = (setup.to_move.other(), attacker.other());
            }
            Some(Case { position: setup.position().ok()?, attacker, choice })
        },
    )
}

/// Positions of all kinds with at most so many squares empty, some near late wins
/// of this kind.
pub fn positions(kind: Kind, most_empty: usize) -> impl Strategy<Value = Case> {
    let to_move = if kind == Kind::Defender { Role::Defender } else { Role::Attacker };
    prop_oneof![
        2 => cases(small_games(), to_move),
        1 => sharp_cases(small_games(), to_move),
        2 => near_late_wins(kind),
    ]
    .prop_filter("too many squares are empty", move |case| case.position.empty_count() <= most_empty)
}

/// A position with some stones added, taken off or turned over.
pub fn mutated(case: &Case, changes: &[(Square, u8)]) -> Option<Case> {
    let mut board = Board::from_position(&case.position);
    for &(square, to) in changes {
        if let Some(side) = board.at(square) {
            board.remove(side, square);
        }
        if let Some(&side) = Side::ALL.get(usize::from(to)) {
            board.place(side, square);
        }
    }
    if Side::ALL.iter().any(|&side| board.has_row(side)) {
        return None;
    }
    let position = position(&board, case.position.to_move())?;
    Some(Case { position, ..case.clone() })
}

impl Case {
    /// One line: the game, who attacks, who is to move, and the squares from the
    /// top row to the bottom.
    pub fn line(&self) -> String {
        let game = self.position.game();
        let square = |square| match self.position.at(square) {
            None => '.',
            Some(Side::Black) => 'x',
            Some(Side::White) => 'o',
        };
        let squares: String = game.squares().map(square).collect();
        let [m, n, k, p, q] = [game.cols(), game.rows(), game.k(), game.p(), game.q()];
        format!("{m},{n},{k},{p},{q} {} {} {squares}", self.attacker, self.position.to_move())
    }

    /// Reads such a line.
    pub fn parse(line: &str) -> Case {
        let words: Vec<&str> = line.split_whitespace().collect();
        let [game, attacker, to_move, squares] = words[..] else { panic!("not a position: {line}") };
        let game: Game = game.parse().unwrap();
        let stones = |stone| {
            game.squares().zip(squares.chars()).filter(|&(_, c)| c == stone).map(|(s, _)| s).collect()
        };
        let setup = Setup { game, black: stones('x'), white: stones('o'), to_move: to_move.parse().unwrap() };
        Case { position: setup.position().unwrap(), attacker: attacker.parse().unwrap(), choice: 0 }
    }
}

/// Which side is to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    Attacker,
    Defender,
}

/// The stones of a board as a position, if there are any and the game goes on.
pub fn position(board: &Board, to_move: Side) -> Option<Position> {
    let stones = |side| board.game().squares().filter(|&s| board.at(s) == Some(side)).collect();
    let setup = Setup { game: board.game(), black: stones(Side::Black), white: stones(Side::White), to_move };
    setup.position().ok().filter(|position| position.empty_count() < board.game().area())
}

/// Runs a property on random cases: `PROPTEST_CASES` of them, or as many as it
/// asks for.
pub fn run<S: Strategy>(cases: u32, strategy: S, test: impl Fn(S::Value) -> Result<(), TestCaseError>) {
    let asked = std::env::var("PROPTEST_CASES").ok().and_then(|text| text.parse().ok());
    let cases = asked.unwrap_or(cases);
    let config = Config {
        cases,
        failure_persistence: None,
        max_local_rejects: u32::MAX,
        max_shrink_iters: 2_000,
        ..Config::default()
    };
    let mut runner = TestRunner::new(config);
    if let Err(error) = runner.run(&strategy, test) {
        panic!("{error}");
    }
}

/// Searches a position, and sees that the board is left as it was.
pub fn search_case(search: &mut dyn WinSearch, case: &Case, limits: Limits) -> Result<(), Why> {
    let mut board = Board::from_position(&case.position);
    let (key, to_move) = (board.key(Side::Black), case.position.to_move());
    let mut budget = Budget::within(limits);
    let found = search.search(&mut board, to_move, case.attacker, &mut budget, &mut Silent);
    assert!(board.is_consistent() && board.key(Side::Black) == key, "the board was changed");
    found
}

/// What a search says that tries everything.
pub fn exact(won: bool) -> Result<(), Why> {
    if won { Ok(()) } else { Err(Why::Exhausted) }
}

/// What a search claims that may be cut short or leave moves out must be so, and
/// what it misses it must not call impossible.
pub fn claims_no_more(found: Result<(), Why>, won: bool) -> Result<(), TestCaseError> {
    match found {
        Ok(()) => prop_assert!(won, "a win where there is none"),
        Err(Why::Exhausted) => prop_assert!(!won, "exhausted where there is a win"),
        Err(_) => {}
    }
    Ok(())
}

/// Moves that the oracle may try in a position before it is passed over.
const ORACLE_MOVES: u64 = 20_000;

/// An oracle for each game, and what the positions of a test were like, to see
/// that it tests something.
#[derive(Default)]
pub struct Oracles {
    oracles: RefCell<FxHashMap<Game, Oracle>>,
    tally: Tally,
}

#[derive(Default, Debug)]
struct Tally {
    /// The side to move connects at once.
    connects: Cell<u32>,
    /// A win that takes a move of the class.
    wins: Cell<u32>,
    /// Of those, wins that take more than one, or the defender's move first.
    late: Cell<u32>,
    /// There are moves of the class, or threats to meet, and none wins.
    refuted: Cell<u32>,
    /// There is no move of the class.
    quiet: Cell<u32>,
    /// Oracle or search took too long.
    too_long: Cell<u32>,
}

fn add(count: &Cell<u32>) {
    count.set(count.get() + 1);
}

impl Oracles {
    /// Whether the attacker wins with moves of the class.
    pub fn wins(&self, case: &Case, class: Class) -> Result<bool, TooLong> {
        let mut oracles = self.oracles.borrow_mut();
        let game = case.position.game();
        let oracle = oracles.entry(game).or_insert_with(|| Oracle::new(game));
        oracle.restart(ORACLE_MOVES);
        let stones = oracle::stones(&case.position, case.attacker);
        let won = if case.position.to_move() == case.attacker {
            oracle.attack(stones, class)
        } else {
            oracle.defend(stones, class)
        };
        self.tally.add(oracle, case, stones, class, won);
        won
    }

    /// Counts a position as passed over.
    pub fn pass_over(&self) {
        add(&self.tally.too_long);
    }

    /// Prints the counts. At least one position in `share` must be a late win, and
    /// as many refuted.
    pub fn check(&self, name: &str, share: u32) {
        let Tally { connects, wins, late, refuted, quiet, too_long } = &self.tally;
        let [connects, wins, late, refuted, quiet, too_long] =
            [connects, wins, late, refuted, quiet, too_long].map(Cell::get);
        let all = connects + wins + refuted + quiet;
        let text = format!(
            "{name}: {all} positions: {wins} won ({late} late), {refuted} refuted, {quiet} without a move of the \
             class, {connects} over at once; {too_long} passed over"
        );
        println!("{text}");
        assert!(late >= all / share && refuted >= all / share, "one-sided: {text}");
        assert!(too_long <= all / 2, "passed over too many: {text}");
    }
}

impl Tally {
    fn add(&self, oracle: &Oracle, case: &Case, stones: Stones, class: Class, won: Result<bool, TooLong>) {
        let Stones { attacker, defender } = stones;
        let attacks = case.position.to_move() == case.attacker;
        let (own, other) = if attacks { (attacker, defender) } else { (defender, attacker) };
        // One stone more than a move has cannot meet what is left open.
        let at_once = |oracle: &Oracle| {
            oracle.moves(stones, class).iter().any(|mv| {
                let count = usize::from(case.position.game().p()) + 1;
                oracle.at_least(attacker | mv, defender, count)
            })
        };
        if won == Ok(true) && !oracle.connects(own, other) && !(attacks && at_once(oracle)) {
            add(&self.late);
        }
        add(match won {
            Err(TooLong) => &self.too_long,
            Ok(_) if oracle.connects(own, other) => &self.connects,
            Ok(true) => &self.wins,
            Ok(false) if attacks && oracle.moves(stones, class).is_empty() => &self.quiet,
            Ok(false) => &self.refuted,
        });
    }
}
