//! Orders in a search's file, for the process that works on the search. An order
//! is a line of text in the table `orders`.

use super::{SqliteStore, Store, StoreError};
use crate::{FieldError, NodeId, Steer, SteerError};
use lambda6_rules::Game;
use rusqlite::params;
use std::{
    path::Path,
    thread,
    time::{Duration, Instant},
};

/// The text of the order to stop.
const STOP: &str = "stop";
/// How often a waiting process looks at the state of its order.
const LOOK_EVERY: Duration = Duration::from_millis(20);

/// The contents of an order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Request {
    /// Stop working on the search.
    Stop,
    /// Change the search.
    Steer(Steer),
    /// The text is no order.
    Unreadable(FieldError),
}

/// An order and its state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Order {
    /// Its number: orders are numbered as they come.
    pub id: i64,
    /// Its text.
    pub words: String,
    /// Its state.
    pub state: OrderState,
}

/// The state of an order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OrderState {
    /// It waits for a process.
    Waiting,
    /// It was carried out.
    Done,
    /// It could not be carried out, for this reason.
    Refused(String),
}

/// Why an order was not carried out.
#[derive(Debug, thiserror::Error)]
pub enum OrderError {
    /// The search's file cannot be read or written.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The search does not allow it.
    #[error(transparent)]
    Steer(#[from] SteerError),
    /// The process that works on the search refused it.
    #[error("{0}")]
    Refused(String),
    /// The process that works on the search did not react in time.
    #[error("{path}: the process that works on it does not answer")]
    NoAnswer {
        /// The search's file.
        path: String,
    },
}

/// The text of an order.
fn words(game: Game, order: &Steer) -> String {
    let mv = order.mv().map_or(String::new(), |mv| format!(" {}", game.move_name(mv)));
    format!("{} {}{mv}", order.verb(), order.node())
}

/// The order of a text.
fn parse(game: Game, words: &str) -> Request {
    let parse = || {
        let mut parts = words.split_whitespace();
        let verb = parts.next().unwrap_or_default();
        let node = parts.next().and_then(|node| node.parse().ok()).map(NodeId);
        let node = node.ok_or_else(|| FieldError::new("node", "expected the number of a node"))?;
        let mv = parts.next().map(|text| game.parse_move(text)).transpose();
        let mv = mv.map_err(|error| FieldError::new("move", error))?;
        Steer::new(verb, node, mv).map_err(|error| FieldError::new("order", error))
    };
    if words == STOP { Request::Stop } else { parse().map_or_else(Request::Unreadable, Request::Steer) }
}

impl SqliteStore {
    /// Carries out an order on the search in a file: at once if no process works on
    /// the search, otherwise by leaving it to that process, for whose answer this
    /// waits.
    pub fn give_order(path: &Path, order: &Steer, patience: Duration) -> Result<(), OrderError> {
        match SqliteStore::open(path) {
            Ok(mut store) => {
                let mut search = store.load()?;
                search.steer(order)?;
                store.commit(&search.take_changes())?;
                // Forced nodes are not part of the tree: the order waits for a process.
                if matches!(order, Steer::Force(_) | Steer::Verify(_)) {
                    store.leave_order(order)?;
                }
                Ok(())
            }
            Err(StoreError::Locked { .. }) => {
                let store = SqliteStore::visit(path)?;
                store.wait_for(store.leave_order(order)?, patience)
            }
            Err(error) => Err(error.into()),
        }
    }

    /// Asks the process that works on the search in a file to stop, and waits until
    /// it has taken the order. False if no process works on the search.
    pub fn give_stop(path: &Path, patience: Duration) -> Result<bool, OrderError> {
        match SqliteStore::open(path) {
            Ok(_) => Ok(false),
            Err(StoreError::Locked { .. }) => {
                let store = SqliteStore::visit(path)?;
                store.wait_for(store.leave_stop()?, patience)?;
                Ok(true)
            }
            Err(error) => Err(error.into()),
        }
    }

    /// Waits until an order is dealt with.
    fn wait_for(&self, id: i64, patience: Duration) -> Result<(), OrderError> {
        let begin = Instant::now();
        while begin.elapsed() < patience {
            match self.order(id)?.map(|order| order.state) {
                Some(OrderState::Waiting) => thread::sleep(LOOK_EVERY),
                Some(OrderState::Done) => return Ok(()),
                Some(OrderState::Refused(why)) => return Err(OrderError::Refused(why)),
                None => break,
            }
        }
        Err(OrderError::NoAnswer { path: self.path.clone() })
    }

    /// Writes an order into the file. Returns its number.
    pub fn leave_order(&self, order: &Steer) -> Result<i64, StoreError> {
        self.leave_words(&words(self.game(), order))
    }

    /// Writes the order to stop into the file. Returns its number.
    pub fn leave_stop(&self) -> Result<i64, StoreError> {
        self.leave_words(STOP)
    }

    fn leave_words(&self, words: &str) -> Result<i64, StoreError> {
        let insert = || {
            self.db.execute("INSERT INTO orders (words) VALUES (?1)", [words])?;
            Ok(self.db.last_insert_rowid())
        };
        insert().map_err(|source| self.failed(source))
    }

    /// The waiting orders by number.
    pub fn waiting_orders(&self) -> Result<Vec<(i64, Request)>, StoreError> {
        let query = || {
            let mut query =
                self.db.prepare_cached("SELECT id, words FROM orders WHERE state = 'waiting' ORDER BY id")?;
            let rows = query.query_map([], |row| Ok((row.get(0)?, row.get::<_, String>(1)?)))?;
            rows.collect::<Result<Vec<_>, _>>()
        };
        let rows = query().map_err(|source| self.failed(source))?;
        Ok(rows.into_iter().map(|(id, words)| (id, parse(self.game(), &words))).collect())
    }

    /// Sets the state of an order.
    pub fn close_order(&self, id: i64, state: &OrderState) -> Result<(), StoreError> {
        let (state, answer) = match state {
            OrderState::Waiting => ("waiting", ""),
            OrderState::Done => ("done", ""),
            OrderState::Refused(why) => ("refused", why.as_str()),
        };
        let update = "UPDATE orders SET state = ?2, answer = ?3 WHERE id = ?1";
        self.db.execute(update, params![id, state, answer]).map_err(|source| self.failed(source))?;
        Ok(())
    }

    /// An order by its number; `None` if there is none.
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
