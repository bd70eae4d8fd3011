//! `lambda6 proof show`: what a certificate proves, and how.

use super::{
    load::{self, Seen},
    walk,
};
use crate::{
    board::{self, Charset},
    cli::Exit,
    interrupt,
    json::{GameJson, StonesJson},
    marks::Marks,
    output,
};
use anyhow::Result;
use lambda6_search::runner;
use serde::Serialize;
use std::path::PathBuf;

const AFTER_HELP: &str = "\
The certificate is checked as it is read, and a rejected one is not shown: exit code 1.
Without --defend and --walk memory does not depend on its size; with them its replies
are kept, about 20 bytes each, and every step walks the part of the proof that is left
(about a second for a million replies).

A defence is a move such as k9l9; one of fewer stones passes on the others. Most moves
of the defender are not in a proof: a stone outside the relevance zones of a win does not
affect it, and the attacker continues as if it were not there. Such stones are named.

With --walk moves of the defender are read from standard input, a line each: type
`help` there.

Examples:
  lambda6 proof show win.proof
  lambda6 proof show win.proof.zst --json
  lambda6 proof show win.proof --defend k9l9 --defend h8
  lambda6 proof show win.proof --walk";

/// Print what a certificate proves, and walk through it
#[derive(clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Show {
    /// The certificate
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// The defender's next move; can be repeated
    #[arg(long, value_name = "MOVE")]
    defend: Vec<String>,

    /// Read the defender's moves from standard input
    #[arg(long, conflicts_with_all = ["defend", "json"])]
    walk: bool,

    /// Draw with ASCII characters only
    #[arg(long, conflicts_with = "json")]
    ascii: bool,

    /// Print one line of JSON instead of text
    #[arg(long)]
    json: bool,
}

/// The document that `--json` prints; docs/FORMATS.md describes it.
#[derive(Serialize)]
struct ShowJson {
    file: String,
    game: GameJson,
    #[serde(flatten)]
    stones: StonesJson,
    attacker: &'static str,
    method: String,
    replies: u64,
    /// The attacker's moves in the longest line.
    longest: u64,
    threats: ThreatsJson,
    /// Replies by their number in the line, from the first on.
    by_depth: Vec<u64>,
    /// The answers to the given defences.
    line: Vec<walk::StepJson>,
}

/// The number of replies that connect, and of the others by their threats.
#[derive(Serialize)]
struct ThreatsJson {
    connect: u64,
    /// Replies by the number of threats from 0; the last entry is more than can be met.
    leave: Vec<u64>,
}

impl Show {
    pub(crate) fn run(&self) -> Result<Exit> {
        let stop = interrupt::stop_flag()?;
        let keep = self.walk || !self.defend.is_empty();
        let Some(seen) = load::read(&self.file, keep, &stop)? else { return Ok(Exit::No) };
        let charset = Charset::new(self.ascii);
        if !self.json {
            output::text(&text(&seen, charset)?)?;
        }
        let mut line = Vec::new();
        if keep {
            // A line of a proof can be thousands of moves long, and the walk is
            // recursive.
            line = runner::run("walk", || self.walk_through(&seen, charset))??;
        }
        if self.json {
            output::json("proof-show", self.document(&seen, line)?)?;
        }
        Ok(Exit::Yes)
    }

    fn walk_through(&self, seen: &Seen, charset: Charset) -> Result<Vec<walk::StepJson>> {
        let certificate = seen.certificate()?;
        if self.walk {
            walk::ask(&certificate, charset)?;
            return Ok(Vec::new());
        }
        walk::given(&certificate, &self.defend, (!self.json).then_some(charset))
    }

    fn document(&self, seen: &Seen, line: Vec<walk::StepJson>) -> Result<ShowJson> {
        let position = seen.position()?;
        let (header, summary) = (&seen.checked.header, &seen.checked.summary);
        Ok(ShowJson {
            file: self.file.display().to_string(),
            game: position.game().into(),
            stones: StonesJson::of(&position),
            attacker: seen.attacker().name(),
            method: header.method.to_string(),
            replies: summary.replies,
            longest: summary.longest,
            threats: ThreatsJson { connect: summary.wins, leave: summary.by_threats.clone() },
            by_depth: seen.by_depth.clone(),
            line,
        })
    }
}

/// The board, followed by one fact per line.
fn text(seen: &Seen, charset: Charset) -> Result<String> {
    let position = seen.position()?;
    let (header, summary) = (&seen.checked.header, &seen.checked.summary);
    let marks = Marks::of(&position, None);
    let mut text = board::draw(&position, &marks, charset);
    text += &format!("\n{}\n\n", board::legend(position.game(), &marks, charset));
    let mut fact = |name: &str, value: String| text += &format!("{name}: {value}\n");
    let game = position.game();
    fact("game", game.name().map_or_else(|| game.to_string(), |name| format!("{game} ({name})")));
    fact("claim", format!("{} wins with {} to move", header.attacker, header.to_move));
    fact("method", header.method.to_string());
    fact("replies", summary.replies.to_string());
    fact("longest line", format!("{} moves of the attacker", summary.longest));
    let mut parts = vec![format!("{} connect", summary.wins)];
    for (count, replies) in summary.by_threats.iter().enumerate() {
        parts.push(match count {
            0 => format!("{replies} make no threat"),
            _ if count + 1 == summary.by_threats.len() => format!("{replies} more than can be met"),
            _ => format!("{replies} make {count}"),
        });
    }
    fact("threats", parts.join(", "));
    let depths = seen.by_depth.iter().zip(1..).map(|(replies, depth)| format!("{depth}: {replies}"));
    fact("replies by move of the line", depths.collect::<Vec<_>>().join(", "));
    Ok(text)
}
