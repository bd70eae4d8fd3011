//! A review as a document, and back.

use crate::{
    ApiError, PositionSpec, ProofDoc, Proofs, Stones,
    notation::{line_names, move_name, parse_side},
};
use lambda6_proof::{Certificate, Win};
use lambda6_review::{Judgement, PlayedGame, Review, SideSummary, Standing, Turning, Verdict, remark};
use lambda6_rules::{Game, Move, Position, Side};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Another good move of a position.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ReviewedReply {
    /// The move.
    pub r#move: String,
    /// Black's chance of winning after it, 0 to 1.
    pub black_chance: f64,
}

/// How a position of a game stands.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ReviewedPosition {
    /// The number of moves before it.
    pub after: usize,
    /// `black` or `white`.
    pub to_move: String,
    /// Black's chance of winning, 0 to 1; 0 or 1 where the game is over or a win is proved.
    pub black_chance: f64,
    /// How sure that is: `over`; `proved`, with a certificate; `search`, where a search has seen the
    /// end and nothing is proved; `estimate`.
    pub certainty: String,
    /// The side that wins: `black`, `white` or nothing.
    #[serde(default)]
    pub winner: Option<String>,
    /// The winner's moves in the longest line of a proof, up to the one that connects or makes more
    /// threats than can be met.
    #[serde(default)]
    pub length: Option<usize>,
    /// The verdict in words, such as `black wins in 3 (proved)`.
    pub verdict: String,
    /// The expected line, the best move first. Its moves are whole and can be played. Where the side
    /// to move is lost it is the longest defence.
    #[serde(default)]
    pub line: Vec<String>,
    /// The next best moves.
    #[serde(default)]
    pub others: Vec<ReviewedReply>,
    /// The proof of a win, which can be browsed and downloaded.
    #[serde(default)]
    pub proof: Option<ProofDoc>,
    /// Positions and moves searched.
    #[serde(default)]
    pub nodes: u64,
}

/// A move of a game, judged by the positions before and after it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ReviewedMove {
    /// Counted from 1.
    pub number: usize,
    /// Who played it.
    pub side: String,
    /// The move.
    pub r#move: String,
    /// `wins` (a known win is kept), `lost` (the position was lost before), `best`, `good`,
    /// `inaccuracy`, `mistake` or `blunder`.
    pub quality: String,
    /// What it lost of the mover's chance of winning, 0 to 1.
    pub loss: f64,
    /// The mover had a proved win, and after the move none is known. The proof is that of the
    /// position before the move.
    pub missed_win: bool,
    /// After it the other side has a proved win, which it had not before as far as known. The proof
    /// is that of the position after the move.
    pub loses_by_proof: bool,
    /// It begins a forced win of two moves or more, or is the only good move.
    pub strong: bool,
    /// What there is to say of it, in sentences; empty where it was as expected.
    pub remark: String,
}

/// The last move at which the loser could have held.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ReviewTurningDoc {
    /// The number of the move, from 1.
    pub number: usize,
    /// Who lost.
    pub loser: String,
    /// Whether it is proved that the move loses. Otherwise a search has seen it.
    pub loss_is_proved: bool,
    /// What was better, the move first.
    pub better: Vec<String>,
    /// Whether `better` is a proved win. Otherwise a search takes it to hold.
    pub better_is_proved: bool,
}

/// One side's moves.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ReviewSideDoc {
    /// Moves that were judged.
    pub moves: usize,
    /// The average of what they lost, 0 to 1.
    pub average_loss: f64,
    /// Small losses.
    pub inaccuracies: usize,
    /// Larger ones.
    pub mistakes: usize,
    /// The largest.
    pub blunders: usize,
    /// Forced wins that were missed.
    pub missed_wins: usize,
    /// Moves after which the other side had a proved win.
    pub proved_mistakes: usize,
}

/// The review of a game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ReviewDoc {
    /// The game.
    pub position: PositionSpec,
    /// The side that won, by a row, by the record or as the last position stands.
    #[serde(default)]
    pub winner: Option<String>,
    /// Whether all positions were looked at.
    pub complete: bool,
    /// The positions that were looked at, in order.
    pub positions: Vec<ReviewedPosition>,
    /// The moves that can be judged, in order.
    #[serde(default)]
    pub moves: Vec<ReviewedMove>,
    /// The numbers of the moves that were inaccuracies, mistakes or blunders, the largest loss first.
    #[serde(default)]
    pub mistakes: Vec<usize>,
    /// The numbers of the moves that missed a forced win.
    #[serde(default)]
    pub missed_wins: Vec<usize>,
    /// The last move at which the loser could have held.
    #[serde(default)]
    pub turning: Option<ReviewTurningDoc>,
    /// Black's moves.
    pub black: ReviewSideDoc,
    /// White's moves.
    pub white: ReviewSideDoc,
}

impl ReviewedPosition {
    /// The document of a position. `proof` is that of its win.
    pub fn of(review: &Review, after: usize, proof: Option<ProofDoc>) -> Option<ReviewedPosition> {
        let standing = review.standing(after)?;
        let game = review.game().game();
        let others = standing.others.iter().map(|(mv, black_chance)| ReviewedReply {
            r#move: move_name(game, mv),
            black_chance: *black_chance,
        });
        Some(ReviewedPosition {
            after,
            to_move: review.game().positions()[after].to_move().to_string(),
            black_chance: standing.black_chance,
            certainty: standing.certainty().to_string(),
            winner: standing.winner().map(|side| side.to_string()),
            length: standing.win().map(|win| win.certificate().depth()),
            verdict: standing.to_string(),
            line: line_names(game, &standing.line),
            others: others.collect(),
            proof,
            nodes: standing.nodes,
        })
    }

    /// The standing, if it can be had without a search: a win is proved only if its proof is here.
    pub(crate) fn standing(
        &self,
        position: &Position,
        proofs: &Proofs,
        field: &str,
    ) -> Result<Option<Standing>, ApiError> {
        if let Some(outcome) = position.outcome() {
            return Ok(Some(Standing::over(outcome)));
        }
        if !(0.0..=1.0).contains(&self.black_chance) {
            return Err(ApiError::field(format!("{field}.black_chance"), "expected 0 to 1"));
        }
        let winner = self.winner.as_ref().map(|text| parse_side(text, &format!("{field}.winner")));
        let verdict = match (self.certainty.as_str(), winner.transpose()?) {
            ("proved", _) => return Ok(self.proved(position, proofs)),
            ("search", Some(side)) => Verdict::Search(side),
            ("estimate", None) => Verdict::Estimate,
            _ => {
                let expected = "expected proved, search with a winner, or estimate without";
                return Err(ApiError::field(format!("{field}.certainty"), expected));
            }
        };
        let game = position.game();
        let line = moves(position, &self.line, &format!("{field}.line"))?;
        let other = |(i, other): (usize, &ReviewedReply)| {
            let mv = game.parse_move(&other.r#move);
            Ok((mv.map_err(|e| ApiError::field(format!("{field}.others[{i}].move"), e))?, other.black_chance))
        };
        let others = self.others.iter().enumerate().map(other).collect::<Result<_, ApiError>>()?;
        Ok(Some(Standing { verdict, black_chance: self.black_chance, line, others, nodes: self.nodes }))
    }

    /// The win that is proved by a proof that is here.
    fn proved(&self, position: &Position, proofs: &Proofs) -> Option<Standing> {
        let proof = proofs.get(&self.proof.as_ref()?.id).ok()?;
        let certificate = Certificate::read(proof.text()).ok()?;
        let is_of_this = certificate.position().setup() == position.setup();
        is_of_this.then(|| Standing::proved(Win::new(certificate), self.nodes))
    }
}

/// The moves of a line that is played from a position.
fn moves(position: &Position, line: &[String], field: &str) -> Result<Vec<Move>, ApiError> {
    let mut position = position.clone();
    let played = |(i, text): (usize, &String)| {
        let field = || format!("{field}[{i}]");
        let mv = position.game().parse_move(text).map_err(|e| ApiError::field(field(), e))?;
        position.play(&mv).map_err(|e| ApiError::field(field(), e))?;
        Ok(mv)
    };
    line.iter().enumerate().map(played).collect()
}

impl ReviewedMove {
    /// The document of a move, if it can be judged.
    pub fn of(review: &Review, index: usize) -> Option<ReviewedMove> {
        review.judgement(index).map(|judged| ReviewedMove::judged(review, &judged))
    }

    fn judged(review: &Review, judged: &Judgement) -> ReviewedMove {
        ReviewedMove {
            number: judged.index + 1,
            side: judged.side.to_string(),
            r#move: review.game().game().move_name(&judged.mv),
            quality: judged.quality.to_string(),
            loss: judged.loss,
            missed_win: judged.missed_win,
            loses_by_proof: judged.loses_by_proof,
            strong: judged.is_strong,
            remark: remark(review, judged),
        }
    }
}

impl ReviewTurningDoc {
    fn of(game: Game, turning: &Turning) -> ReviewTurningDoc {
        ReviewTurningDoc {
            number: turning.index + 1,
            loser: turning.loser.to_string(),
            loss_is_proved: turning.loss_is_proved,
            better: line_names(game, &turning.better),
            better_is_proved: turning.better_is_proved,
        }
    }
}

impl From<SideSummary> for ReviewSideDoc {
    fn from(summary: SideSummary) -> ReviewSideDoc {
        let [inaccuracies, mistakes, blunders] = summary.mistakes;
        ReviewSideDoc {
            moves: summary.moves,
            average_loss: summary.average_loss(),
            inaccuracies,
            mistakes,
            blunders,
            missed_wins: summary.missed_wins,
            proved_mistakes: summary.proved_mistakes,
        }
    }
}

impl ReviewDoc {
    /// The document of a review. `proof` gives that of the win of a position.
    pub fn of<E>(
        review: &Review,
        mut proof: impl FnMut(usize, &Certificate) -> Result<Option<ProofDoc>, E>,
    ) -> Result<ReviewDoc, E> {
        let game = review.game();
        let mut positions = Vec::new();
        for after in 0..game.positions().len() {
            let win = review.standing(after).and_then(Standing::win);
            let proof = win.map(|win| proof(after, win.certificate())).transpose()?.flatten();
            positions.extend(ReviewedPosition::of(review, after, proof));
        }
        let numbers = |judged: Vec<Judgement>| judged.iter().map(|judged| judged.index + 1).collect();
        let start = &game.positions()[0];
        let is_setup = *start != Position::new(game.game());
        let position = PositionSpec {
            game: Some(game.game().to_string()),
            start: is_setup.then(|| Stones::of(start)),
            moves: line_names(game.game(), game.moves()),
        };
        Ok(ReviewDoc {
            position,
            winner: review.winner().map(|side| side.to_string()),
            complete: review.is_complete(),
            positions,
            moves: review.judgements().map(|judged| ReviewedMove::judged(review, &judged)).collect(),
            mistakes: numbers(review.mistakes()),
            missed_wins: numbers(review.missed_wins()),
            turning: review.turning().map(|turning| ReviewTurningDoc::of(game.game(), &turning)),
            black: review.summary(Side::Black).into(),
            white: review.summary(Side::White).into(),
        })
    }

    /// The review that a document tells of. A win whose proof is not here is left out, as if the
    /// position had not been looked at.
    pub fn review(&self, proofs: &Proofs, field: &str) -> Result<Review, ApiError> {
        let game = played(&self.position, self.winner.as_deref(), field)?;
        let mut review = Review::new(game);
        known(&mut review, &self.positions, proofs, &format!("{field}positions"))?;
        Ok(review)
    }
}

/// The game of a request. `field` is what stands before the names of its fields.
pub(crate) fn played(spec: &PositionSpec, winner: Option<&str>, field: &str) -> Result<PlayedGame, ApiError> {
    let (_, moves) = spec.position()?;
    let winner = winner.map(|text| parse_side(text, &format!("{field}winner"))).transpose()?;
    PlayedGame::new(spec.start()?, moves, winner).map_err(|error| match error {
        lambda6_review::PlayedGameError::Move { number, why } => {
            ApiError::field(format!("{field}position.moves[{}]", number - 1), why)
        }
        error => ApiError::field(format!("{field}position.moves"), error),
    })
}

/// Takes over positions that were looked at before.
pub(crate) fn known(
    review: &mut Review,
    positions: &[ReviewedPosition],
    proofs: &Proofs,
    field: &str,
) -> Result<(), ApiError> {
    for (i, doc) in positions.iter().enumerate() {
        let field = format!("{field}[{i}]");
        let Some(position) = review.game().positions().get(doc.after) else {
            return Err(ApiError::field(format!("{field}.after"), "the game has fewer moves"));
        };
        if let Some(standing) = doc.standing(&position.clone(), proofs, &field)? {
            review.set(doc.after, standing);
        }
    }
    Ok(())
}
