//! The evaluation: what each empty square is worth to each side, kept up to date
//! stone by stone.
//!
//! For every empty square and each of the four lines through it there is a
//! *code*: how far the best window through the square is for a side, and how
//! many such windows there are. The four codes of a square index a table of
//! weights; the sum over all squares is the evaluation, and the same table says
//! how likely a good player is to take the square. A stone changes the codes of
//! at most 40 squares, one line of each.

use crate::weights;
use lambda6_rules::{Game, Side, Square};
use lambda6_threats::Play;
use std::sync::{Arc, Mutex, PoisonError};

/// The distance on a line up to which a stone affects a square.
const REACH: usize = 5;

/// The number of codes of one line.
pub const CODES: usize = 16;

/// The weights of an empty square with its four codes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Worth {
    /// In the evaluation, for the side to move.
    pub mover: i16,
    /// In the evaluation, for the other side.
    pub waiter: i16,
    /// As a place for the side's own next stone.
    pub take: i16,
    /// As a place for the other side's next stone, to deny it.
    pub deny: i16,
}

/// The codes of all squares for both sides, and the sums of their worth.
#[derive(Clone, Debug)]
pub struct Evaluation {
    game: Game,
    tables: Arc<Tables>,
    /// By square: the neighbours of each direction, as square numbers; `NONE`
    /// beyond the border. Nearest first, one way and then the other.
    near: Arc<[[[u16; 2 * REACH]; 4]]>,
    /// By side, square and direction: the side's stones on the neighbours in the
    /// low half, what blocks it (border, other stones) in the high half.
    keys: [Box<[[u32; 4]]>; 2],
    /// By side and square: the four codes, four bits each.
    codes: [Box<[u16]>; 2],
    empty: Box<[bool]>,
    /// By side: the sums of `mover` and of `waiter` over the empty squares.
    sums: [(i32, i32); 2],
}

const NONE: u16 = u16::MAX;

#[derive(Debug)]
struct Tables {
    /// Of one line, by key: the code.
    code: Box<[u8]>,
    /// By the four codes.
    worth: Box<[Worth]>,
}

impl Play for Evaluation {
    fn place(&mut self, side: Side, square: Square) {
        Evaluation::place(self, side, square);
    }

    fn remove(&mut self, side: Side, square: Square) {
        Evaluation::remove(self, side, square);
    }
}

impl Evaluation {
    /// An empty board.
    pub fn new(game: Game) -> Evaluation {
        let area = game.area();
        let mut near = vec![[[NONE; 2 * REACH]; 4]; area];
        let mut keys = vec![[0u32; 4]; area];
        let reach = reach(game);
        for square in game.squares() {
            for (d, (dx, dy)) in [(1, 0), (0, 1), (1, 1), (1, -1)].into_iter().enumerate() {
                for (i, near) in near[square.index()][d].iter_mut().enumerate() {
                    let (way, distance) = if i < REACH { (-1, i + 1) } else { (1, i - REACH + 1) };
                    let step = way * distance as i32;
                    let there =
                        if distance <= reach { game.offset(square, dx * step, dy * step) } else { None };
                    match there {
                        Some(there) => *near = there.index() as u16,
                        None => keys[square.index()][d] |= 1 << (2 * REACH + i),
                    }
                }
            }
        }
        let tables = tables(game);
        let mut evaluation = Evaluation {
            game,
            near: near.into(),
            codes: [vec![0; area].into(), vec![0; area].into()],
            keys: [keys.clone().into(), keys.into()],
            empty: vec![true; area].into(),
            sums: [(0, 0); 2],
            tables,
        };
        for side in 0..2 {
            for square in 0..area {
                let codes = (0..4).fold(0u16, |codes, d| {
                    codes
                        | u16::from(evaluation.tables.code[evaluation.keys[side][square][d] as usize])
                            << (4 * d)
                });
                evaluation.codes[side][square] = codes;
                let worth = evaluation.tables.worth[usize::from(codes)];
                evaluation.sums[side].0 += i32::from(worth.mover);
                evaluation.sums[side].1 += i32::from(worth.waiter);
            }
        }
        evaluation
    }

    /// The game.
    pub fn game(&self) -> Game {
        self.game
    }

    /// Puts a stone on an empty square.
    pub fn place(&mut self, side: Side, square: Square) {
        debug_assert!(self.empty[square.index()]);
        self.count(square.index(), -1);
        self.empty[square.index()] = false;
        self.toggle(side, square);
    }

    /// Removes a stone.
    pub fn remove(&mut self, side: Side, square: Square) {
        debug_assert!(!self.empty[square.index()]);
        self.toggle(side, square);
        self.empty[square.index()] = true;
        self.count(square.index(), 1);
    }

    fn count(&mut self, square: usize, sign: i32) {
        for side in 0..2 {
            let worth = self.tables.worth[usize::from(self.codes[side][square])];
            self.sums[side].0 += sign * i32::from(worth.mover);
            self.sums[side].1 += sign * i32::from(worth.waiter);
        }
    }

    fn toggle(&mut self, side: Side, square: Square) {
        let (own, other) = (side.index(), side.other().index());
        let Evaluation { near, keys, codes, empty, sums, tables, .. } = self;
        for (d, neighbours) in near[square.index()].iter().enumerate() {
            for (i, &there) in neighbours.iter().enumerate() {
                if there == NONE {
                    continue;
                }
                let there = usize::from(there);
                // Seen from there, this square lies the other way.
                let bit = if i < REACH { i + REACH } else { i - REACH };
                keys[own][there][d] ^= 1 << bit;
                keys[other][there][d] ^= 1 << (2 * REACH + bit);
                for side in 0..2 {
                    let code = u16::from(tables.code[keys[side][there][d] as usize]) << (4 * d);
                    let old = codes[side][there];
                    let new = old & !(15 << (4 * d)) | code;
                    if new != old {
                        codes[side][there] = new;
                        if empty[there] {
                            let (was, is) = (tables.worth[usize::from(old)], tables.worth[usize::from(new)]);
                            sums[side].0 += i32::from(is.mover) - i32::from(was.mover);
                            sums[side].1 += i32::from(is.waiter) - i32::from(was.waiter);
                        }
                    }
                }
            }
        }
    }

    /// The evaluation for the side to move, in thousandths of the logarithm of
    /// its odds of winning.
    pub fn evaluate(&self, mover: Side) -> i32 {
        (self.sums[mover.index()].0 - self.sums[mover.other().index()].1) / 8 + weights::TO_MOVE
    }

    /// How likely a good player of `side` is to take an empty square: hundredths
    /// of a logarithm, without the constant that makes the sum one.
    pub fn appeal(&self, side: Side, square: Square) -> i32 {
        let own = self.tables.worth[usize::from(self.codes[side.index()][square.index()])];
        let other = self.tables.worth[usize::from(self.codes[side.other().index()][square.index()])];
        i32::from(own.take) + i32::from(other.deny)
    }

    /// Whether the square is empty.
    pub fn is_empty(&self, square: Square) -> bool {
        self.empty[square.index()]
    }

    /// The squares within reach of a square, along the four lines.
    pub fn in_line(&self, square: Square) -> impl Iterator<Item = Square> + '_ {
        let near = self.near[square.index()].iter().flatten();
        near.filter(|&&there| there != NONE).map(|&there| Square::new(there.into()))
    }

    /// The four codes of a square for a side.
    pub fn codes(&self, side: Side, square: Square) -> [u8; 4] {
        let codes = self.codes[side.index()][square.index()];
        std::array::from_fn(|d| (codes >> (4 * d) & 15) as u8)
    }
}

/// How far a window reaches from a square of it, limited to what codes represent.
fn reach(game: Game) -> usize {
    (usize::from(game.k()) - 1).min(REACH)
}

/// The tables of a game, made once: they depend on k and p only.
fn tables(game: Game) -> Arc<Tables> {
    type KnownTables = Vec<((u8, u8), Arc<Tables>)>;
    static KNOWN: Mutex<KnownTables> = Mutex::new(Vec::new());
    let of = (game.k(), game.p());
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((_, tables)) = known.iter().find(|(game, _)| *game == of) {
        return Arc::clone(tables);
    }
    let mut code = vec![0u8; 1 << (4 * REACH)].into_boxed_slice();
    fill(&mut code, game, 0, 0);
    let worth = (0..=u16::MAX).map(|codes| worth(std::array::from_fn(|d| (codes >> (4 * d) & 15) as u8)));
    let tables = Arc::new(Tables { code, worth: worth.collect() });
    known.push((of, Arc::clone(&tables)));
    tables
}

/// Fills in the codes of all keys whose first `position` neighbours are those of
/// `key`: each is empty, the side's own or blocked.
fn fill(table: &mut [u8], game: Game, position: usize, key: usize) {
    if position == 2 * REACH {
        table[key] = code(game, key);
        return;
    }
    for state in [0, 1, 1 << (2 * REACH)] {
        fill(table, game, position + 1, key | state << position);
    }
}

/// The code of one line: 0 where no row can be made through the square, else the
/// stones of the best window and how many windows there are of it. Stones are
/// counted so that 3 is where one stone more makes a threat, as in Connect6.
fn code(game: Game, key: usize) -> u8 {
    let reach = reach(game);
    let at = |offset: i32, half: usize| {
        // Neighbours are numbered outwards, one way and then the other.
        let i = if offset < 0 { -offset - 1 } else { REACH as i32 + offset - 1 } as usize;
        offset != 0 && key >> (half * 2 * REACH + i) & 1 != 0
    };
    let (mut best, mut windows) = (None, 0);
    for start in -(reach as i32)..=0 {
        let squares = start..=start + reach as i32;
        if squares.clone().any(|offset| at(offset, 1)) {
            continue;
        }
        let stones = squares.filter(|&offset| at(offset, 0)).count();
        if best.is_none_or(|best| stones > best) {
            (best, windows) = (Some(stones), 0);
        }
        windows += u32::from(best == Some(stones));
    }
    let Some(stones) = best else { return 0 };
    let need = usize::from(game.k()) - stones;
    match ((4 + usize::from(game.p())).saturating_sub(need).min(5), windows) {
        (0, _) => 1,
        (1, ..=2) => 2,
        (1, _) => 3,
        (2, 1) => 4,
        (2, 2) => 5,
        (2, _) => 6,
        (3, 1) => 7,
        (3, 2) => 8,
        (3, _) => 9,
        (4, 1) => 10,
        (4, 2) => 11,
        (4, _) => 12,
        (_, 1) => 13,
        _ => 14,
    }
}

/// The worth of four codes: a weight for each, and one for the two highest
/// together.
fn worth(mut codes: [u8; 4]) -> Worth {
    codes.sort_unstable_by(|a, b| b.cmp(a));
    let pair = pair_index(codes[0], codes[1]);
    let sum = |single: &[i16; CODES], double: &[i16; PAIRS]| {
        let all: i32 = codes.iter().map(|&code| i32::from(single[usize::from(code)])).sum();
        (all + i32::from(double[pair])).clamp(i16::MIN.into(), i16::MAX.into()) as i16
    };
    Worth {
        mover: sum(&weights::MOVER.0, &weights::MOVER.1),
        waiter: sum(&weights::WAITER.0, &weights::WAITER.1),
        take: sum(&weights::TAKE.0, &weights::TAKE.1),
        deny: sum(&weights::DENY.0, &weights::DENY.1),
    }
}

/// The number of unordered pairs of codes.
pub const PAIRS: usize = CODES * (CODES + 1) / 2;

/// The number of a pair of codes, the higher first.
pub fn pair_index(high: u8, low: u8) -> usize {
    let (high, low) = (usize::from(high.max(low)), usize::from(high.min(low)));
    high * (high + 1) / 2 + low
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Random;

    /// Placing and removing stones gives the same state as a new board with the
    /// remaining stones.
    #[test]
    fn what_is_kept_up_to_date_is_what_a_fresh_board_has() {
        for (m, n, k, p) in [(19, 19, 6, 2), (5, 9, 4, 1), (8, 8, 7, 3), (3, 3, 2, 2)] {
            let Ok(game) = Game::new(m, n, k, p, 1) else { panic!("a game") };
            let mut random = Random::new(u64::from(m * n));
            let mut evaluation = Evaluation::new(game);
            let mut stones: Vec<(Side, Square)> = Vec::new();
            for step in 0..200 {
                if step % 3 == 2 && !stones.is_empty() {
                    let (side, square) = stones.swap_remove(random.below(stones.len() as u64) as usize);
                    evaluation.remove(side, square);
                } else {
                    let square = Square::new(random.below(game.area() as u64) as usize);
                    if evaluation.is_empty(square) {
                        let side = Side::ALL[step % 2];
                        evaluation.place(side, square);
                        stones.push((side, square));
                    }
                }
            }
            let mut fresh = Evaluation::new(game);
            stones.iter().for_each(|&(side, square)| fresh.place(side, square));
            assert_eq!(evaluation.keys, fresh.keys);
            assert_eq!(evaluation.codes, fresh.codes);
            assert_eq!(evaluation.sums, fresh.sums);
        }
    }

    #[test]
    fn codes_count_stones_and_windows() {
        let game = Game::CONNECT6;
        let mut evaluation = Evaluation::new(game);
        let at = |name: &str| game.parse_square(name).unwrap();
        for name in ["h10", "i10", "k10"] {
            evaluation.place(Side::Black, at(name));
        }
        // Three stones along the row, in three windows through j10.
        assert_eq!(evaluation.codes(Side::Black, at("j10"))[0], 9);
        assert_eq!(evaluation.codes(Side::Black, at("m10"))[0], 7);
        // None of White's windows along the row is left around them.
        assert_eq!(evaluation.codes(Side::White, at("j10"))[0], 0);
        assert!(evaluation.appeal(Side::Black, at("j10")) > evaluation.appeal(Side::Black, at("c3")));
    }
}
