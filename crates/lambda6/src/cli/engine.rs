//! `lambda6 engine`: the player behind an engine protocol.

use super::Exit;
use crate::{
    output,
    player_args::{OpeningArgs, PlayerArgs, levels_help},
};
use anyhow::{Context, Result, bail};
use clap::ValueEnum;
use lambda6_engine::{
    Notice, Notices, PlayerThinker, Session, botzone, botzone::Botzone, cloudict::Cloudict, coords, drive,
    gomocup, gomocup::Gomocup, gtp::Gtp, sau::Sau,
};
use lambda6_player::{Info, Level, TimeControl};
use lambda6_rules::Game;
use serde::Serialize;
use std::{
    io::{self, BufReader},
    sync::Arc,
};

const AFTER_HELP: &str = concat!(
    "\
Speaks the protocol on standard input and output until `quit` (`END`) or the end of the input.
Commands are read during a search too: quit ends at once, GoGui's interrupt returns the
best move so far. docs/ENGINE.md describes the protocols.

",
    levels_help!(),
    "
Examples:
  lambda6 engine --protocol gtp
  lambda6 engine --protocol gtp-pairs --level kagami --time 300s+2s
  lambda6 engine --protocol sau --time 20s --threads 2 --ponder
  lambda6 engine --protocol cloudict --time 5000n
  lambda6 engine --protocol botzone --time 900ms --log
  lambda6 engine --protocol gomocup --threads 2"
);

/// Play behind an engine protocol: GTP, SAU, Cloudict, Botzone, Gomocup
#[derive(clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Engine {
    /// The protocol
    #[arg(long, value_enum, value_name = "PROTOCOL")]
    protocol: ProtocolArg,

    /// The level
    #[arg(long, value_name = "LEVEL", default_value_t)]
    level: Level,

    /// The time control, until the protocol sets one [default: 5s, for botzone 900ms]
    #[arg(long, value_name = "TIME")]
    time: Option<TimeControl>,

    /// The game [default: connect6, for botzone on the 15x15 board; gomocup plays go-moku
    /// on the board that START names]
    #[arg(long, value_name = "GAME")]
    game: Option<Game>,

    #[command(flatten)]
    player: PlayerArgs,

    #[command(flatten)]
    known: OpeningArgs,

    /// Think during the opponent's time; not with a limit of nodes
    #[arg(long)]
    ponder: bool,

    /// Botzone: ask to be kept running between moves
    #[arg(long)]
    keep_running: bool,

    /// Report the progress of searches on standard error
    #[arg(long)]
    log: bool,

    /// Report it as lines of JSON
    #[arg(long)]
    json: bool,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq)]
enum ProtocolArg {
    /// GTP, a stone at a time, until the other side plays a pair
    Gtp,
    /// GTP, a move at a time
    GtpPairs,
    /// The SAU platform
    Sau,
    /// Cloudict's text protocol
    Cloudict,
    /// Botzone's JSON
    Botzone,
    /// Gomocup's (Piskvork's) protocol with Yixin's commands, for go-moku
    Gomocup,
}

/// The engine's name in the protocols.
const NAME: &str = concat!("lambda6-", env!("CARGO_PKG_VERSION"));

impl Engine {
    pub(crate) fn run(&self) -> Result<Exit> {
        let game = self.game();
        let mut session = self.session(game)?;
        let options = self.known.add_to(self.player.options(self.level));
        let mut thinker = PlayerThinker::new(options).pondering(self.ponder);
        // Gomocup's manager names the board and the memory before the first move.
        if self.protocol != ProtocolArg::Gomocup {
            thinker = thinker.ready(game);
        }
        let notices = self.notices();
        let input = BufReader::new(io::stdin());
        drive(session.as_mut(), Box::new(thinker), input, &mut io::stdout().lock(), &notices)
            .context("standard output: cannot be written")?;
        Ok(Exit::Yes)
    }

    fn game(&self) -> Game {
        self.game.unwrap_or_else(|| match self.protocol {
            ProtocolArg::Botzone => botzone::botzone_game(),
            ProtocolArg::Gomocup => Game::GO_MOKU,
            _ => Game::CONNECT6,
        })
    }

    fn session(&self, game: Game) -> Result<Box<dyn Session>> {
        let is_botzone = self.protocol == ProtocolArg::Botzone;
        let default = std::time::Duration::from_millis(if is_botzone { 900 } else { 5000 });
        let time = self.time.unwrap_or(TimeControl::PerMove(default));
        let (fits, most) = match self.protocol {
            ProtocolArg::Gtp | ProtocolArg::GtpPairs => (coords::gtp_suffices(game), coords::MAX_GTP),
            ProtocolArg::Sau | ProtocolArg::Cloudict => (coords::letters_suffice(game), coords::MAX_LETTERS),
            ProtocolArg::Botzone => (true, 0),
            ProtocolArg::Gomocup if !gomocup::is_gomocup_game(game) => {
                bail!(
                    "--game {game}: the protocol is for five in a row with one stone a move, on boards from 5x5 to 64x64"
                );
            }
            ProtocolArg::Gomocup => (true, 0),
        };
        if !fits {
            bail!("--game {game}: the protocol has names for at most {most} rows and columns");
        }
        Ok(match self.protocol {
            ProtocolArg::Gtp => Box::new(Gtp::new(game, time, false)),
            ProtocolArg::GtpPairs => Box::new(Gtp::new(game, time, true)),
            ProtocolArg::Sau => Box::new(Sau::new(game, time, NAME)),
            ProtocolArg::Cloudict => Box::new(Cloudict::new(game, time, NAME)),
            ProtocolArg::Botzone => Box::new(Botzone::new(game, time, self.keep_running)),
            ProtocolArg::Gomocup => Box::new(Gomocup::new(time)),
        })
    }

    fn notices(&self) -> Notices {
        let (log, json) = (self.log || self.json, self.json);
        Arc::new(move |notice| match notice {
            Notice::Note(text) if json => output::note(&serde_json::json!({ "note": text }).to_string()),
            Notice::Note(text) => output::note(&format!("note: {text}")),
            Notice::Progress(info) if log => output::note(&progress(info, json)),
            Notice::Progress(_) => {}
        })
    }
}

/// A progress report of a search, as text or JSON.
fn progress(info: &Info, json: bool) -> String {
    #[derive(Serialize)]
    struct Progress<'a> {
        depth: u32,
        nodes: u64,
        seconds: f64,
        score: i32,
        status: &'a str,
    }
    let status = info.status.to_string();
    let seconds = info.elapsed.as_secs_f64();
    if json {
        let Info { depth, nodes, score, .. } = *info;
        let progress = Progress { depth, nodes, seconds, score, status: &status };
        return serde_json::to_string(&progress).unwrap_or_default();
    }
    format!(
        "depth {} nodes {} time {seconds:.2} score {} status {status}",
        info.depth, info.nodes, info.score
    )
}
