//! Random records to try things on.

use proptest::prelude::*;
use rules::{
    Game, Position, Square,
    record::{Mark, Markup, Property, Record, RecordNodeId},
};

/// How stones are spread over nodes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Grain {
    Stone,
    Move,
    Any,
}

/// What to generate.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shape {
    pub(crate) grain: Grain,
    pub(crate) variations: bool,
    pub(crate) comments: bool,
    pub(crate) extras: bool,
}

/// One node to be added, if the rules let it.
#[derive(Clone, Debug)]
struct Step {
    parent: Option<prop::sample::Index>,
    squares: Vec<prop::sample::Index>,
    comment: Option<String>,
    mark: Option<(u8, prop::sample::Index, prop::sample::Index, String)>,
    property: Option<String>,
}

/// Texts with everything in them that some format could trip over.
pub(crate) fn nasty_text() -> impl Strategy<Value = String> {
    let special =
        prop::sample::select("\\][:;(){}#,. \n\r\tBW1j10é漢先手胜\u{feff}\u{0}".chars().collect::<Vec<_>>());
    let character = prop_oneof![4 => special, 1 => any::<char>()];
    prop::collection::vec(character, 0..12).prop_map(String::from_iter)
}

pub(crate) fn games() -> impl Strategy<Value = Game> {
    prop::sample::select(vec![
        Game::CONNECT6,
        Game::GO_MOKU,
        Game::TIC_TAC_TOE,
        Game::new(5, 3, 3, 2, 1).unwrap(),
        Game::new(4, 4, 3, 3, 2).unwrap(),
        Game::new(7, 6, 4, 2, 1).unwrap(),
        Game::new(52, 27, 6, 2, 1).unwrap(),
        Game::new(19, 19, 6, 2, 1).unwrap(),
    ])
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let index = any::<prop::sample::Index>;
    let step = (
        prop::option::weighted(0.3, index()),
        prop::collection::vec(index(), 0..4),
        prop::option::weighted(0.3, nasty_text()),
        prop::option::weighted(0.3, (0u8..12, index(), index(), nasty_text())),
        prop::option::weighted(0.1, nasty_text()),
    );
    let step = step.prop_map(|(parent, squares, comment, mark, property)| Step {
        parent,
        squares,
        comment,
        mark,
        property,
    });
    prop::collection::vec(step, 0..30)
}

pub(crate) fn records(game: impl Strategy<Value = Game>, shape: Shape) -> impl Strategy<Value = Record> {
    (game, steps()).prop_map(move |(game, steps)| {
        let mut record = Record::new(game);
        let mut nodes = vec![record.root()];
        for step in &steps {
            let last = nodes[nodes.len() - 1];
            let parent = match step.parent {
                Some(parent) if shape.variations => *parent.get(&nodes),
                _ => last,
            };
            let squares = choose(&record, parent, step, shape.grain);
            // A line of moves has no nodes without one.
            if squares.is_empty() && !shape.variations {
                continue;
            }
            // What the rules forbid is left out.
            let Ok(id) = record.add_child(parent, &squares) else { continue };
            nodes.push(id);
            add_texts(&mut record, id, step, shape);
        }
        record
    })
}

fn choose(record: &Record, parent: RecordNodeId, step: &Step, grain: Grain) -> Vec<Square> {
    let mut position: Position = record.start().clone();
    for mv in record.moves_to(parent) {
        position.play(&mv).unwrap();
    }
    let empty: Vec<_> = position.empty_squares().collect();
    let due = position.stones_to_place();
    let count = match grain {
        Grain::Stone => step.squares.len().min(1),
        Grain::Move if step.squares.is_empty() => 0,
        Grain::Move => due,
        Grain::Any => step.squares.len(),
    };
    if empty.is_empty() {
        return vec![];
    }
    // Squares near each other make rows.
    let pick = |i: usize| empty[(step.squares[0].index(empty.len()) + i) % empty.len()];
    (0..count.min(empty.len())).map(pick).collect()
}

fn add_texts(record: &mut Record, id: RecordNodeId, step: &Step, shape: Shape) {
    if let Some(comment) = step.comment.as_ref().filter(|_| shape.comments) {
        record.set_comment(id, comment);
    }
    if !shape.extras {
        return;
    }
    if let Some((kind, a, b, text)) = &step.mark {
        let squares: Vec<_> = record.game().squares().collect();
        let (a, b) = (*a.get(&squares), *b.get(&squares));
        let label = || text.replace(['\n', '\r'], " ");
        record.add_markup(
            id,
            match usize::from(*kind) {
                kind @ 0..9 => Markup::Mark(Mark::ALL[kind].0, a),
                9 => Markup::Label(a, label()),
                10 => Markup::Arrow(a, b),
                _ => Markup::Cleared(Mark::Dimmed),
            },
        );
    }
    if let Some(text) = &step.property {
        record.add_property(id, Property::new("N", [text.as_str()]).unwrap());
    }
}
