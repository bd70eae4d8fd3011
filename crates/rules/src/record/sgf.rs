//! The syntax of SGF: nodes, properties, values and escapes, without their
//! meaning.
//!
//! The tree is a flat list, so that deeply nested variations take no stack,
//! neither when read nor when dropped.

use super::{
    MAX_ITEMS,
    error::{At, Fault},
    node::Mark,
};
use std::{borrow::Cow, ops::Range};

/// The properties that a record holds in a form of its own. `LC` and `LR` are
/// ours: see [`super::gm511`].
const RESERVED: [&str; 23] = [
    "B", "W", "AB", "AW", "AE", "PL", "C", "LB", "LN", "AR", "FF", "GM", "SZ", "CA", "LC", "LR", "EV", "PB",
    "PW", "RE", "DT", "PC", "SO",
];

/// Whether a property of this name cannot be kept verbatim.
pub(super) fn is_reserved(ident: &str) -> bool {
    RESERVED.contains(&ident) || Mark::of_ident(ident).is_some()
}

/// A game tree as it stands in the text. Node 0 is the root; every node stands
/// behind its parent, in the order of the text.
pub(super) struct SgfTree<'a> {
    text: &'a str,
    nodes: Vec<RawNode>,
    properties: Vec<RawProperty>,
    /// Byte ranges of the text between brackets.
    values: Vec<(u32, u32)>,
}

struct RawNode {
    parent: u32,
    /// 0 when there is none: the root is no child.
    last_child: u32,
    offset: u32,
    first_property: u32,
}

struct RawProperty {
    ident: (u32, u32),
    first_value: u32,
}

/// A property of a node.
pub(super) struct Prop<'a> {
    /// In capitals: the small letters that old files have between them mean
    /// nothing.
    pub(super) ident: Cow<'a, str>,
    /// Where the name stands.
    pub(super) offset: usize,
    /// The values as they stand between the brackets, with their offsets.
    pub(super) values: Vec<(usize, &'a str)>,
}

impl<'a> SgfTree<'a> {
    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// The node's parent; the root's is the root.
    pub(super) fn parent(&self, node: usize) -> usize {
        self.nodes[node].parent as usize
    }

    /// Whether no other child of its parent follows.
    pub(super) fn is_last_child(&self, node: usize) -> bool {
        self.nodes[self.parent(node)].last_child as usize == node
    }

    pub(super) fn offset(&self, node: usize) -> usize {
        self.nodes[node].offset as usize
    }

    pub(super) fn properties(&self, node: usize) -> impl Iterator<Item = Prop<'a>> + '_ {
        let end = self.nodes.get(node + 1).map_or(self.properties.len(), |n| n.first_property as usize);
        let range = self.nodes.get(node).map_or(0, |n| n.first_property as usize)..end;
        range.map(|index| self.property(index))
    }

    fn property(&self, index: usize) -> Prop<'a> {
        let property = &self.properties[index];
        let end = self.properties.get(index + 1).map_or(self.values.len(), |p| p.first_value as usize);
        let values = &self.values[property.first_value as usize..end];
        let (start, stop) = property.ident;
        let ident = &self.text[start as usize..stop as usize];
        Prop {
            ident: if ident.bytes().any(|b| b.is_ascii_lowercase()) {
                ident.chars().filter(|c| !c.is_ascii_lowercase()).collect()
            } else {
                Cow::Borrowed(ident)
            },
            offset: start as usize,
            values: values
                .iter()
                .map(|&(from, to)| (from as usize, &self.text[from as usize..to as usize]))
                .collect(),
        }
    }
}

/// Where the game tree begins: "(" and ";" with nothing but white space
/// between. What stands before it is not SGF and is skipped.
pub(super) fn find_start(bytes: &[u8]) -> Option<usize> {
    let mut open = None;
    for (at, &b) in bytes.iter().enumerate() {
        match b {
            b'(' => open = Some(at),
            b';' if open.is_some() => return open,
            _ if b.is_ascii_whitespace() => {}
            _ => open = None,
        }
    }
    None
}

/// Parses the first game tree of a text. The tree holds what was read before
/// the error, if there is one.
pub(super) fn parse(text: &str) -> (SgfTree<'_>, Result<(), At>) {
    let tree = SgfTree { text, nodes: Vec::new(), properties: Vec::new(), values: Vec::new() };
    let mut parser = Parser { tree, at: find_start(text.as_bytes()).unwrap_or(text.len()) };
    let result = parser.run();
    (parser.tree, result)
}

struct Parser<'a> {
    tree: SgfTree<'a>,
    at: usize,
}

impl Parser<'_> {
    fn run(&mut self) -> Result<(), At> {
        // The nodes that the open parentheses branch off from.
        let mut branches: Vec<u32> = Vec::new();
        let mut node = 0;
        // Nodes cannot follow a variation, only other variations can.
        let mut after_variation = false;
        loop {
            match self.peek() {
                Some(b'(') => {
                    branches.push(node);
                    self.at += 1;
                    if self.peek() != Some(b';') {
                        return Err(self.expected("\";\", the first node of a variation"));
                    }
                    after_variation = false;
                }
                Some(b')') => {
                    node = branches.pop().unwrap_or(0);
                    self.at += 1;
                    after_variation = true;
                    if branches.is_empty() {
                        break;
                    }
                }
                Some(b';') if !after_variation => {
                    node = self.node(node)?;
                }
                Some(b) if b.is_ascii_alphabetic() && !after_variation => self.property()?,
                Some(_) if after_variation => return Err(self.expected("\"(\" or \")\"")),
                _ => return Err(self.expected("\";\", \"(\", \")\" or a property such as B[jj]")),
            }
        }
        match find_start(&self.tree.text.as_bytes()[self.at..]) {
            Some(more) => Err(At::new(self.at + more, Fault::SecondGame)),
            None => Ok(()),
        }
    }

    /// The next byte that is not white space.
    fn peek(&mut self) -> Option<u8> {
        let rest = &self.tree.text.as_bytes()[self.at..];
        let space = rest.iter().take_while(|b| b.is_ascii_whitespace()).count();
        self.at += space;
        rest.get(space).copied()
    }

    fn expected(&self, what: &'static str) -> At {
        At::expected(what, self.tree.text, self.at)
    }

    fn node(&mut self, parent: u32) -> Result<u32, At> {
        let id = self.tree.nodes.len() as u32;
        self.tree.nodes.push(RawNode {
            parent,
            last_child: 0,
            offset: self.at as u32,
            first_property: self.tree.properties.len() as u32,
        });
        self.tree.nodes[parent as usize].last_child = id;
        self.at += 1;
        self.check_size()?;
        Ok(id)
    }

    fn property(&mut self) -> Result<(), At> {
        let start = self.at;
        let rest = &self.tree.text.as_bytes()[start..];
        self.at += rest.iter().take_while(|b| b.is_ascii_alphabetic()).count();
        let ident = (start as u32, self.at as u32);
        if !self.tree.text[start..self.at].bytes().any(|b| b.is_ascii_uppercase()) {
            return Err(At::expected("a property's name in capital letters", self.tree.text, start));
        }
        let first_value = self.tree.values.len() as u32;
        self.tree.properties.push(RawProperty { ident, first_value });
        if self.peek() != Some(b'[') {
            return Err(self.expected("\"[\" and the value of a property"));
        }
        while self.peek() == Some(b'[') {
            let Range { start, end } = self.value()?;
            self.tree.values.push((start as u32, end as u32));
            self.check_size()?;
        }
        Ok(())
    }

    fn value(&mut self) -> Result<Range<usize>, At> {
        let start = self.at + 1;
        let bytes = self.tree.text.as_bytes();
        let mut at = start;
        loop {
            match bytes.get(at) {
                // An escape is never the last byte of a value, and what it
                // escapes may well be the first byte of a longer character.
                Some(b'\\') => at += 2,
                Some(b']') => break,
                Some(_) => at += 1,
                None => return Err(At::expected("\"]\", the end of the value that begins here", "", start)),
            }
        }
        self.at = at + 1;
        Ok(start..at)
    }

    /// A few bytes of text make a node: without a limit, a file that fits into
    /// memory makes a tree that does not.
    fn check_size(&self) -> Result<(), At> {
        let items = self.tree.nodes.len() + self.tree.properties.len() + self.tree.values.len();
        if items > MAX_ITEMS {
            return Err(At::new(self.at, Fault::TooLarge { max: MAX_ITEMS }));
        }
        Ok(())
    }
}

/// A text as it is written between brackets.
pub(super) fn escape(text: &str) -> String {
    escape_all(text, &[']', '\\'])
}

/// A text as it is written behind the colon of a value of two parts.
pub(super) fn escape_part(text: &str) -> String {
    escape_all(text, &[']', '\\', ':'])
}

fn escape_all(text: &str, special: &[char]) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if special.contains(&c) {
            out.push('\\');
        }
        out.push(c);
    }
    out
}

/// The text of a value: escapes undone, escaped line breaks removed, other line
/// breaks spelt as one line feed.
pub(super) fn unescape(raw: &str) -> String {
    let mut out = String::with_capacity(raw.len());
    let mut chars = raw.chars().peekable();
    while let Some(c) = chars.next() {
        let (escaped, c) = match c {
            '\\' => match chars.next() {
                Some(c) => (true, c),
                None => break,
            },
            c => (false, c),
        };
        let line_break = match c {
            '\r' => {
                chars.next_if_eq(&'\n');
                true
            }
            '\n' => true,
            _ => false,
        };
        match (line_break, escaped) {
            (true, true) => {}
            (true, false) => out.push('\n'),
            (false, _) => out.push(c),
        }
    }
    out
}

/// Splits a value of two parts at its first colon that is not escaped. The
/// second part comes with its offset in the value.
pub(super) fn split_colon(raw: &str) -> Option<(&str, usize, &str)> {
    let mut escaped = false;
    let at = raw.bytes().position(|b| {
        let found = b == b':' && !escaped;
        escaped = b == b'\\' && !escaped;
        found
    })?;
    Some((&raw[..at], at + 1, &raw[at + 1..]))
}
