//! Zone sequences: which extra stones of the defender a win can bear.
//!
//! A win of the attacker comes with sets of squares Z1, ..., Zr. It stays a win
//! when the defender is given extra stones, provided that they can be put in
//! some order with the first outside Z1, the second outside Z2, and so on. So a
//! defender who may place a stone anywhere need only be answered inside Z1 of
//! the win found against no stone at all.

use lambda6_rules::{Game, Move, Side, Square};
use lambda6_threats::{Board, Level};

/// The zones of one win, as bit sets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Zones {
    /// Words a zone.
    words: usize,
    /// Zone after zone.
    bits: Box<[u64]>,
}

impl Zones {
    /// Empty zones for this game: r = max(p, k-p-1, 1) of them.
    pub fn empty(game: Game) -> Zones {
        let (k, p) = (usize::from(game.k()), usize::from(game.p()));
        let count = p.max((k - 1).saturating_sub(p)).max(1);
        let words = game.area().div_ceil(64);
        Zones { words, bits: vec![0; words * count].into_boxed_slice() }
    }

    /// Zones that have every square: nothing is known of a win with these.
    pub fn all(game: Game) -> Zones {
        let mut zones = Zones::empty(game);
        zones.bits.fill(u64::MAX);
        zones
    }

    /// The zones of a position in which the defender is to move and must meet
    /// threats, before any defence is answered: the squares of the threats, and
    /// those of the segments with which the defender could strike back.
    pub fn of_threats(board: &Board, attacker: Side) -> Zones {
        let mut zones = Zones::empty(board.game());
        zones.add_threats(board, attacker);
        zones.add_counter_segments(board, attacker.other(), usize::from(board.game().p()));
        zones
    }

    /// The zones of a position in which the attacker has connected.
    pub fn of_row(board: &Board, attacker: Side) -> Zones {
        let mut zones = Zones::empty(board.game());
        zones.add_counter_segments(board, attacker.other(), 0);
        zones
    }

    /// How many zones there are.
    #[allow(clippy::len_without_is_empty, reason = "there is at least one")]
    pub fn len(&self) -> usize {
        self.bits.len() / self.words
    }

    /// The memory they take.
    pub fn bytes(&self) -> usize {
        size_of_val(&*self.bits) + size_of::<Zones>()
    }

    /// Whether zone `i` (from 1) has the square. Beyond the last zone every
    /// square is in.
    pub fn contains(&self, i: usize, square: Square) -> bool {
        i > self.len() || self.zone(i)[square.index() / 64] >> (square.index() % 64) & 1 != 0
    }

    /// The bits of zone `i`, by square.
    pub fn zone(&self, i: usize) -> &[u64] {
        &self.bits[(i - 1) * self.words..i * self.words]
    }

    fn insert(&mut self, i: usize, square: Square) {
        self.bits[(i - 1) * self.words + square.index() / 64] |= 1 << (square.index() % 64);
    }

    /// Adds the squares of a move to every zone.
    pub fn add_move(&mut self, mv: &Move) {
        for i in 1..=self.len() {
            mv.iter().for_each(|square| self.insert(i, square));
        }
    }

    /// Adds everything that is in `other`.
    pub fn union(&mut self, other: &Zones) {
        for (word, more) in self.bits.iter_mut().zip(&other.bits) {
            *word |= more;
        }
    }

    /// Adds `other << shift`: its zone i + shift to zone i, or every square
    /// where `other` has no such zone.
    pub fn union_shifted(&mut self, other: &Zones, shift: usize) {
        let count = self.len();
        for i in 1..=count {
            let from = (i - 1) * self.words;
            for word in 0..self.words {
                self.bits[from + word] |=
                    if i + shift <= count { other.bits[from + shift * self.words + word] } else { u64::MAX };
            }
        }
    }

    /// Whether the win bears extra stones of the defender: they can be put in an
    /// order with the first outside zone 1, the second outside zone 2, and so on.
    /// Zones grow, so this holds unless for some i zone i contains i of the
    /// stones.
    pub fn bear(&self, extra: &[Square]) -> bool {
        (1..=extra.len()).all(|i| extra.iter().filter(|&&square| self.contains(i, square)).count() < i)
    }

    /// The zones of the same win with a stone of the defender on `square`; `None` where
    /// the win does not bear it.
    ///
    /// The stone is outside zone j and the zones before, so it can be the j-th of the
    /// extra stones or an earlier one. Stones that come before it are outside the zones
    /// as they are, those that come after it must be outside the next zone.
    pub fn with_stone(&self, square: Square) -> Option<Zones> {
        let inside = (1..=self.len() + 1).find(|&i| self.contains(i, square))?;
        if inside == 1 {
            return None;
        }
        let (j, words) = (inside - 1, self.words);
        let mut bits = self.bits[..(j - 1) * words].to_vec();
        bits.extend_from_slice(&self.bits[j * words..]);
        bits.resize(self.bits.len(), u64::MAX);
        Some(Zones { words, bits: bits.into() })
    }

    /// The empty squares of zone `i`, in order.
    pub fn empty_squares<'a>(&'a self, board: &'a Board, i: usize) -> impl Iterator<Item = Square> + 'a {
        board.game().squares().filter(move |&square| self.contains(i, square) && board.is_empty(square))
    }

    /// The zones with every square moved by `map`.
    pub(crate) fn turned(&self, map: &[Square]) -> Zones {
        let mut turned = Zones { words: self.words, bits: vec![0; self.bits.len()].into_boxed_slice() };
        for i in 1..=self.len() {
            for (index, &square) in map.iter().enumerate() {
                if self.contains(i, Square::new(index)) {
                    turned.insert(i, square);
                }
            }
        }
        turned
    }

    /// Adds to each zone i the empty squares of the active segments of `side`
    /// that need at most i + `more`.
    pub fn add_counter_segments(&mut self, board: &Board, side: Side, more: usize) {
        let k = board.game().k();
        #[cfg(test)]
        let more = more.saturating_sub(fault::get());
        let needs = |i: usize| (i + more).min(usize::from(k)) as u8;
        let largest = needs(self.len());
        for line in board.geometry().lines() {
            // A segment without a stone needs k stones.
            if largest < k && board.stones_on(side, line) == 0 {
                continue;
            }
            let widest = board.windows_needing(side, line, largest);
            if widest == 0 {
                continue;
            }
            // A square is added to the first zone that contains it; the later
            // zones receive it at the end.
            let mut left = board.empty_on(line);
            for i in 1..=self.len() {
                let windows =
                    if needs(i) < largest { board.windows_needing(side, line, needs(i)) } else { widest };
                let squares = left & covered(windows, k);
                left &= !squares;
                self.insert_on(i, board.geometry().start_and_step(line), squares);
            }
        }
        self.let_grow();
    }

    /// Adds the squares at these positions of a line to zone `i`.
    fn insert_on(&mut self, i: usize, (start, step): (usize, usize), mut positions: u64) {
        let zone = &mut self.bits[(i - 1) * self.words..i * self.words];
        if step == 1 {
            // A row: its squares are next to each other.
            zone[start / 64] |= positions << (start % 64);
            if start % 64 > 0 && start / 64 + 1 < zone.len() {
                zone[start / 64 + 1] |= positions >> (64 - start % 64);
            }
            return;
        }
        while positions != 0 {
            let index = start + positions.trailing_zeros() as usize * step;
            zone[index / 64] |= 1 << (index % 64);
            positions &= positions - 1;
        }
    }

    /// Adds every zone to the next one, since squares are added to the first
    /// only.
    fn let_grow(&mut self) {
        for word in self.words..self.bits.len() {
            self.bits[word] |= self.bits[word - self.words];
        }
    }

    /// Adds to every zone the empty squares of the threats of `side`.
    pub fn add_threats(&mut self, board: &Board, side: Side) {
        let (k, p) = (board.game().k(), board.game().p());
        for line in board.hot_lines(side, Level::Threat).iter() {
            let mut squares = board.empty_on(line) & covered(board.windows_needing(side, line, p), k);
            while squares != 0 {
                let square = board.geometry().square(line, squares.trailing_zeros());
                (1..=self.len()).for_each(|i| self.insert(i, square));
                squares &= squares - 1;
            }
        }
    }
}

/// The positions that lie on any of the windows.
pub fn covered(windows: u64, k: u8) -> u64 {
    let (mut mask, mut width) = (windows, 1);
    while width < k {
        let step = width.min(k - width);
        mask |= mask << step;
        width += step;
    }
    mask
}

/// A fault for tests: counter-segments that need more stones than are looked at
/// are left out. It is set for a thread, and there is nothing of it outside of tests.
#[cfg(test)]
pub(crate) mod fault {
    use std::cell::Cell;

    thread_local! { static LESS: Cell<usize> = const { Cell::new(0) }; }

    pub(super) fn get() -> usize {
        LESS.get()
    }

    /// The fault is there as long as this is.
    pub(crate) struct Narrowed(());

    impl Narrowed {
        /// The segments that are looked at may need so many stones less.
        pub(crate) fn by(stones: usize) -> Narrowed {
            LESS.set(stones);
            Narrowed(())
        }
    }

    impl Drop for Narrowed {
        fn drop(&mut self) {
            LESS.set(0);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Random;

    /// What the zones with a stone bear, the zones without it bear together with the
    /// stone; with a stone inside the first zone there are no zones.
    #[test]
    fn a_win_with_a_stone_bears_no_more_than_the_win_itself() {
        let game = Game::new(6, 6, 6, 2, 1).unwrap();
        let random = &mut Random::new(3);
        let squares: Vec<Square> = game.squares().collect();
        let (mut borne, mut refused) = (0, 0);
        for _ in 0..3_000 {
            let mut zones = Zones::empty(game);
            for &square in &squares {
                let first = 1 + random.below(zones.len() as u64 + 2) as usize;
                (first..=zones.len()).for_each(|i| zones.insert(i, square));
            }
            let mut order = squares.clone();
            random.shuffle(&mut order);
            let (stone, others) = (order[0], &order[1..1 + random.below(3) as usize]);
            let Some(with) = zones.with_stone(stone) else {
                assert!(zones.contains(1, stone));
                continue;
            };
            assert!(!zones.contains(1, stone));
            if with.bear(others) {
                let all: Vec<Square> = others.iter().copied().chain([stone]).collect();
                assert!(zones.bear(&all), "{stone:?} {others:?} {zones:?}");
                borne += 1;
            } else {
                refused += 1;
            }
        }
        assert!(borne > 300 && refused > 300, "{borne} {refused}");
    }
}
