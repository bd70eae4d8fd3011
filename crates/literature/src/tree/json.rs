//! Trees as JSON, for programs: the shape that `docs/FORMATS.md` describes.

use super::{
    INFINITE, Kind, State,
    snapshot::{Knot, Snapshot, SnapshotError, move_name},
};
use lambda6_rules::{Game, Move, Setup, Square};
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize)]
struct TreeJson {
    kind: String,
    schema: u32,
    game: [u32; 5],
    black: Vec<String>,
    white: Vec<String>,
    to_move: String,
    attacker: String,
    search: String,
    nodes: Vec<NodeJson>,
}

#[derive(Serialize, Deserialize)]
struct NodeJson {
    /// Whether the attacker is to move.
    attacker_moves: bool,
    /// `None` for infinite.
    proof: Option<u32>,
    disproof: Option<u32>,
    state: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    rest: Option<u32>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    children: Vec<(String, usize)>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    zones: Vec<Vec<String>>,
}

const SCHEMA: u32 = 1;

impl Snapshot {
    /// The tree as one line of JSON.
    pub fn to_json(&self) -> Result<String, SnapshotError> {
        let game = self.game();
        let names = |squares: &[Square]| squares.iter().map(|&square| game.square_name(square)).collect();
        let finite = |number: u32| Some(number).filter(|&number| number != INFINITE);
        let node = |knot: &Knot| NodeJson {
            attacker_moves: knot.kind == Kind::Or,
            proof: finite(knot.pn),
            disproof: finite(knot.dn),
            state: knot.state.name().to_string(),
            rest: knot.rest,
            children: knot.children.iter().map(|(mv, child)| (move_name(game, mv), *child)).collect(),
            zones: knot.zones.iter().map(|zone| names(zone)).collect(),
        };
        let tree = TreeJson {
            kind: "tree".to_string(),
            schema: SCHEMA,
            game: [game.cols(), game.rows(), game.k(), game.p(), game.q()].map(u32::from),
            black: names(&self.setup.black),
            white: names(&self.setup.white),
            to_move: self.setup.to_move.name().to_string(),
            attacker: self.attacker.name().to_string(),
            search: self.search.clone(),
            nodes: self.nodes.iter().map(node).collect(),
        };
        serde_json::to_string(&tree).map_err(|error| SnapshotError::Json(error.to_string()))
    }

    /// Reads such a tree.
    pub fn from_json(text: &str) -> Result<Snapshot, SnapshotError> {
        let tree: TreeJson =
            serde_json::from_str(text).map_err(|error| SnapshotError::Json(error.to_string()))?;
        let whole = |error: &dyn std::fmt::Display| SnapshotError::Whole(error.to_string());
        if tree.kind != "tree" || tree.schema != SCHEMA {
            return Err(SnapshotError::Whole(format!("expected kind \"tree\" and schema {SCHEMA}")));
        }
        let [m, n, k, p, q] = tree.game;
        let game = Game::new(m, n, k, p, q).map_err(|error| whole(&error))?;
        let squares = |names: &[String]| -> Result<Vec<Square>, SnapshotError> {
            names.iter().map(|name| game.parse_square(name).map_err(|error| whole(&error))).collect()
        };
        let nodes = tree.nodes.iter().enumerate().map(|(number, node)| node.knot(game, number));
        let snapshot = Snapshot {
            setup: Setup {
                game,
                black: squares(&tree.black)?,
                white: squares(&tree.white)?,
                to_move: tree.to_move.parse().map_err(|error| whole(&error))?,
            },
            attacker: tree.attacker.parse().map_err(|error| whole(&error))?,
            search: tree.search.clone(),
            nodes: nodes.collect::<Result<_, _>>()?,
        };
        snapshot.validate()
    }
}

impl NodeJson {
    fn knot(&self, game: Game, number: usize) -> Result<Knot, SnapshotError> {
        let wrong = |error: &dyn std::fmt::Display| SnapshotError::node(number, error.to_string());
        let mv = |name: &str| match name {
            "-" => Ok(Move::NULL),
            _ => game.parse_move(name).map_err(|error| wrong(&error)),
        };
        let square = |name: &String| game.parse_square(name).map_err(|error| wrong(&error));
        let states = || State::ALL.map(State::name).join(", ");
        Ok(Knot {
            kind: if self.attacker_moves { Kind::Or } else { Kind::And },
            pn: self.proof.unwrap_or(INFINITE),
            dn: self.disproof.unwrap_or(INFINITE),
            state: State::parse(&self.state)
                .ok_or_else(|| wrong(&format!("state {:?}, expected {}", self.state, states())))?,
            rest: self.rest,
            children: self
                .children
                .iter()
                .map(|(name, child)| Ok((mv(name)?, *child)))
                .collect::<Result<_, SnapshotError>>()?,
            zones: self
                .zones
                .iter()
                .map(|zone| zone.iter().map(square).collect())
                .collect::<Result<_, SnapshotError>>()?,
        })
    }
}
