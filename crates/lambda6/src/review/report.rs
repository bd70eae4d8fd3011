//! A review as text and as JSON.

use super::{games::ReviewedGame, state};
use anyhow::Result;
use lambda6_api::{InfoDoc, ReviewDoc, ReviewSideDoc};
use lambda6_review::{Review, Tally, remark, summary_text};
use lambda6_rules::Side;
use serde::Serialize;
use std::path::{Path, PathBuf};

/// A review of one game: all its moves, the sums, the mistakes by size.
pub(crate) fn one(game: &ReviewedGame) -> String {
    let review = &game.review;
    let rules = review.game().game();
    let mut text = String::from("  # side  move      black  quality     position after it\n");
    for (index, mv) in review.game().moves().iter().enumerate() {
        let standing = review.standing(index + 1);
        let chance = standing.map_or("?".to_string(), |s| format!("{:.0} %", 100.0 * s.black_chance));
        let quality = review.judgement(index).map_or("?", |judged| judged.quality.name());
        let verdict = standing.map_or(String::new(), |standing| match standing.certainty() {
            "estimate" => String::new(),
            _ => standing.to_string(),
        });
        let side = review.game().mover(index);
        let line = format!(
            "{:>3} {side:<5} {:<9} {chance:>5}  {quality:<11} {verdict}",
            index + 1,
            rules.move_name(mv)
        );
        text += line.trim_end();
        text.push('\n');
    }
    text.push('\n');
    text += &summary_text(review, game.names());
    let mistakes = review.mistakes();
    if !mistakes.is_empty() {
        text += "\nmistakes, the largest first:\n";
    }
    for judged in mistakes {
        let mv = rules.move_name(&judged.mv);
        text += &format!("{:>3} {} {mv}: {}\n", judged.index + 1, judged.side, remark(review, &judged));
    }
    text
}

/// The reviews of many games: a line for each, and the players.
pub(crate) fn many(games: &[ReviewedGame]) -> String {
    let mut text = String::new();
    for game in games {
        let review = &game.review;
        let [black, white] = Side::ALL.map(|side| review.summary(side));
        let result = review.winner().map_or("no winner known".to_string(), |side| format!("{side} wins"));
        let turning = review.turning().map(|turning| {
            let proved = if turning.loss_is_proved { "proved" } else { "search" };
            format!(", turning point move {} ({proved})", turning.index + 1)
        });
        text += &format!(
            "game {}: {} - {}, {} moves, {result}, average loss {:.1} % - {:.1} %, missed wins {} - {}{}{}\n",
            game.number,
            game.name(Side::Black),
            game.name(Side::White),
            review.game().moves().len(),
            100.0 * black.average_loss(),
            100.0 * white.average_loss(),
            black.missed_wins,
            white.missed_wins,
            turning.unwrap_or_default(),
            if review.is_complete() { "" } else { " (not complete)" },
        );
    }
    text.push('\n');
    text += &players_table(games);
    text
}

fn players_table(games: &[ReviewedGame]) -> String {
    let tally = tally(games);
    let players = tally.players();
    let width = players.iter().map(|(name, _)| name.chars().count()).max().unwrap_or(0).max(6);
    let mut text = format!(
        "{:<width$}  games   won  lost  moves  average loss  blunders  mistakes  inaccuracies  missed wins\n",
        "player"
    );
    for (name, player) in players {
        let [inaccuracies, mistakes, blunders] = player.moves.mistakes;
        text += &format!(
            "{name:<width$}  {:>5} {:>5} {:>5} {:>6} {:>11.1} %  {blunders:>8}  {mistakes:>8}  {inaccuracies:>12}  {:>11}\n",
            player.games,
            player.won,
            player.lost,
            player.moves.moves,
            100.0 * player.moves.average_loss(),
            player.moves.missed_wins,
        );
    }
    text
}

fn tally(games: &[ReviewedGame]) -> Tally {
    let mut tally = Tally::default();
    games.iter().for_each(|game| tally.add(game.names(), &game.review));
    tally
}

/// The document that `--json` prints; docs/FORMATS.md describes it.
#[derive(Serialize)]
pub(crate) struct ReviewJson {
    complete: bool,
    games: Vec<GameJson>,
    players: Vec<PlayerJson>,
    state: Option<PathBuf>,
}

#[derive(Serialize)]
struct GameJson {
    number: usize,
    info: InfoDoc,
    proofs: Vec<ProofFileJson>,
    #[serde(flatten)]
    review: ReviewDoc,
}

#[derive(Serialize)]
struct ProofFileJson {
    after: usize,
    file: PathBuf,
}

#[derive(Serialize)]
struct PlayerJson {
    name: String,
    games: usize,
    won: usize,
    lost: usize,
    #[serde(flatten)]
    moves: ReviewSideDoc,
}

/// The name of the file of a certificate.
pub(crate) fn proof_file(directory: &Path, game: usize, after: usize) -> PathBuf {
    directory.join(format!("game-{game}-after-{after}.proof"))
}

impl ReviewJson {
    /// The document of all games. `proofs` is the directory of their certificates, `state` the
    /// file from which the review goes on.
    pub(crate) fn of(
        games: &[ReviewedGame],
        proofs: Option<&Path>,
        state: Option<&Path>,
    ) -> Result<ReviewJson> {
        let game = |game: &ReviewedGame| -> Result<GameJson> {
            let mut files = Vec::new();
            let review = state::document(&game.review, |after, _| {
                let file = proofs.map(|directory| proof_file(directory, game.number, after));
                files.extend(file.map(|file| ProofFileJson { after, file }));
                Ok(())
            })?;
            Ok(GameJson { number: game.number, info: InfoDoc::of(&game.record.info), proofs: files, review })
        };
        let players = tally(games);
        let players = players.players().into_iter().map(|(name, player)| PlayerJson {
            name: name.to_string(),
            games: player.games,
            won: player.won,
            lost: player.lost,
            moves: player.moves.into(),
        });
        Ok(ReviewJson {
            complete: is_complete(games),
            games: games.iter().map(game).collect::<Result<_>>()?,
            players: players.collect(),
            state: state.map(Path::to_path_buf),
        })
    }
}

/// Whether all positions of all games have been looked at.
pub(crate) fn is_complete(games: &[ReviewedGame]) -> bool {
    games.iter().map(|game| &game.review).all(Review::is_complete)
}
