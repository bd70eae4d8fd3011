//! Chooses the wins against single stones.

use super::super::{bits::Squares, lines::Win};
use super::{
    Plans,
    course::Course,
    duel::{Annealing, Duel},
    forecast::Forecast,
    library::Way,
    numbers::Numbers,
    pairs::Pairs,
    play::Answer,
    table::Table,
    trees::Trees,
};
use crate::Why;
use rules::{Move, Square};

/// How to choose at first, and when most has been chosen before.
const HOT: Annealing = Annealing { epochs: 18, changes: 16_000, tried: 30, heat: 130 };
const WARM: Annealing = Annealing { epochs: 4, heat: 60, ..HOT };

/// How often the best is used against one stone after the other before that.
const RESPONSES: u32 = 3;

/// How often trees are looked for that suit the wins against the other stones.
const PASSES: u32 = 2;

/// What was chosen.
pub(super) struct Singles {
    /// The stones: the first zone of the win against no stone.
    pub(super) stones: Vec<Square>,
    /// The win against each, by its number.
    pub(super) wins: Vec<usize>,
    /// What each costs, with the pairs that it makes.
    pub(super) costs: Vec<u32>,
    /// What is known of pairs.
    pub(super) pairs: Pairs,
}

impl<const W: usize> Plans<'_, '_, W> {
    /// Chooses wins against the stones in the first zone of the win against none. None where a
    /// stone has no answer, or there are too many.
    pub(super) fn singles(&mut self, null: &Win<W>) -> Result<Option<Singles>, Why> {
        let stones: Vec<Square> = null.first.iter().collect();
        if stones.len() > Numbers::MOST {
            return Ok(None);
        }
        for &s in &stones {
            // Of those that are offered: there must be one.
            if self.wins().all(|(_, way)| way.zones.first.contains(s)) {
                let Some(answer) = self.search(&Move::single(s))? else { return Ok(None) };
                let Answer { list, first, second } = answer;
                let zones = Forecast::new(first, second, Vec::new());
                let replies = list.len() as u32;
                self.library.add(Way { course: Course::Searched, replies, zones });
            }
        }
        let mut pairs = self.pairs_of(&stones)?;
        let (mut table, mut duel) = self.duel(&stones, &pairs);
        for _ in 0..RESPONSES {
            duel.respond();
        }
        duel.anneal(&HOT, &mut self.random, &self.lines.graph.budget)?;
        let mut suited = vec![0; stones.len()];
        for _ in 0..PASSES {
            self.smaller_pairs(&mut pairs, &stones, &table, &mut duel)?;
            self.suit(&mut table, &mut duel, &mut suited)?;
            duel.anneal(&WARM, &mut self.random, &self.lines.graph.budget)?;
            duel.respond();
        }
        self.smaller_pairs(&mut pairs, &stones, &table, &mut duel)?;
        let wins: Vec<usize> = (0..stones.len()).map(|i| duel.now(i).win as usize).collect();
        let costs = (0..stones.len()).map(|i| duel.cost_now(i)).collect();
        Ok(Some(Singles { stones, wins, costs, pairs }))
    }

    /// All wins there are, each against the stones that it does without.
    fn duel(&self, stones: &[Square], pairs: &Pairs) -> (Table, Duel) {
        let board = self.board();
        let levels = self.levels();
        // Those first that most wins have.
        let mut counts: Vec<(u32, Square)> = board.game().squares().map(|square| (0, square)).collect();
        for (_, way) in self.wins() {
            // With a stone on the board squares of the second become some of the first.
            way.zones.second.iter().for_each(|square| counts[square.index()].0 += 1);
        }
        counts.retain(|&(count, _)| count > 0);
        counts.sort_unstable_by_key(|&(count, square)| (std::cmp::Reverse(count), square));
        let others = counts.iter().map(|&(_, square)| square);
        let mut table = Table::new(board.game().area(), stones, others, levels[0]);
        let prices: Vec<u32> = (0..stones.len())
            .flat_map(|i| table.squares.iter().map(move |&square| pairs.price(i, square)))
            .collect();
        let mut duel = Duel::new(stones.len(), table.squares.len(), &prices, levels);
        for (win, way) in self.wins() {
            table.open(&mut duel, board, win, way);
        }
        (table, duel)
    }

    /// Looks for smaller answers to the pairs that are asked about now.
    fn smaller_pairs(
        &mut self,
        pairs: &mut Pairs,
        stones: &[Square],
        table: &Table,
        duel: &mut Duel,
    ) -> Result<(), Why> {
        let asked = duel.pairs().into_iter();
        let asked: Vec<(usize, Square)> = asked.map(|(s, t)| (s, table.squares[t])).collect();
        self.refine(pairs, stones, &asked, |s, t, replies| {
            if let Some(t) = table.number[t.index()] {
                duel.set_price(s, t.into(), replies);
            }
        })
    }

    /// For each stone, those that cost most first, looks for the tree that suits the wins
    /// against the others best; not for those that cost no more than when there was none.
    fn suit(&mut self, table: &mut Table, duel: &mut Duel, suited: &mut [u32]) -> Result<(), Why> {
        let board = &*self.lines.graph.board;
        let mut trees = Trees::new(&self.outline, &mut self.forecaster, board);
        for i in duel.dearest_first() {
            self.lines.graph.budget.interrupted()?;
            let cost = duel.cost_now(i);
            if cost == duel.now(i).replies || cost <= suited[i] {
                continue;
            }
            let (want, bound) = table.want(duel, i, self.outline.reach(self.outline.root()));
            let Some(way) = trees.cheapest(&want, bound) else {
                suited[i] = cost;
                continue;
            };
            let win = self.library.add(way);
            table.open(duel, board, win, &self.library.ways[win]);
            duel.prefer_last(i);
        }
        Ok(())
    }

    /// What it costs to have each square among the stones, beyond what it costs not to. The
    /// best win is used against a square that is none of them.
    pub(super) fn worth(&self, singles: &Singles) -> Vec<i32> {
        let Singles { stones, wins, pairs, .. } = singles;
        let board = self.board();
        let zone = |(&s, &win): (&Square, &usize)| self.library.ways[win].zones.first_with(board, s);
        let zones: Vec<Squares<W>> = stones.iter().zip(wins).map(zone).collect();
        let worth = |t: Square| {
            let price = |i: usize| i64::from(pairs.price(i, t));
            let asked: Vec<usize> =
                (0..stones.len()).filter(|&i| stones[i] != t && zones[i].contains(t)).collect();
            let cost = |way: &Way<W>| {
                let met = asked.iter().filter(|&&i| way.zones.first.contains(stones[i]));
                i64::from(way.replies) + met.map(|&i| price(i)).sum::<i64>()
            };
            let inside = match stones.binary_search(&t) {
                Ok(i) => singles.costs[i].into(),
                Err(_) => {
                    let without = self.wins().filter(|(_, way)| !way.zones.first.contains(t));
                    without.map(|(_, way)| cost(way)).min().unwrap_or(i16::MAX.into())
                }
            };
            (inside - asked.iter().map(|&i| price(i)).sum::<i64>()) as i32
        };
        board.game().squares().map(worth).collect()
    }
}
