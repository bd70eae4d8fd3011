//! Builds a record from the properties of an SGF tree.

use super::{
    Format, MAX_ITEMS, ReadOptions, Record, Rows,
    error::{At, Fault, excerpt},
    gm511, little_golem,
    node::{Extras, Mark, Markup, Property, RecordNodeId},
    replay::Replay,
    sgf::{self, Prop, SgfTree},
    text::one_line,
};
use crate::{Game, MAX_P, Move, Position, Setup, Side, Square};

/// Which of the kinds of SGF this is.
pub(super) fn flavour(tree: &SgfTree<'_>) -> Format {
    let is_named = |text: &str| text.bytes().any(|b| b.is_ascii_digit());
    let resigns = |text: &str| little_golem::resignation(Side::Black, text).is_some();
    let mut by_setup = None;
    let mut letters = false;
    for node in 0..tree.len() {
        for prop in tree.properties(node) {
            let first = prop.values.first().map_or("", |(_, text)| text.trim());
            match &*prop.ident {
                "B" | "W" if !letters && is_named(first) => return Format::LittleGolem,
                "B" | "W" if first.len() > 2 && !resigns(first) || prop.values.len() > 1 => {
                    return Format::Gm511Pairs;
                }
                "B" | "W" => letters = true,
                "AB" | "AW" if by_setup.is_none() => by_setup = Some(is_named(first)),
                "GM" if node == 0 => by_setup = by_setup.or(Some(false)),
                _ => {}
            }
        }
    }
    match by_setup {
        _ if letters => Format::Gm511,
        Some(false) => Format::Gm511,
        _ => Format::LittleGolem,
    }
}

pub(super) fn read(text: &str, options: &ReadOptions) -> Result<Record, At> {
    let (tree, parsed) = sgf::parse(text);
    parsed?;
    let format = flavour(&tree);
    let head: Vec<_> = tree.properties(0).collect();
    let game = read_game(&head, options)?;
    let points = match format {
        Format::LittleGolem => Points::Names,
        _ => Points::Letters(options.rows.unwrap_or_else(|| read_rows(&head))),
    };
    let mut reader = Reader { tree: &tree, game, points, room: MAX_ITEMS };
    let start = reader.start(&head)?;
    let mut record = Record::starting(start);
    record.format = format;
    reader.read_nodes(&mut record)?;
    Ok(record)
}

fn find<'p, 'a>(head: &'p [Prop<'a>], ident: &str) -> Option<(usize, &'p str)> {
    let prop = head.iter().find(|prop| prop.ident == ident)?;
    prop.values.first().map(|(offset, text)| (*offset, text.trim()))
}

fn read_rows(head: &[Prop<'_>]) -> Rows {
    match find(head, "LR") {
        Some((_, "bottom")) => Rows::FromBottom,
        _ => Rows::FromTop,
    }
}

fn read_game(head: &[Prop<'_>], options: &ReadOptions) -> Result<Game, At> {
    let kind = find(head, "GM").filter(|(_, kind)| *kind != "511");
    // A game named by the caller takes precedence: some editors write GM[1]
    // whatever the game.
    if let (Some((offset, kind)), None) = (kind, options.game) {
        return Err(At::new(offset, Fault::OtherKind(excerpt(kind))));
    }
    let mut game = options.game;
    if let Some((offset, text)) = find(head, "LC") {
        let found: Game = text.parse().map_err(|error| At::new(offset, Fault::Game(error)))?;
        match game {
            Some(expected) if expected != found => {
                return Err(At::new(offset, Fault::OtherGame { expected, found: format!("{found:?}") }));
            }
            _ => game = Some(found),
        }
    }
    let Some((offset, size)) = find(head, "SZ") else { return Ok(game.unwrap_or(Game::CONNECT6)) };
    let (m, n) = size.split_once(':').unwrap_or((size, size));
    let sides = m.trim().parse().ok().zip(n.trim().parse().ok());
    let Some((m, n)) = sides else {
        return Err(At::expected("a board size such as 19 or 19:15", size, 0).moved(offset));
    };
    match game {
        Some(game) if (u32::from(game.cols()), u32::from(game.rows())) == (m, n) => Ok(game),
        Some(expected) => {
            Err(At::new(offset, Fault::OtherGame { expected, found: format!("on a {m}x{n} board") }))
        }
        None => Game::new(m, n, 6, 2, 1).map_err(|error| At::new(offset, Fault::Game(error))),
    }
}

/// How squares are spelt.
#[derive(Clone, Copy)]
enum Points {
    Names,
    Letters(Rows),
}

struct Reader<'t, 'a> {
    tree: &'t SgfTree<'a>,
    game: Game,
    points: Points,
    /// How many more marks are kept: a rectangle names many squares in few
    /// bytes.
    room: usize,
}

impl Reader<'_, '_> {
    fn split<'v>(&self, text: &'v str) -> Result<(Square, &'v str), Fault> {
        match self.points {
            Points::Names => little_golem::split_name(self.game, text),
            Points::Letters(rows) => gm511::split_pair(self.game, rows, text),
        }
    }

    /// One square that fills its text.
    fn square(&self, offset: usize, text: &str) -> Result<Square, At> {
        let inner = text.trim();
        let offset = offset + text.find(inner).unwrap_or(0);
        match self.split(inner).map_err(|fault| At::new(offset, fault))? {
            (square, "") => Ok(square),
            (_, rest) => {
                let length = inner.len() - rest.len();
                Err(At::expected("one square", inner, length).moved(offset))
            }
        }
    }

    /// The squares of a value: one, or a rectangle given by two of its corners.
    fn squares(&mut self, offset: usize, value: &str) -> Result<Vec<Square>, At> {
        let (one, two) = match sgf::split_colon(value) {
            Some((a, behind, b)) => (self.square(offset, a)?, self.square(offset + behind, b)?),
            None => {
                let square = self.square(offset, value)?;
                (square, square)
            }
        };
        let ((a, b), (c, d)) = (self.game.col_row(one), self.game.col_row(two));
        let (cols, rows) = (a.min(c)..=a.max(c), b.min(d)..=b.max(d));
        self.room = self
            .room
            .checked_sub(cols.len() * rows.len())
            .ok_or(At::new(offset, Fault::TooLarge { max: MAX_ITEMS }))?;
        Ok(rows
            .flat_map(|row| cols.clone().map(move |col| (col, row)))
            .map(|(col, row)| self.game.square(col, row))
            .collect())
    }

    /// The position before the first move.
    fn start(&mut self, head: &[Prop<'_>]) -> Result<Position, At> {
        let mut setup = Setup { game: self.game, black: vec![], white: vec![], to_move: Side::Black };
        let mut begin = None;
        for prop in head {
            let side = match &*prop.ident {
                "AB" => Side::Black,
                "AW" => Side::White,
                _ => continue,
            };
            begin = begin.or(Some(prop.offset));
            for &(offset, value) in &prop.values {
                let squares = self.squares(offset, value)?;
                if side == Side::Black { &mut setup.black } else { &mut setup.white }.extend(squares);
            }
        }
        let stated = find(head, "PL")
            .map(|(offset, text)| {
                text.parse::<Side>().map_err(|_| At::expected("B or W", text, 0).moved(offset))
            })
            .transpose()?;
        let Some(offset) = begin else {
            return Ok(Position::empty(self.game, stated.unwrap_or(Side::Black)));
        };
        setup.to_move = stated.or_else(|| self.first_to_move()).unwrap_or(Side::Black);
        setup.position().map_err(|error| At::new(offset, Fault::Setup(error)))
    }

    /// Who makes the first move of the text.
    fn first_to_move(&self) -> Option<Side> {
        (0..self.tree.len()).find_map(|node| {
            self.tree.properties(node).find_map(|prop| match &*prop.ident {
                "B" => Some(Side::Black),
                "W" => Some(Side::White),
                _ => None,
            })
        })
    }

    fn read_nodes(&mut self, record: &mut Record) -> Result<(), At> {
        let tree = self.tree;
        // The states of the lines of play that have variations to come, the
        // innermost last. Nodes come in the order of the text, so a node's
        // parent is the last of these that is left once finished ones are gone.
        let mut open: Vec<(usize, RecordNodeId, Replay)> = Vec::new();
        for raw in 0..tree.len() {
            let (parent, mut replay) = if raw == 0 {
                (RecordNodeId::ROOT, Replay::new(record.start.clone()))
            } else {
                let parent = tree.parent(raw);
                while open.pop_if(|(node, ..)| *node != parent).is_some() {}
                let state = if tree.is_last_child(raw) { open.pop() } else { open.last().cloned() };
                // The parent was pushed when it was read.
                state.map(|(_, id, replay)| (id, replay)).ok_or(At::new(tree.offset(raw), Fault::Empty))?
            };
            let (stones, mut extras) = self.read_node(record, raw, &mut replay)?;
            // A move in the root's own node becomes a child of the root, with its
            // comment and marks.
            let mut id = parent;
            if raw == 0 && stones.is_some() {
                let properties = std::mem::take(&mut extras.properties);
                record.nodes[0].extras = Extras { properties, ..Extras::default() }.boxed();
            }
            if raw > 0 || stones.is_some() {
                id = record.push(id, stones);
            }
            record.nodes[id.index()].extras = extras.boxed();
            open.push((raw, id, replay));
        }
        Ok(())
    }

    fn read_node(
        &mut self,
        record: &mut Record,
        raw: usize,
        replay: &mut Replay,
    ) -> Result<(Option<(Side, Move)>, Extras), At> {
        let mut stones: Option<(Side, usize, Vec<Square>)> = None;
        let mut extras = Extras::default();
        let tree = self.tree;
        for prop in tree.properties(raw) {
            match &*prop.ident {
                "B" | "W" => self.read_stones(record, &prop, &mut stones)?,
                "C" => {
                    for (_, value) in &prop.values {
                        extras.append(&Extras { comment: sgf::unescape(value), ..Extras::default() });
                    }
                }
                "AB" | "AW" | "PL" if raw == 0 => {}
                "FF" | "GM" | "SZ" | "CA" | "LC" | "LR" if raw == 0 => {}
                "AB" | "AW" | "AE" | "PL" => {
                    return Err(At::new(prop.offset, Fault::SetupInside(prop.ident.to_string())));
                }
                _ if self.read_markup(&prop, &mut extras.markup)? => {}
                _ if raw == 0 && read_info(record, &prop) => {}
                ident => extras.properties.push(Property {
                    ident: ident.to_string(),
                    raw: prop.values.iter().map(|(_, value)| value.to_string()).collect(),
                }),
            }
        }
        extras.tidy();
        let Some((side, offset, squares)) = stones else { return Ok((None, extras)) };
        replay.place(side, &squares, offset)?;
        // The move took them, so there are not too many.
        Ok((Move::new(&squares).map(|mv| (side, mv)), extras))
    }

    fn read_stones(
        &self,
        record: &mut Record,
        prop: &Prop<'_>,
        stones: &mut Option<(Side, usize, Vec<Square>)>,
    ) -> Result<(), At> {
        let side = if prop.ident == "B" { Side::Black } else { Side::White };
        for &(offset, value) in &prop.values {
            let resigns = little_golem::resignation(side, value);
            if let (Points::Names, Some(result)) = (self.points, resigns) {
                if record.info.result.is_empty() {
                    record.info.result = result.to_string();
                }
                continue;
            }
            let (known, _, squares) = stones.get_or_insert((side, offset, Vec::new()));
            if *known != side {
                return Err(At::new(prop.offset, Fault::BothSides));
            }
            let mut rest = value.trim();
            let mut at = offset + value.find(rest).unwrap_or(0);
            // One more than any move can have is enough to see that there are
            // too many.
            while squares.len() <= MAX_P {
                let (square, tail) = self.split(rest).map_err(|fault| At::new(at, fault))?;
                squares.push(square);
                at += rest.len() - tail.len();
                rest = tail;
                if rest.is_empty() {
                    break;
                }
            }
        }
        Ok(())
    }

    /// Reads a property that puts marks on squares; false if it is another.
    fn read_markup(&mut self, prop: &Prop<'_>, markup: &mut Vec<Markup>) -> Result<bool, At> {
        if let Some(mark) = Mark::of_ident(&prop.ident) {
            for &(offset, value) in &prop.values {
                if value.trim().is_empty() {
                    markup.push(Markup::Cleared(mark));
                } else {
                    markup.extend(self.squares(offset, value)?.into_iter().map(|s| Markup::Mark(mark, s)));
                }
            }
            return Ok(true);
        }
        if !matches!(&*prop.ident, "LB" | "LN" | "AR") {
            return Ok(false);
        }
        for &(offset, value) in &prop.values {
            let Some((point, behind, rest)) = sgf::split_colon(value) else {
                return Err(At::expected("a value with a colon", value, 0).moved(offset));
            };
            let from = self.square(offset, point)?;
            markup.push(match &*prop.ident {
                "LB" => Markup::Label(from, sgf::unescape(rest).replace('\n', " ")),
                "LN" => Markup::Line(from, self.square(offset + behind, rest)?),
                _ => Markup::Arrow(from, self.square(offset + behind, rest)?),
            });
        }
        Ok(true)
    }
}

/// Reads a property of the root that says something about the game; false if
/// it is another, or says it a second time.
fn read_info(record: &mut Record, prop: &Prop<'_>) -> bool {
    match (record.info.field_mut(&prop.ident), &prop.values[..]) {
        (Some(field), [(_, value)]) if field.is_empty() => {
            *field = one_line(&sgf::unescape(value));
            true
        }
        _ => false,
    }
}
