//! Game records as documents, for editing.

use crate::{ApiError, Code, Stones, notation::parse_game, work::Ceiling};
use lambda6_rules::{
    Game, Square, SquareParseError,
    record::{self, Format, Info, Mark, Markup, Property, ReadOptions, Record, RecordNodeId, WriteOptions},
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A game with its variations, comments and marks.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct RecordDoc {
    /// The five numbers `m n k p q`.
    pub game: String,
    /// The stones before the first move, if there are any.
    #[serde(default)]
    pub start: Option<Stones>,
    /// Players, event and result.
    #[serde(default)]
    pub info: InfoDoc,
    /// The tree, each node behind its parent; the first is the position before the first move.
    pub nodes: Vec<NodeDoc>,
}

/// Players, event and result of a game; empty where unknown.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
pub struct InfoDoc {
    /// The tournament or match.
    pub event: String,
    /// The place of the game.
    pub place: String,
    /// Such as `2017-07-29`.
    pub date: String,
    /// Black's name.
    pub black: String,
    /// White's name.
    pub white: String,
    /// Such as `B+Resign`.
    pub result: String,
    /// The origin of the record.
    pub source: String,
}

/// A node: a move with its comment and marks.
#[derive(Clone, Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NodeDoc {
    /// The number of the node that it follows; none for the first.
    #[serde(default)]
    pub parent: Option<u32>,
    /// The stones, such as `k11l10`; nothing for a node without. Only the last move of a line may
    /// have fewer stones than the rules ask for.
    #[serde(default)]
    pub r#move: Option<String>,
    /// Empty if there is none.
    #[serde(default)]
    pub comment: String,
    /// Marks on squares.
    #[serde(default)]
    pub marks: Vec<MarkDoc>,
    /// SGF properties that mean nothing here, kept as they are.
    #[serde(default)]
    pub properties: Vec<PropertyDoc>,
}

/// A mark on a square.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct MarkDoc {
    /// The SGF property: `TR`, `SQ`, `CR`, `MA`, `SL`, `DD`, `TB`, `TW`, `VW`, `LB`, `LN` or `AR`.
    pub kind: String,
    /// The square; nothing for one that undoes earlier marks.
    #[serde(default)]
    pub at: Option<String>,
    /// The other end of a line or arrow.
    #[serde(default)]
    pub to: Option<String>,
    /// The text of a label.
    #[serde(default)]
    pub text: Option<String>,
}

/// An SGF property with its values.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PropertyDoc {
    /// Capital letters.
    pub ident: String,
    /// The values as text.
    pub values: Vec<String>,
}

/// A request to write a record as a file.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct WriteRequest {
    /// The record.
    pub record: RecordDoc,
    /// `little-golem`, `gm511`, `gm511-pairs`, `move-list` or `contest`.
    pub format: String,
    /// Leave out what the format cannot carry rather than refuse.
    #[serde(default)]
    pub lossy: bool,
}

/// The most nodes of a record that is read or written here: the work for a node
/// grows with the length of its line.
const MAX_NODES: usize = 50_000;

fn too_many_nodes(found: usize) -> ApiError {
    ApiError::new(Code::TooLarge, format!("a record of {found} nodes: at most {MAX_NODES} are allowed"))
}

impl RecordDoc {
    /// Reads a record in whatever format it is: a game record, or a setup of
    /// stones.
    pub fn read(bytes: &[u8], game: Option<&str>, ceiling: &Ceiling) -> Result<RecordDoc, ApiError> {
        if bytes.len() > ceiling.record {
            return Err(Ceiling::too_large("a record", bytes.len(), ceiling.record));
        }
        let game = game.map(|text| parse_game(text, "game")).transpose()?;
        let bad = |e: &dyn std::error::Error| ApiError::new(Code::BadRequest, e.to_string());
        let setup = std::str::from_utf8(bytes).ok().filter(|text| looks_like_setup(text));
        let record = match setup {
            Some(text) => {
                let setup = lambda6_rules::Setup::parse(text).map_err(|e| bad(&e))?;
                Record::from_setup(&setup).map_err(|e| bad(&e))?
            }
            None => {
                record::read(bytes, &ReadOptions { game, ..ReadOptions::default() }).map_err(|e| bad(&e))?
            }
        };
        if record.node_count() > MAX_NODES {
            return Err(too_many_nodes(record.node_count()));
        }
        Ok(RecordDoc::of(&record))
    }

    pub(crate) fn of(record: &Record) -> RecordDoc {
        let record = record.one_node_a_move();
        let game = record.game();
        let mut numbers = std::collections::HashMap::new();
        let nodes = record.walk().enumerate().map(|(number, id)| {
            numbers.insert(id, number as u32);
            let node = record.node(id);
            NodeDoc {
                parent: node.parent().and_then(|parent| numbers.get(&parent).copied()),
                r#move: node.stones().map(|(_, mv)| game.move_name(&mv)),
                comment: node.comment().to_string(),
                marks: node.markup().iter().map(|markup| mark_doc(game, markup)).collect(),
                properties: node
                    .properties()
                    .iter()
                    .map(|p| PropertyDoc { ident: p.ident().to_string(), values: p.values().collect() })
                    .collect(),
            }
        });
        RecordDoc {
            game: game.to_string(),
            nodes: nodes.collect(),
            start: record.has_setup().then(|| Stones::of(record.start())),
            info: InfoDoc::of(&record.info),
        }
    }

    /// The record.
    pub(crate) fn record(&self) -> Result<Record, ApiError> {
        if self.nodes.len() > MAX_NODES {
            return Err(too_many_nodes(self.nodes.len()));
        }
        let game = parse_game(&self.game, "record.game")?;
        let mut record = match &self.start {
            Some(stones) => Record::from_setup(&stones.setup(game, "record.start")?)
                .map_err(|e| ApiError::field("record.start", e))?,
            None => Record::new(game),
        };
        record.info = self.info.info();
        let mut ids: Vec<RecordNodeId> = Vec::with_capacity(self.nodes.len());
        for (i, node) in self.nodes.iter().enumerate() {
            let field = |part: &str| format!("record.nodes[{i}].{part}");
            let id = match node.parent {
                None if i == 0 => record.root(),
                None => return Err(ApiError::field(field("parent"), "only the first node has none")),
                Some(parent) => {
                    let parent = parent as usize;
                    let Some(&above) = ids.get(parent) else {
                        return Err(ApiError::field(field("parent"), "expected the number of a node before"));
                    };
                    let squares = match &node.r#move {
                        Some(text) => game.parse_move(text).map_err(|e| ApiError::field(field("move"), e))?,
                        None => lambda6_rules::Move::NULL,
                    };
                    record
                        .add_child(above, squares.squares())
                        .map_err(|e| ApiError::field(field("move"), e))?
                }
            };
            ids.push(id);
            record.set_comment(id, &node.comment);
            for (m, mark) in node.marks.iter().enumerate() {
                let markup =
                    markup(game, mark).map_err(|e| ApiError::field(field(&format!("marks[{m}]")), e))?;
                record.add_markup(id, markup);
            }
            for (p, property) in node.properties.iter().enumerate() {
                let values = property.values.iter().map(String::as_str);
                let made = Property::new(&property.ident, values).ok_or_else(|| {
                    let field = field(&format!("properties[{p}].ident"));
                    ApiError::field(field, "expected capital letters that have no meaning of their own")
                })?;
                record.add_property(id, made);
            }
        }
        Ok(record)
    }
}

impl WriteRequest {
    /// The record as the bytes of a file.
    pub fn write(&self) -> Result<Vec<u8>, ApiError> {
        let format: Format =
            self.format.parse().map_err(|e: record::FormatParseError| ApiError::field("format", e))?;
        let options = WriteOptions { lossy: self.lossy, ..WriteOptions::default() };
        self.record.record()?.write(format, &options).map_err(|e| ApiError::field("record", e))
    }
}

impl InfoDoc {
    /// The document of what a record says of its game.
    pub fn of(info: &Info) -> InfoDoc {
        InfoDoc {
            black: info.black.clone(),
            white: info.white.clone(),
            event: info.event.clone(),
            result: info.result.clone(),
            date: info.date.clone(),
            place: info.place.clone(),
            source: info.source.clone(),
        }
    }

    fn info(&self) -> Info {
        Info {
            black: self.black.clone(),
            white: self.white.clone(),
            event: self.event.clone(),
            result: self.result.clone(),
            date: self.date.clone(),
            place: self.place.clone(),
            source: self.source.clone(),
        }
    }
}

/// A setup begins with `game:` or is the head of a certificate.
fn looks_like_setup(text: &str) -> bool {
    let start = text.trim_start_matches('\u{feff}').trim_start();
    ["game:", "black:", "white:", "to-move:", "connect-proof "].iter().any(|key| start.starts_with(key))
}

fn mark_doc(game: Game, markup: &Markup) -> MarkDoc {
    let name = |square: &Square| Some(game.square_name(*square));
    let doc = |kind: &str, at, to, text| MarkDoc { kind: kind.to_string(), at, to, text };
    match markup {
        Markup::Cleared(mark) => doc(mark.ident(), None, None, None),
        Markup::Mark(mark, at) => doc(mark.ident(), name(at), None, None),
        Markup::Label(at, text) => doc("LB", name(at), None, Some(text.clone())),
        Markup::Line(at, to) => doc("LN", name(at), name(to), None),
        Markup::Arrow(at, to) => doc("AR", name(at), name(to), None),
    }
}

/// Why a [`MarkDoc`] is not a mark.
#[derive(Debug, thiserror::Error)]
enum MarkError {
    #[error("a square is missing")]
    NoSquare,
    #[error(transparent)]
    Square(#[from] SquareParseError),
    #[error("{0:?} is not a kind of mark")]
    Kind(String),
}

fn markup(game: Game, doc: &MarkDoc) -> Result<Markup, MarkError> {
    let square = |text: &Option<String>| -> Result<Square, MarkError> {
        Ok(game.parse_square(text.as_ref().ok_or(MarkError::NoSquare)?)?)
    };
    match doc.kind.as_str() {
        "LB" => Ok(Markup::Label(square(&doc.at)?, doc.text.clone().unwrap_or_default())),
        "LN" => Ok(Markup::Line(square(&doc.at)?, square(&doc.to)?)),
        "AR" => Ok(Markup::Arrow(square(&doc.at)?, square(&doc.to)?)),
        kind => {
            let known = Mark::ALL.iter().find(|(_, ident)| *ident == kind);
            let (mark, _) = known.ok_or_else(|| MarkError::Kind(kind.to_string()))?;
            match &doc.at {
                Some(_) => Ok(Markup::Mark(*mark, square(&doc.at)?)),
                None => Ok(Markup::Cleared(*mark)),
            }
        }
    }
}
