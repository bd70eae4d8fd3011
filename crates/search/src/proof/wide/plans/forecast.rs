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
//! Counts are kept for all windows of a line of squares at once, a bit for each.
//!
//! It is supposed that a move meets the same defences whatever was played before. Where
//! that is not so a forecast is wrong, and plans are compared by what is not quite
//! true; what is claimed has been played out.

use super::super::{bits::Squares, zones::add};
use crate::zones::covered;
use rules::{Move, Side, Square};
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

#[derive(Clone, Copy)]
struct Line {
    ours: Counts,
    theirs: Counts,
    /// Windows without a stone of the defender in some line of play, and those with a stone
    /// of the attacker.
    open: u64,
    closed: u64,
    empty: u64,
}

/// The zones of a plan.
#[derive(Clone, Debug)]
pub(super) struct Forecast<const W: usize> {
    pub(super) first: Squares<W>,
    pub(super) second: Squares<W>,
    /// The windows that a stone more of the defender's makes dangerous.
    weak: Box<[(LineId, u64)]>,
}

/// What a move has added: where to go back to.
struct Frame<const W: usize> {
    first: Squares<W>,
    second: Squares<W>,
    lines: usize,
    struck: usize,
    weak: usize,
}

/// The lines of squares after some moves and all defences against them.
pub(super) struct Forecaster<const W: usize> {
    places: Vec<Vec<Place>>,
    lines: Vec<Line>,
    /// The lines as they were before they changed.
    before: Vec<(LineId, Line)>,
    /// The lines on which the defender has got stones since the last move.
    struck: Vec<LineId>,
    weak: Vec<(LineId, u64)>,
    frames: Vec<Frame<W>>,
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
        let places_of =
            |square| geometry.lines_through(square).map(|(line, _)| place(square, line)).collect();
        let line = |line| {
            let empty = board.empty_on(line);
            Line { ours: [0; MOST], theirs: [0; MOST], open: !0, closed: 0, empty }
        };
        let mut forecaster = Forecaster {
            places: board.game().squares().map(places_of).collect(),
            lines: geometry.lines().map(line).collect(),
            before: Vec::new(),
            struck: Vec::new(),
            weak: Vec::new(),
            frames: Vec::new(),
            k,
            need,
        };
        for square in board.game().squares() {
            let Some(side) = board.at(square) else { continue };
            for place in &forecaster.places[square.index()] {
                let line = &mut forecaster.lines[place.line.index()];
                if side == attacker {
                    count(&mut line.ours, place.windows);
                    line.closed |= place.windows;
                } else {
                    count(&mut line.theirs, place.windows);
                    line.open &= !place.windows;
                    forecaster.struck.push(place.line);
                }
            }
        }
        Some(forecaster)
    }

    /// What these defences do to the lines.
    pub(super) fn effects<'d>(&self, defences: impl ExactSizeIterator<Item = &'d Move>) -> Box<[Effect]> {
        let many = defences.len();
        let mut met: Vec<(LineId, usize, u64)> = Vec::new();
        for (i, defence) in defences.enumerate() {
            for square in defence.iter() {
                let places = self.places[square.index()].iter();
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

    /// A move, and what the defences against it do: nothing where it ends the line of play.
    pub(super) fn push(&mut self, board: &Board, reply: &Move, effects: &[Effect]) {
        let (first, second) = self.zones();
        let (lines, struck, weak) = (self.before.len(), self.struck.len(), self.weak.len());
        let mut frame = Frame { first, second, lines, struck, weak };
        for square in reply.iter() {
            frame.first.insert(square);
            for place in &self.places[square.index()] {
                let line = &mut self.lines[place.line.index()];
                self.before.push((place.line, *line));
                count(&mut line.ours, place.windows);
                line.closed |= place.windows;
                line.empty &= !place.position;
            }
        }
        for square in reply.iter() {
            for place in &self.places[square.index()] {
                let line = &self.lines[place.line.index()];
                let threats = line.ours[self.need - 1] & line.open;
                add(&mut frame.first, board, place.line, line.empty & covered(threats, self.k));
            }
        }
        // What the stones that the defender has got leave it to strike back with.
        let from = self.frames.last().map_or(0, |last| last.struck);
        for &id in &self.struck[from..] {
            let line = &self.lines[id.index()];
            let strong = line.theirs[self.need - 2] & !line.closed;
            let fair = line.theirs[self.need - 3] & !line.closed;
            add(&mut frame.first, board, id, line.empty & covered(strong, self.k));
            add(&mut frame.second, board, id, line.empty & covered(fair, self.k));
            if fair & !strong != 0 {
                self.weak.push((id, fair & !strong));
            }
        }
        for effect in effects {
            let line = &mut self.lines[effect.line.index()];
            self.before.push((effect.line, *line));
            count(&mut line.theirs, effect.one);
            count(&mut line.theirs, effect.two);
            line.open &= effect.clear;
            self.struck.push(effect.line);
        }
        self.frames.push(frame);
    }

    /// Takes the last move back.
    pub(super) fn pop(&mut self) {
        let Some(frame) = self.frames.pop() else { return };
        for (id, line) in self.before.drain(frame.lines..).rev() {
            self.lines[id.index()] = line;
        }
        self.struck.truncate(frame.struck);
        self.weak.truncate(frame.weak);
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
        let mut weak = self.weak.clone();
        weak.sort_unstable();
        weak.dedup_by(|more, kept| {
            let same = more.0 == kept.0;
            if same {
                kept.1 |= more.1;
            }
            same
        });
        Forecast { first: self.first(), second: self.second(), weak: weak.into() }
    }
}

impl<const W: usize> Forecast<W> {
    /// Whether two stones of the defender outside the first zone do no harm: they are on no
    /// window together which both make dangerous.
    #[inline]
    pub(super) fn bears(&self, board: &Board, s: Square, t: Square) -> bool {
        let both = self.second.contains(s) && self.second.contains(t);
        !both || !self.first_with(board, s).contains(t)
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
