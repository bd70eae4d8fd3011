//! `lambda6 search steer`: a person helps.

use super::pause::wait;
use crate::{cli::Answer, output};
use anyhow::{Result, bail};
use clap::ValueEnum;
use jobs::{NodeId, OrderState, SqliteStore, Store, StoreError};
use serde::Serialize;
use std::path::PathBuf;

const AFTER_HELP: &str = "\
Nodes are numbered; `search status` and the comments of `search export` show the numbers,
and 0 is the root. What can be ordered:
  suggest NODE MOVE   try this move soon
  forbid NODE MOVE    leave this move alone for good
  allow NODE MOVE     take that back
  force NODE          look for the next move of this node before anything else
  verify NODE         list all defences of this node before anything else
  pause NODE          leave this node and all below it alone
  resume NODE         take that back, also where jobs failed too often
A process that works on the search carries the order out at once; if there is none, the
order is carried out now. Nothing of it changes what is proved.

Examples:
  lambda6 search steer opening.l6 suggest 0 k11l10
  lambda6 search steer opening.l6 pause 17 --json";

/// Suggest or forbid a move, force a node, pause a subtree
#[derive(clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Steer {
    /// The search's file
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// What to do
    #[arg(value_enum, value_name = "ORDER")]
    order: Order,

    /// The number of the node
    #[arg(value_name = "NODE")]
    node: u32,

    /// The move
    #[arg(value_name = "MOVE")]
    mv: Option<String>,

    /// Print one line of JSON instead of text
    #[arg(long)]
    json: bool,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq)]
enum Order {
    Suggest,
    Forbid,
    Allow,
    Force,
    Verify,
    Pause,
    Resume,
}

/// The document that `--json` prints; docs/FORMATS.md describes it.
#[derive(Serialize)]
struct SteerJson {
    node: u32,
    done: bool,
}

impl Steer {
    pub(crate) fn run(&self) -> Result<Answer> {
        let store = SqliteStore::visit(&self.file)?;
        let order = self.order(store.settings().root.game())?;
        match SqliteStore::open(&self.file) {
            Ok(mut store) => {
                let mut search = store.load()?;
                search.steer(&order)?;
                store.commit(&search.take_changes())?;
                // Forced nodes are not part of the tree: they wait for a process.
                if matches!(order, jobs::Steer::Force(_) | jobs::Steer::Verify(_)) {
                    store.leave_order(&order)?;
                }
            }
            Err(StoreError::Locked { .. }) => {
                let id = store.leave_order(&order)?;
                match wait(&store, id)? {
                    Some(OrderState::Done) => {}
                    Some(OrderState::Refused(why)) => bail!("{why}"),
                    _ => bail!("{}: the process that works on it does not answer", self.file.display()),
                }
            }
            Err(error) => return Err(error.into()),
        }
        if self.json {
            output::json("search-steer", SteerJson { node: self.node, done: true })?;
        } else {
            output::text("done\n")?;
        }
        Ok(Answer::Yes)
    }

    fn order(&self, game: rules::Game) -> Result<jobs::Steer> {
        let node = NodeId(self.node);
        let takes_move = matches!(self.order, Order::Suggest | Order::Forbid | Order::Allow);
        let mv = match (&self.mv, takes_move) {
            (Some(text), true) => Some(game.parse_move(text)?),
            (None, true) => bail!("a MOVE is missing, such as k11l10"),
            (Some(_), false) => bail!("this order takes no MOVE"),
            (None, false) => None,
        };
        Ok(match (self.order, mv) {
            (Order::Suggest, Some(mv)) => jobs::Steer::Suggest(node, mv),
            (Order::Forbid, Some(mv)) => jobs::Steer::Forbid(node, mv),
            (Order::Allow, Some(mv)) => jobs::Steer::Allow(node, mv),
            (Order::Force, _) => jobs::Steer::Force(node),
            (Order::Verify, _) => jobs::Steer::Verify(node),
            (Order::Pause, _) => jobs::Steer::Pause(node),
            (Order::Resume, _) => jobs::Steer::Resume(node),
            (_, None) => bail!("a MOVE is missing, such as k11l10"),
        })
    }
}
