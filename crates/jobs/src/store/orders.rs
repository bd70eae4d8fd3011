//! Orders that people leave in a search's file, for the process that works on
//! it, or will.

use super::{SqliteStore, StoreError};
use crate::{NodeId, Steer};
use rules::Game;
use rusqlite::params;

/// What an order asks for, or why that cannot be read; `None` is to stop.
pub type Asked = Option<Result<Steer, String>>;

/// An order and what became of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Order {
    /// They are numbered as they come.
    pub id: i64,
    /// What was asked for.
    pub words: String,
    /// What became of it.
    pub state: OrderState,
}

/// What became of an order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OrderState {
    /// Nothing yet.
    Waiting,
    /// It was carried out.
    Done,
    /// It could not be.
    Refused(String),
}

/// The words for an order.
fn words(game: Game, order: &Steer) -> String {
    let (verb, mv) = match order {
        Steer::Suggest(_, mv) => ("suggest", Some(mv)),
        Steer::Forbid(_, mv) => ("forbid", Some(mv)),
        Steer::Allow(_, mv) => ("allow", Some(mv)),
        Steer::Force(_) => ("force", None),
        Steer::Verify(_) => ("verify", None),
        Steer::Pause(_) => ("pause", None),
        Steer::Resume(_) => ("resume", None),
    };
    let mv = mv.map_or(String::new(), |mv| format!(" {}", game.move_name(mv)));
    format!("{verb} {}{mv}", order.node())
}

/// The order that the words mean.
fn parse(game: Game, words: &str) -> Result<Steer, String> {
    let parts: Vec<&str> = words.split_whitespace().collect();
    let node = parts.get(1).and_then(|node| node.parse().ok()).map(NodeId);
    let node = node.ok_or_else(|| "expected the number of a node".to_string())?;
    let mv = || {
        let text = parts.get(2).ok_or("expected a move")?;
        game.parse_move(text).map_err(|error| error.to_string())
    };
    match parts[0] {
        "suggest" => Ok(Steer::Suggest(node, mv()?)),
        "forbid" => Ok(Steer::Forbid(node, mv()?)),
        "allow" => Ok(Steer::Allow(node, mv()?)),
        "force" => Ok(Steer::Force(node)),
        "verify" => Ok(Steer::Verify(node)),
        "pause" => Ok(Steer::Pause(node)),
        "resume" => Ok(Steer::Resume(node)),
        other => Err(format!("{other:?} is no order")),
    }
}

impl SqliteStore {
    /// Leaves an order. Returns its number.
    pub fn leave_order(&self, order: &Steer) -> Result<i64, StoreError> {
        self.leave_words(&words(self.game(), order))
    }

    /// Asks the process that works on the search to stop after a moment.
    pub fn leave_stop(&self) -> Result<i64, StoreError> {
        self.leave_words("stop")
    }

    fn leave_words(&self, words: &str) -> Result<i64, StoreError> {
        let insert = || {
            self.db.execute("INSERT INTO orders (words) VALUES (?1)", [words])?;
            Ok(self.db.last_insert_rowid())
        };
        insert().map_err(|source| self.failed(source))
    }

    /// The orders that wait: their number and, if it is not to stop, what is
    /// asked for or why that cannot be read.
    pub fn waiting_orders(&self) -> Result<Vec<(i64, Asked)>, StoreError> {
        let game = self.game();
        let query = || {
            let mut query =
                self.db.prepare_cached("SELECT id, words FROM orders WHERE state = 'waiting' ORDER BY id")?;
            let rows = query.query_map([], |row| Ok((row.get(0)?, row.get::<_, String>(1)?)))?;
            rows.collect::<Result<Vec<_>, _>>()
        };
        let rows = query().map_err(|source| self.failed(source))?;
        let read = |words: String| (words != "stop").then(|| parse(game, &words));
        Ok(rows.into_iter().map(|(id, words)| (id, read(words))).collect())
    }

    /// Tells what became of an order.
    pub fn close_order(&self, id: i64, outcome: Result<(), String>) -> Result<(), StoreError> {
        let (state, answer) = match outcome {
            Ok(()) => ("done", String::new()),
            Err(why) => ("refused", why),
        };
        let update = "UPDATE orders SET state = ?2, answer = ?3 WHERE id = ?1";
        self.db.execute(update, params![id, state, answer]).map_err(|source| self.failed(source))?;
        Ok(())
    }

    /// What became of an order; `None` if there is none of this number.
    pub fn order(&self, id: i64) -> Result<Option<Order>, StoreError> {
        use rusqlite::OptionalExtension;
        let query = "SELECT words, state, answer FROM orders WHERE id = ?1";
        let row = self.db.query_row(query, [id], |row| {
            let state: String = row.get(1)?;
            let state = match state.as_str() {
                "done" => OrderState::Done,
                "refused" => OrderState::Refused(row.get(2)?),
                _ => OrderState::Waiting,
            };
            Ok(Order { id, words: row.get(0)?, state })
        });
        row.optional().map_err(|source| self.failed(source))
    }
}
