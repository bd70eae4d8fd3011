//! Makes positions for `lambda6 reproduce dbs`: games of a player who knows
//! little against itself, from a seed, on which the side to move has a win by
//! double threats that takes the plain search many moves.
//!
//! `cargo run --release -p lambda6-literature --example dbs_positions -- SEED COUNT MOVES`
//! prints COUNT positions that take MOVES moves or more, as the set's table. The
//! set is that of 2 40 5000, and behind it that of 3 32 5000.

use lambda6_literature::dbs::{DbsOptions, DbsSearch, Filter};
use lambda6_proof::{SolveError, Verdict, prove};
use lambda6_rules::{Game, Move, Position, Side, Square};
use lambda6_search::{Budget, Method, Silent};
use lambda6_threats::{Attack, Board, Defences, ThreatCount};
use std::{env, error::Error};

/// Stones are spread over this many areas, so that there are threats in several.
const AREAS: usize = 4;

/// Moves that the plain search may try: what takes more is taken for no win.
const MOST: u64 = 300_000;

fn main() -> Result<(), Box<dyn Error>> {
    let numbers: Vec<u64> = env::args().skip(1).map(|text| text.parse()).collect::<Result<_, _>>()?;
    let [seed, count, least] = numbers[..] else { return Err("expected SEED COUNT MOVES".into()) };
    let mut random = Random(seed | 1);
    let mut search = DbsSearch::new(
        Game::CONNECT6,
        DbsOptions { filter: Filter::Plain, ..DbsOptions::default() },
        1 << 12,
    )?;
    println!("id\tply\tside\tdepth\tmoves_searched\tmoves");
    let mut found = 0;
    while found < count {
        if let Some((line, depth, searched)) = game(&mut search, &mut random, least)? {
            found += 1;
            let side = if line.len() % 2 == 0 { "B" } else { "W" };
            let names: Vec<String> = line.iter().map(|mv| Game::CONNECT6.move_name(mv)).collect();
            println!("d{found:02}\t{}\t{side}\t{depth}\t{searched}\t{}", line.len(), names.join(" "));
        }
    }
    Ok(())
}

type Found = (Vec<Move>, usize, u64);

/// One game, up to the first position with a win. Nothing when that is easy.
fn game(search: &mut DbsSearch, random: &mut Random, least: u64) -> Result<Option<Found>, Box<dyn Error>> {
    let game = Game::CONNECT6;
    let areas: Vec<(u8, u8)> =
        (0..AREAS).map(|_| (3 + random.below(13) as u8, 3 + random.below(13) as u8)).collect();
    let mut position = Position::new(game);
    let mut line = Vec::new();
    while position.outcome().is_none() && line.len() < 40 {
        let side = position.to_move();
        let mut board = Board::from_position(&position);
        if line.len() >= 8 {
            if board.has_threat(side) {
                return Ok(None);
            }
            // The plain search alone decides what is in the set: a filter must
            // not choose the positions that filters are compared on.
            if let Some((depth, searched)) = solve(search, &position)? {
                return Ok((searched >= least).then_some((line, depth, searched)));
            }
        }
        let Some(mv) = choose(&mut board, side, position.stones_to_place(), &areas, random) else {
            return Ok(None);
        };
        position.play(&mv)?;
        line.push(mv);
    }
    Ok(None)
}

/// The length of the win and the moves searched.
fn solve(search: &mut DbsSearch, position: &Position) -> Result<Option<(usize, u64)>, SolveError> {
    let mut budget = Budget::of_nodes(MOST);
    let verdict = prove(search, position, position.to_move(), Method::Mutual, &mut budget, &mut Silent)?;
    Ok(match verdict {
        Verdict::Win(win) => Some((win.certificate().depth(), search.stats().moves)),
        Verdict::Unknown(_) => None,
    })
}

/// A move: what meets the other side's threats, then the stones with the most to
/// do for either side in an area drawn by lot.
fn choose(
    board: &mut Board,
    side: Side,
    stones: usize,
    areas: &[(u8, u8)],
    random: &mut Random,
) -> Option<Move> {
    let game = board.game();
    let mut defences = Defences::default();
    defences.find(board, side.other());
    if defences.count() == ThreatCount::More {
        return None;
    }
    let all: Vec<Move> = defences.iter().copied().collect();
    let mut mv = if all.is_empty() { Move::NULL } else { all[random.below(all.len())] };
    let (col, row) = areas[random.below(areas.len())];
    let mut attack = Attack::new(game);
    while mv.len() < stones {
        let near = |square: &Square| {
            let (c, r) = game.col_row(*square);
            c.abs_diff(col) <= 4 && r.abs_diff(row) <= 4
        };
        // Squares from which the other side would make two threats come first.
        attack.find_cells(board, side.other());
        let urgent: Vec<Square> = attack.double_cells().to_vec();
        let value = |square: Square| {
            let of = |side, count, weight| weight * board.windows_through(side, square, count);
            let own = of(side, 1, 2) + of(side, 2, 7);
            own + of(side.other(), 1, 2) + of(side.other(), 2, 6) + of(side.other(), 3, 12)
        };
        let empty = |square: &Square| board.is_empty(*square) && !mv.contains(*square);
        let best = match urgent.iter().copied().find(|square| empty(square)) {
            Some(square) => square,
            None => game
                .squares()
                .filter(|square| empty(square) && near(square))
                .max_by_key(|&square| value(square) + random.below(9) as u32)?,
        };
        mv.push(best);
    }
    Some(mv)
}

/// Xorshift: the same games everywhere.
struct Random(u64);

impl Random {
    fn below(&mut self, most: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % most
    }
}
