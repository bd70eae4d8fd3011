//! Writes a review into a game record.

use crate::{Judgement, Quality, Review, Verdict, remark, summary_text, words::standing_text};
use lambda6_rules::{
    Move,
    record::{Mark, Markup, Property, Record, RecordError, RecordNodeId},
};

/// Why a review cannot be written into a record.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AnnotateError {
    /// The record is another game.
    #[error("the record is not the game that was reviewed: {0}")]
    OtherGame(String),
    /// A line of the review cannot be played there.
    #[error(transparent)]
    Record(#[from] RecordError),
}

/// How the paragraph of a review begins in a comment. One that is there is replaced.
const BEGINS: &str = "Review: ";

/// The moves of a better line that become a variation, where it is not a proved win.
const EXPECTED: usize = 8;

/// The record with the review in it: a comment for each move with the verdict on the position
/// and what is to be said of the move, SGF's `BM`, `DO`, `TE` and `IT` for bad, doubtful, strong
/// and interesting moves, `SBKV` (Black's chance in per cent, from which Sabaki draws its graph),
/// circles where better moves are, and better lines as variations. Comments, marks and
/// variations that are there stay.
pub fn annotate(record: &Record, review: &Review) -> Result<Record, AnnotateError> {
    let mut record = record.one_node_a_move();
    let nodes = main_nodes(&record, review)?;
    let names = [record.info.black.clone(), record.info.white.clone()];
    let summary = summary_text(review, [&names[0], &names[1]]);
    comment(&mut record, nodes[0], summary.trim_end());
    for (after, &node) in nodes.iter().enumerate() {
        let Some(standing) = review.standing(after) else { continue };
        if !record.node(node).properties().iter().any(|property| property.ident() == "SBKV") {
            property(&mut record, node, "SBKV", &format!("{:.2}", 100.0 * standing.black_chance));
        }
        let Some(index) = after.checked_sub(1) else { continue };
        let Some(judged) = review.judgement(index) else {
            comment(&mut record, node, &standing_text(standing));
            continue;
        };
        let text = format!("{} {}", standing_text(standing), remark(review, &judged));
        comment(&mut record, node, text.trim_end());
        judge(&mut record, node, &judged);
        better(&mut record, [nodes[index], node], review, &judged)?;
    }
    Ok(record)
}

/// The nodes of the positions of the game: the root, then one for each move.
fn main_nodes(record: &Record, review: &Review) -> Result<Vec<RecordNodeId>, AnnotateError> {
    let game = review.game();
    if record.start() != &game.positions()[0] {
        return Err(AnnotateError::OtherGame("it begins with another position".to_string()));
    }
    let mut nodes = vec![record.root()];
    let mut at = record.root();
    while nodes.len() <= game.moves().len() {
        let number = nodes.len();
        let played = game.moves()[number - 1];
        let Some(next) = record.children(at).next() else {
            return Err(AnnotateError::OtherGame(format!("it ends before move {number}")));
        };
        at = next;
        match record.node(at).stones() {
            None => {}
            Some((_, mv)) if mv.sorted() == played.sorted() => nodes.push(at),
            Some((_, mv)) => {
                let [theirs, ours] = [mv, played].map(|mv| game.game().move_name(&mv));
                let what = format!("move {number} is {theirs} there, expected {ours}");
                return Err(AnnotateError::OtherGame(what));
            }
        }
    }
    Ok(nodes)
}

/// Adds the review's paragraph to a comment, or replaces the one that is there.
fn comment(record: &mut Record, node: RecordNodeId, text: &str) {
    let old = record.node(node).comment();
    let kept =
        old.rfind(BEGINS).filter(|&at| at == 0 || old[..at].ends_with('\n')).map_or(old, |at| &old[..at]);
    let kept = kept.trim_end();
    let gap = if kept.is_empty() { "" } else { "\n\n" };
    let whole = format!("{kept}{gap}{BEGINS}{text}");
    record.set_comment(node, &whole);
}

/// Adds a property that has a meaning in SGF but none in records.
fn property(record: &mut Record, node: RecordNodeId, ident: &str, value: &str) {
    if let Some(property) = Property::new(ident, [value]) {
        record.add_property(node, property);
    }
}

/// The properties of SGF for the quality of a move. A node has at most one of them.
fn judge(record: &mut Record, node: RecordNodeId, judged: &Judgement) {
    let (ident, value) = match judged.quality {
        Quality::Blunder => ("BM", "2"),
        Quality::Mistake => ("BM", "1"),
        Quality::Inaccuracy => ("DO", ""),
        _ if judged.is_strong => ("TE", "1"),
        _ if judged.is_surprise => ("IT", ""),
        _ => return,
    };
    let known = ["BM", "DO", "TE", "IT"];
    if !record.node(node).properties().iter().any(|property| known.contains(&property.ident())) {
        property(record, node, ident, value);
    }
}

/// Adds the better line of a mistake as a variation, and circles where its first move is.
fn better(
    record: &mut Record,
    [before, played]: [RecordNodeId; 2],
    review: &Review,
    judged: &Judgement,
) -> Result<(), AnnotateError> {
    if !judged.quality.is_mistake() && !judged.missed_win {
        return Ok(());
    }
    let Some(standing) = review.standing(judged.index) else { return Ok(()) };
    let is_proved = matches!(standing.verdict, Verdict::Proved(_));
    let most = if is_proved { usize::MAX } else { EXPECTED };
    let line = &standing.line[..standing.line.len().min(most)];
    let Some(first) = line.first().filter(|first| first.sorted() != judged.mv.sorted()) else {
        return Ok(());
    };
    for square in first.iter().filter(|&square| !judged.mv.contains(square)) {
        record.add_markup(played, Markup::Mark(Mark::Circle, square));
    }
    let has = |record: &Record, mv: &Move| {
        record.children(before).any(|child| {
            record.node(child).stones().is_some_and(|(_, stones)| stones.sorted() == mv.sorted())
        })
    };
    if has(record, first) {
        return Ok(());
    }
    let mut at = before;
    for (number, mv) in line.iter().enumerate() {
        at = record.add_child(at, mv.squares())?;
        if number == 0 {
            comment(record, at, &format!("Better. {}", standing_text(standing)));
        }
    }
    Ok(())
}
