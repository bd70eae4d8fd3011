//! Walks through a certificate: the user plays the defender, the certificate replies.

use crate::{
    board::{self, Charset},
    marks::Marks,
    output,
};
use anyhow::{Context, Result};
use lambda6_proof::{Certificate, ProofAnswer, Walkthrough};
use lambda6_rules::{Position, Setup, Side};
use lambda6_threats::ThreatCount;
use serde::Serialize;
use std::io::{self, BufRead};

const HELP: &str = "\
k9l9   a move of the defender; fewer stones pass on the others
board  draw the board
moves  the stones that the proof answers here, one by one
back   take the last move back
quit   leave (so does the end of the input)
";

/// A defence and its answer.
#[derive(Serialize)]
pub(super) struct StepJson {
    defence: Option<String>,
    /// The stones of the defence that the proof answers.
    met: String,
    /// Stones of the defender outside the zones, which do not affect the win.
    outside: Vec<String>,
    reply: String,
    /// The number of the reply in the certificate, from 1.
    number: Option<usize>,
    connects: bool,
    /// The threats to be met; p + 1 stands for more than p.
    threats: u8,
}

struct Walk<'c> {
    certificate: &'c Certificate,
    walk: Walkthrough<'c>,
}

/// Plays the given defences. With a charset, prints each answer and the last board.
pub(super) fn given(
    certificate: &Certificate,
    defences: &[String],
    charset: Option<Charset>,
) -> Result<Vec<StepJson>> {
    let (walk, first) = Walkthrough::begin(certificate);
    let mut walk = Walk { certificate, walk };
    let mut steps = Vec::new();
    if let Some(answer) = &first {
        steps.push(walk.json(None, answer));
        if charset.is_some() {
            output::text(&format!("\n{}\n", walk.told(answer)))?;
        }
    }
    for defence in defences {
        let answer = walk.play(defence)?;
        steps.push(walk.json(Some(defence), &answer));
        if charset.is_some() {
            output::text(&format!("\n{}: {defence}\n{}\n", walk.defender(), walk.told(&answer)))?;
        }
    }
    if let Some(charset) = charset {
        output::text(&format!("\n{}", walk.drawing(charset)))?;
    }
    Ok(steps)
}

/// Reads defences from standard input.
pub(super) fn ask(certificate: &Certificate, charset: Charset) -> Result<()> {
    let (walk, first) = Walkthrough::begin(certificate);
    let mut walk = Walk { certificate, walk };
    if let Some(answer) = &first {
        output::text(&format!("\n{}\n", walk.told(answer)))?;
    }
    output::text(&format!("\n{}'s move (or help):\n", walk.defender()))?;
    for line in io::stdin().lock().lines() {
        let line = line.context("standard input: cannot be read")?;
        match line.trim() {
            "" => continue,
            "quit" | "exit" | "q" => break,
            "help" | "?" => output::text(HELP)?,
            "board" => output::text(&walk.drawing(charset))?,
            "moves" => {
                let names: Vec<String> = walk.walk.answered().iter().map(|mv| walk.name(mv)).collect();
                output::text(&format!("{}\n", names.join(" ")))?;
            }
            "back" => {
                let text =
                    if walk.walk.back() { walk.drawing(charset) } else { "this is the beginning\n".into() };
                output::text(&text)?;
            }
            defence => match walk.play(defence) {
                Ok(answer) => output::text(&format!("{}\n{}", walk.told(&answer), walk.drawing(charset)))?,
                // A mistyped move does not end the program.
                Err(error) => output::note(&format!("{error:#}")),
            },
        }
        if walk.walk.is_over() {
            output::text("the game is over: back, or quit\n")?;
        }
    }
    Ok(())
}

impl Walk<'_> {
    fn defender(&self) -> Side {
        self.certificate.attacker().other()
    }

    fn name(&self, mv: &lambda6_rules::Move) -> String {
        if mv.is_empty() { "-".to_string() } else { self.certificate.position().game().move_name(mv) }
    }

    fn play(&mut self, defence: &str) -> Result<ProofAnswer> {
        let mv =
            self.certificate.position().game().parse_move(defence).with_context(|| format!("{defence:?}"))?;
        self.walk.defend(&mv).with_context(|| format!("{defence:?}"))
    }

    /// The answer in words.
    fn told(&self, answer: &ProofAnswer) -> String {
        let game = self.certificate.position().game();
        let mut text = String::new();
        if !answer.outside.is_empty() {
            let names: Vec<String> = answer.outside.iter().map(|&square| game.square_name(square)).collect();
            let met = if answer.met.is_empty() { "a pass".to_string() } else { game.move_name(&answer.met) };
            let (verb, they) = if names.len() == 1 { ("is", "it") } else { ("are", "they") };
            text += &format!(
                "{} {verb} outside the zones of the win against {met}: {they} cannot stop it\n",
                names.join(" ")
            );
        }
        text += &format!("{}: {}", self.certificate.attacker(), self.name(&answer.reply));
        text += &match (answer.number, answer.connects, answer.threats) {
            (None, ..) => " connects, a threat was left open".to_string(),
            (Some(number), true, _) => format!(" connects (reply {number})"),
            (Some(number), _, ThreatCount::More) => {
                format!(" makes more threats than can be met (reply {number})")
            }
            (Some(number), _, ThreatCount::Exactly(0)) => format!(" makes no threat (reply {number})"),
            (Some(number), _, ThreatCount::Exactly(count)) => format!(" threats: {count} (reply {number})"),
        };
        text
    }

    fn json(&self, defence: Option<&str>, answer: &ProofAnswer) -> StepJson {
        let game = self.certificate.position().game();
        StepJson {
            defence: defence.map(str::to_string),
            met: game.move_name(&answer.met),
            outside: answer.outside.iter().map(|&square| game.square_name(square)).collect(),
            reply: game.move_name(&answer.reply),
            number: answer.number,
            connects: answer.connects,
            threats: match answer.threats {
                ThreatCount::Exactly(count) => count,
                ThreatCount::More => game.p() + 1,
            },
        }
    }

    fn drawing(&self, charset: Charset) -> String {
        let board = self.walk.board();
        let game = board.game();
        let stones = |side| game.squares().filter(|&square| board.at(square) == Some(side)).collect();
        let setup =
            Setup { game, black: stones(Side::Black), white: stones(Side::White), to_move: self.defender() };
        match setup.position() {
            Ok(position) => draw(&position, charset),
            // A board with a complete row is no position.
            Err(_) => String::new(),
        }
    }
}

fn draw(position: &Position, charset: Charset) -> String {
    board::draw(position, &Marks::of(position, None), charset)
}
