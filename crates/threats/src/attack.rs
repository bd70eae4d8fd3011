//! Moves that make threats.
//!
//! A move of a class ("at least so many threats") is described by the stones
//! that matter: a *minimal* set of at most `p` squares that makes the threats,
//! no proper subset of which does. Every move of the class contains such a set;
//! what it has beyond is free (see [`FreeStones`](crate::FreeStones)).

mod overwhelm;

use crate::{
    Board, Defences, Level, LineId, ThreatCount,
    defence::{self, window_mask},
    lineset::Bits,
    one_stone,
    work_meter::WorkMeter,
};
use lambda6_rules::{Game, Move, Side, Square};
use std::ops::ControlFlow;

/// The threat moves of one position, the best kind first.
#[derive(Clone, Debug, Default)]
pub struct ThreatMoves {
    /// Moves that make `k` in a row at once. When there is one, nothing else
    /// is generated.
    pub winning: Vec<Move>,
    /// Sets of stones that make `p` threats or more, so that the other side has
    /// no stone to spare: for Connect6 the double threats.
    pub full: Vec<Move>,
    /// Sets of stones that make a threat, but fewer than `p`: single threats.
    pub partial: Vec<Move>,
}

/// The generator of threat moves. It holds only memory that is reused, so that
/// generating moves does not allocate.
#[derive(Clone, Debug)]
pub struct Attack {
    /// For p = 2, by square: the (at most two) squares that meet every threat
    /// which a stone here makes. Valid where `seen` holds the current round.
    answers: Vec<[u16; 2]>,
    seen: Vec<u32>,
    round: u32,
    pub(crate) cells: Vec<Square>,
    single: Vec<Square>,
    double: Vec<Square>,
    defences: Defences,
    /// Pairs of squares to try.
    pairs: Vec<u32>,
}

/// No square, in [`Attack::answers`].
const NONE: u16 = u16::MAX;

impl Attack {
    /// A generator for boards of this game.
    pub fn new(game: Game) -> Attack {
        Attack {
            answers: vec![[NONE; 2]; game.area()],
            seen: vec![0; game.area()],
            round: 0,
            cells: Vec::new(),
            single: Vec::new(),
            double: Vec::new(),
            defences: Defences::default(),
            pairs: Vec::new(),
        }
    }

    /// All threat moves of `side`. Where the other side has threats, the moves
    /// meet them too: each set contains one of the critical defences.
    ///
    /// The board must not hold a row of either side.
    pub fn threat_moves(&mut self, board: &mut Board, side: Side, moves: &mut ThreatMoves) {
        let _ = self.threat_moves_while(board, side, moves, &mut || true);
    }

    /// The same, ended as soon as `go_on` returns false. With more than two stones a
    /// move there can be millions of sets, and `go_on` is called every few
    /// microseconds; with one or two stones it is not called. The board is left as it
    /// was.
    pub fn threat_moves_while(
        &mut self,
        board: &mut Board,
        side: Side,
        moves: &mut ThreatMoves,
        go_on: &mut dyn FnMut() -> bool,
    ) -> ControlFlow<()> {
        let meter = &mut WorkMeter::new(go_on);
        let ThreatMoves { winning, full, partial } = moves;
        winning.clear();
        full.clear();
        partial.clear();
        if board.has_threat(side) {
            defence::for_each_threat(board, side, |threat| winning.push(*threat));
            winning.sort_unstable();
            winning.dedup();
            return ControlFlow::Continue(());
        }
        let mut defences = std::mem::take(&mut self.defences);
        let mut done = defences.find_watched(board, side.other(), meter);
        if done.is_continue() {
            done = match defences.count() {
                ThreatCount::More => ControlFlow::Continue(()),
                ThreatCount::Exactly(0) => self.free_moves(board, side, full, Some(partial), meter),
                ThreatCount::Exactly(_) => {
                    self.blocking_moves(board, side, &defences, full, Some(partial), meter)
                }
            };
        }
        self.defences = defences;
        done
    }

    /// The sets of stones that make `p` threats or more, without the rest of
    /// [`Attack::threat_moves`]. Neither side may have a threat.
    pub fn full_threats(&mut self, board: &mut Board, side: Side, full: &mut Vec<Move>) {
        let _ = self.full_threats_while(board, side, full, &mut || true);
    }

    /// The same, ended as soon as `go_on` returns false: see
    /// [`Attack::threat_moves_while`].
    pub fn full_threats_while(
        &mut self,
        board: &mut Board,
        side: Side,
        full: &mut Vec<Move>,
        go_on: &mut dyn FnMut() -> bool,
    ) -> ControlFlow<()> {
        full.clear();
        self.free_moves(board, side, full, None, &mut WorkMeter::new(go_on))
    }

    /// The same where the other side has threats, which the moves meet.
    pub fn full_threats_meeting(
        &mut self,
        board: &mut Board,
        side: Side,
        defences: &Defences,
        full: &mut Vec<Move>,
    ) {
        let _ = self.full_threats_meeting_while(board, side, defences, full, &mut || true);
    }

    /// The same, ended as soon as `go_on` returns false: see
    /// [`Attack::threat_moves_while`].
    pub fn full_threats_meeting_while(
        &mut self,
        board: &mut Board,
        side: Side,
        defences: &Defences,
        full: &mut Vec<Move>,
        go_on: &mut dyn FnMut() -> bool,
    ) -> ControlFlow<()> {
        full.clear();
        self.blocking_moves(board, side, defences, full, None, &mut WorkMeter::new(go_on))
    }

    pub(crate) fn free_moves(
        &mut self,
        board: &mut Board,
        side: Side,
        full: &mut Vec<Move>,
        partial: Option<&mut Vec<Move>>,
        meter: &mut WorkMeter<'_>,
    ) -> ControlFlow<()> {
        match board.game().p() {
            1 => one_stone::threat_moves(board, side, &mut self.cells, full),
            2 => {
                self.find_cells(board, side);
                self.pairs(board, side, full, partial);
            }
            _ => return self.any_sets(board, side, Move::NULL, full, partial, meter),
        }
        ControlFlow::Continue(())
    }

    /// For p = 2: the squares where a stone makes one threat.
    pub fn single_cells(&self) -> &[Square] {
        &self.single
    }

    /// For p = 2: the squares where a stone makes two threats or more.
    pub fn double_cells(&self) -> &[Square] {
        &self.double
    }

    /// For p = 2, after [`Attack::find_cells`]: the squares that meet every
    /// threat which a stone here makes; none of them for a double cell, `None`
    /// where a stone makes no threat.
    #[inline]
    pub fn answers_to(&self, cell: Square) -> Option<impl Iterator<Item = Square> + Clone + use<>> {
        self.answers(cell).map(|answers| {
            answers.into_iter().filter(|&answer| answer != NONE).map(|answer| Square::new(answer.into()))
        })
    }

    /// For p = 2 and a side without threats: finds the squares where one stone
    /// makes a threat, and for each the squares that would meet what it makes.
    ///
    /// A stone at x makes threats of the windows that need three and contain
    /// x. On one line they begin between `first` and `last`; the squares common
    /// to all lie between `last` and the end of `first`. So a line costs its
    /// squares, not its windows, and the whole is linear in the lines.
    pub fn find_cells(&mut self, board: &Board, side: Side) {
        self.round += 1;
        self.cells.clear();
        self.single.clear();
        self.double.clear();
        let k = u32::from(board.game().k());
        let Some(three) = board.game().k().checked_sub(3) else { return };
        for line in board.hot_lines(side, Level::Cell).iter() {
            let windows = windows(board, side, line, three);
            if windows == 0 {
                continue;
            }
            let empty = board.empty_on(line);
            for position in Bits(empty & covered(windows, k)) {
                let here = windows & containing(position, k);
                let (first, last) = (here.trailing_zeros(), 63 - here.leading_zeros());
                let common = empty & window_mask(board, first) & window_mask(board, last) & !(1 << position);
                let x = board.geometry().square(line, position);
                self.keep_answers(x, Bits(common).map(|i| board.geometry().square(line, i).index() as u16));
            }
        }
        for &cell in &self.cells {
            let list =
                if self.answers[cell.index()] == [NONE; 2] { &mut self.double } else { &mut self.single };
            list.push(cell);
        }
    }

    #[inline]
    fn keep_answers(&mut self, cell: Square, squares: impl Iterator<Item = u16>) {
        let known = &mut self.answers[cell.index()];
        let fresh = self.seen[cell.index()] != self.round;
        if fresh {
            self.seen[cell.index()] = self.round;
            self.cells.push(cell);
        }
        let mut kept = [NONE; 2];
        let mut len = 0;
        for square in squares {
            if fresh || known.contains(&square) {
                kept[len] = square;
                len += 1;
            }
        }
        *known = kept;
    }

    /// The squares that meet every threat a stone here makes; `None` where it
    /// makes none.
    #[inline]
    fn answers(&self, cell: Square) -> Option<[u16; 2]> {
        (self.seen[cell.index()] == self.round).then(|| self.answers[cell.index()])
    }

    /// For p = 2, after [`Attack::find_cells`]: the sets that make two threats
    /// and those that make one.
    ///
    /// With stones on a and b the threats are the windows that needed three and
    /// contain a or b, and those that needed four and contain both. They are
    /// two threats unless one square lies on all of them. So a set is
    /// - one double cell; or
    /// - two single cells without a common answer; or
    /// - two squares of a window that needs four, when no square is common to
    ///   such windows and to the answers of those of the two that are cells.
    fn pairs(
        &mut self,
        board: &Board,
        side: Side,
        full: &mut Vec<Move>,
        mut partial: Option<&mut Vec<Move>>,
    ) {
        full.extend(self.double.iter().map(|&cell| Move::single(cell)));
        if let Some(partial) = partial.as_deref_mut() {
            partial.extend(self.single.iter().map(|&cell| Move::single(cell)));
        }
        for (i, &a) in self.single.iter().enumerate() {
            let answers = self.answers[a.index()];
            for &b in &self.single[..i] {
                if !share_answer(answers, self.answers[b.index()], a, b) {
                    full.push(Move::pair(a.min(b), a.max(b)));
                }
            }
        }
        let k = u32::from(board.game().k());
        let Some(two) = board.game().k().checked_sub(4) else { return };
        for line in board.hot_lines(side, Level::Attack).iter() {
            let windows = windows(board, side, line, two);
            if windows == 0 {
                continue;
            }
            let empty = board.empty_on(line);
            for x in Bits(empty & covered(windows, k)) {
                let from_x = windows & containing(x, k);
                let partners = empty & covered(from_x, k) & (u64::MAX << x << 1);
                for y in Bits(partners) {
                    let both = from_x & containing(y, k);
                    let (first, last) = (both.trailing_zeros(), 63 - both.leading_zeros());
                    let common =
                        empty & window_mask(board, first) & window_mask(board, last) & !(1 << x | 1 << y);
                    self.line_pair(board, line, [x, y], common, full, partial.as_deref_mut());
                }
            }
        }
    }

    #[inline]
    fn line_pair(
        &self,
        board: &Board,
        line: LineId,
        positions: [u32; 2],
        common: u64,
        full: &mut Vec<Move>,
        partial: Option<&mut Vec<Move>>,
    ) {
        let geometry = board.geometry();
        let [a, b] = positions.map(|position| geometry.square(line, position));
        let (of_a, of_b) = (self.answers(a), self.answers(b));
        if of_a == Some([NONE; 2]) || of_b == Some([NONE; 2]) {
            return;
        }
        if let (Some(of_a), Some(of_b)) = (of_a, of_b)
            && !share_answer(of_a, of_b, a, b)
        {
            return;
        }
        let met = Bits(common).any(|position| {
            let answer = geometry.square(line, position).index() as u16;
            of_a.is_none_or(|of_a| of_a.contains(&answer)) && of_b.is_none_or(|of_b| of_b.contains(&answer))
        });
        if !met {
            full.push(Move::pair(a, b));
        } else if of_a.is_none()
            && of_b.is_none()
            && let Some(partial) = partial
        {
            partial.push(Move::pair(a, b));
        }
    }
}

/// The windows with exactly `count` stones.
#[inline]
fn windows(board: &Board, side: Side, line: LineId, count: u8) -> u64 {
    if board.fits3() { board.windows_with3(side, line, count) } else { board.windows_with(side, line, count) }
}

/// The positions that lie on any of the windows.
#[inline]
pub(crate) fn covered(windows: u64, k: u32) -> u64 {
    let (mut mask, mut width) = (windows, 1);
    while width < k {
        let step = width.min(k - width);
        mask |= mask << step;
        width += step;
    }
    mask
}

/// The windows that contain a position.
#[inline]
fn containing(position: u32, k: u32) -> u64 {
    let up_to = u64::MAX >> (63 - position);
    if position < k { up_to } else { up_to & (u64::MAX << (position + 1 - k)) }
}

/// Whether a square other than a and b is an answer to both.
#[inline]
fn share_answer(of_a: [u16; 2], of_b: [u16; 2], a: Square, b: Square) -> bool {
    let (a, b) = (a.index() as u16, b.index() as u16);
    of_a.iter().any(|&answer| answer != NONE && answer != a && answer != b && of_b.contains(&answer))
}
