//! Nodes with the defender to move: the defender's moves that must be refuted.
//!
//! The node holds a [`DefenderWalk`] that is resumed with every visit: each visit
//! settles some of the questions. A question that is not answered at once becomes
//! a child of the node.

use super::{
    symmetry::Turn,
    tree::{Id, LambdaTree, NEVER},
};
use crate::{
    Method, Zones,
    walk::{DefenderWalk, Defending, Question, WalkOrder},
};
use lambda6_rules::{Move, Side, Square};
use lambda6_threats::Board;

/// A position with the defender to move.
pub(super) struct AndNode {
    order: u8,
    /// The least order in which the defender's passes must be refuted.
    floor: u8,
    stage: Stage,
    kids: Vec<Kid>,
    /// How often the search for a win against a pass has failed.
    pub(super) effort: u8,
    /// Moves that refuted something here, the latest first.
    pub(super) replies: Vec<Move>,
}

/// Replies that are remembered at a node.
const MOST_REPLIES: usize = 8;

enum Stage {
    New,
    Open(Box<DefenderWalk>),
    Won(Zones),
    Lost,
}

/// A question that was not answered at once.
struct Kid {
    question: Question,
    node: Id,
    /// The symmetry that takes the position after the defender's stones to the
    /// node's position.
    turn: Turn,
    absorbed: bool,
    /// Whether another child has the same node.
    twin: bool,
}

/// A question, with the order in which the attacker must win to answer it.
pub(super) struct Item {
    question: Question,
    /// The stones of the defender.
    pub(super) set: Move,
    /// The order in which the attacker must win.
    pub(super) order: u8,
}

impl AndNode {
    /// A node whose moves are to be refuted by wins of this order. If the defender
    /// passes on u stones, the order is lower by u, but not below `floor`.
    pub(super) fn new(order: u8, floor: u8) -> AndNode {
        AndNode { order, floor, stage: Stage::New, kids: Vec::new(), effort: 0, replies: Vec::new() }
    }

    pub(super) fn order(&self) -> u8 {
        self.order
    }

    /// The zones of a node that is won.
    pub(super) fn won_zones(&self) -> Option<&Zones> {
        match &self.stage {
            Stage::Won(zones) => Some(zones),
            Stage::New | Stage::Open(_) | Stage::Lost => None,
        }
    }

    /// The approximate memory used.
    pub(super) fn bytes(&self) -> usize {
        let stage = match &self.stage {
            Stage::New | Stage::Lost => 0,
            Stage::Open(walk) => walk.bytes(),
            Stage::Won(zones) => zones.bytes(),
        };
        stage + self.kids.capacity() * size_of::<Kid>()
    }

    fn open(&self) -> impl Iterator<Item = &Kid> {
        self.kids.iter().filter(|kid| !kid.absorbed)
    }

    /// All children.
    pub(super) fn kids(&self) -> impl Iterator<Item = Id> + '_ {
        self.open().map(|kid| kid.node)
    }

    /// Updates node numbers after the tree has moved its nodes.
    pub(super) fn rename(&mut self, place: impl Fn(Id) -> Id) {
        for kid in self.kids.iter_mut().filter(|kid| !kid.absorbed) {
            kid.node = place(kid.node);
        }
    }

    fn waiting(&self) -> usize {
        match &self.stage {
            Stage::Open(walk) => walk.waiting(),
            Stage::New | Stage::Won(_) | Stage::Lost => 0,
        }
    }

    /// Moves known to matter that are not refuted yet.
    pub(super) fn left(&self) -> usize {
        self.waiting() + self.open().count()
    }

    /// The numbers; `known` are those of a node that has not been visited.
    ///
    /// Weak proof numbers: the largest of the children, and one for each other
    /// child; questions that wait count in groups.
    pub(super) fn numbers(&self, tree: &LambdaTree, known: (u32, u32)) -> (u32, u32) {
        match self.stage {
            Stage::New => return known,
            Stage::Won(_) => return (0, NEVER),
            Stage::Lost => return (NEVER, 0),
            Stage::Open(_) => {}
        }
        let (mut most, mut others, mut dn) = (0, 0u32, NEVER);
        for kid in self.open().filter(|kid| !kid.twin) {
            let node = tree.node(kid.node);
            if node.pn > 0 {
                others += 1;
                most = most.max(node.pn);
                dn = dn.min(node.dn);
            }
        }
        if dn == 0 || most == NEVER {
            return (NEVER, 0);
        }
        let waiting = self.waiting() as u32;
        if waiting > 0 || others == 0 {
            dn = dn.min(1);
        }
        let pn = most
            + others.saturating_sub(1)
            + waiting.div_ceil(tree.waiting)
            + [0, 4, 9][usize::from(self.effort.min(2))];
        (pn.clamp(1, NEVER - 1), dn.clamp(1, NEVER - 1))
    }

    /// Whether there is work to do at the node itself.
    pub(super) fn wants_visit(&self, tree: &LambdaTree) -> bool {
        match &self.stage {
            Stage::New => true,
            Stage::Won(_) | Stage::Lost => false,
            Stage::Open(walk) => walk.waiting() > 0 || self.open().any(|kid| tree.node(kid.node).pn == 0),
        }
    }

    /// The child to search next: the one with the smallest disproof number,
    /// with one added for each worker there.
    pub(super) fn choose(&self, tree: &LambdaTree) -> Option<(Id, Turn, Move)> {
        self.open()
            .map(|kid| (tree.node(kid.node), kid))
            .filter(|(node, _)| node.pn > 0 && !node.taken)
            .min_by_key(|(node, _)| (node.dn.saturating_add(node.visits), node.pn))
            .map(|(_, kid)| (kid.node, kid.turn, kid.question.stones))
    }

    /// The first visit: finds the defences that must be refuted.
    pub(super) fn begin(&mut self, board: &Board, attacker: Side, method: Method) {
        if let Stage::New = self.stage {
            self.stage = match DefenderWalk::begin(board, attacker, method, WalkOrder::Ranked) {
                Defending::Escapes => Stage::Lost,
                Defending::Beaten(zones) => Stage::Won(zones),
                Defending::Walk(walk) => Stage::Open(Box::new(walk)),
            };
        }
    }

    /// Takes the next question.
    pub(super) fn next(&mut self) -> Option<Item> {
        let Stage::Open(walk) = &mut self.stage else { return None };
        let question = walk.next_question()?;
        let order = self.order.saturating_sub(question.spare as u8).max(self.floor.min(self.order));
        Some(Item { question, set: question.stones, order })
    }

    /// Puts the question back.
    pub(super) fn put_back(&mut self, item: Item) {
        if let Stage::Open(walk) = &mut self.stage {
            walk.put_back(item.question);
        }
    }

    /// Makes the question a child, because it has no answer yet: this node,
    /// reached through the symmetry `turn`.
    pub(super) fn add_kid(&mut self, item: &Item, node: Id, turn: Turn) {
        let twin = turn != 0 && self.open().any(|kid| kid.node == node);
        self.kids.push(Kid { question: item.question, node, turn, absorbed: false, twin });
    }

    /// Records that the question has no answer: the attacker does not win here.
    pub(super) fn lose(&mut self) {
        (self.stage, self.kids) = (Stage::Lost, Vec::new());
    }

    /// Takes the children that have been won, whose questions can be answered.
    pub(super) fn won_kids<'a>(
        &'a mut self,
        tree: &'a LambdaTree,
    ) -> impl Iterator<Item = (Item, Id, Turn)> + 'a {
        let order = self.order;
        self.kids.iter_mut().filter(|kid| !kid.absorbed && tree.node(kid.node).pn == 0).map(move |kid| {
            kid.absorbed = true;
            (Item { question: kid.question, set: kid.question.stones, order }, kid.node, kid.turn)
        })
    }

    /// The children that are not won, with the defender's stones.
    pub(super) fn open_kids(&self) -> impl Iterator<Item = (Id, Turn, Move)> + '_ {
        self.open().map(|kid| (kid.node, kid.turn, kid.question.stones))
    }

    /// Answers the question with `reply` and its zones. `rank` estimates how much
    /// a stone of the defender disturbs the attack; stones of high rank are asked
    /// about first.
    pub(super) fn refuted(
        &mut self,
        item: &Item,
        reply: Move,
        zones: &Zones,
        board: &Board,
        rank: &mut dyn FnMut(Square) -> u32,
    ) {
        if let Some(place) = self.replies.iter().position(|&known| known == reply) {
            self.replies[..=place].rotate_right(1);
        } else {
            self.replies.insert(0, reply);
            self.replies.truncate(MOST_REPLIES);
        }
        if let Stage::Open(walk) = &mut self.stage {
            walk.answer(item.question, board, zones, rank);
        }
    }

    /// After a visit: whether everything is refuted.
    pub(super) fn settle(&mut self) {
        if let Stage::Open(walk) = &mut self.stage
            && walk.is_won()
        {
            self.stage = Stage::Won(walk.zones().clone());
            self.kids = Vec::new();
        }
    }
}
