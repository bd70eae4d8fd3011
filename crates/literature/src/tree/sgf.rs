//! Trees as SGF, for people: any viewer shows the moves, the numbers are in the
//! comments and the zones are marks.
//!
//! SGF knows no passing on single stones. The spare stones of the defender are
//! put on squares that the tree has nothing to do with, and the comment names
//! them (`spare`). A node that is reached in several ways is written out once,
//! the other times its comment says which it is (`same as`).

use super::{
    INFINITE, Kind, State,
    snapshot::{Knot, Snapshot, SnapshotError, move_name},
};
use lambda6_rules::{
    Move, Square,
    record::{self, Format, Mark, Markup, ReadOptions, Record, RecordNodeId, WriteOptions},
};
use lambda6_threats::Board;
use std::fmt::Write as _;

/// The marks of zones 1, 2 and so on; a square has that of the first zone it is
/// in. Connect6 has three zones.
const MARKS: [Mark; 5] = [Mark::Square, Mark::Circle, Mark::Triangle, Mark::Cross, Mark::Selected];

impl Snapshot {
    /// The tree as SGF. An error where the board is too small for the spare
    /// stones.
    pub fn to_sgf(&self) -> Result<Vec<u8>, SnapshotError> {
        let position = self.setup.position().map_err(|error| SnapshotError::Whole(error.to_string()))?;
        let mut used = vec![false; self.game().area()];
        for (mv, _) in self.nodes.iter().flat_map(|knot| &knot.children) {
            mv.iter().for_each(|square| used[square.index()] = true);
        }
        // From the corners on, far from where people play.
        let mut unused: Vec<Square> = self.game().squares().collect();
        unused.retain(|square| !used[square.index()] && position.at(*square).is_none());
        let mut writer = Writer {
            snapshot: self,
            record: Record::from_setup(&self.setup)?,
            board: Board::from_position(&position),
            written: vec![false; self.nodes.len()],
            unused,
        };
        let root = writer.record.root();
        writer.comment(root, 0, &[]);
        writer.children(root, 0)?;
        let bytes = writer.record.write(Format::LittleGolem, &WriteOptions::default());
        bytes.map_err(|error| SnapshotError::Whole(error.to_string()))
    }

    /// Reads such a tree.
    pub fn from_sgf(bytes: &[u8]) -> Result<Snapshot, SnapshotError> {
        let record = record::read(bytes, &ReadOptions::default())?;
        let root = record.node(record.root());
        let head = |key| field(root.comment(), key);
        let missing = |key: &str| SnapshotError::Whole(format!("the first comment has no {key:?}"));
        let attacker = head("attacker").ok_or_else(|| missing("attacker"))?;
        let attacker = attacker
            .parse()
            .map_err(|error: lambda6_rules::SideParseError| SnapshotError::Whole(error.to_string()))?;
        let count: usize =
            head("nodes").and_then(|text| text.parse().ok()).ok_or_else(|| missing("nodes"))?;
        if count > record.node_count() {
            let what = format!("{count} nodes announced, {} in the file", record.node_count());
            return Err(SnapshotError::Whole(what));
        }
        let mut reader = Reader { record: &record, nodes: vec![None; count] };
        for id in record.walk() {
            reader.read(id)?;
        }
        let mut nodes = Vec::with_capacity(count);
        for (number, knot) in reader.nodes.into_iter().enumerate() {
            nodes.push(knot.ok_or_else(|| SnapshotError::node(number, "missing"))?);
        }
        let search = head("search").unwrap_or_default().to_string();
        Snapshot { setup: record.start().setup(), attacker, search, nodes }.validate()
    }
}

struct Writer<'a> {
    snapshot: &'a Snapshot,
    record: Record,
    board: Board,
    written: Vec<bool>,
    /// Squares for spare stones.
    unused: Vec<Square>,
}

impl Writer<'_> {
    fn children(&mut self, id: RecordNodeId, number: usize) -> Result<(), SnapshotError> {
        let knot = &self.snapshot.nodes[number];
        let side = match knot.kind {
            Kind::Or => self.snapshot.attacker,
            Kind::And => self.snapshot.attacker.other(),
        };
        for &(mv, child) in &knot.children {
            let before: Vec<Square> = mv.iter().collect();
            before.iter().for_each(|&square| self.board.place(side, square));
            let spare = self.spare_stones(side, mv);
            let stones: Vec<Square> = before.into_iter().chain(spare.iter().flatten().copied()).collect();
            let written = match &spare {
                Some(spare) => self.node(id, &stones, child, spare),
                None => Err(SnapshotError::Whole(
                    "the board has no room for spare stones in SGF; JSON needs none".to_string(),
                )),
            };
            stones.iter().for_each(|&square| self.board.remove(side, square));
            written?;
        }
        Ok(())
    }

    fn node(
        &mut self,
        parent: RecordNodeId,
        stones: &[Square],
        number: usize,
        spare: &[Square],
    ) -> Result<(), SnapshotError> {
        let id = self.record.add_child(parent, stones)?;
        if std::mem::replace(&mut self.written[number], true) {
            let text = format!("same as: {number}\n{}", self.spare_line(spare));
            self.record.set_comment(id, &text);
            return Ok(());
        }
        self.comment(id, number, spare);
        self.children(id, number)
    }

    /// Puts the stones that a move lacks where they change nothing.
    fn spare_stones(&mut self, side: lambda6_rules::Side, mv: Move) -> Option<Vec<Square>> {
        let lacking = usize::from(self.snapshot.game().p()) - mv.len();
        let mut spare = Vec::new();
        for &square in &self.unused {
            if spare.len() == lacking {
                break;
            }
            if self.board.is_empty(square) {
                self.board.place(side, square);
                if self.board.has_row_through(side, square) {
                    self.board.remove(side, square);
                } else {
                    spare.push(square);
                }
            }
        }
        if spare.len() == lacking {
            return Some(spare);
        }
        spare.iter().for_each(|&square| self.board.remove(side, square));
        None
    }

    fn spare_line(&self, spare: &[Square]) -> String {
        match Move::new(spare) {
            Some(spare) if !spare.is_empty() => {
                format!("spare: {}\n", move_name(self.snapshot.game(), &spare))
            }
            _ => String::new(),
        }
    }

    fn comment(&mut self, id: RecordNodeId, number: usize, spare: &[Square]) {
        let Snapshot { attacker, search, nodes, .. } = self.snapshot;
        let knot = &nodes[number];
        let mut text = String::new();
        if number == 0 {
            let _ = writeln!(text, "search: {search}\nattacker: {attacker}\nnodes: {}", nodes.len());
        }
        let show = |number: u32| if number == INFINITE { "inf".to_string() } else { number.to_string() };
        let _ = writeln!(text, "node: {number}\nproof: {}\ndisproof: {}", show(knot.pn), show(knot.dn));
        let _ = writeln!(text, "state: {}", knot.state.name());
        if let Some(rest) = knot.rest {
            let _ = writeln!(text, "rest: {rest}");
        }
        if !knot.zones.is_empty() {
            let _ = writeln!(text, "zones: {}", knot.zones.len().min(MARKS.len()));
        }
        text += &self.spare_line(spare);
        self.record.set_comment(id, text.trim_end());
        let mut marked = vec![false; self.snapshot.game().area()];
        for (zone, mark) in knot.zones.iter().zip(MARKS) {
            for &square in zone {
                if !std::mem::replace(&mut marked[square.index()], true) {
                    self.record.add_markup(id, Markup::Mark(mark, square));
                }
            }
        }
    }
}

struct Reader<'a> {
    record: &'a Record,
    nodes: Vec<Option<Knot>>,
}

impl Reader<'_> {
    /// The number of a node, and whether it is written out here.
    fn number(&self, id: RecordNodeId) -> Result<(usize, bool), SnapshotError> {
        let comment = self.record.node(id).comment();
        let number = |key| field(comment, key).and_then(|text| text.parse::<usize>().ok());
        let found = number("node").map(|n| (n, true)).or_else(|| number("same as").map(|n| (n, false)));
        found
            .filter(|&(number, _)| number < self.nodes.len())
            .ok_or_else(|| SnapshotError::Whole("a comment names no node of the tree".to_string()))
    }

    fn read(&mut self, id: RecordNodeId) -> Result<(), SnapshotError> {
        let (number, written) = self.number(id)?;
        if !written {
            return Ok(());
        }
        let node = self.record.node(id);
        let value = |key: &str| {
            field(node.comment(), key).ok_or_else(|| SnapshotError::node(number, format!("no {key:?}")))
        };
        let count = |key: &str, text: &str| match text {
            "inf" => Ok(INFINITE),
            _ => text.parse::<u32>().map_err(|_| {
                SnapshotError::node(number, format!("{key}: {text:?}, expected a number or inf"))
            }),
        };
        let state = value("state")?;
        let mut children = Vec::new();
        for child in self.record.children(id) {
            children.push((self.stones(child)?, self.number(child)?.0));
        }
        let zones = match field(node.comment(), "zones") {
            Some(text) => self.zones(id, count("zones", text)?.min(MARKS.len() as u32) as usize),
            None => Vec::new(),
        };
        let rest = field(node.comment(), "rest").map(|text| count("rest", text)).transpose()?;
        // Sides are in turn: the root's is checked with the whole.
        let mover = self.record.moves_to(id).len();
        let attacker_first = {
            let root = self.record.node(self.record.root());
            field(root.comment(), "attacker") == Some(self.record.start().to_move().name())
        };
        let knot = Knot {
            kind: if mover.is_multiple_of(2) == attacker_first { Kind::Or } else { Kind::And },
            pn: count("proof", value("proof")?)?,
            dn: count("disproof", value("disproof")?)?,
            state: State::parse(state)
                .ok_or_else(|| SnapshotError::node(number, format!("state {state:?} is unknown")))?,
            rest,
            children,
            zones,
        };
        if self.nodes[number].replace(knot).is_some() {
            return Err(SnapshotError::node(number, "written out twice"));
        }
        Ok(())
    }

    /// The stones of a move without the spare ones.
    fn stones(&self, id: RecordNodeId) -> Result<Move, SnapshotError> {
        let node = self.record.node(id);
        let spare = match field(node.comment(), "spare") {
            Some(text) => {
                let parsed = self.record.game().parse_move(text);
                parsed.map_err(|error| SnapshotError::Whole(format!("spare: {error}")))?
            }
            None => Move::NULL,
        };
        let mut mv = Move::NULL;
        for square in node.stones().map_or(Move::NULL, |(_, mv)| mv).iter() {
            if !spare.contains(square) {
                mv.push(square);
            }
        }
        Ok(mv)
    }

    fn zones(&self, id: RecordNodeId, count: usize) -> Vec<Vec<Square>> {
        let mut zones = vec![Vec::new(); count];
        for markup in self.record.node(id).markup() {
            if let Markup::Mark(mark, square) = markup
                && let Some(first) = MARKS.iter().position(|known| known == mark)
            {
                zones.iter_mut().skip(first).for_each(|zone| zone.push(*square));
            }
        }
        zones.iter_mut().for_each(|zone| zone.sort_unstable());
        zones
    }
}

/// The value of a line `key: value`.
fn field<'a>(comment: &'a str, key: &str) -> Option<&'a str> {
    comment.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(": ")).map(str::trim)
}
