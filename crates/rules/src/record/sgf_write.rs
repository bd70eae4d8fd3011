//! Writes a record as SGF.

use super::{
    Format, Record, Rows, WriteOptions,
    error::WriteError,
    gm511, little_golem,
    node::{Markup, RecordNode, RecordNodeId},
    sgf::{escape, escape_part},
};
use crate::{Game, Move, Side, Square};

/// Writes a record whose nodes are as the format needs them.
pub(super) fn write(record: &Record, format: Format, options: &WriteOptions) -> Result<Vec<u8>, WriteError> {
    let game = record.game();
    let max = if format == Format::LittleGolem { crate::MAX_SIDE } else { gm511::MAX_LETTER_SIDE };
    let (cols, rows) = (game.cols(), game.rows());
    if cols.max(rows) > max {
        return Err(WriteError::Board { format, cols, rows });
    }
    let mut writer = Writer { game, format, rows: options.rows.unwrap_or_default(), out: String::new() };
    writer.root(record);
    writer.nodes(record);
    let mut file = writer.head();
    if !writer.out.is_ascii() {
        file.push_str("CA[UTF-8]");
    }
    file.push_str(&writer.out);
    Ok(file.into_bytes())
}

struct Writer {
    game: Game,
    format: Format,
    rows: Rows,
    out: String,
}

impl Writer {
    /// The properties that tell how to read the rest.
    fn head(&self) -> String {
        let (cols, rows) = (self.game.cols(), self.game.rows());
        let mut head = String::from("(;FF[4]");
        if self.format != Format::LittleGolem {
            head.push_str("GM[511]");
        }
        if self.format != Format::LittleGolem || self.game != Game::CONNECT6 {
            head.push_str(&if cols == rows { format!("SZ[{cols}]") } else { format!("SZ[{cols}:{rows}]") });
        }
        if (self.game.k(), self.game.p(), self.game.q()) != (6, 2, 1) {
            head.push_str(&format!("LC[{}]", self.game));
        }
        if self.format != Format::LittleGolem && self.rows == Rows::FromBottom {
            head.push_str("LR[bottom]");
        }
        head
    }

    fn root(&mut self, record: &Record) {
        for (ident, value) in record.info.fields() {
            if !value.is_empty() {
                self.property(ident, [escape(&value)]);
            }
        }
        if record.has_setup() {
            for side in Side::ALL {
                let points: Vec<_> = record.start.stones(side).map(|s| self.point(s)).collect();
                if !points.is_empty() {
                    self.property(if side == Side::Black { "AB" } else { "AW" }, points);
                }
            }
            self.property("PL", [letter(record.start.to_move()).to_string()]);
        }
        self.extras(record.node(record.root()));
    }

    /// All nodes behind the root, and the closing parenthesis.
    fn nodes(&mut self, record: &Record) {
        let opens = |id: RecordNodeId| {
            let parent = record.node(id).parent();
            parent.is_some_and(|parent| record.node(parent).has_variations())
        };
        for id in record.walk().skip(1) {
            let node = record.node(id);
            if opens(id) {
                self.out.push_str("\n(");
            }
            self.out.push(';');
            if let Some((side, mv)) = node.stones() {
                let squares = self.move_text(&mv);
                self.property(letter(side), [squares]);
            }
            self.extras(node);
            // Behind a leaf, close the variations that end with it.
            let mut last = Some(id).filter(|_| node.first_child.is_none());
            while let Some(id) = last {
                if opens(id) {
                    self.out.push(')');
                }
                let done = record.node(id).next_sibling.is_none();
                last = record.node(id).parent().filter(|_| done);
            }
        }
        self.out.push_str(")\n");
    }

    fn extras(&mut self, node: &RecordNode) {
        for property in node.properties() {
            self.property(&property.ident, &property.raw);
        }
        if !node.comment().is_empty() {
            self.property("C", [escape(node.comment())]);
        }
        // The marks are sorted: those of one property stand together.
        let mut last = "";
        for markup in node.markup() {
            let (ident, value) = match markup {
                Markup::Cleared(mark) => (mark.ident(), String::new()),
                Markup::Mark(mark, square) => (mark.ident(), self.point(*square)),
                Markup::Label(square, text) => {
                    let text = escape_part(&text.replace(['\n', '\r'], " "));
                    ("LB", format!("{}:{text}", self.point(*square)))
                }
                Markup::Line(from, to) => ("LN", format!("{}:{}", self.point(*from), self.point(*to))),
                Markup::Arrow(from, to) => ("AR", format!("{}:{}", self.point(*from), self.point(*to))),
            };
            if ident != last {
                self.out.push_str(ident);
                last = ident;
            }
            self.value(&value);
        }
    }

    fn property(&mut self, ident: &str, values: impl IntoIterator<Item = impl AsRef<str>>) {
        self.out.push_str(ident);
        for value in values {
            self.value(value.as_ref());
        }
    }

    fn value(&mut self, value: &str) {
        self.out.push('[');
        self.out.push_str(value);
        self.out.push(']');
    }

    fn move_text(&self, mv: &Move) -> String {
        mv.iter().map(|square| self.point(square)).collect()
    }

    fn point(&self, square: Square) -> String {
        let mut out = String::new();
        match self.format {
            Format::LittleGolem => little_golem::push_name(&mut out, self.game, square),
            format => gm511::push_pair(&mut out, self.game, self.rows, format == Format::Gm511, square),
        }
        out
    }
}

fn letter(side: Side) -> &'static str {
    match side {
        Side::Black => "B",
        Side::White => "W",
    }
}
