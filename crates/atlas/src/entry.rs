//! What is known of an opening, and how it is written down.
//!
//! A record is a line of facts and, for a proof, the lines of its replies:
//!
//! ```text
//! proved T-J8 third=k11l10 replies=94647 longest=14 spent=36210 sha256=…
//! k12m12
//! …
//!
//! proved T-I7 third=k11l10 replies=94020 longest=14 spent=1210 sha256=… base=T-J8 turn=0
//! =3117
//! m13l12
//! …
//!
//! open TX-H8 spent=64000000
//! ```
//!
//! A proof that has a base gives only the replies that its base does not tell: `=N` are N
//! replies that are those of the base ([`crate::delta`]).

use lambda6_rules::{Game, Move};
use std::{
    fmt::{self, Write as _},
    str::FromStr,
    sync::Arc,
};

/// What is known of one opening.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Record {
    /// Black wins.
    Proved(Arc<Proved>),
    /// Not decided, with the moves tried so far.
    Open {
        /// The opening's name.
        name: String,
        /// Moves tried in all attempts.
        spent: u64,
    },
}

/// An opening that Black wins, with its certificate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proved {
    /// The opening's name.
    pub name: String,
    /// The winning move.
    pub third: Move,
    /// Replies in the certificate.
    pub replies: u64,
    /// Black's moves in the longest line.
    pub longest: u64,
    /// Moves tried in all attempts.
    pub spent: u64,
    /// The digest of the certificate's text.
    pub sha256: Digest,
    /// The opening whose certificate tells most of the replies.
    pub base: Option<Base>,
    /// The replies, or those that the base does not tell.
    pub tokens: Vec<Token>,
}

/// Another opening, and the number of the symmetry that turns it to this one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Base {
    /// The other opening's name.
    pub name: String,
    /// The symmetry, by its place in [`lambda6_rules::Symmetry::of`].
    pub turn: u8,
}

/// A part of a list of replies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Token {
    /// So many replies as the base has them.
    AsBase(u64),
    /// A reply.
    Reply(Move),
}

/// A SHA-256 digest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Digest(pub [u8; 32]);

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl FromStr for Digest {
    type Err = Malformed;

    fn from_str(text: &str) -> Result<Digest, Malformed> {
        let malformed = || Malformed(format!("{text:?} is no digest of 64 hexadecimal digits"));
        if text.len() != 64 || !text.is_ascii() {
            return Err(malformed());
        }
        let mut digest = [0; 32];
        for (i, byte) in digest.iter_mut().enumerate() {
            *byte = u8::from_str_radix(&text[2 * i..2 * i + 2], 16).map_err(|_| malformed())?;
        }
        Ok(Digest(digest))
    }
}

/// What is wrong with a record.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Malformed(pub String);

impl Record {
    /// The opening's name.
    pub fn name(&self) -> &str {
        match self {
            Record::Proved(proved) => &proved.name,
            Record::Open { name, .. } => name,
        }
    }

    /// The text, which ends with an empty line.
    pub fn write(&self, game: Game, text: &mut String) {
        match self {
            Record::Open { name, spent } => {
                let _ = writeln!(text, "open {name} spent={spent}");
            }
            Record::Proved(proved) => {
                let Proved { name, third, replies, longest, spent, sha256, base, tokens } = &**proved;
                let third = game.move_name(third);
                let _ = write!(text, "proved {name} third={third} replies={replies} longest={longest}");
                let _ = write!(text, " spent={spent} sha256={sha256}");
                if let Some(Base { name, turn }) = base {
                    let _ = write!(text, " base={name} turn={turn}");
                }
                text.push('\n');
                for token in tokens {
                    match token {
                        Token::AsBase(count) => {
                            let _ = write!(text, "={count}");
                        }
                        Token::Reply(reply) => game.write_move(reply, text),
                    }
                    text.push('\n');
                }
            }
        }
        text.push('\n');
    }

    /// Reads the lines of one record, without the empty line.
    pub fn read<'a>(game: Game, mut lines: impl Iterator<Item = &'a str>) -> Result<Record, Malformed> {
        let first = lines.next().unwrap_or_default();
        let mut words = first.split(' ');
        let (kind, name) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
        let facts = Facts { line: first, words: words.collect() };
        let name = name.to_string();
        match kind {
            "open" => Ok(Record::Open { name, spent: facts.need("spent")? }),
            "proved" => Ok(Record::Proved(Arc::new(Proved {
                name,
                third: reply(game, facts.text("third")?)?,
                replies: facts.need("replies")?,
                longest: facts.need("longest")?,
                spent: facts.need("spent")?,
                sha256: facts.text("sha256")?.parse()?,
                base: match facts.find("base") {
                    Some(base) => Some(Base { name: base.to_string(), turn: facts.need("turn")? }),
                    None => None,
                },
                tokens: lines.map(|line| Token::read(game, line)).collect::<Result<_, _>>()?,
            }))),
            _ => Err(Malformed(format!("expected proved or open, found {first:?}"))),
        }
    }
}

impl Token {
    fn read(game: Game, line: &str) -> Result<Token, Malformed> {
        match line.strip_prefix('=') {
            Some(count) => match count.parse() {
                Ok(count) => Ok(Token::AsBase(count)),
                Err(_) => Err(Malformed(format!("expected a number after =, found {line:?}"))),
            },
            None => reply(game, line).map(Token::Reply),
        }
    }
}

fn reply(game: Game, text: &str) -> Result<Move, Malformed> {
    game.parse_move(text).map_err(|error| Malformed(format!("{text:?} is no reply: {error}")))
}

/// The facts of a first line.
struct Facts<'a> {
    line: &'a str,
    words: Vec<&'a str>,
}

impl<'a> Facts<'a> {
    fn find(&self, key: &str) -> Option<&'a str> {
        self.words.iter().find_map(|word| word.strip_prefix(key)?.strip_prefix('='))
    }

    fn text(&self, key: &str) -> Result<&'a str, Malformed> {
        self.find(key).ok_or_else(|| Malformed(format!("expected {key}= in {:?}", self.line)))
    }

    fn need<T: FromStr>(&self, key: &str) -> Result<T, Malformed> {
        let text = self.text(key)?;
        text.parse().map_err(|_| Malformed(format!("expected a number after {key}=, found {text:?}")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn proved() -> Proved {
        let game = Game::CONNECT6;
        let reply = |text: &str| Token::Reply(game.parse_move(text).unwrap());
        Proved {
            name: "TX-H9".to_string(),
            third: game.parse_move("k11l10").unwrap(),
            replies: 9,
            longest: 3,
            spent: 1_000,
            sha256: Digest([0xa5; 32]),
            base: Some(Base { name: "TX-H8".to_string(), turn: 7 }),
            tokens: vec![Token::AsBase(7), reply("k12"), reply("m1a19")],
        }
    }

    #[test]
    fn records_are_read_as_they_are_written() {
        let game = Game::CONNECT6;
        let alone = Proved { base: None, ..proved() };
        let open = Record::Open { name: "T-J8".to_string(), spent: 12 };
        for record in [Record::Proved(Arc::new(proved())), Record::Proved(Arc::new(alone)), open] {
            let mut text = String::new();
            record.write(game, &mut text);
            let body = text.strip_suffix("\n\n").unwrap();
            assert_eq!(Record::read(game, body.lines()), Ok(record));
        }
    }

    #[test]
    fn what_is_wrong_is_named() {
        let game = Game::CONNECT6;
        let mut text = String::new();
        Record::Proved(Arc::new(proved())).write(game, &mut text);
        for (from, to, message) in [
            ("proved", "shown", "expected proved or open"),
            ("replies=", "replied=", "expected replies="),
            ("spent=1000", "spent=x", "expected a number after spent=, found \"x\""),
            ("sha256=a5", "sha256=", "is no digest of 64 hexadecimal digits"),
            ("k12\n", "z99\n", "\"z99\" is no reply"),
            ("\n=7\n", "\n=seven\n", "expected a number after =, found \"=seven\""),
            ("turn=7", "", "expected turn="),
        ] {
            let changed = text.replacen(from, to, 1);
            let error = Record::read(game, changed.trim_end().lines()).unwrap_err().to_string();
            assert!(error.contains(message), "{error}");
        }
    }
}
