//! Records: a tree of moves with comments, marks and properties.

use super::{
    Format,
    error::{Fault, RecordError},
    node::{Info, Markup, Property, RecordNode, RecordNodeId},
    replay::Replay,
    text,
};
use crate::{Game, Move, Position, Setup, Side, Square};

/// A game with its variations, comments and marks.
///
/// The nodes are a tree. A node places a whole move, or some stones of one
/// where a move is spread over several nodes, or none; so a variation can
/// branch off within a move and each stone can have a comment. The root places
/// none: it stands for the position before the first move.
///
/// Every line of play keeps to the rules, and a move has all its stones
/// wherever another move follows it. A line may end within a move: the methods
/// that speak of moves leave such a half move out, [`Record::half_move`] has
/// it.
///
/// Records are equal when they hold the same game, tree and texts, whatever
/// format they came from.
#[derive(Clone, Debug)]
pub struct Record {
    pub(super) format: Format,
    pub(super) start: Position,
    pub(super) nodes: Vec<RecordNode>,
    /// About the game as a whole.
    pub info: Info,
}

impl Record {
    /// A record without moves that begins with the empty board.
    pub fn new(game: Game) -> Record {
        Record::starting(Position::new(game))
    }

    /// A record without moves that begins with these stones.
    pub fn from_setup(setup: &Setup) -> Result<Record, RecordError> {
        Ok(Record::starting(setup.position().map_err(Fault::Setup)?))
    }

    pub(super) fn starting(start: Position) -> Record {
        Record { format: Format::MoveList, start, nodes: vec![RecordNode::default()], info: Info::default() }
    }

    /// A record of these moves from the empty board.
    pub fn from_moves(game: Game, moves: &[Move]) -> Result<Record, RecordError> {
        let mut record = Record::new(game);
        let mut replay = Replay::new(Position::new(game));
        let mut last = record.root();
        for mv in moves {
            let side = replay.position().to_move();
            replay.place(side, mv.squares(), 0).map_err(|at| at.fault)?;
            replay.finish().map_err(|at| at.fault)?;
            last = record.push(last, Some((side, *mv)));
        }
        Ok(record)
    }

    /// The game that is played.
    pub fn game(&self) -> Game {
        self.start.game()
    }

    /// The format that the record was read from; a move list if it was not.
    pub fn format(&self) -> Format {
        self.format
    }

    /// The position before the first move.
    pub fn start(&self) -> &Position {
        &self.start
    }

    /// Whether the record begins with stones on the board, or with White to
    /// move, as analyses do and games do not.
    pub fn has_setup(&self) -> bool {
        self.start != Position::new(self.game())
    }

    /// The node before the first move.
    pub fn root(&self) -> RecordNodeId {
        RecordNodeId::ROOT
    }

    /// The number of nodes, the root among them.
    pub fn node_count(&self) -> usize {
        self.nodes.len()
    }

    /// A node of this record. Panics when `id` is of another record that has
    /// more nodes.
    pub fn node(&self, id: RecordNodeId) -> &RecordNode {
        &self.nodes[id.index()]
    }

    /// The nodes that follow a node: the first is the main line's, the others
    /// are its variations.
    pub fn children(&self, id: RecordNodeId) -> impl Iterator<Item = RecordNodeId> + '_ {
        std::iter::successors(self.node(id).first_child, |&child| self.node(child).next_sibling)
    }

    /// All nodes, each before its children and the main line first.
    pub fn walk(&self) -> impl Iterator<Item = RecordNodeId> + '_ {
        std::iter::successors(Some(self.root()), |&id| {
            self.node(id).first_child.or_else(|| {
                std::iter::successors(Some(id), |&up| self.node(up).parent)
                    .find_map(|up| self.node(up).next_sibling)
            })
        })
    }

    /// The nodes of the main line, the root first.
    pub(super) fn main_nodes(&self) -> impl Iterator<Item = RecordNodeId> + '_ {
        std::iter::successors(Some(self.root()), |&id| self.node(id).first_child)
    }

    /// The moves of the main line: the first variation at each branch. A half
    /// move at its end is left out.
    pub fn main_line(&self) -> Vec<Move> {
        self.replay(self.main_nodes()).0
    }

    /// The moves from the start up to a node. A half move at the end is left
    /// out.
    pub fn moves_to(&self, id: RecordNodeId) -> Vec<Move> {
        self.replay(self.path_to(id).into_iter()).0
    }

    /// The stones of the move in whose middle the main line ends, if it does.
    pub fn half_move(&self) -> Option<(Side, Move)> {
        let replay = self.replay(self.main_nodes()).1;
        let pending = replay.pending();
        (!pending.is_empty()).then(|| (replay.position().to_move(), pending))
    }

    /// The position after `n` moves of the main line, or after all of them.
    pub fn position_at(&self, n: Option<usize>) -> Result<Position, RecordError> {
        let line = self.main_line();
        let asked = n.unwrap_or(line.len());
        let moves =
            line.get(..asked).ok_or(Fault::NoSuchMove { asked: n.unwrap_or(0), moves: line.len() })?;
        let mut position = self.start.clone();
        for (number, mv) in (1..).zip(moves) {
            let illegal = |why| Fault::Illegal { number, why: super::Illegal::Play(why) };
            position.play(mv).map_err(illegal)?;
        }
        Ok(position)
    }

    /// Plays the stones of a path that begins at the root. The stones have been
    /// checked when the nodes were made.
    fn replay(&self, path: impl Iterator<Item = RecordNodeId>) -> (Vec<Move>, Replay) {
        let mut replay = Replay::new(self.start.clone());
        let mut moves = Vec::new();
        for id in path {
            if let Some((side, mv)) = self.node(id).stones {
                moves.extend(replay.place(side, mv.squares(), 0).ok().flatten());
            }
        }
        // What is pending is a whole move if it wins.
        moves.extend(replay.finish().ok().flatten());
        (moves, replay)
    }

    fn path_to(&self, id: RecordNodeId) -> Vec<RecordNodeId> {
        let mut path: Vec<_> = std::iter::successors(Some(id), |&up| self.node(up).parent).collect();
        path.reverse();
        path
    }

    /// Adds a node behind the children that `parent` has, with the stones of a
    /// move or of the next part of one; with no stones, a node for a comment.
    pub fn add_child(
        &mut self,
        parent: RecordNodeId,
        squares: &[Square],
    ) -> Result<RecordNodeId, RecordError> {
        if squares.is_empty() {
            return Ok(self.push(parent, None));
        }
        let mut replay = Replay::new(self.start.clone());
        for id in self.path_to(parent) {
            if let Some((side, mv)) = self.node(id).stones {
                replay.place(side, mv.squares(), 0).map_err(|at| at.fault)?;
            }
        }
        let side = replay.position().to_move();
        replay.place(side, squares, 0).map_err(|at| at.fault)?;
        // The stones fit into a move, so there are not too many for one.
        Ok(self.push(parent, Move::new(squares).map(|mv| (side, mv))))
    }

    /// Replaces a node's comment.
    pub fn set_comment(&mut self, id: RecordNodeId, comment: &str) {
        self.nodes[id.index()].extras_mut().comment = text::line_feeds(comment);
    }

    /// Adds a mark to a node.
    pub fn add_markup(&mut self, id: RecordNodeId, markup: Markup) {
        let extras = self.nodes[id.index()].extras_mut();
        if let Err(at) = extras.markup.binary_search(&markup) {
            extras.markup.insert(at, markup);
        }
    }

    /// Adds a property to a node.
    pub fn add_property(&mut self, id: RecordNodeId, property: Property) {
        self.nodes[id.index()].extras_mut().properties.push(property);
    }

    /// Adds a node whose stones have been checked.
    pub(super) fn push(&mut self, parent: RecordNodeId, stones: Option<(Side, Move)>) -> RecordNodeId {
        // Readers cap the number of nodes far below this, and memory caps what
        // a program can add.
        let id = RecordNodeId(self.nodes.len() as u32);
        self.nodes.push(RecordNode { stones, parent: Some(parent), ..RecordNode::default() });
        match self.nodes[parent.index()].last_child.replace(id) {
            Some(sibling) => self.nodes[sibling.index()].next_sibling = Some(id),
            None => self.nodes[parent.index()].first_child = Some(id),
        }
        id
    }
}

impl PartialEq for Record {
    fn eq(&self, other: &Record) -> bool {
        let head =
            |record: &Record| (record.start.clone(), record.info.fields().map(|(_, v)| v.into_owned()));
        let same_node = |a: RecordNodeId, b: RecordNodeId| {
            let (one, two) = (self.node(a), other.node(b));
            one.stones == two.stones
                && one.comment() == two.comment()
                && one.markup() == two.markup()
                && one.properties() == two.properties()
                // With the order of the walk, this pins down the tree's shape.
                && self.children(a).count() == other.children(b).count()
        };
        self.nodes.len() == other.nodes.len()
            && head(self) == head(other)
            && self.walk().zip(other.walk()).all(|(a, b)| same_node(a, b))
    }
}

impl Eq for Record {}
