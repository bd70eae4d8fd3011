//! A certificate told by another one.
//!
//! Two openings that are won by the same third move have certificates that mostly agree: where
//! the same stones stand but for White's first two, Black mostly answers with the same move. So
//! the replies of one certificate foretell those of the other, board by board, and only the
//! others are kept.

use crate::entry::Token;
use lambda6_proof::{Certificate, CertifyError, Method, Replies, Why};
use lambda6_rules::{Move, Position, Side};
use lambda6_threats::Board;
use rustc_hash::FxHashMap;

/// The replies of a certificate as another position sees them.
pub type Foretold = FxHashMap<u64, Move>;

/// A proof told by another one.
#[derive(Debug)]
pub struct Told {
    /// The proof.
    pub certificate: Certificate,
    /// Its replies, without those that were foretold.
    pub tokens: Vec<Token>,
    /// Its replies, to tell others.
    pub replies: Replies,
}

/// Walks a proof, given by its replies, and leaves out what is foretold.
pub fn shortened(
    position: &Position,
    attacker: Side,
    method: Method,
    replies: &[Move],
    foretold: &Foretold,
) -> Result<Told, CertifyError> {
    let (mut given, mut tokens, mut run) = (replies.iter(), Vec::new(), 0);
    let mut replies = Replies::new(position, attacker);
    let mut source = |board: &mut Board| {
        let reply = given.next().ok_or(Why::Exhausted)?.sorted();
        let key = board.key(attacker);
        replies.add(board, &reply);
        if foretold.get(&key).is_some_and(|known| known.sorted() == reply) {
            run += 1;
        } else {
            if run > 0 {
                tokens.push(Token::AsBase(std::mem::take(&mut run)));
            }
            tokens.push(Token::Reply(reply));
        }
        Ok(reply)
    };
    let certificate = Certificate::walk(position, attacker, method, &mut source)?;
    if run > 0 {
        tokens.push(Token::AsBase(run));
    }
    nothing_left(&certificate, given.next().is_none())?;
    Ok(Told { certificate, tokens, replies })
}

fn nothing_left(certificate: &Certificate, nothing: bool) -> Result<(), CertifyError> {
    if nothing {
        return Ok(());
    }
    let reply = certificate.replies().len() as u64 + 1;
    Err(CertifyError::Refused { reply, reason: "the walk does not ask for it".to_string() })
}

/// The certificate of which [`shortened`] gave these tokens. The checker's walk decides what is
/// asked, so that what comes back is a proof or an error, whatever the tokens are.
pub fn restored(
    position: &Position,
    attacker: Side,
    method: Method,
    tokens: &[Token],
    foretold: &Foretold,
) -> Result<Certificate, CertifyError> {
    let (mut tokens, mut run) = (tokens.iter(), 0);
    let mut source = |board: &mut Board| {
        if run == 0 {
            match tokens.next() {
                Some(Token::Reply(reply)) => return Ok(*reply),
                Some(&Token::AsBase(count)) if count > 0 => run = count,
                _ => return Err(Why::Exhausted),
            }
        }
        run -= 1;
        foretold.get(&board.key(attacker)).map(|reply| reply.sorted()).ok_or(Why::Exhausted)
    };
    let certificate = Certificate::walk(position, attacker, method, &mut source)?;
    nothing_left(&certificate, run == 0 && tokens.next().is_none())?;
    Ok(certificate)
}
