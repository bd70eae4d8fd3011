//! The commands for live analysis, as Leela Zero (`lz-`) and KataGo (`kata-`) have them and
//! as Sabaki and Lizzie read them.
//!
//! A report is one line: `info`, pairs of names and values, and `pv` with the expected stones, for
//! each of the moves. These programs know moves of one stone only, so a move is named by its first
//! stone, or by another where a better move has that one already; `pv` lists the stones one by one.

use crate::coords;
use lambda6_player::{Candidate, Choice, Info, chance};
use lambda6_rules::{Game, Move, Square};
use std::time::Duration;

/// A command for live analysis that has been read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Analyze {
    style: Style,
    /// Who moves, if the command says so.
    pub(super) side: Option<String>,
    /// The time between two reports.
    pub(super) every: Duration,
    /// The most moves of a report.
    most: usize,
    /// Whether the best move is played in the end.
    pub(super) plays: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Style {
    /// Chances in ten-thousandths.
    LeelaZero,
    /// Chances from 0 to 1.
    KataGo,
}

/// The time between two reports if the command does not say.
const EVERY: Duration = Duration::from_millis(500);

/// The moves of a report if the command does not say.
const MOVES: usize = 10;

impl Analyze {
    /// The names of the commands.
    pub(super) const COMMANDS: [&'static str; 4] =
        ["lz-analyze", "kata-analyze", "lz-genmove_analyze", "kata-genmove_analyze"];

    /// Reads a command; `None` if its arguments are wrong.
    pub(super) fn parse(name: &str, arguments: &[String]) -> Option<Analyze> {
        let (style, rest) = match name.split_once('-')? {
            ("lz", rest) => (Style::LeelaZero, rest),
            ("kata", rest) => (Style::KataGo, rest),
            _ => return None,
        };
        let plays = rest == "genmove_analyze";
        let mut read = Analyze { style, side: None, every: EVERY, most: MOVES, plays };
        let mut words = arguments.iter().map(String::as_str).peekable();
        if let Some(side) = words.next_if(|word| is_side(word)) {
            read.side = Some(side.to_string());
        }
        if let Some(number) = words.next_if(|word| word.parse::<u64>().is_ok()) {
            read.every = centiseconds(number)?;
        }
        while let Some(key) = words.next() {
            match key {
                "interval" => read.every = centiseconds(words.next()?)?,
                "maxmoves" => read.most = words.next()?.parse().ok().filter(|&most| most > 0)?,
                "minmoves" => drop(words.next()?.parse::<usize>().ok()?),
                // What has no meaning in these games is read and left.
                "avoid" | "allow" => drop((words.next()?, words.next()?, words.next()?)),
                "ownership" | "ownershipStdev" | "movesOwnership" | "pvVisits" | "pvEdgeVisits"
                | "rootInfo" => drop(words.next()?),
                side if is_side(side) && read.side.is_none() => read.side = Some(side.to_string()),
                _ => return None,
            }
        }
        Some(read)
    }

    /// A report on the search under way.
    pub(super) fn progress(&self, game: Game, info: &Info) -> String {
        let line = |index: usize, candidate: &Candidate| -> Vec<Move> {
            if index == 0 && info.line.first() == Some(&candidate.mv) {
                info.line.clone()
            } else {
                vec![candidate.mv]
            }
        };
        let moves = info.candidates.iter().enumerate();
        self.line(game, info.nodes, moves.map(|(i, one)| (one.score, line(i, one))).collect())
    }

    /// The report on a search that has ended.
    pub(super) fn result(&self, game: Game, choices: &[&Choice]) -> String {
        let nodes = choices.first().map_or(0, |choice| choice.nodes);
        let line = |choice: &&Choice| match choice.line.first() == Some(&choice.mv) {
            true => (choice.score, choice.line.clone()),
            false => (choice.score, vec![choice.mv]),
        };
        self.line(game, nodes, choices.iter().map(line).collect())
    }

    fn line(&self, game: Game, nodes: u64, moves: Vec<(i32, Vec<Move>)>) -> String {
        let mut taken: Vec<Square> = Vec::new();
        let mut text: Vec<String> = Vec::new();
        for (score, line) in moves {
            let first = line.first().and_then(|mv| mv.iter().find(|square| !taken.contains(square)));
            let Some(first) = first.filter(|_| taken.len() < self.most) else { continue };
            let order = taken.len();
            taken.push(first);
            let winrate = chance(score);
            let values = match self.style {
                Style::LeelaZero => {
                    let share = (10_000.0 * winrate).round();
                    format!("winrate {share:.0} prior 0 lcb {share:.0}")
                }
                Style::KataGo => {
                    let utility = 2.0 * winrate - 1.0;
                    format!(
                        "utility {utility:.6} winrate {winrate:.6} scoreMean 0 scoreStdev 0 scoreLead 0 \
                         scoreSelfplay 0 prior 0 lcb {winrate:.6} utilityLcb {utility:.6}"
                    )
                }
            };
            let rest = line.iter().flat_map(Move::iter).filter(|&square| square != first);
            let stones: Vec<String> =
                std::iter::once(first).chain(rest).map(|square| coords::gtp(game, square)).collect();
            text.push(format!(
                "info move {} visits {nodes} {values} order {order} pv {}",
                stones[0],
                stones.join(" ")
            ));
        }
        text.join(" ")
    }
}

fn is_side(word: &str) -> bool {
    ["b", "w", "black", "white"].iter().any(|side| side.eq_ignore_ascii_case(word))
}

fn centiseconds(text: &str) -> Option<Duration> {
    let number: u64 = text.parse().ok()?;
    Some(Duration::from_millis(number.checked_mul(10)?.max(10)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(text: &str) -> Option<Analyze> {
        let mut words = text.split(' ').map(str::to_string);
        let name = words.next().unwrap();
        Analyze::parse(&name, &words.collect::<Vec<_>>())
    }

    #[test]
    fn sides_intervals_and_limits_come_in_every_order_that_is_used() {
        let every = |text: &str| parsed(text).map(|read| (read.side, read.every.as_millis()));
        assert_eq!(every("lz-analyze 50"), Some((None, 500)));
        assert_eq!(every("lz-analyze b 20"), Some((Some("b".to_string()), 200)));
        assert_eq!(every("kata-analyze W interval 7"), Some((Some("W".to_string()), 70)));
        assert_eq!(every("kata-analyze interval 7 ownership true maxmoves 3"), Some((None, 70)));
        assert_eq!(every("lz-analyze b avoid w J10 1 minmoves 2 10").map(|_| ()), None);
        for bad in ["lz-analyze x", "lz-analyze b interval", "lz-analyze maxmoves 0", "kata-analyze -1"] {
            assert_eq!(parsed(bad), None, "{bad}");
        }
        assert!(parsed("kata-genmove_analyze b 10").unwrap().plays);
    }

    #[test]
    fn each_move_has_a_stone_of_its_own() {
        let game = Game::CONNECT6;
        let mv = |text: &str| game.parse_move(text).unwrap();
        let info = Info {
            depth: 2,
            nodes: 7,
            elapsed: Duration::ZERO,
            score: 0,
            status: lambda6_player::Status::Stable,
            line: vec![mv("j10k11"), mv("a1b2")],
            candidates: ["j10k11", "j10l12", "j10k11"]
                .into_iter()
                .map(|text| Candidate { mv: mv(text), score: 0 })
                .collect(),
        };
        let text = parsed("lz-analyze").unwrap().progress(game, &info);
        assert_eq!(
            text,
            "info move K10 visits 7 winrate 5000 prior 0 lcb 5000 order 0 pv K10 L11 A1 B2 \
             info move M12 visits 7 winrate 5000 prior 0 lcb 5000 order 1 pv M12 K10 \
             info move L11 visits 7 winrate 5000 prior 0 lcb 5000 order 2 pv L11 K10"
        );
        let text = parsed("kata-analyze maxmoves 1").unwrap().progress(game, &info);
        assert!(text.starts_with("info move K10 visits 7 utility 0.000000 winrate 0.500000 "), "{text}");
        assert_eq!(text.matches("info").count(), 1);
    }
}
