//! The entrants of a contest: levels of the player, or programs with a protocol.

use lambda6_player::{Level, TimeControl};
use std::{fmt, path::PathBuf, str::FromStr};

/// The protocol of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Protocol {
    /// GTP with single stones.
    Gtp,
    /// GTP with whole moves.
    GtpPairs,
    /// The protocol of the SAU platform.
    Sau,
    /// The protocol of Cloudict.
    Cloudict,
    /// The protocol of Botzone; the program is started for every move.
    Botzone,
    /// The protocol of Gomocup; go-moku only.
    Gomocup,
}

impl Protocol {
    /// All protocols.
    pub const ALL: [Protocol; 6] = [
        Protocol::Gtp,
        Protocol::GtpPairs,
        Protocol::Sau,
        Protocol::Cloudict,
        Protocol::Botzone,
        Protocol::Gomocup,
    ];

    /// The name.
    pub const fn name(self) -> &'static str {
        match self {
            Protocol::Gtp => "gtp",
            Protocol::GtpPairs => "gtp-pairs",
            Protocol::Sau => "sau",
            Protocol::Cloudict => "cloudict",
            Protocol::Botzone => "botzone",
            Protocol::Gomocup => "gomocup",
        }
    }
}

/// A level or a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Who {
    /// A level of the player.
    Level(Level),
    /// A program: `protocol:command arguments`.
    Program {
        /// Its protocol.
        protocol: Protocol,
        /// The program and its arguments.
        command: Vec<String>,
    },
}

/// The text is neither a level nor a program.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WhoError {
    /// Neither a level nor a protocol.
    #[error(
        "{0:?} is no player: expected novice, casual, club, defense, kagami, strong, or a program such as \
         cloudict:/path/to/engine (gtp:, gtp-pairs:, sau:, cloudict:, botzone:, gomocup:)"
    )]
    Unknown(String),
    /// An open quotation mark, or no program.
    #[error("{0:?} is no command")]
    Command(String),
}

impl FromStr for Who {
    type Err = WhoError;

    fn from_str(text: &str) -> Result<Who, WhoError> {
        if let Ok(level) = text.parse() {
            return Ok(Who::Level(level));
        }
        let unknown = || WhoError::Unknown(text.chars().take(60).collect());
        let (protocol, command) = text.split_once(':').ok_or_else(unknown)?;
        let protocol = Protocol::ALL.into_iter().find(|p| p.name() == protocol).ok_or_else(unknown)?;
        let command = split_words(command).filter(|words| !words.is_empty());
        let command = command.ok_or_else(|| WhoError::Command(text.chars().take(60).collect()))?;
        Ok(Who::Program { protocol, command })
    }
}

/// Splits a command at spaces; quotation marks of either kind keep words
/// together. No shell is involved. `None` for an open quotation mark.
fn split_words(text: &str) -> Option<Vec<String>> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote: Option<char> = None;
    for c in text.chars() {
        match quote {
            Some(mark) if c == mark => quote = None,
            None if c == '"' || c == '\'' => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            None if c.is_whitespace() => words.extend(word.take()),
            _ => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    quote.is_none().then_some(words)
}

impl fmt::Display for Who {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Who::Level(level) => f.write_str(level.name()),
            Who::Program { protocol, command } => write!(f, "{}:{}", protocol.name(), command.join(" ")),
        }
    }
}

/// The time of an entrant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Time {
    /// A time control; an entrant that exceeds its clock loses.
    Control(TimeControl),
    /// No limit.
    Unlimited,
    /// The opponent's mean time for a move so far.
    Same,
}

impl FromStr for Time {
    type Err = lambda6_player::TimeControlParseError;

    fn from_str(text: &str) -> Result<Time, Self::Err> {
        match text {
            "none" => Ok(Time::Unlimited),
            "same" => Ok(Time::Same),
            _ => text.parse().map(Time::Control),
        }
    }
}

impl fmt::Display for Time {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Time::Control(control) => control.fmt(f),
            Time::Unlimited => f.write_str("none"),
            Time::Same => f.write_str("same"),
        }
    }
}

/// A participant of a contest with its settings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entrant {
    /// Its name in tables.
    pub name: String,
    /// The level or program.
    pub who: Who,
    /// Its time.
    pub time: Time,
    /// Lines that a program is sent before every game.
    pub send: Vec<String>,
    /// The working directory of a program; by default the program's own.
    pub directory: Option<PathBuf>,
}

impl Entrant {
    /// An entrant with default settings.
    pub fn new(who: Who, time: Time) -> Entrant {
        let name = match &who {
            Who::Level(level) => level.name().to_string(),
            Who::Program { protocol, command } => {
                let file = command.first().map(PathBuf::from).unwrap_or_default();
                let file = file.file_stem().map(|name| name.to_string_lossy().into_owned());
                file.unwrap_or_else(|| protocol.name().to_string())
            }
        };
        Entrant { name, who, time, send: Vec::new(), directory: None }
    }

    /// The settings that results depend on, for the log.
    pub fn terms(&self) -> String {
        let send: String = self.send.iter().map(|line| format!(" send {line:?}")).collect();
        format!("{} time {}{send}", self.who, self.time)
    }
}

/// Makes the names unique by appending numbers.
pub fn distinguish(entrants: &mut [Entrant]) {
    for i in 1..entrants.len() {
        let (before, rest) = entrants.split_at_mut(i);
        let wanted = rest[0].name.clone();
        let mut number = 2;
        while before.iter().any(|other| other.name == rest[0].name) {
            rest[0].name = format!("{wanted}-{number}");
            number += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_and_programs_are_told_apart() {
        assert_eq!("strong".parse(), Ok(Who::Level(Level::Strong)));
        let who: Who = "cloudict:/opt/my\\ engine '-x y' \"\" z".parse().unwrap();
        let Who::Program { protocol, command } = &who else { panic!() };
        assert_eq!((*protocol, command.len()), (Protocol::Cloudict, 5));
        assert_eq!(command[2..], ["-x y", "", "z"]);
        for text in ["", "grandmaster", "uci:/bin/true", "gtp:", "gtp:  ", "gtp:a 'b"] {
            assert!(text.parse::<Who>().is_err(), "{text}");
        }
    }

    #[test]
    fn times_round_trip() {
        for text in ["1s", "300s+2s", "5000n", "none", "same"] {
            assert_eq!(text.parse::<Time>().unwrap().to_string(), text);
        }
        assert!("soon".parse::<Time>().is_err());
    }

    #[test]
    fn names_become_unique() {
        let entrant = |who: &str| Entrant::new(who.parse().unwrap(), Time::Unlimited);
        let mut all = [entrant("gtp:/a/b.py"), entrant("strong"), entrant("strong"), entrant("strong")];
        distinguish(&mut all);
        assert_eq!(all.map(|e| e.name), ["b", "strong", "strong-2", "strong-3"]);
    }
}
