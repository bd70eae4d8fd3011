//! The nodes of a record's tree: stones, comments, marks and properties.

use super::{sgf, text};
use crate::{Move, Side, Square};
use std::borrow::Cow;

/// Names a node of one record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RecordNodeId(pub(super) u32);

impl RecordNodeId {
    pub(super) const ROOT: RecordNodeId = RecordNodeId(0);

    pub(super) fn index(self) -> usize {
        self.0 as usize
    }
}

/// A node: a whole move, some stones of a move, or no stones at all; with a
/// comment, marks on squares, and other properties.
#[derive(Clone, Debug, Default)]
pub struct RecordNode {
    pub(super) stones: Option<(Side, Move)>,
    pub(super) parent: Option<RecordNodeId>,
    pub(super) first_child: Option<RecordNodeId>,
    pub(super) last_child: Option<RecordNodeId>,
    pub(super) next_sibling: Option<RecordNodeId>,
    /// Most nodes have none of these: a pointer keeps the others small.
    pub(super) extras: Option<Box<Extras>>,
}

/// The comment, marks and properties of a node.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Extras {
    pub(super) comment: String,
    /// Sorted, nothing twice.
    pub(super) markup: Vec<Markup>,
    pub(super) properties: Vec<Property>,
}

impl Extras {
    pub(super) fn is_empty(&self) -> bool {
        self.comment.is_empty() && self.markup.is_empty() && self.properties.is_empty()
    }

    pub(super) fn boxed(self) -> Option<Box<Extras>> {
        (!self.is_empty()).then(|| Box::new(self))
    }

    /// Appends the comment, marks and properties of another node.
    pub(super) fn append(&mut self, other: &Extras) {
        if !self.comment.is_empty() && !other.comment.is_empty() {
            self.comment.push('\n');
        }
        self.comment.push_str(&other.comment);
        self.markup.extend_from_slice(&other.markup);
        self.properties.extend_from_slice(&other.properties);
    }

    /// Restores the order of the marks after some were added.
    pub(super) fn tidy(&mut self) {
        self.markup.sort_unstable();
        self.markup.dedup();
    }
}

impl RecordNode {
    /// The side and the stones that it places here, if any: a whole move or a
    /// part of one.
    pub fn stones(&self) -> Option<(Side, Move)> {
        self.stones
    }

    /// The comment; empty when there is none. Lines end with a line feed.
    pub fn comment(&self) -> &str {
        self.extras.as_ref().map_or("", |extras| &extras.comment)
    }

    /// The marks on squares, sorted.
    pub fn markup(&self) -> &[Markup] {
        self.extras.as_ref().map_or(&[], |extras| &extras.markup)
    }

    /// The SGF properties that have no meaning here and are kept as they are.
    pub fn properties(&self) -> &[Property] {
        self.extras.as_ref().map_or(&[], |extras| &extras.properties)
    }

    /// The node that this one follows.
    pub fn parent(&self) -> Option<RecordNodeId> {
        self.parent
    }

    pub(super) fn has_variations(&self) -> bool {
        self.first_child != self.last_child
    }

    pub(super) fn extras_mut(&mut self) -> &mut Extras {
        self.extras.get_or_insert_default()
    }
}

/// The marks that a whole set of squares can have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Mark {
    /// SGF TR.
    Triangle,
    /// SGF SQ.
    Square,
    /// SGF CR.
    Circle,
    /// SGF MA, an X.
    Cross,
    /// SGF SL.
    Selected,
    /// SGF DD, greyed out.
    Dimmed,
    /// SGF TB.
    BlackArea,
    /// SGF TW.
    WhiteArea,
    /// SGF VW, the only part of the board that is shown.
    Visible,
}

impl Mark {
    /// Every mark and its SGF property.
    pub const ALL: [(Mark, &'static str); 9] = [
        (Mark::Triangle, "TR"),
        (Mark::Square, "SQ"),
        (Mark::Circle, "CR"),
        (Mark::Cross, "MA"),
        (Mark::Selected, "SL"),
        (Mark::Dimmed, "DD"),
        (Mark::BlackArea, "TB"),
        (Mark::WhiteArea, "TW"),
        (Mark::Visible, "VW"),
    ];

    /// The SGF property.
    pub fn ident(self) -> &'static str {
        Mark::ALL[self as usize].1
    }

    pub(super) fn of_ident(ident: &str) -> Option<Mark> {
        Mark::ALL.iter().find(|(_, known)| *known == ident).map(|(mark, _)| *mark)
    }
}

/// One mark on the board.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Markup {
    /// A mark without squares: `DD[]` and `VW[]` undo what an earlier node set.
    Cleared(Mark),
    /// A mark on a square.
    Mark(Mark, Square),
    /// A text on a square (SGF LB).
    Label(Square, String),
    /// A line between two squares (SGF LN).
    Line(Square, Square),
    /// An arrow from one square to another (SGF AR).
    Arrow(Square, Square),
}

/// An SGF property that is kept as it is.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Property {
    pub(super) ident: String,
    /// As they stand between the brackets, escapes and all.
    pub(super) raw: Vec<String>,
}

impl Property {
    /// The property with these values, or `None` when the name is not a run of
    /// capital letters, or is one that a [`Record`](super::Record) holds in
    /// another form (a move, a comment, a mark, the board's size ...).
    pub fn new<'a>(ident: &str, values: impl IntoIterator<Item = &'a str>) -> Option<Property> {
        let well_formed = !ident.is_empty() && ident.bytes().all(|b| b.is_ascii_uppercase());
        if !well_formed || sgf::is_reserved(ident) {
            return None;
        }
        let mut raw: Vec<_> = values.into_iter().map(sgf::escape).collect();
        if raw.is_empty() {
            raw.push(String::new());
        }
        Some(Property { ident: ident.to_string(), raw })
    }

    /// The name, in capitals.
    pub fn ident(&self) -> &str {
        &self.ident
    }

    /// The values as text.
    pub fn values(&self) -> impl Iterator<Item = String> + '_ {
        self.raw.iter().map(|raw| sgf::unescape(raw))
    }
}

/// What a record says about the game as a whole. Each is one line; empty when
/// the record does not say.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Info {
    /// Who plays Black (SGF PB).
    pub black: String,
    /// Who plays White (SGF PW).
    pub white: String,
    /// The tournament (SGF EV).
    pub event: String,
    /// The result as SGF's RE has it: `B+`, `W+Resign`, `Draw` ...
    pub result: String,
    /// The day, such as `2017-07-29`, and perhaps the time (SGF DT).
    pub date: String,
    /// Where it was played (SGF PC).
    pub place: String,
    /// Where the record comes from (SGF SO).
    pub source: String,
}

impl Info {
    /// The properties in the order in which they are written.
    pub(super) fn fields(&self) -> [(&'static str, Cow<'_, str>); 7] {
        [
            ("EV", &self.event),
            ("PB", &self.black),
            ("PW", &self.white),
            ("RE", &self.result),
            ("DT", &self.date),
            ("PC", &self.place),
            ("SO", &self.source),
        ]
        .map(|(ident, value)| (ident, text::one_line(value).into()))
    }

    /// The field with this SGF name.
    pub(super) fn field_mut(&mut self, ident: &str) -> Option<&mut String> {
        match ident {
            "EV" => Some(&mut self.event),
            "PB" => Some(&mut self.black),
            "PW" => Some(&mut self.white),
            "RE" => Some(&mut self.result),
            "DT" => Some(&mut self.date),
            "PC" => Some(&mut self.place),
            "SO" => Some(&mut self.source),
            _ => None,
        }
    }
}
