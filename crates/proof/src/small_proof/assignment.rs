//! Assigns a win to each single stone of the defender.
//!
//! The proof asks about a pair of stones if each lies in the zone of the win used against the
//! other; a square outside the first zone of the win against the null move has no win of its
//! own and counts as if its zone had every stone. The cost of an assignment is the replies
//! of the wins used and of the answers to the pairs. Simulated annealing makes it small.

use super::square_set::SquareSet;
use lambda6_rules::Square;
use lambda6_search::{Budget, Random, Why};
use lambda6_threats::Board;

/// The cost of a pair of stones: the replies of its answer. There are two prices only,
/// so that the cost of a zone is computed from two counts of bits.
#[derive(Clone, Copy, Debug)]
pub(super) struct PairPrices {
    pub(super) low: u32,
    pub(super) high: u32,
}

/// A win that can be used against a stone: its number, its replies, and its first zone
/// with the stone on the board.
#[derive(Clone, Copy)]
pub(super) struct Offer<const W: usize> {
    pub(super) win: u32,
    pub(super) replies: u32,
    pub(super) zone: SquareSet<W>,
}

/// Parameters of simulated annealing.
#[derive(Clone, Copy, Debug)]
pub(super) struct Annealing {
    /// Rounds of greedy improvement before annealing, in which every stone gets
    /// its cheapest offer.
    pub(super) improvements: u32,
    pub(super) epochs: u32,
    /// Changes tried in an epoch.
    pub(super) changes: u32,
    /// In an epoch, the cheapest so many offers against each stone are tried: of those of the epoch
    /// before, and of a sample of the others.
    pub(super) tried: usize,
    pub(super) sample: usize,
    /// The average cost increase that is accepted at the beginning, in replies. It falls
    /// linearly to 0.
    pub(super) heat: u32,
}

/// The stones, the offers against each, and the one that is used.
pub(super) struct Assignment<const W: usize> {
    pub(super) stones: Vec<Square>,
    stone_set: SquareSet<W>,
    /// By square: the number of the stone there.
    number: Vec<usize>,
    offers: Vec<Offer<W>>,
    /// By stone: the offers against it, and the one that is used.
    offered: Vec<Vec<u32>>,
    used: Vec<u32>,
    prices: PairPrices,
    /// For each stone the squares with which a pair has the high price.
    pub(super) dear: Vec<SquareSet<W>>,
    /// For each stone the squares that make a pair with it if the zone of the win against it has
    /// them: those that are not stones, and the stones that have it in the zone of the win used
    /// against them.
    asked: Vec<SquareSet<W>>,
}

impl<const W: usize> Assignment<W> {
    /// An assignment without offers. `dear` has for each stone the squares with which a pair has
    /// the high price.
    pub(super) fn new(
        stones: Vec<Square>,
        board: &Board,
        prices: PairPrices,
        dear: Vec<SquareSet<W>>,
    ) -> Assignment<W> {
        let count = stones.len();
        let stone_set: SquareSet<W> = stones.iter().copied().collect();
        let mut number = vec![0; board.game().area()];
        stones.iter().enumerate().for_each(|(i, stone)| number[stone.index()] = i);
        let others = board.game().squares().filter(|&square| !stone_set.contains(square)).collect();
        Assignment {
            stones,
            stone_set,
            number,
            offers: Vec::new(),
            offered: vec![Vec::new(); count],
            used: vec![0; count],
            prices,
            dear,
            asked: vec![others; count],
        }
    }

    /// Sets whether a stone makes pairs with the stones of a zone.
    fn mark(&mut self, stone: usize, zone: &SquareSet<W>, asked: bool) {
        let square = self.stones[stone];
        for other in zone.and(&self.stone_set).iter() {
            let of_other = &mut self.asked[self.number[other.index()]];
            if asked {
                of_other.insert(square);
            } else {
                of_other.remove(square);
            }
        }
    }

    /// Adds a win. Returns its number, to be offered against stones.
    pub(super) fn add(&mut self, offer: Offer<W>) -> u32 {
        self.offers.push(offer);
        self.offers.len() as u32 - 1
    }

    /// Offers a win against a stone. The first is used.
    pub(super) fn offer(&mut self, stone: usize, offer: u32) {
        self.offered[stone].push(offer);
        if self.offered[stone].len() == 1 {
            self.used[stone] = offer;
            let zone = self.used(stone).zone;
            self.mark(stone, &zone, true);
        }
    }

    /// The win used against a stone.
    pub(super) fn used(&self, stone: usize) -> &Offer<W> {
        &self.offers[self.used[stone] as usize]
    }

    /// Uses an offer against a stone.
    fn choose(&mut self, stone: usize, offer: u32) {
        let before = self.used(stone).zone;
        self.used[stone] = offer;
        let after = self.used(stone).zone;
        self.mark(stone, &before.minus(&after), false);
        self.mark(stone, &after.minus(&before), true);
    }

    /// What an offer costs with the wins used against the other stones.
    #[inline]
    fn cost(&self, stone: usize, offer: u32) -> u32 {
        let Offer { replies, zone, .. } = &self.offers[offer as usize];
        let PairPrices { low, high } = self.prices;
        let pairs = zone.and(&self.asked[stone]);
        replies + low * pairs.count() + (high - low) * pairs.common(&self.dear[stone])
    }

    /// What the win used against a stone costs, with its pairs.
    pub(super) fn cost_now(&self, stone: usize) -> u32 {
        self.cost(stone, self.used[stone])
    }

    /// Keeps the cheapest of some offers against a stone, in order.
    fn keep_cheapest(&self, stone: usize, offers: &mut Vec<u32>, most: usize) {
        offers.sort_unstable();
        offers.dedup();
        offers.sort_by_cached_key(|&offer| self.cost(stone, offer));
        offers.truncate(most);
    }

    /// Simulated annealing. Ends with the cheapest assignment met.
    pub(super) fn anneal(
        &mut self,
        how: &Annealing,
        random: &mut Random,
        budget: &Budget<'_>,
    ) -> Result<(), Why> {
        // Sampling offers needs a good starting assignment.
        let count = self.stones.len();
        if count == 0 {
            return Ok(());
        }
        for stone in (0..how.improvements).flat_map(|_| 0..count) {
            let offers = self.offered[stone].iter().copied();
            if let Some(cheapest) = offers.min_by_key(|&offer| self.cost(stone, offer)) {
                self.choose(stone, cheapest);
            }
        }
        // The cost, relative to the beginning.
        let (mut now, mut least, mut best) = (0, 0, self.used.clone());
        let changes = u64::from(how.epochs) * u64::from(how.changes);
        let mut left = changes;
        let mut tried = self.offered.clone();
        for epoch in 0..how.epochs {
            budget.interrupted()?;
            for (stone, tried) in tried.iter_mut().enumerate() {
                let offered = &self.offered[stone];
                if epoch > 0 && offered.len() > how.tried {
                    let sample =
                        (0..how.sample).map(|_| offered[random.below(offered.len() as u64) as usize]);
                    tried.extend(sample);
                }
                self.keep_cheapest(stone, tried, how.tried);
            }
            for _ in 0..how.changes {
                let heat = u64::from(how.heat) * left / changes;
                left -= 1;
                let stone = random.below(self.stones.len() as u64) as usize;
                let offer = tried[stone][random.below(tried[stone].len() as u64) as usize];
                let (before, after) = (self.cost_now(stone), self.cost(stone, offer));
                if offer != self.used[stone] && after <= before + exponential(random, heat) {
                    self.choose(stone, offer);
                    now += i64::from(after) - i64::from(before);
                    if now < least {
                        least = now;
                        best.clone_from(&self.used);
                    }
                }
            }
        }
        best.into_iter().enumerate().for_each(|(stone, offer)| self.choose(stone, offer));
        Ok(())
    }
}

/// A random number of the exponential distribution with this mean: the negative logarithm of a
/// uniform number, interpolated linearly between powers of two. In whole numbers, which are
/// the same on every machine.
fn exponential(random: &mut Random, mean: u64) -> u32 {
    let number = random.number() | 1;
    let zeros = number.leading_zeros();
    let rest = (number << zeros << 1) >> 54;
    // ln 2 is 710 / 1,024.
    ((mean * ((u64::from(zeros) + 1) * 1024 - rest) * 710) >> 20) as u32
}
