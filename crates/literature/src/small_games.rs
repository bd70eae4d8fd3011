//! Who wins a small game from the empty board, exactly.
//!
//! Two questions are asked in turn: does Black win, does White? Each is settled
//! by a depth-first proof-number search over single stones (a move of `p` stones
//! is `p` steps of one side), with a table of positions that are equal up to a
//! symmetry of the board. If neither wins, the game is a draw.
//!
//! What is cut needs a reason:
//! - *A side that can connect does; one that cannot meet the other's threats
//!   loses.* Both are the rules. One that can must place a stone on every open
//!   threat, and the order of the stones of a move does not matter, so the first
//!   may go on whichever threat is chosen.
//! - *More stones never hurt.* A strategy that ignores an extra stone of its own
//!   is as good as before: where it wants to place a stone on that square it
//!   places one anywhere.
//! - *Dead squares.* A square on no segment that is active for either side does
//!   not matter, so by the line above a stone on any other square is at least as
//!   good.
//! - *Groups.* If every active segment of the attacker contains one of several
//!   disjoint groups of `p + 1` empty squares, the defender holds: after each
//!   move of the attacker, who cannot fill a group at once, a stone on every
//!   group touched, of which there are at most `p`, makes its segments dead.
//! - *No win for White where q = p.* Black would place any stones first and then
//!   play White's strategy, the extra stones doing no harm.

mod square_sets;
mod state_table;
#[cfg(test)]
mod tests;

use crate::numbers::{INFINITE, Numbers, share};
use lambda6_rules::{Game, Square};
use lambda6_search::{Budget, Why};
use square_sets::{Bits, GROUP_TRIES, Threats, place_groups};
use state_table::StateTable;

/// Who wins when both sides play as well as they can.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum GameValue {
    /// Black, who moves first.
    Black,
    /// White.
    White,
    /// Neither side.
    Draw,
    /// The budget ended first.
    Unknown(Why),
}

impl GameValue {
    /// One word, for programs to read.
    pub fn name(self) -> &'static str {
        match self {
            GameValue::Black => "black",
            GameValue::White => "white",
            GameValue::Draw => "draw",
            GameValue::Unknown(why) => why.name(),
        }
    }
}

/// A board with more than [`MAX_AREA`] squares.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} has {area} squares; values are found for at most {MAX_AREA}", area = .0.area())]
pub struct TooLarge(pub Game);

/// The most squares of a board whose value can be asked.
pub const MAX_AREA: usize = 64;

/// The value of the empty board, with a table of about this many bytes. The
/// budget counts positions.
pub fn value(game: Game, table_bytes: usize, budget: &mut Budget<'_>) -> Result<GameValue, TooLarge> {
    if game.area() > MAX_AREA {
        return Err(TooLarge(game));
    }
    let mut search = Search::new(game, table_bytes, budget);
    let whole = game.q() == game.p();
    let start = State { own: 0, other: 0, attacks: true, left: search.stones(game.q(), 0) };
    Ok(match search.wins(start) {
        Err(why) => GameValue::Unknown(why),
        Ok(true) => GameValue::Black,
        Ok(false) if whole => GameValue::Draw,
        Ok(false) => {
            search.table.clear();
            match search.wins(State { attacks: false, ..start }) {
                Err(why) => GameValue::Unknown(why),
                Ok(true) => GameValue::White,
                Ok(false) => GameValue::Draw,
            }
        }
    })
}

/// Stones on the board, and the stones that the side to move still places in
/// this move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct State {
    /// The attacker's stones, a bit a square.
    own: u64,
    /// The defender's.
    other: u64,
    /// Whether the attacker is to move.
    attacks: bool,
    left: u8,
}

/// What can be said of a position without a search.
enum Seen {
    /// Whether the attacker wins.
    Settled(bool),
    /// The squares worth trying.
    Open(u64),
}

struct Search<'s, 'b> {
    game: Game,
    board: u64,
    segments: Vec<u64>,
    table: StateTable,
    budget: &'s mut Budget<'b>,
}

impl<'s, 'b> Search<'s, 'b> {
    fn new(game: Game, table_bytes: usize, budget: &'s mut Budget<'b>) -> Search<'s, 'b> {
        let bit = |square: Square| 1u64 << square.index();
        let mut segments = Vec::new();
        for square in game.squares() {
            for (dx, dy) in [(1, 0), (0, 1), (1, 1), (1, -1)] {
                let squares = (0..i32::from(game.k())).map(|i| game.offset(square, dx * i, dy * i));
                segments.extend(squares.map(|s| s.map(bit)).sum::<Option<u64>>());
            }
        }
        Search {
            game,
            board: if game.area() == 64 { u64::MAX } else { (1 << game.area()) - 1 },
            segments,
            table: StateTable::with_bytes(game, table_bytes),
            budget,
        }
    }

    /// How many stones a move has that begins with these squares occupied.
    fn stones(&self, most: u8, occupied: u64) -> u8 {
        most.min((self.board & !occupied).count_ones() as u8)
    }

    /// Whether the attacker wins.
    fn wins(&mut self, start: State) -> Result<bool, Why> {
        let mut numbers = self.first_numbers(&start);
        if !numbers.is_settled() {
            numbers = self.search(&start, Numbers::NO_BOUNDS)?;
        }
        Ok(numbers.proof == 0)
    }

    /// The state after a stone on the square.
    fn after(&self, state: &State, square: u64) -> State {
        let mut next = *state;
        if state.attacks {
            next.own |= square;
        } else {
            next.other |= square;
        }
        next.left -= 1;
        if next.left == 0 {
            next.attacks = !state.attacks;
            next.left = self.stones(self.game.p(), next.own | next.other);
        }
        next
    }

    /// Searches until the numbers reach the thresholds.
    fn search(&mut self, state: &State, most: Numbers) -> Result<Numbers, Why> {
        self.budget.count()?;
        // A position takes long on larger boards: look at the clock every time.
        self.budget.interrupted()?;
        let Seen::Open(squares) = self.look(state) else { return Ok(self.first_numbers(state)) };
        let mut children = Vec::with_capacity(squares.count_ones() as usize);
        let mut keys = Vec::with_capacity(children.capacity());
        for square in Bits(squares) {
            let child = self.after(state, square);
            let key = self.table.key(&child);
            // Squares that a symmetry exchanges are one.
            if !keys.contains(&key) {
                keys.push(key);
                children.push((child, self.first_numbers(&child)));
            }
        }
        let mut work = 1;
        loop {
            for ((_, numbers), key) in children.iter_mut().zip(&keys) {
                if !numbers.is_settled()
                    && let Some(known) = self.table.get(key)
                {
                    *numbers = known;
                }
            }
            let (here, best, second) = summary(&children, state.attacks);
            if here.reaches(most) {
                self.table.set(&self.table.key(state), here, work);
                return Ok(here);
            }
            // The child is left when it is clearly worse than the second best.
            let room = second.saturating_add(second / 4).saturating_add(1);
            let child = children[best].1;
            let most = if state.attacks {
                Numbers {
                    proof: most.proof.min(room),
                    disproof: share(most.disproof, here.disproof, child.disproof),
                }
            } else {
                Numbers {
                    proof: share(most.proof, here.proof, child.proof),
                    disproof: most.disproof.min(room),
                }
            };
            let before = self.budget.nodes();
            let state = children[best].0;
            children[best].1 = self.search(&state, most)?;
            work += (self.budget.nodes() - before) as u32;
        }
    }

    /// The numbers of a position that is seen for the first time.
    fn first_numbers(&self, state: &State) -> Numbers {
        match self.look(state) {
            Seen::Settled(true) => Numbers::WON,
            Seen::Settled(false) => Numbers::FAILED,
            Seen::Open(squares) => {
                let count = squares.count_ones();
                if state.attacks {
                    Numbers { proof: 1, disproof: count }
                } else {
                    Numbers { proof: count, disproof: 1 }
                }
            }
        }
    }

    /// Settles a position if the rules or the arguments above do, else says which
    /// squares are worth a stone.
    fn look(&self, state: &State) -> Seen {
        let State { own, other, attacks, left } = *state;
        let empty = self.board & !own & !other;
        let (mine, theirs) = if attacks { (own, other) } else { (other, own) };
        let next = self.game.p().min((empty.count_ones() as u8).saturating_sub(left));
        let mut threats = Threats::default();
        let (mut live, mut active) = (0, false);
        for &segment in &self.segments {
            if segment & theirs == 0 {
                let need = segment & !mine;
                if need.count_ones() <= u32::from(left) {
                    return Seen::Settled(attacks);
                }
                live |= need;
            } else if segment & mine == 0 {
                let need = segment & !theirs;
                if need.count_ones() <= u32::from(next) {
                    threats.push(need);
                }
                live |= need;
            }
            active |= segment & other == 0;
        }
        if !active {
            return Seen::Settled(false);
        }
        if threats.len > 0 {
            let squares = threats.meeting(left);
            return if squares == 0 { Seen::Settled(!attacks) } else { Seen::Open(squares) };
        }
        if self.groups_hold(own, other, empty) {
            return Seen::Settled(false);
        }
        Seen::Open(live)
    }

    /// Whether every active segment of the attacker has a group of its own, or
    /// shares one. Tries a little, so no says nothing.
    fn groups_hold(&self, own: u64, other: u64, empty: u64) -> bool {
        let mut open: Vec<u64> = self
            .segments
            .iter()
            .filter(|&segment| segment & other == 0)
            .map(|segment| segment & !own)
            .collect();
        let size = u32::from(self.game.p()) + 1;
        open.sort_unstable_by_key(|need| need.count_ones());
        open.dedup();
        if open.first().is_some_and(|need| need.count_ones() < size) {
            return false;
        }
        let mut tries = GROUP_TRIES;
        place_groups(&open, empty, size, &mut tries)
    }
}

/// The numbers of a state from those of the states after it, which one to search,
/// and the number of the second best.
///
/// Many states are reached in several ways, which a sum would count as often. The
/// largest number and one for each of the others is a safer guess; that a state is
/// settled does not depend on it.
fn summary(children: &[(State, Numbers)], attacks: bool) -> (Numbers, usize, u32) {
    let of = |numbers: &Numbers| {
        if attacks { (numbers.proof, numbers.disproof) } else { (numbers.disproof, numbers.proof) }
    };
    let (mut best, mut least, mut second) = (0, (INFINITE, INFINITE), INFINITE);
    let (mut largest, mut open, mut out) = (0, 0u32, false);
    for (i, (_, numbers)) in children.iter().enumerate() {
        let (easy, hard) = of(numbers);
        if (easy, hard) < least {
            second = least.0;
            (best, least) = (i, (easy, hard));
        } else {
            second = second.min(easy);
        }
        out |= hard == INFINITE;
        if hard > 0 {
            open += 1;
            largest = largest.max(hard);
        }
    }
    let hard = match (out, open) {
        (true, _) => INFINITE,
        (false, 0) => 0,
        (false, open) => largest.saturating_add(open - 1).min(INFINITE - 1),
    };
    let here = if attacks {
        Numbers { proof: least.0, disproof: hard }
    } else {
        Numbers { proof: hard, disproof: least.0 }
    };
    (here, best, second)
}
