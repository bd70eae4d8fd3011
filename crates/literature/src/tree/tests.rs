//! The tree against definitions written out, after random expansions.

use super::*;
use lambda6_rules::{Game, Move, Position, Setup, Side};
use lambda6_search::{Budget, Limits};
use lambda6_threats::{Board, Play};
use proptest::prelude::*;

/// What is called a proof and a disproof number, from nothing but the states,
/// the rests and the shape of the tree: no number that a node holds is looked at.
fn by_definition(tree: &SearchTree, id: SearchNodeId, known: &mut Vec<Option<(u64, u64)>>) -> (u64, u64) {
    const NEVER: u64 = u64::MAX;
    if let Some(numbers) = known[id.index()] {
        return numbers;
    }
    let node = tree.node(id);
    let below: Vec<(u64, u64)> =
        node.children().iter().map(|edge| by_definition(tree, edge.node, known)).collect();
    let rest = node.rest().map(u64::from);
    let numbers = if node.state().is_won() {
        (0, NEVER)
    } else if node.state() != State::Open {
        (NEVER, 0)
    } else if node.kind() == Kind::Or {
        let proved = below.iter().any(|&(pn, _)| pn == 0);
        let pn = below.iter().map(|&(pn, _)| pn).chain(rest).min().unwrap_or(NEVER);
        let dn: u64 = below.iter().map(|&(_, dn)| if proved { 0 } else { dn }).sum();
        (pn, if proved { NEVER } else { dn + u64::from(rest.is_some()) })
    } else {
        let refuted = below.iter().any(|&(_, dn)| dn == 0);
        let all_proved = below.iter().all(|&(pn, _)| pn == 0);
        let pn =
            if refuted { NEVER } else { below.iter().map(|&(pn, _)| pn).sum::<u64>() + rest.unwrap_or(0) };
        let dn = match (all_proved, rest) {
            (true, Some(_)) => 1,
            (true, None) => NEVER,
            _ => below.iter().map(|&(_, dn)| dn).min().unwrap_or(NEVER),
        };
        (pn, dn)
    };
    known[id.index()] = Some(numbers);
    numbers
}

fn assert_numbers(tree: &SearchTree) -> Result<(), TestCaseError> {
    let mut known = vec![None; tree.len()];
    let finite = |number: u32| if number == INFINITE { u64::MAX } else { number.into() };
    for id in tree.ids() {
        let expected = by_definition(tree, id, &mut known);
        let node = tree.node(id);
        prop_assert_eq!((finite(node.pn()), finite(node.dn())), expected, "node {}", id.index());
        for edge in node.children() {
            prop_assert!(tree.node(edge.node).parents().contains(&id));
        }
    }
    Ok(())
}

/// Goes down at random to a node that can be expanded; the moves made.
fn random_walk(
    tree: &SearchTree,
    board: &mut Board,
    mut choose: impl FnMut(usize) -> usize,
) -> (SearchNodeId, Vec<(Side, Move)>) {
    let (mut id, mut path) = (SearchTree::ROOT, Vec::new());
    loop {
        let node = tree.node(id);
        let open: Vec<Edge> =
            node.children().iter().copied().filter(|edge| tree.node(edge.node).is_open()).collect();
        let stay = usize::from(node.rest().is_some());
        let choice = choose(open.len() + stay);
        let Some(edge) = open.get(choice) else { return (id, path) };
        let side = if node.kind() == Kind::Or { tree.attacker() } else { tree.attacker().other() };
        board.place_all(side, edge.mv);
        path.push((side, edge.mv));
        id = edge.node;
    }
}

/// Stones near the middle of some boards.
fn positions() -> impl Strategy<Value = (Position, Side)> {
    let games = [(19, 19, 6, 2, 1), (7, 7, 5, 2, 1), (6, 6, 4, 1, 1), (7, 6, 6, 3, 1), (9, 9, 6, 2, 1)]
        .map(|(m, n, k, p, q)| Game::new(m, n, k, p, q).unwrap());
    let stones = proptest::collection::vec((-3..=3i32, -3..=3i32), 4..18);
    (proptest::sample::select(games.to_vec()), stones, any::<bool>(), any::<bool>()).prop_filter_map(
        "no position",
        |(game, stones, black, first)| {
            let middle = lambda6_rules::Square::new(
                usize::from(game.rows() / 2) * usize::from(game.cols()) + usize::from(game.cols() / 2),
            );
            let mut setup = Setup { game, black: Vec::new(), white: Vec::new(), to_move: Side::Black };
            for (i, (dx, dy)) in stones.into_iter().enumerate() {
                let Some(square) = game.offset(middle, dx, dy) else { continue };
                if !setup.black.contains(&square) && !setup.white.contains(&square) {
                    if i % 2 == 0 { setup.black.push(square) } else { setup.white.push(square) }
                }
            }
            let attacker = if black { Side::Black } else { Side::White };
            setup.to_move = if first { attacker } else { attacker.other() };
            Some((setup.position().ok()?, attacker))
        },
    )
}

fn stage(full: bool, partial: bool, cells: bool) -> Stage {
    Stage { offer: Offer { full, partial, cells }, batch: 4, limit: 5 }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..Default::default() })]

    /// Random nodes are expanded, stages are opened and nodes forgotten, in any
    /// order: the numbers are those of the definition at any time, the zones can
    /// be worked out, and what is written to files is read back.
    #[test]
    fn numbers_follow_from_the_whole_tree(
        (position, attacker) in positions(),
        choices in proptest::collection::vec((any::<u32>(), 0..60u8), 1..50),
        effort in 0..40u64,
    ) {
        let game = position.game();
        let stages = [stage(true, false, false), stage(false, true, false), stage(false, false, true)];
        let mut tools = Tools::new(game, effort, 1 << 20);
        let mut budget = Budget::within(Limits::default());
        let mut board = Board::from_position(&position);
        let most = 2_000;
        let mut tree = SearchTree::new(attacker, most);
        let mut growth =
            Growth { tree: &mut tree, stages: &stages, tools: &mut tools, budget: &mut budget };
        growth.plant(&mut board, position.to_move()).unwrap();
        let mut numbers = choices.iter().map(|&(choice, _)| choice as usize).cycle();
        for &(_, action) in &choices {
            if !growth.tree.root().is_open() {
                if growth.tree.root().is_proved() || growth.tree.stage == 2 {
                    break;
                }
                growth.tree.open_stage();
                assert_numbers(growth.tree)?;
                continue;
            }
            if action == 0 {
                let before = (growth.tree.root().pn(), growth.tree.root().dn());
                let last = growth.tree.stage == 2;
                growth.tree.collect(last);
                prop_assert_eq!(before, (growth.tree.root().pn(), growth.tree.root().dn()));
                assert_numbers(growth.tree)?;
            }
            let (id, path) =
                random_walk(growth.tree, &mut board, |count| numbers.next().unwrap_or(0) % count.max(1));
            let expanded = growth.expand(&mut board, id);
            for (side, mv) in path.into_iter().rev() {
                board.remove_all(side, mv);
            }
            assert_numbers(growth.tree)?;
            prop_assert!(growth.tree.len() <= most);
            if expanded.is_err() {
                break;
            }
        }
        prop_assert_eq!(board.key(attacker), Board::from_position(&position).key(attacker));
        if growth.tree.root().is_proved() {
            growth.zones(&mut board, SearchTree::ROOT).unwrap();
        }
        let snapshot = Snapshot::of(growth.tree, &position, "random");
        prop_assert_eq!(snapshot.first_wrong(), None);
        prop_assert_eq!(&Snapshot::from_json(&snapshot.to_json().unwrap()).unwrap(), &snapshot);
        // On a small board there may be no room for spare stones.
        if let Ok(sgf) = snapshot.to_sgf() {
            prop_assert_eq!(&Snapshot::from_sgf(&sgf).unwrap(), &snapshot);
        } else {
            prop_assert!(game.area() < 100);
        }
    }
}

#[test]
fn files_that_are_no_trees_are_refused() {
    let node = |children: &str| {
        format!(
            r#"{{"kind":"tree","schema":1,"game":[19,19,6,2,1],"black":["j10"],"white":[],"to_move":"white","attacker":"white","search":"x","nodes":[{{"attacker_moves":true,"proof":1,"disproof":1,"state":"open","children":[{children}]}}]}}"#
        )
    };
    assert!(Snapshot::from_json(&node("")).is_ok());
    let refused = |text: &str| Snapshot::from_json(text).unwrap_err().to_string();
    assert_eq!(refused(&node(r#"["a1b1",0]"#)), "node 0: a1b1 leads to node 0, expected a later one");
    assert_eq!(refused(&node(r#"["a1b1",7]"#)), "node 0: a1b1 leads to node 7, expected a later one");
    assert!(refused(&node(r#"["z99",1]"#)).starts_with("node 0: "));
    assert!(refused(&node("").replace("open", "shut")).contains("expected open, row, threats"));
    assert!(refused(&node("").replace("\"tree\"", "\"bush\"")).contains("expected kind \"tree\""));
    assert!(refused(&node("").replace("true", "false")).starts_with("node 0: the side to move"));
    assert!(refused("{").contains("line 1"));
    for text in [
        "(;FF[4])",
        "(;FF[4]C[attacker: black\nnodes: 99\nnode: 0])",
        "(;FF[4]C[attacker: black\nnodes: 1])",
        "x",
    ] {
        assert!(Snapshot::from_sgf(text.as_bytes()).is_err(), "{text}");
    }
}
