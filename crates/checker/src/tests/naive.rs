//! The rules once more, as slowly and literally as they are defined: recursive,
//! with sets of coordinates, every subset tried. The fast walk is compared with
//! this one.

use crate::{Header, Method, Move, Side};
use std::collections::{BTreeMap, BTreeSet};

/// Row from the top, column from the left.
type Point = (i32, i32);
type Points = BTreeSet<Point>;
type Zones = Vec<Points>;

pub(crate) struct Naive<'a> {
    rows: i32,
    cols: i32,
    k: i32,
    p: usize,
    r: usize,
    method: Method,
    attacker: Side,
    stones: BTreeMap<Point, Side>,
    lines: Vec<Vec<Point>>,
    replies: &'a [Move],
    used: usize,
}

/// The number of replies used when the walk ended, well or not.
pub(crate) fn check(header: &Header, replies: &[Move]) -> Result<usize, usize> {
    let game = header.game;
    let (rows, cols, k) = (i32::from(game.n()), i32::from(game.m()), i32::from(game.k()));
    let p = usize::from(game.p());
    let point = |s: u16| (i32::from(s) / cols, i32::from(s) % cols);
    let mut stones = BTreeMap::new();
    stones.extend(header.black.iter().map(|&s| (point(s), Side::Black)));
    stones.extend(header.white.iter().map(|&s| (point(s), Side::White)));
    let mut lines = Vec::new();
    for y in 0..rows {
        for x in 0..cols {
            for (dy, dx) in [(0, 1), (1, 0), (1, 1), (1, -1)] {
                let line: Vec<Point> = (0..k).map(|i| (y + i * dy, x + i * dx)).collect();
                if line.iter().all(|&(y, x)| (0..rows).contains(&y) && (0..cols).contains(&x)) {
                    lines.push(line);
                }
            }
        }
    }
    let r = p.max(usize::from(game.k()).saturating_sub(p + 1)).max(1);
    let (method, attacker) = (header.method, header.attacker);
    let mut walk = Naive { rows, cols, k, p, r, method, attacker, stones, lines, replies, used: 0 };
    if walk
        .lines
        .iter()
        .any(|line| [attacker, attacker.other()].iter().any(|&side| walk.count(line, side) == k))
    {
        return Err(0);
    }
    let end = if header.to_move == attacker { walk.attacker() } else { walk.defender() };
    match end {
        Some(_) if walk.used == replies.len() => Ok(walk.used),
        _ => Err(walk.used),
    }
}

impl Naive<'_> {
    fn count(&self, line: &[Point], side: Side) -> i32 {
        line.iter().filter(|s| self.stones.get(s) == Some(&side)).count() as i32
    }

    fn empty(&self, s: &Point) -> bool {
        !self.stones.contains_key(s)
    }

    fn board(&self) -> Points {
        (0..self.rows).flat_map(|y| (0..self.cols).map(move |x| (y, x))).collect()
    }

    /// The empty squares of each active segment that needs at most `need`.
    fn active(&self, side: Side, need: i32) -> Vec<Points> {
        let fit = |line: &&Vec<Point>| {
            self.count(line, side.other()) == 0 && self.k - self.count(line, side) <= need
        };
        let open = |line: &Vec<Point>| line.iter().copied().filter(|s| self.empty(s)).collect();
        self.lines.iter().filter(fit).map(open).collect()
    }

    fn shifted(&self, zones: &Zones, u: usize) -> Zones {
        (1..=self.r).map(|i| self.zone(zones, i + u)).collect()
    }

    fn zone(&self, zones: &Zones, i: usize) -> Points {
        if i > self.r { self.board() } else { zones[i - 1].clone() }
    }

    fn place(&mut self, side: Side, set: &Points) {
        for &s in set {
            assert!(self.stones.insert(s, side).is_none());
        }
    }

    fn remove(&mut self, set: &Points) {
        for s in set {
            self.stones.remove(s);
        }
    }

    fn attacker(&mut self) -> Option<Zones> {
        self.used += 1;
        let reply = self.replies.get(self.used - 1)?;
        let m: Points =
            reply.squares().iter().map(|&s| (i32::from(s) / self.cols, i32::from(s) % self.cols)).collect();
        if m.is_empty() || m.len() > self.p || m.iter().any(|s| !self.empty(s) || s.0 >= self.rows) {
            return None;
        }
        self.place(self.attacker, &m);
        let mut zones = if !self.active(self.attacker, 0).is_empty() {
            (1..=self.r)
                .map(|i| self.active(self.attacker.other(), i as i32).into_iter().flatten().collect())
                .collect()
        } else if m.len() == self.p {
            self.defender()?
        } else {
            return None;
        };
        zones.iter_mut().for_each(|zone: &mut Points| zone.extend(&m));
        self.remove(&m);
        Some(zones)
    }

    fn defender(&mut self) -> Option<Zones> {
        let d = self.attacker.other();
        let open: Vec<Point> = self.board().into_iter().filter(|s| self.empty(s)).collect();
        if !self.active(d, self.p as i32).is_empty() || open.len() < self.p {
            return None;
        }
        let threats = self.active(self.attacker, self.p as i32);
        let mut zones = vec![Points::new(); self.r];
        if !threats.is_empty() {
            for (i, zone) in (1..).zip(&mut zones) {
                zone.extend(threats.iter().flatten());
                zone.extend(self.active(d, i + self.p as i32).into_iter().flatten());
            }
        }
        let meets = |set: &Points| threats.iter().all(|threat| !threat.is_disjoint(set));
        let mut critical: Vec<Points> = subsets(&open, self.p).into_iter().filter(meets).collect();
        let all = critical.clone();
        critical.retain(|set| !all.iter().any(|other| other != set && other.is_subset(set)));
        critical.sort_by_key(|set| set.iter().copied().collect::<Vec<_>>());
        let mut met = BTreeSet::new();
        for m in critical {
            let more = self.sub(&m, &mut met)?;
            unite(&mut zones, &more);
        }
        Some(zones)
    }

    fn sub(&mut self, m: &Points, met: &mut BTreeSet<Points>) -> Option<Zones> {
        if !met.insert(m.clone()) {
            return Some(vec![Points::new(); self.r]);
        }
        let d = self.attacker.other();
        let u = self.p - m.len();
        self.place(d, m);
        let open: Vec<Point> = self.board().into_iter().filter(|s| self.empty(s)).collect();
        let y = self.attacker()?;
        self.remove(m);
        let mut zones = self.shifted(&y, u);
        if u == 0 {
            return Some(zones);
        }
        let plus = |list: &[Point]| m.iter().chain(list).copied().collect::<Points>();
        if u != 2 || self.method == Method::Rzop {
            let zone = self.zone(&y, u);
            for s in open.iter().filter(|s| zone.contains(s)) {
                let more = self.sub(&plus(&[*s]), met)?;
                unite(&mut zones, &more);
            }
            return Some(zones);
        }
        let (y1, y2) = (self.zone(&y, 1), self.zone(&y, 2));
        let mut x = BTreeMap::new();
        for s in open.iter().filter(|s| y1.contains(s)) {
            if self.method == Method::Mutual {
                self.place(d, &plus(&[*s]));
                let found = self.attacker()?;
                self.remove(&plus(&[*s]));
                unite(&mut zones, &self.shifted(&found, 1));
                x.insert(*s, found);
            } else {
                let more = self.sub(&plus(&[*s]), met)?;
                unite(&mut zones, &more);
            }
        }
        for (i, s) in open.iter().enumerate() {
            for t in &open[i + 1..] {
                let together = self
                    .lines
                    .iter()
                    .any(|line| line.contains(s) && line.contains(t) && self.count(line, self.attacker) == 0);
                let outer = [s, t].iter().all(|s| y2.contains(s) && !y1.contains(s));
                let walked = match self.method {
                    Method::Rzop => unreachable!(),
                    Method::Srzop1 => outer,
                    Method::Srzop2 => outer && together,
                    Method::Mutual if y1.contains(s) || y1.contains(t) => {
                        (!y1.contains(s) || x[s][0].contains(t)) && (!y1.contains(t) || x[t][0].contains(s))
                    }
                    Method::Mutual => outer && together,
                };
                if walked {
                    let more = self.sub(&plus(&[*s, *t]), met)?;
                    unite(&mut zones, &more);
                }
            }
        }
        Some(zones)
    }
}

fn unite(zones: &mut Zones, more: &Zones) {
    zones.iter_mut().zip(more).for_each(|(zone, more)| zone.extend(more));
}

/// All subsets of at most `most` of the points.
fn subsets(points: &[Point], most: usize) -> Vec<Points> {
    let mut all = vec![Points::new()];
    for &s in points {
        let grown: Vec<Points> = all.iter().filter(|set| set.len() < most).cloned().collect();
        all.extend(grown.into_iter().map(|mut set| {
            set.insert(s);
            set
        }));
    }
    all
}
