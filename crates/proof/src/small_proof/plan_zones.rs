//! The zones of a plan, computed without playing it out.
//!
//! A plan of five moves with three defences against each of the first four has 121
//! positions. The union of their zones follows window by window, since the defender
//! chooses each of its defences independently:
//! - a window of the attacker is open in some line of play if against every move there is
//!   a defence without a stone in it;
//! - a window of the defender has, in some line of play, as many stones as the defences
//!   that put most stones into it.
//!
//! Counts are kept for all windows of a line of squares at once, one bit a window.
//!
//! This assumes that a move meets the same defences whatever was played before. Where
//! that fails, the zones are wrong and plans are compared by inexact figures; the
//! certificate does not suffer, since it is made of plans that have been played out.

use super::{
    move_zones::{ZonePair, add_positions},
    square_set::SquareSet,
};
use lambda6_rules::{Move, Side, Square};
use lambda6_search::covered;
use lambda6_threats::{Board, LineId};
use std::ops::Range;

/// The most stones in a window that are told apart.
const MOST_STONES: usize = 4;

/// Windows with at least one stone, with at least two, and so on.
type Counts = [u64; MOST_STONES];

/// Adds a stone to each of these windows.
#[inline]
fn count_stone(counts: &mut Counts, windows: u64) {
    for n in (1..MOST_STONES).rev() {
        counts[n] |= counts[n - 1] & windows;
    }
    counts[0] |= windows;
}

/// What the defences against a move do to a line of squares.
#[derive(Clone, Copy, Debug)]
pub(super) struct DefenceEffect {
    line: LineId,
    /// Windows in which some defence has a stone, and two.
    one: u64,
    two: u64,
    /// Windows in which some defence has no stone.
    clear: u64,
}

/// A line through a square, its windows that contain the square, and the position there.
#[derive(Clone, Copy)]
struct Place {
    line: LineId,
    windows: u64,
    position: u64,
}

/// A line of squares as the attacker has it: stones in windows, windows with a stone (which
/// are closed to the defender), and empty squares.
#[derive(Clone, Copy)]
struct AttackerLine {
    counts: Counts,
    closed: u64,
    empty: u64,
}

/// The same line as the defender has it, and the windows without a stone of the defender in
/// some line of play.
#[derive(Clone, Copy)]
struct DefenderLine {
    counts: Counts,
    open: u64,
}

/// The zones of a plan.
#[derive(Clone, Debug)]
pub(super) struct PlanZones<const W: usize> {
    pub(super) zones: ZonePair<W>,
    /// The windows of the defender that need four stones: with one more they can strike back.
    weak: Box<[(LineId, u64)]>,
}

/// The state before a move, and the zones after it.
struct Frame<const W: usize> {
    zones: ZonePair<W>,
    attacker_changes: usize,
    defender_changes: usize,
    changed: usize,
    weak: usize,
}

/// The lines of squares after some moves of a plan and all defences against them.
pub(super) struct ZoneTracker<const W: usize> {
    /// The places of all squares, and where those of each begin.
    places: Vec<Place>,
    starts: Vec<u32>,
    attacker: Vec<AttackerLine>,
    defender: Vec<DefenderLine>,
    /// The lines as they were before each change.
    attacker_before: Vec<(LineId, AttackerLine)>,
    defender_before: Vec<(LineId, DefenderLine)>,
    /// The lines to which stones of the defender were added.
    changed: Vec<LineId>,
    weak: Vec<(LineId, u64)>,
    frames: Vec<Frame<W>>,
    k: u8,
    /// The stones in a window that make a threat.
    need: usize,
}

impl<const W: usize> ZoneTracker<W> {
    /// None for games whose windows are too short or too long for the counts.
    pub(super) fn new(board: &Board, attacker: Side) -> Option<ZoneTracker<W>> {
        let (k, p) = (board.game().k(), board.game().p());
        let need = usize::from(k.checked_sub(p)?);
        if !(3..=MOST_STONES).contains(&need) {
            return None;
        }
        let geometry = board.geometry();
        let (mut places, mut starts) = (Vec::new(), vec![0]);
        for square in board.game().squares() {
            places.extend(geometry.lines_through(square).map(|(line, _)| {
                let (windows, position) = geometry.segments_with(line, square);
                Place { line, windows, position }
            }));
            starts.push(places.len() as u32);
        }
        let attacker_line =
            |line| AttackerLine { counts: [0; MOST_STONES], closed: 0, empty: board.empty_on(line) };
        let mut tracker = ZoneTracker {
            places,
            starts,
            attacker: geometry.lines().map(attacker_line).collect(),
            defender: geometry.lines().map(|_| DefenderLine { counts: [0; MOST_STONES], open: !0 }).collect(),
            attacker_before: Vec::new(),
            defender_before: Vec::new(),
            changed: Vec::new(),
            weak: Vec::new(),
            frames: Vec::new(),
            k,
            need,
        };
        for square in board.game().squares() {
            if let Some(side) = board.at(square) {
                tracker.set_up(square, side == attacker);
            }
        }
        Some(tracker)
    }

    /// Adds a stone of the position.
    fn set_up(&mut self, square: Square, is_attackers: bool) {
        for i in self.range(square) {
            let Place { line, windows, .. } = self.places[i];
            if is_attackers {
                let of_line = &mut self.attacker[line.index()];
                count_stone(&mut of_line.counts, windows);
                of_line.closed |= windows;
            } else {
                let of_line = &mut self.defender[line.index()];
                count_stone(&mut of_line.counts, windows);
                of_line.open &= !windows;
                self.changed.push(line);
            }
        }
    }

    /// The places of a square.
    #[inline]
    fn range(&self, square: Square) -> Range<usize> {
        self.starts[square.index()] as usize..self.starts[square.index() + 1] as usize
    }

    /// What these defences do to the lines.
    pub(super) fn effects<'d>(
        &self,
        defences: impl ExactSizeIterator<Item = &'d Move>,
    ) -> Box<[DefenceEffect]> {
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
            let mut effect = DefenceEffect { line: met[0].0, one: 0, two: 0, clear: 0 };
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

    /// Plays a move of the attacker.
    pub(super) fn push(&mut self, board: &Board, reply: &Move) {
        let mut frame = Frame {
            zones: self.frame_zones(),
            attacker_changes: self.attacker_before.len(),
            defender_changes: self.defender_before.len(),
            changed: self.changed.len(),
            weak: self.weak.len(),
        };
        reply.iter().for_each(|square| frame.zones.first.insert(square));
        for square in reply.iter() {
            for place in &self.places[self.range(square)] {
                let line = &mut self.attacker[place.line.index()];
                self.attacker_before.push((place.line, *line));
                count_stone(&mut line.counts, place.windows);
                line.closed |= place.windows;
                line.empty &= !place.position;
            }
        }
        for square in reply.iter() {
            for place in &self.places[self.range(square)] {
                let line = &self.attacker[place.line.index()];
                let threats = line.counts[self.need - 1] & self.defender[place.line.index()].open;
                let squares = line.empty & covered(threats, self.k);
                add_positions(&mut frame.zones.first, board, place.line, squares);
            }
        }
        // The segments with which the defender can strike back since its last stones.
        let from = self.frames.last().map_or(0, |last| last.changed);
        for &line in &self.changed[from..] {
            let AttackerLine { closed, empty, .. } = self.attacker[line.index()];
            let counts = &self.defender[line.index()].counts;
            let strong = counts[self.need - 2] & !closed;
            add_positions(&mut frame.zones.first, board, line, empty & covered(strong, self.k));
            let weak = counts[self.need - 3] & !closed & !strong;
            if weak != 0 {
                add_positions(&mut frame.zones.second, board, line, empty & covered(weak, self.k));
                self.weak.push((line, weak));
            }
        }
        self.frames.push(frame);
    }

    /// Adds the defences against the last move, all at once.
    pub(super) fn defend(&mut self, effects: &[DefenceEffect]) {
        for effect in effects {
            let line = &mut self.defender[effect.line.index()];
            self.defender_before.push((effect.line, *line));
            count_stone(&mut line.counts, effect.one);
            count_stone(&mut line.counts, effect.two);
            line.open &= effect.clear;
            self.changed.push(effect.line);
        }
    }

    /// Takes back the last move and the defences against it.
    pub(super) fn pop(&mut self) {
        let Some(frame) = self.frames.pop() else { return };
        for (line, before) in self.defender_before.drain(frame.defender_changes..).rev() {
            self.defender[line.index()] = before;
        }
        for (line, before) in self.attacker_before.drain(frame.attacker_changes..).rev() {
            self.attacker[line.index()] = before;
        }
        self.changed.truncate(frame.changed);
        self.weak.truncate(frame.weak);
    }

    /// The zones of the last frame; the second need not contain the first yet.
    fn frame_zones(&self) -> ZonePair<W> {
        self.frames.last().map_or(ZonePair::EMPTY, |frame| frame.zones)
    }

    /// The zones of the moves so far.
    pub(super) fn zones(&self) -> ZonePair<W> {
        let mut zones = self.frame_zones();
        zones.second.add(&zones.first);
        zones
    }

    /// The same with what one more stone of the defender changes.
    pub(super) fn plan_zones(&self) -> PlanZones<W> {
        let mut weak = self.weak.clone();
        weak.sort_unstable();
        weak.dedup_by(|more, kept| {
            let same = more.0 == kept.0;
            if same {
                kept.1 |= more.1;
            }
            same
        });
        PlanZones { zones: self.zones(), weak: weak.into() }
    }
}

impl<const W: usize> PlanZones<W> {
    /// Whether the plan wins against two stones of the defender outside its first zone: no
    /// window gets both of them and can strike back then.
    #[inline]
    pub(super) fn bears(&self, board: &Board, s: Square, t: Square) -> bool {
        let both = self.zones.second.contains(s) && self.zones.second.contains(t);
        !both || !self.first_with(board, s).contains(t)
    }

    /// The first zone when the defender has one more stone: the weak windows with that stone
    /// belong to it then.
    pub(super) fn first_with(&self, board: &Board, stone: Square) -> SquareSet<W> {
        let mut zone = self.zones.first;
        if self.zones.second.contains(stone) {
            for &(line, weak) in &self.weak {
                let (windows, _) = board.geometry().segments_with(line, stone);
                let squares = covered(weak & windows, board.game().k());
                add_positions(&mut zone, board, line, board.empty_on(line) & squares);
            }
            zone.remove(stone);
        }
        zone
    }
}
