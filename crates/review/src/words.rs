//! What a review says, in sentences: for comments, reports and pages.

use crate::{Judgement, Review, Standing, Turning, Verdict};
use lambda6_rules::{Game, Move, Side};

/// The moves of a line that a sentence names.
const NAMED: usize = 6;

/// What there is to say of a move: nothing where it was as expected.
pub fn remark(review: &Review, judged: &Judgement) -> String {
    let game = review.game().game();
    let Some(before) = review.standing(judged.index) else { return String::new() };
    let after = review.standing(judged.index + 1);
    let mut said = Vec::new();
    if judged.quality.is_mistake() {
        said.push(format!("{}: loses {:.0} %.", capital(judged.quality.name()), 100.0 * judged.loss));
    }
    if judged.missed_win {
        let length = before.win().map_or(0, |win| win.certificate().depth());
        let line = names(game, &before.line);
        said.push(format!("Missed: {} wins in {length} (proved): {line}.", judged.side));
    } else if judged.quality.is_mistake() && !before.line.is_empty() {
        said.push(format!("Better: {}.", names(game, &before.line)));
    }
    let opponent = judged.side.other();
    if let Some(after) = after.filter(|after| after.winner() == Some(opponent)) {
        match (&after.verdict, judged.quality.is_mistake()) {
            (Verdict::Over(_), _) => {}
            (_, true) => said.push(format!("After it {after}.")),
            (_, false) if before.winner() == Some(opponent) => said.push(format!("Lost already: {before}.")),
            _ => {}
        }
    }
    if judged.is_strong {
        let strong = match before.win() {
            Some(_) => format!("Begins a forced win: {before}."),
            None => "The only good move.".to_string(),
        };
        said.push(strong);
    } else if judged.is_surprise && !judged.quality.is_mistake() {
        said.push("Better than the search expected.".to_string());
    }
    said.join(" ")
}

/// The review in a few lines: both sides, the turning point, the mistakes.
pub fn summary_text(review: &Review, names_of: [&str; 2]) -> String {
    let game = review.game().game();
    let mut text = String::new();
    for side in Side::ALL {
        let summary = review.summary(side);
        let name = names_of[side.index()];
        let name = if name.is_empty() { side.to_string() } else { format!("{side} ({name})") };
        let [inaccuracies, mistakes, blunders] = summary.mistakes;
        text += &format!(
            "{name}: {} moves, average loss {:.1} %, {}, {}, {}, {}\n",
            summary.moves,
            100.0 * summary.average_loss(),
            count(blunders, "blunder"),
            count(mistakes, "mistake"),
            plural(inaccuracies, "inaccuracy", "inaccuracies"),
            count(summary.missed_wins, "missed win"),
        );
    }
    if let Some(turning) = review.turning() {
        text += &format!("{}\n", turning_text(review, game, &turning));
    }
    text
}

/// Where the loser could still have held.
fn turning_text(review: &Review, game: Game, turning: &Turning) -> String {
    let Turning { index, loser, loss_is_proved, better, better_is_proved } = turning;
    let played = game.move_name(&review.game().moves()[*index]);
    let lost = if *loss_is_proved { "proved" } else { "search" };
    let verb = if *better_is_proved { "won (proved)" } else { "held (search)" };
    let better = match better.is_empty() {
        true => String::new(),
        false => format!(" with {}", names(game, better)),
    };
    format!(
        "turning point: move {}, {played}, after which {} wins ({lost}); {loser} could have {verb}{better}",
        index + 1,
        loser.other(),
    )
}

/// The first moves of a line.
pub(crate) fn names(game: Game, line: &[Move]) -> String {
    let mut text = line.iter().take(NAMED).map(|mv| game.move_name(mv)).collect::<Vec<_>>().join(" ");
    if line.len() > NAMED {
        text += " ...";
    }
    text
}

/// How a position stands, for a comment: both the verdict and Black's chance.
pub(crate) fn standing_text(standing: &Standing) -> String {
    match standing.verdict {
        Verdict::Search(_) => {
            format!("{}, black {:.0} %.", capital(&standing.to_string()), 100.0 * standing.black_chance)
        }
        _ => format!("{}.", capital(&standing.to_string())),
    }
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

fn count(number: usize, what: &str) -> String {
    plural(number, what, &format!("{what}s"))
}

fn plural(number: usize, one: &str, more: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { more })
}
