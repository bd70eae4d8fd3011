//! Threat moves of any number of stones, by trying all sets of squares that can
//! matter. There can be millions of sets, so that the work can be ended at any time.

use crate::{
    Attack, Board, Defences, Level, Play, ThreatCount,
    attack::covered,
    defence,
    lineset::Bits,
    one_stone,
    work_meter::{LEAF, WorkMeter},
};
use lambda6_rules::{Move, Side, Square};
use std::ops::ControlFlow;

impl Attack {
    /// Sets that contain a critical defence against the other side's threats.
    pub(crate) fn blocking_moves(
        &mut self,
        board: &mut Board,
        side: Side,
        defences: &Defences,
        full: &mut Vec<Move>,
        mut partial: Option<&mut Vec<Move>>,
        meter: &mut WorkMeter<'_>,
    ) -> ControlFlow<()> {
        let p = usize::from(board.game().p());
        if p == 1 {
            let makes_threat = |mv: &&Move| mv.iter().all(|s| one_stone::makes_threat(board, side, s));
            full.extend(defences.iter().filter(makes_threat));
            return ControlFlow::Continue(());
        }
        let mut sets = Vec::new();
        for defence in defences.iter() {
            meter.spend(LEAF)?;
            board.play(side, defence, |board| {
                let made = defence::count(board, side);
                if made.at_least(p as u8) {
                    full.push(*defence);
                    return ControlFlow::Continue(());
                }
                if made.at_least(1)
                    && let Some(partial) = partial.as_deref_mut()
                {
                    partial.push(*defence);
                }
                let mut more = Vec::new();
                let partial_sets = if made.is_none() && partial.is_some() { Some(&mut more) } else { None };
                self.any_sets(board, side, *defence, &mut sets, partial_sets, meter)?;
                full.append(&mut sets);
                if let Some(partial) = partial.as_deref_mut() {
                    partial.append(&mut more);
                }
                ControlFlow::Continue(())
            })?;
        }
        for list in [Some(full), partial].into_iter().flatten() {
            list.iter_mut().for_each(|mv| *mv = mv.sorted());
            list.sort_unstable();
            list.dedup();
            keep_minimal(list, meter)?;
        }
        ControlFlow::Continue(())
    }

    /// A move that makes more threats than the other side can meet, if there is
    /// one, and which contains one of these defences, if there are any.
    pub(crate) fn overwhelming_set(
        &mut self,
        board: &mut Board,
        side: Side,
        defences: &Defences,
        meter: &mut WorkMeter<'_>,
    ) -> ControlFlow<(), Option<Move>> {
        let mut sets = Vec::new();
        if defences.iter().next().is_none() {
            self.free_moves(board, side, &mut sets, None, meter)?;
        } else {
            self.blocking_moves(board, side, defences, &mut sets, None, meter)?;
        }
        if board.game().p() == 1 {
            let overwhelms = |board: &mut Board| defence::count(board, side) == ThreatCount::More;
            let found = sets.into_iter().find(|set| board.play(side, set, overwhelms));
            return ControlFlow::Continue(found);
        }
        // Sets are minimal for `p` threats; more threats may take more stones.
        let all: Vec<Square> = board.game().squares().filter(|&s| board.is_empty(s)).collect();
        let mut found = None;
        for set in sets {
            // A move has all its stones, and those that are not needed do no harm.
            let left = usize::from(board.game().p()) - set.len();
            let others: Vec<Square> = all.iter().copied().filter(|&s| !set.contains(s)).collect();
            let ended = board.play(side, set, |board| {
                combinations(board, side, &others, set, left, &mut |board, set| {
                    if defence::count(board, side) == ThreatCount::More {
                        found = Some(*set);
                        return ControlFlow::Break(());
                    }
                    meter.spend(LEAF)
                })
            });
            if found.is_some() {
                break;
            }
            ended?;
        }
        ControlFlow::Continue(found)
    }

    /// Any p: the sets that, with `fixed` already on the board, make the threats;
    /// found by trying all sets of squares on windows within reach. `fixed`
    /// becomes part of each set.
    pub(crate) fn any_sets(
        &mut self,
        board: &mut Board,
        side: Side,
        fixed: Move,
        full: &mut Vec<Move>,
        mut partial: Option<&mut Vec<Move>>,
        meter: &mut WorkMeter<'_>,
    ) -> ControlFlow<()> {
        let p = board.game().p();
        let left = usize::from(p) - fixed.len();
        self.cells.clear();
        for line in board.hot_lines(side, Level::Attack).iter() {
            let windows = board.windows_needing(side, line, p + left as u8);
            let squares = board.empty_on(line) & covered(windows, board.game().k().into());
            self.cells.extend(Bits(squares).map(|position| board.geometry().square(line, position)));
        }
        self.cells.sort_unstable();
        self.cells.dedup();
        let cells = std::mem::take(&mut self.cells);
        let mut done = ControlFlow::Continue(());
        for size in 1..=left {
            done = combinations(board, side, &cells, fixed, size, &mut |board, set| {
                let made = defence::count(board, side);
                if made.at_least(p) {
                    meter.spend(full.len())?;
                    if !contains_any(full, set, fixed) {
                        full.push(*set);
                    }
                } else if made.at_least(1)
                    && let Some(partial) = partial.as_deref_mut()
                {
                    meter.spend(partial.len())?;
                    if !contains_any(partial, set, fixed) {
                        partial.push(*set);
                    }
                }
                meter.spend(LEAF)
            });
            if done.is_break() {
                break;
            }
        }
        self.cells = cells;
        done
    }
}

/// Calls `visit` with every set of `size` of the `cells` on the board, beside
/// `chosen`, which is on the board already, until it breaks off. The board is left
/// as it was.
fn combinations(
    board: &mut Board,
    side: Side,
    cells: &[Square],
    chosen: Move,
    size: usize,
    visit: &mut impl FnMut(&mut Board, &Move) -> ControlFlow<()>,
) -> ControlFlow<()> {
    if size == 0 {
        return visit(board, &chosen);
    }
    for (i, &cell) in cells.iter().enumerate() {
        let mut more = chosen;
        more.push(cell);
        board
            .play(side, [cell], |board| combinations(board, side, &cells[i + 1..], more, size - 1, visit))?;
    }
    ControlFlow::Continue(())
}

/// Whether one of the sets is contained in `set`, ignoring the stones that all
/// of them share.
fn contains_any(sets: &[Move], set: &Move, fixed: Move) -> bool {
    sets.iter().any(|known| {
        known.len() < set.len() && known.iter().all(|square| fixed.contains(square) || set.contains(square))
    })
}

fn keep_minimal(sets: &mut Vec<Move>, meter: &mut WorkMeter<'_>) -> ControlFlow<()> {
    let all = sets.clone();
    let mut done = ControlFlow::Continue(());
    sets.retain(|set| {
        if done.is_continue() {
            done = meter.spend(all.len());
        }
        done.is_break() || !contains_any(&all, set, Move::NULL)
    });
    done
}
