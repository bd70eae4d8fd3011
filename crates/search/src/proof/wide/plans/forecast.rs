//! The zones of a plan, told without playing it out.
//!
//! A plan of five moves with three defences against each of the first four has 121
//! positions. Their zones together are told window by window. The defender chooses each
//! of its defences as it likes, so
//! - a window of the attacker is open in some line of play where against each move there is
//!   a defence that stays clear of it;
//! - a window of the defender has in some line as many stones as the defences that take
//!   most of it.
//!
//! The zones of one line of play are told in the same way, with one defence against each move;
//! those of a tree, which need not answer all defences alike, are those of its lines.
//!
//! Counts are kept for all windows of a line of squares at once, a bit for each.
//!
//! It is supposed that a move meets the same defences whatever was played before. Where
//! that is not so a forecast is wrong, and plans are compared by what is not quite
//! true; what is claimed has been played out.

use super::super::{bits::Squares, zones::add};
use crate::zones::covered;
use rules::{Move, Side, Square};
use std::ops::Range;
use threats::{Board, LineId};

/// The most stones in a window that are told apart.
const MOST: usize = 4;

/// Windows with at least one stone, with two and so on.
type Counts = [u64; MOST];

/// A stone more in these windows.
#[inline]
fn count(counts: &mut Counts, windows: u64) {
    for n in (1..MOST).rev() {
        counts[n] |= counts[n - 1] & windows;
    }
    counts[0] |= windows;
}

/// What the defences against a move do to a line of squares.
#[derive(Clone, Copy, Debug)]
pub(super) struct Effect {
    line: LineId,
    /// Windows in which one of them has a stone, and two.
    one: u64,
    two: u64,
    /// Windows of which one of them stays clear.
    clear: u64,
}

/// A line through a square, its windows that contain the square, and the position there.
#[derive(Clone, Copy)]
struct Place {
    line: LineId,
    windows: u64,
    position: u64,
}

/// The attacker's stones on a line of squares, the windows with one, and the squares that are empty.
#[derive(Clone, Copy)]
struct Ours {
    counts: Counts,
    closed: u64,
    empty: u64,
}

/// The defender's stones, and the windows without one in some line of play.
#[derive(Clone, Copy)]
struct Theirs {
    counts: Counts,
    open: u64,
}

/// The zones of a plan.
#[derive(Clone, Debug)]
pub(super) struct Forecast<const W: usize> {
    pub(super) first: Squares<W>,
    pub(super) second: Squares<W>,
    /// The windows that a stone more of the defender's makes dangerous.
    weak: Box<[(LineId, u64)]>,
}

/// What there was before stones were placed: where to go back to.
#[derive(Clone, Copy)]
pub(super) struct Mark {
    theirs: usize,
    struck: usize,
}

/// What a move has added.
struct Frame<const W: usize> {
    first: Squares<W>,
    second: Squares<W>,
    mark: Mark,
    ours: usize,
    weak: usize,
    /// Whether a stone is in its way, or the defender connects first.
    fails: bool,
}

/// The lines of squares after some moves and all defences against them.
pub(super) struct Forecaster<const W: usize> {
    /// Those of all squares, and where those of each begin.
    places: Vec<Place>,
    starts: Vec<u32>,
    ours: Vec<Ours>,
    theirs: Vec<Theirs>,
    /// The lines as they were before they changed.
    ours_before: Vec<(LineId, Ours)>,
    theirs_before: Vec<(LineId, Theirs)>,
    /// The lines on which the defender has got stones since the last move.
    struck: Vec<LineId>,
    weak: Vec<(LineId, u64)>,
    frames: Vec<Frame<W>>,
    /// Stones of the defender that moves have to stay clear of.
    clear_of: Squares<W>,
    k: u8,
    /// The stones of a threat.
    need: usize,
}

impl<const W: usize> Forecaster<W> {
    /// None for games whose windows are too short or too long for it.
    pub(super) fn new(board: &Board, attacker: Side) -> Option<Forecaster<W>> {
        let (k, p) = (board.game().k(), board.game().p());
        let need = usize::from(k.checked_sub(p)?);
        if !(3..=MOST).contains(&need) {
            return None;
        }
        let geometry = board.geometry();
        let place = |square, line| {
            let (windows, position) = geometry.segments_with(line, square);
            Place { line, windows, position }
        };
        let (mut places, mut starts) = (Vec::new(), vec![0]);
        for square in board.game().squares() {
            places.extend(geometry.lines_through(square).map(|(line, _)| place(square, line)));
            starts.push(places.len() as u32);
        }
        let ours = |line| Ours { counts: [0; MOST], closed: 0, empty: board.empty_on(line) };
        let mut forecaster = Forecaster {
            places,
            starts,
            ours: geometry.lines().map(ours).collect(),
            theirs: geometry.lines().map(|_| Theirs { counts: [0; MOST], open: !0 }).collect(),
            ours_before: Vec::new(),
            theirs_before: Vec::new(),
            struck: Vec::new(),
            weak: Vec::new(),
            frames: Vec::new(),
            clear_of: Squares::EMPTY,
            k,
            need,
        };
        for square in board.game().squares() {
            let Some(side) = board.at(square) else { continue };
            for i in forecaster.range(square) {
                let place = forecaster.places[i];
                if side == attacker {
                    let line = &mut forecaster.ours[place.line.index()];
                    count(&mut line.counts, place.windows);
                    line.closed |= place.windows;
                } else {
                    let line = &mut forecaster.theirs[place.line.index()];
                    count(&mut line.counts, place.windows);
                    line.open &= !place.windows;
                    forecaster.struck.push(place.line);
                }
            }
        }
        Some(forecaster)
    }

    /// The places of a square.
    #[inline]
    fn range(&self, square: Square) -> Range<usize> {
        self.starts[square.index()] as usize..self.starts[square.index() + 1] as usize
    }

    /// What these defences do to the lines.
    pub(super) fn effects<'d>(&self, defences: impl ExactSizeIterator<Item = &'d Move>) -> Box<[Effect]> {
        let many = defences.len();
        let mut met: Vec<(LineId, usize, u64)> = Vec::new();
        for (i, defence) in defences.enumerate() {
            for square in defence.iter() {
                let places = self.places[self.range(square)].iter();
                met.extend(places.map(|place| (place.line, i, place.windows)));
            }
        }
        met.sort_unstable();
        let of_line = |met: &[(LineId, usize, u64)]| {
            let mut effect = Effect { line: met[0].0, one: 0, two: 0, clear: 0 };
            let mut defences = 0;
            for of_one in met.chunk_by(|a, b| a.1 == b.1) {
                let mut windows = 0;
                for stone in of_one {
                    effect.two |= windows & stone.2;
                    windows |= stone.2;
                }
                effect.one |= windows;
                effect.clear |= !windows;
                defences += 1;
            }
            if defences < many {
                effect.clear = !0;
            }
            effect
        };
        met.chunk_by(|a, b| a.0 == b.0).map(of_line).collect()
    }

    fn mark(&self) -> Mark {
        Mark { theirs: self.theirs_before.len(), struck: self.struck.len() }
    }

    /// A move of the attacker.
    pub(super) fn push(&mut self, board: &Board, reply: &Move) {
        self.advance::<true>(board, reply);
    }

    /// A move of the attacker, where the second zone is of no interest.
    pub(super) fn push_first(&mut self, board: &Board, reply: &Move) {
        self.advance::<false>(board, reply);
    }

    #[inline]
    fn advance<const BOTH: bool>(&mut self, board: &Board, reply: &Move) {
        let (first, second) = self.zones();
        let (mark, ours, weak) = (self.mark(), self.ours_before.len(), self.weak.len());
        let mut frame = Frame { first, second, mark, ours, weak, fails: false };
        let mut own: Squares<W> = reply.iter().collect();
        for square in reply.iter() {
            for place in &self.places[self.range(square)] {
                let line = &mut self.ours[place.line.index()];
                self.ours_before.push((place.line, *line));
                count(&mut line.counts, place.windows);
                line.closed |= place.windows;
                line.empty &= !place.position;
            }
        }
        for square in reply.iter() {
            for place in &self.places[self.range(square)] {
                let line = &self.ours[place.line.index()];
                let threats = line.counts[self.need - 1] & self.theirs[place.line.index()].open;
                add(&mut own, board, place.line, line.empty & covered(threats, self.k));
            }
        }
        frame.fails = own.meets(&self.clear_of);
        frame.first.add(&own);
        // What the stones that the defender has got leave it to strike back with.
        let from = self.frames.last().map_or(0, |last| last.mark.struck);
        for &id in &self.struck[from..] {
            let (ours, counts) = (&self.ours[id.index()], &self.theirs[id.index()].counts);
            frame.fails |= counts[self.need - 1] & !ours.closed != 0;
            let strong = counts[self.need - 2] & !ours.closed;
            add(&mut frame.first, board, id, ours.empty & covered(strong, self.k));
            let fair = counts[self.need - 3] & !ours.closed;
            if BOTH && fair & !strong != 0 {
                add(&mut frame.second, board, id, ours.empty & covered(fair & !strong, self.k));
                self.weak.push((id, fair & !strong));
            }
        }
        self.frames.push(frame);
    }

    /// What the defences against the last move do.
    pub(super) fn strike(&mut self, effects: &[Effect]) {
        for effect in effects {
            let line = &mut self.theirs[effect.line.index()];
            self.theirs_before.push((effect.line, *line));
            count(&mut line.counts, effect.one);
            count(&mut line.counts, effect.two);
            line.open &= effect.clear;
            self.struck.push(effect.line);
        }
    }

    /// One defence against the last move.
    pub(super) fn meet(&mut self, defence: &Move) -> Mark {
        self.place(defence, true)
    }

    /// Stones of the defender before the first move, which moves have to stay clear of.
    pub(super) fn set_up(&mut self, stones: &Move) -> Mark {
        self.clear_of = stones.iter().collect();
        self.place(stones, false)
    }

    /// Takes the stones of [`set_up`](Forecaster::set_up) off.
    pub(super) fn clear(&mut self, mark: Mark) {
        self.clear_of = Squares::EMPTY;
        self.take_back(mark);
    }

    fn place(&mut self, stones: &Move, closes: bool) -> Mark {
        let mark = self.mark();
        for square in stones.iter() {
            for place in &self.places[self.range(square)] {
                let line = &mut self.theirs[place.line.index()];
                self.theirs_before.push((place.line, *line));
                count(&mut line.counts, place.windows);
                if closes {
                    line.open &= !place.windows;
                }
                self.struck.push(place.line);
            }
        }
        mark
    }

    /// Takes the stones of a defence off.
    pub(super) fn take_back(&mut self, mark: Mark) {
        while self.theirs_before.len() > mark.theirs
            && let Some((id, line)) = self.theirs_before.pop()
        {
            self.theirs[id.index()] = line;
        }
        self.struck.truncate(mark.struck);
    }

    /// Takes the last move back, and the defences against it.
    pub(super) fn pop(&mut self) {
        let Some(frame) = self.frames.pop() else { return };
        self.take_back(frame.mark);
        while self.ours_before.len() > frame.ours
            && let Some((id, line)) = self.ours_before.pop()
        {
            self.ours[id.index()] = line;
        }
        self.weak.truncate(frame.weak);
    }

    /// Whether the last move is none: a stone is in its way, or the defender connects first.
    pub(super) fn fails(&self) -> bool {
        self.frames.last().is_some_and(|frame| frame.fails)
    }

    /// The windows that a stone more makes dangerous since the last move.
    pub(super) fn newly_weak(&self) -> &[(LineId, u64)] {
        &self.weak[self.frames.last().map_or(0, |frame| frame.weak)..]
    }

    fn zones(&self) -> (Squares<W>, Squares<W>) {
        self.frames.last().map_or((Squares::EMPTY, Squares::EMPTY), |frame| (frame.first, frame.second))
    }

    /// The first zone of the moves so far.
    pub(super) fn first(&self) -> Squares<W> {
        self.zones().0
    }

    /// The second zone of the moves so far.
    pub(super) fn second(&self) -> Squares<W> {
        let (first, mut second) = self.zones();
        second.add(&first);
        second
    }

    /// The zones of the moves so far.
    pub(super) fn forecast(&self) -> Forecast<W> {
        Forecast::new(self.first(), self.second(), self.weak.clone())
    }
}

impl<const W: usize> Forecast<W> {
    /// With the windows in any order, and more than once.
    pub(super) fn new(first: Squares<W>, second: Squares<W>, mut weak: Vec<(LineId, u64)>) -> Forecast<W> {
        weak.sort_unstable();
        weak.dedup_by(|more, kept| {
            let same = more.0 == kept.0;
            if same {
                kept.1 |= more.1;
            }
            same
        });
        Forecast { first, second, weak: weak.into() }
    }

    /// Whether two stones of the defender outside the first zone do no harm: they are on no
    /// window together which both make dangerous.
    #[inline]
    pub(super) fn bears(&self, board: &Board, s: Square, t: Square) -> bool {
        let both = self.second.contains(s) && self.second.contains(t);
        !both || !self.first_with(board, s).contains(t)
    }

    /// Calls `found` with the empty squares of each window that a stone more makes dangerous: if it is
    /// on one of them, the others are in the first zone.
    pub(super) fn for_each_weak(&self, board: &Board, mut found: impl FnMut(LineId, u64)) {
        for &(line, mut windows) in &self.weak {
            let empty = board.empty_on(line);
            while windows != 0 {
                let window = windows & windows.wrapping_neg();
                windows ^= window;
                found(line, empty & covered(window, board.game().k()));
            }
        }
    }

    /// The first zone with a stone more of the defender's: it strengthens windows.
    pub(super) fn first_with(&self, board: &Board, stone: Square) -> Squares<W> {
        let mut zone = self.first;
        if self.second.contains(stone) {
            for &(line, weak) in &self.weak {
                let (windows, _) = board.geometry().segments_with(line, stone);
                let squares = covered(weak & windows, board.game().k());
                add(&mut zone, board, line, board.empty_on(line) & squares);
            }
            zone.remove(stone);
        }
        zone
    }
}
