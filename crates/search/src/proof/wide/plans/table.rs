//! Wins as they are compared with each other.

use super::super::bits::Squares;
use super::{
    duel::{Duel, Offer},
    library::Way,
    numbers::Numbers,
    trees::Want,
};
use rules::Square;
use threats::Board;

/// What a stone costs in the zone of a tree that is looked for if it makes no pair as it is, in
/// hundredths of what the smallest take: the other wins will change too.
const SHARE: u32 = 5;

/// The squares that wins are compared by, those of the stones first.
pub(super) struct Table {
    pub(super) squares: Vec<Square>,
    pub(super) number: Vec<Option<u16>>,
    /// What a square takes that is none of them.
    other: u32,
    /// By stone: what it strengthens, while a win is opened.
    more: Vec<Numbers>,
}

impl Table {
    /// The stones, and then other squares as far as there is room.
    pub(super) fn new(
        area: usize,
        stones: &[Square],
        others: impl Iterator<Item = Square>,
        other: u32,
    ) -> Table {
        let mut table = Table {
            squares: Vec::new(),
            number: vec![None; area],
            other,
            more: vec![Numbers::EMPTY; stones.len()],
        };
        for square in stones.iter().copied().chain(others) {
            let number = &mut table.number[square.index()];
            if number.is_none() && table.squares.len() < Numbers::MOST {
                *number = Some(table.squares.len() as u16);
                table.squares.push(square);
            }
        }
        table
    }

    fn offer<const W: usize>(&self, win: usize, replies: u32, zone: &Squares<W>) -> Offer {
        let mut offer = Offer { win: win as u32, replies, zone: Numbers::EMPTY };
        for square in zone.iter() {
            match self.number[square.index()] {
                Some(number) => offer.zone.insert(number.into()),
                None => offer.replies += self.other,
            }
        }
        offer
    }

    /// Has a win used against all stones that do it no harm.
    pub(super) fn open<const W: usize>(&mut self, duel: &mut Duel, board: &Board, win: usize, way: &Way<W>) {
        let Way { replies, zones, .. } = way;
        let alone = self.offer(win, *replies, &zones.first);
        let number = duel.add(alone);
        // What each stone strengthens.
        zones.for_each_weak(board, |line, positions| {
            let mut squares = Numbers::EMPTY;
            let mut left = positions;
            while left != 0 {
                let square = board.geometry().square(line, left.trailing_zeros());
                left &= left - 1;
                if let Some(number) = self.number[square.index()] {
                    squares.insert(number.into());
                }
            }
            for stone in squares.iter().take_while(|&stone| stone < duel.len()) {
                self.more[stone].add(&squares);
            }
        });
        for stone in 0..duel.len() {
            let more = std::mem::take(&mut self.more[stone]);
            if zones.first.contains(self.squares[stone]) {
                continue;
            }
            if more == Numbers::EMPTY {
                duel.open(stone, number);
                continue;
            }
            let mut offer = alone;
            offer.zone.add(&more);
            offer.zone.remove(stone);
            let number = duel.add(offer);
            duel.open(stone, number);
        }
    }

    /// What is wanted of another win against a stone, of those within these squares, and what the
    /// one that is used costs by that.
    pub(super) fn want<const W: usize>(&self, duel: &Duel, stone: usize, all: &Squares<W>) -> (Want<W>, u32) {
        let mut want =
            Want { stone: self.squares[stone], priced: *all, price: vec![self.other; self.number.len()] };
        self.squares.iter().for_each(|&square| want.priced.remove(square));
        let mut bound = duel.cost_now(stone);
        let share = self.other * SHARE / 100;
        let used = &duel.now(stone).zone;
        for (number, &square) in self.squares[..duel.len()].iter().enumerate() {
            want.price[square.index()] = share;
            want.priced.insert(square);
            bound += if used.contains(number) && !duel.is_asked(stone, number) { share } else { 0 };
        }
        duel.for_each_asked(stone, |number, price| {
            let square = self.squares[number];
            want.price[square.index()] = price;
            want.priced.insert(square);
        });
        (want, bound)
    }
}
