//! A board that recounts all lines after every stone instead of updating them.
//!
//! `lambda6 reproduce bitboard` runs one search on both boards and compares the
//! times: the difference is what incremental updates save. Searches take a [`Board`]
//! and not a trait, because the calls are in the innermost loops. The slow board is
//! therefore a kernel of [`Board`] and cannot live in the crate that measures it.
//! The other kernels do not pay for it: the update matches on the kernel anyway.

use super::{Board, Hot, Kernel, LEVELS, Line, flag, slot};
use lambda6_rules::{Game, Side};

impl Board {
    /// An empty board that recounts its lines after every stone. For measurements
    /// and tests only.
    pub fn naive(game: Game) -> Board {
        let mut board = Board::new(game);
        let (k, p) = (game.k(), game.p());
        board.kernel = Kernel::Naive {
            planes: 8 - k.leading_zeros() as u8,
            least: [p, p + 1, 2 * p].map(|need| k.saturating_sub(need)),
        };
        board
    }

    /// Whether the board recounts its lines after every stone.
    pub fn is_naive(&self) -> bool {
        matches!(self.kernel, Kernel::Naive { .. })
    }

    /// Counts the stones of every segment, square by square.
    #[cold]
    pub(super) fn rescan(&mut self, least: [u8; LEVELS]) {
        let mut hot = Hot::default();
        let k = u32::from(self.game().k());
        for id in self.geometry.lines() {
            let mut line = Line { windows: self.geometry.segments(id), ..Line::default() };
            let length = u32::from(self.geometry.line_len(id));
            let at = |position| self.at(self.geometry.square(id, position));
            for position in 0..length {
                if let Some(side) = at(position) {
                    line.stones[side.index()] |= 1 << position;
                }
            }
            for start in 0..=length - k {
                let mut counts = [0u8; 2];
                for position in start..start + k {
                    if let Some(side) = at(position) {
                        counts[side.index()] += 1;
                    }
                }
                for side in Side::ALL {
                    let count = counts[side.index()];
                    for (bit, plane) in line.planes.iter_mut().enumerate() {
                        plane[side.index()] |= u64::from(count >> bit & 1) << start;
                    }
                    if counts[side.other().index()] == 0 {
                        for (level, &least) in least.iter().enumerate() {
                            line.flags |= if count >= least { flag(side, level) } else { 0 };
                        }
                    }
                }
            }
            for side in Side::ALL {
                for level in 0..LEVELS {
                    if line.flags & flag(side, level) != 0 {
                        hot[slot(side, level)].toggle(id);
                    }
                }
            }
            self.lines[id.index()] = line;
        }
        self.hot = hot;
    }
}
