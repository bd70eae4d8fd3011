use super::{square_sets::subsets, *};
use lambda6_search::{Limits, NoClock};
use std::{collections::HashMap, sync::atomic::AtomicBool};

/// The game by its rules and nothing else: whole moves, every one of them.
struct Plain {
    game: Game,
    board: u64,
    segments: Vec<u64>,
    known: HashMap<(u64, u64, u8), i8>,
}

impl Plain {
    fn new(game: Game) -> Plain {
        let mut segments = Vec::new();
        for square in game.squares() {
            for (dx, dy) in [(1, 0), (0, 1), (1, 1), (1, -1)] {
                let squares: Option<Vec<Square>> =
                    (0..i32::from(game.k())).map(|i| game.offset(square, dx * i, dy * i)).collect();
                segments.extend(squares.map(|list| list.iter().map(|s| 1u64 << s.index()).sum::<u64>()));
            }
        }
        Plain { game, board: (1 << game.area()) - 1, segments, known: HashMap::new() }
    }

    fn has_row(&self, stones: u64) -> bool {
        self.segments.iter().any(|segment| segment & !stones == 0)
    }

    /// 1 if the side to move, with the first of the sets of stones, wins, -1 if
    /// the other does, else 0.
    fn value(&mut self, mine: u64, theirs: u64, stones: u8) -> i8 {
        let empty = self.board & !mine & !theirs;
        if empty == 0 {
            return 0;
        }
        if let Some(&known) = self.known.get(&(mine, theirs, stones)) {
            return known;
        }
        let mut moves = Vec::new();
        let size = u32::from(stones).min(empty.count_ones());
        subsets(empty, size, 0, &mut |mv| moves.push(mv));
        let mut best = -1;
        for mv in moves {
            let value =
                if self.has_row(mine | mv) { 1 } else { -self.value(theirs, mine | mv, self.game.p()) };
            best = best.max(value);
            if best == 1 {
                break;
            }
        }
        self.known.insert((mine, theirs, stones), best);
        best
    }
}

fn ask(game: Game, table_bytes: usize) -> GameValue {
    value(game, table_bytes, &mut Budget::within(Limits::default())).unwrap()
}

fn rules_for(cols: u32, rows: u32) -> impl Iterator<Item = Game> {
    (2..=5u32)
        .flat_map(|k| (1..=4u32).flat_map(move |p| (1..=p).map(move |q| (k, p, q))))
        .map(move |(k, p, q)| Game::new(cols, rows, k, p, q).unwrap())
}

#[test]
fn values_are_those_of_plain_play() {
    let boards = [(1, 1), (2, 1), (5, 1), (7, 1), (2, 2), (3, 2), (4, 2), (5, 2), (2, 5), (3, 3), (3, 4)];
    let mut counts = [0; 3];
    for (cols, rows) in boards {
        for game in rules_for(cols, rows) {
            let expected = match Plain::new(game).value(0, 0, game.q()) {
                1 => GameValue::Black,
                0 => GameValue::Draw,
                _ => GameValue::White,
            };
            for table_bytes in [0, 1 << 16] {
                assert_eq!(ask(game, table_bytes), expected, "{game:?}");
            }
            counts[match expected {
                GameValue::Black => 0,
                GameValue::Draw => 1,
                _ => 2,
            }] += 1;
        }
    }
    println!("{counts:?} won by Black, drawn, won by White");
    assert!(counts.iter().all(|&count| count > 20), "{counts:?}");
}

/// Random numbers, the same in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % end
    }
}

/// The arguments that cut the search are tried on positions, not only on the
/// empty board, where they are seldom needed.
#[test]
fn positions_are_settled_as_by_plain_play() {
    let mut random = Random(7);
    let mut counts = [0u32; 2];
    for (cols, rows) in [(4, 3), (4, 4), (5, 3), (5, 4), (6, 3), (7, 2), (5, 5)] {
        for game in rules_for(cols, rows).filter(|game| game.k() > 2 && game.q() == 1) {
            let mut plain = Plain::new(game);
            let mut budget = Budget::within(Limits::default());
            let mut search = Search::new(game, 1 << 12, &mut budget);
            for _ in 0..60 {
                let empty = 2 + random.below(if game.p() == 1 { 9 } else { 7 });
                let (mut own, mut other) = (0, 0);
                while u64::from((search.board & !own & !other).count_ones()) > empty {
                    let square = 1 << random.below(game.area() as u64);
                    if (own | other) & square == 0 {
                        if random.below(2) == 0 { own |= square } else { other |= square }
                    }
                }
                if plain.has_row(own) || plain.has_row(other) {
                    continue;
                }
                let attacks = random.below(2) == 0;
                let left = search.stones(1 + random.below(game.p().into()) as u8, own | other);
                let expected = if attacks {
                    plain.value(own, other, left) == 1
                } else {
                    plain.value(other, own, left) == -1
                };
                plain.known.clear();
                let state = State { own, other, attacks, left };
                assert_eq!(search.wins(state), Ok(expected), "{game:?} {state:?}");
                counts[usize::from(expected)] += 1;
            }
        }
    }
    println!("{counts:?} held and won");
    assert!(counts.iter().all(|&count| count > 500), "{counts:?}");
}

#[test]
fn a_budget_that_ends_is_said_to() {
    let game = Game::new(6, 5, 5, 2, 2).unwrap();
    let found = value(game, 1 << 16, &mut Budget::of_nodes(500));
    assert_eq!(found, Ok(GameValue::Unknown(Why::Nodes)));
    let stop = AtomicBool::new(true);
    let found = value(game, 1 << 16, &mut Budget::new(Limits::default(), &NoClock, &stop));
    assert_eq!(found, Ok(GameValue::Unknown(Why::Stopped)));
    let found = value(Game::CONNECT6, 1 << 16, &mut Budget::new(Limits::default(), &NoClock, &stop));
    assert_eq!(found, Err(TooLarge(Game::CONNECT6)));
}
