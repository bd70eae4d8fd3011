//! Writes a certificate that Black wins Connect(6,2,3): three black stones on an
//! empty 19x19 board, White to move.
//!
//! `cargo run --release --example connect623 -- srzop2 > connect623.txt`
//!
//! The searcher is plain and makes no effort to keep the proof short. It is here
//! to make certificates for measurements, and to show how a source of replies
//! drives the walk.

use lambda6_checker::{Board, Game, Header, Method, Move, Rejection, Replies, Side, Square, walk};
use std::{collections::HashMap, error::Error, io::Write};

const AREA: usize = 361;
type Stones = [u64; 6];

/// A board of 19x19 with counts of stones on the segments of six.
struct Search {
    segments: Vec<[Square; 6]>,
    through: Vec<Vec<usize>>,
    counts: Vec<[u8; 2]>,
    stones: [Stones; 2],
    /// The winning moves found, and the depths to which there is none.
    known: HashMap<[Stones; 2], Result<Move, u32>>,
    nodes: u64,
}

const BLACK: usize = 0;
const WHITE: usize = 1;

impl Search {
    fn new() -> Search {
        let mut segments = Vec::new();
        for (y, x) in (0..19i32).flat_map(|y| (0..19i32).map(move |x| (y, x))) {
            for (dy, dx) in [(0, 1), (1, 0), (1, 1), (1, -1)] {
                let line: Vec<(i32, i32)> = (0..6).map(|i| (y + dy * i, x + dx * i)).collect();
                if line.iter().all(|(y, x)| (0..19).contains(y) && (0..19).contains(x)) {
                    segments.push(std::array::from_fn(|i| (line[i].0 * 19 + line[i].1) as Square));
                }
            }
        }
        let mut through = vec![Vec::new(); AREA];
        for (i, segment) in segments.iter().enumerate() {
            segment.iter().for_each(|&s| through[usize::from(s)].push(i));
        }
        let counts = vec![[0; 2]; segments.len()];
        Search { segments, through, counts, stones: [[0; 6]; 2], known: HashMap::new(), nodes: 0 }
    }

    fn toggle(&mut self, side: usize, s: Square, on: bool) {
        self.stones[side][usize::from(s / 64)] ^= 1 << (s % 64);
        for &segment in &self.through[usize::from(s)] {
            let count = &mut self.counts[segment][side];
            *count = if on { *count + 1 } else { *count - 1 };
        }
    }

    fn set(&mut self, board: &Board) {
        for (side, of) in [(BLACK, Side::Black), (WHITE, Side::White)] {
            let mut wanted = [0; 6];
            board.stones(of).for_each(|s| wanted[usize::from(s / 64)] |= 1u64 << (s % 64));
            for s in 0..AREA as Square {
                let (word, bit) = (usize::from(s / 64), s % 64);
                let (has, want) = (self.stones[side][word] >> bit & 1, wanted[word] >> bit & 1);
                if has != want {
                    self.toggle(side, s, want == 1);
                }
            }
        }
    }

    fn empty(&self, s: Square) -> bool {
        (self.stones[BLACK][usize::from(s / 64)] | self.stones[WHITE][usize::from(s / 64)]) >> (s % 64) & 1
            == 0
    }

    /// The empty squares of the side's segments with at least this many stones.
    fn open(&self, side: usize, least: u8) -> Vec<Vec<Square>> {
        let live = |i: &usize| self.counts[*i][side] >= least && self.counts[*i][1 - side] == 0;
        let empty = |i: usize| self.segments[i].iter().copied().filter(|&s| self.empty(s)).collect();
        (0..self.segments.len()).filter(live).map(empty).collect()
    }

    /// The first move of a win by double threats, in at most so many moves.
    fn double_threats(&mut self, depth: u32) -> Option<Move> {
        if let Some(win) = self.open(BLACK, 4).first() {
            return Move::new(win);
        }
        match self.known.get(&self.stones) {
            Some(Ok(found)) => return Some(*found),
            Some(Err(tried)) if *tried >= depth => return None,
            _ => {}
        }
        if depth < 2 {
            return None;
        }
        self.nodes += 1;
        let near: Vec<Square> = sorted(self.open(BLACK, 3).concat());
        let mut pairs: Vec<(Square, Square)> = Vec::new();
        for (i, &s) in near.iter().enumerate() {
            pairs.extend(near[i + 1..].iter().map(|&t| (s, t)));
        }
        let mut two = self.open(BLACK, 2);
        two.retain(|open| open.len() == 4);
        for open in &two {
            for (i, &s) in open.iter().enumerate() {
                pairs.extend(open[i + 1..].iter().map(|&t| (s, t)));
            }
        }
        let mut moves = Vec::new();
        for (s, t) in sorted(pairs) {
            self.toggle(BLACK, s, true);
            self.toggle(BLACK, t, true);
            if self.open(WHITE, 4).is_empty() {
                let threats = self.open(BLACK, 4);
                if !threats.is_empty() && !threats[0].iter().any(|s| threats.iter().all(|t| t.contains(s))) {
                    let mut blocks = blocks(&threats);
                    // Fewer blocks first, then those that promise more.
                    let worth = self.open(BLACK, 2).len();
                    blocks.sort_unstable();
                    blocks.dedup();
                    moves.push((blocks.len(), usize::MAX - worth, s, t, blocks));
                }
            }
            self.toggle(BLACK, s, false);
            self.toggle(BLACK, t, false);
        }
        moves.sort_unstable();
        for (_, _, s, t, blocks) in moves {
            self.toggle(BLACK, s, true);
            self.toggle(BLACK, t, true);
            let wins = blocks.iter().all(|&(b, c)| {
                self.toggle(WHITE, b, true);
                self.toggle(WHITE, c, true);
                let wins = self.double_threats(depth - 1).is_some();
                self.toggle(WHITE, b, false);
                self.toggle(WHITE, c, false);
                wins
            });
            self.toggle(BLACK, s, false);
            self.toggle(BLACK, t, false);
            if wins {
                let found = Move::new(&[s, t])?;
                self.known.insert(self.stones, Ok(found));
                return Some(found);
            }
        }
        self.known.insert(self.stones, Err(depth));
        None
    }
}

fn sorted<T: Ord>(mut list: Vec<T>) -> Vec<T> {
    list.sort_unstable();
    list.dedup();
    list
}

/// The pairs that meet all threats, for threats that no single stone meets.
fn blocks(threats: &[Vec<Square>]) -> Vec<(Square, Square)> {
    let mut found = Vec::new();
    for &s in &threats[0] {
        let Some(left) = threats.iter().find(|threat| !threat.contains(&s)) else { continue };
        for &t in left {
            if threats.iter().all(|threat| threat.contains(&s) || threat.contains(&t)) {
                found.push((s.min(t), s.max(t)));
            }
        }
    }
    found
}

struct Source {
    search: Search,
    depth: u32,
    given: Vec<Move>,
    failed: Option<String>,
}

impl Replies for Source {
    type Error = Rejection;

    fn next(&mut self, number: u64, board: &Board) -> Result<Move, Rejection> {
        self.search.set(board);
        let found = (2..=self.depth).find_map(|depth| self.search.double_threats(depth));
        let names = |side| board.stones(side).map(|s| board.game().name(s)).collect::<Vec<_>>().join(" ");
        if number.is_multiple_of(10_000) {
            eprintln!("{number} replies, {} nodes", self.search.nodes);
        }
        let reply = found.ok_or_else(|| {
            self.failed = Some(format!("no win found: {} / {}", names(Side::Black), names(Side::White)));
            Rejection { reply: number, reason: lambda6_checker::Reason::RunOut }
        })?;
        self.given.push(reply);
        Ok(reply)
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let game = Game::new(19, 19, 6, 2, 3)?;
    let name = std::env::args().nth(1).unwrap_or_else(|| "srzop2".to_string());
    let method = Method::ALL.into_iter().find(|method| method.name() == name).ok_or("no such method")?;
    let black = game.parse(b"j10j12i11")?;
    let (to_move, attacker) = (Side::White, Side::Black);
    let mut header =
        Header { game, black, white: Vec::new(), to_move, attacker, method, replies: 0, except: Vec::new() };
    let mut source = Source { search: Search::new(), depth: 12, given: Vec::new(), failed: None };
    let walked = walk(&header, &mut source);
    if let Some(what) = source.failed {
        return Err(format!("{what}, after {} replies", source.given.len()).into());
    }
    eprintln!("{:?}, {} nodes", walked?, source.search.nodes);
    header.replies = source.given.len() as u64;
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    write!(out, "{header}")?;
    for reply in source.given {
        let names: String = reply.squares().iter().map(|&s| game.name(s)).collect();
        writeln!(out, "{names}")?;
    }
    Ok(())
}
