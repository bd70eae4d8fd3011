//! The search against definitions that take no short cuts.

mod filters;

use super::{
    filters::{Filter, FilterContext},
    graph::Slots,
    macro_moves::{Category, Pieces, Split, threat_stones},
    options::DbsOptions,
    search::{DbsSearch, Ply, Run},
    zones,
};
use crate::{ComparisonOptions, ComparisonSolver, ComparisonStrategy, VcdtVariant};
use lambda6_proof::SolveError;
use lambda6_rules::{Game, Move, Position, Setup, Side, Square};
use lambda6_search::{
    Budget, Limits, Silent, Why, WinSearch,
    vcdt::{Defence, Partners, VcdtOptions, VcdtSearch},
};
use lambda6_threats::{Attack, Board, Play, ThreatCount, defence};
use proptest::{prelude::*, strategy::Strategy as Generate};

/// Games with two stones a move, on boards small and large.
fn games() -> impl Generate<Value = Game> {
    prop_oneof![
        Just([7, 7, 4, 2, 1]),
        Just([9, 8, 5, 2, 1]),
        Just([11, 11, 6, 2, 1]),
        Just([19, 19, 6, 2, 1]),
        Just([6, 5, 3, 2, 2]),
    ]
    .prop_map(|[m, n, k, p, q]| Game::new(m, n, k, p, q).unwrap())
}

/// Stones strewn over the middle of the board, Black to move and nobody with a
/// threat.
fn positions() -> impl Generate<Value = Position> {
    (games(), any::<u64>(), 3..16usize, 0..14usize).prop_filter_map(
        "a threat",
        |(game, seed, black, white)| {
            let position = strew(game, seed, black, white)?;
            let board = Board::from_position(&position);
            let quiet = Side::ALL.into_iter().all(|side| !board.has_threat(side));
            quiet.then_some(position)
        },
    )
}

fn strew(game: Game, seed: u64, black: usize, white: usize) -> Option<Position> {
    let mut random = Random(seed | 1);
    let middle = |length: u8| (length.saturating_sub(9) / 2, length.min(9));
    let ((left, wide), (low, high)) = (middle(game.cols()), middle(game.rows()));
    let mut squares: Vec<Square> =
        (0..wide).flat_map(|col| (0..high).map(move |row| game.square(left + col, low + row))).collect();
    let mut draw = |count: usize| -> Vec<Square> {
        (0..count.min(squares.len() / 3)).map(|_| squares.swap_remove(random.below(squares.len()))).collect()
    };
    Setup { game, black: draw(black), white: draw(white), to_move: Side::Black }.position().ok()
}

/// A small generator of the tests' own: cases must repeat from their seed.
struct Random(u64);

impl Random {
    fn below(&mut self, most: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % most
    }
}

/// The squares of all segments that are threats of Black with these stones more
/// on the board.
fn threats_with(board: &Board, more: &[Square]) -> Vec<Vec<Square>> {
    let (game, geometry) = (board.game(), board.geometry());
    let mut found = Vec::new();
    for line in geometry.lines() {
        for start in 0..=geometry.line_len(line) - game.k() {
            let squares: Vec<Square> =
                (start..start + game.k()).map(|i| geometry.square(line, i.into())).collect();
            let own = |s: &&Square| board.at(**s) == Some(Side::Black) || more.contains(s);
            let active = squares.iter().all(|&s| board.at(s) != Some(Side::White));
            if active && squares.iter().filter(own).count() + 2 >= usize::from(game.k()) {
                found.push(squares);
            }
        }
    }
    found
}

/// Whether one stone meets all these threats.
fn one_meets(board: &Board, threats: &[Vec<Square>], more: &[Square]) -> bool {
    let mut squares = board.game().squares().filter(|&s| board.is_empty(s) && !more.contains(&s));
    squares.any(|square| threats.iter().all(|threat| threat.contains(&square)))
}

/// The category of a double threat by its definition, and its half-moves.
fn split_naively(board: &Board, a: Square, b: Square) -> Split {
    let (of_a, of_b) = (threats_with(board, &[a]), threats_with(board, &[b]));
    let half = |category, first, second| Split { category, first: Pieces::one(first), second: Some(second) };
    if of_a.is_empty() && of_b.is_empty() {
        return Split { category: Category::Other, first: Pieces::two(a, b), second: None };
    }
    for (x, y, threats) in [(a, b, &of_a), (b, a, &of_b)] {
        if !threats.is_empty() && !one_meets(board, threats, &[x]) {
            return half(Category::Other, x, y);
        }
    }
    let together: Vec<_> = of_a.iter().chain(&of_b).cloned().collect();
    match (of_a.is_empty(), of_b.is_empty()) {
        (false, false) if !one_meets(board, &together, &[a, b]) => half(Category::Independent, a, b),
        (false, _) => half(Category::Dependent, a, b),
        _ => half(Category::Dependent, b, a),
    }
}

/// A search stopped at the root, for the tests to walk about in.
fn with_run(position: &Position, filter: Filter, visit: impl FnOnce(&mut Run<'_, '_, '_>)) {
    let options = DbsOptions { filter, ..DbsOptions::default() };
    let mut search = DbsSearch::new(position.game(), options, 1 << 12).unwrap();
    let mut board = Board::from_position(position);
    let mut budget = Budget::within(Limits::default());
    visit(&mut Run::new(&mut search, &mut board, Side::Black, &mut budget, &mut Silent));
}

/// One macro-move of a walk: its primitive moves and the defence.
struct Step {
    split: Split,
    defence: Vec<Square>,
}

/// The graph of a line built from nothing: for each primitive move its stones
/// and the places of what it depends on.
fn build_naively(root: &Position, line: &[Step]) -> Vec<(Pieces, Slots)> {
    let mut board = Board::from_position(root);
    let mut built: Vec<(Pieces, Slots)> = Vec::new();
    for Step { split, defence } in line {
        let before = built.len();
        let mut parts = vec![(split.first, split.first.iter().collect::<Vec<_>>())];
        if let Some(second) = split.second {
            let beside = match split.category {
                Category::Dependent => split.first.iter().chain([second]).collect(),
                _ => vec![second],
            };
            parts.push((Pieces::one(second), beside));
        }
        for (index, (pieces, stones)) in parts.into_iter().enumerate() {
            let mut depends = 0;
            let free = index == 1 && split.category == Category::Other;
            for threat in threats_with(&board, &stones).iter().filter(|_| !free) {
                if !pieces.iter().any(|square| threat.contains(&square)) {
                    continue;
                }
                for (slot, (earlier, _)) in built[..before].iter().enumerate() {
                    if earlier.iter().any(|square| threat.contains(&square)) {
                        depends |= 1 << slot;
                    }
                }
            }
            if index == 1 && split.category == Category::Dependent {
                depends |= 1 << before;
            }
            built.push((pieces, depends));
        }
        split.first.iter().chain(split.second).for_each(|square| board.place(Side::Black, square));
        board.place_all(Side::White, defence);
    }
    built
}

/// Looks at every candidate of the position that a walk has come to, and
/// returns those that split.
fn look_around(run: &mut Run<'_, '_, '_>, here: &mut Ply) -> Vec<(Move, Split)> {
    here.theirs.find(run.board, Side::White);
    if here.theirs.count() == ThreatCount::More || run.board.has_row(Side::White) {
        return Vec::new();
    }
    if run.search.attack.overwhelming(run.board, Side::Black, &here.theirs).is_some() {
        return Vec::new();
    }
    run.generate(here);
    let attack = &run.search.attack;
    let split = |[a, b]: [Square; 2]| (Move::pair(a, b), Split::of(attack, a, b));
    here.moves.iter().map(|ranked| split(ranked.squares())).collect()
}

/// Filters nest, in whatever state the graph is.
fn check_nesting(run: &Run<'_, '_, '_>, here: &mut Ply, split: &Split, paired: bool) {
    let candidate = run.resolve(here, split);
    let recent = run.line.len() - run.search.graph.recent();
    let last: Vec<Square> = run.line[recent..].iter().flat_map(|mv| mv.iter()).collect();
    let mut star = Vec::new();
    zones::star(run.board, Side::Black, &last, &mut star);
    let node = FilterContext {
        game: run.board.game(),
        graph: &run.search.graph,
        star: &star,
        last: &last,
        inverted: !here.theirs.count().is_none(),
        paired: &|_| paired,
    };
    let [plain, f1, f2, f3, f4, f5] = Filter::ALL.map(|filter| node.will_search(filter, &candidate));
    assert!(plain);
    assert!(f1 <= f2 && f2 <= f3, "{f1} {f2} {f3}");
    assert!(f4 <= f5 && f5 <= f3, "{f3} {f4} {f5}");
    if split.category != Category::Independent {
        assert_eq!(f3, f4);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, ..ProptestConfig::default() })]

    #[test]
    fn double_threats_fall_into_their_categories(position in positions()) {
        let mut board = Board::from_position(&position);
        let mut attack = Attack::new(position.game());
        let mut moves = Vec::new();
        attack.full_threats(&mut board, Side::Black, &mut moves);
        let empty: Vec<Square> = position.empty_squares().collect();
        for mv in moves.iter().step_by(1 + moves.len() / 40) {
            let a = mv.squares()[0];
            // A stone that makes two threats alone takes any partner.
            let b = mv.squares().get(1).copied().or(empty.iter().copied().find(|&b| b != a));
            let Some(b) = b else { continue };
            prop_assert_eq!(Split::of(&attack, a, b), split_naively(&board, a.min(b), a.max(b)));
            let mut found = Vec::new();
            threat_stones(&board, Side::Black, a, Some(b), |stone| found.push(stone));
            found.sort_unstable();
            found.dedup();
            let threats = threats_with(&board, &[a, b]);
            let stones = position.stones(Side::Black);
            let expected: Vec<_> =
                stones.filter(|s| threats.iter().any(|t| t.contains(s) && t.contains(&a))).collect();
            prop_assert_eq!(found, expected);
        }
    }

    /// Walks up and down the tree at random. At every step the active part of
    /// the graph is that of the line alone.
    #[test]
    fn the_graph_grown_step_by_step_is_that_of_the_line(position in positions(), seed in any::<u64>()) {
        with_run(&position, Filter::F5, |run| {
            let mut random = Random(seed | 1);
            let (mut here, mut line): (Ply, Vec<Step>) = Default::default();
            for _ in 0..40 {
                here.cells.clear();
                let moves = look_around(run, &mut here);
                for (_, split) in moves.iter().step_by(1 + moves.len() / 10) {
                    check_nesting(run, &mut here, split, random.below(2) == 0);
                }
                if moves.is_empty() || line.len() > 8 || random.below(4) == 0 {
                    let Some(Step { defence, .. }) = line.pop() else { continue };
                    run.search.graph.end_move();
                    run.remove_all(Side::White, defence);
                    let mv = run.line.pop().unwrap();
                    run.remove_all(Side::Black, mv);
                } else {
                    let (mv, split) = moves[random.below(moves.len().min(12))];
                    here.cells.clear();
                    let candidate = run.resolve(&mut here, &split);
                    run.place_all(Side::Black, mv);
                    here.ours.find(run.board, Side::Black);
                    assert!(here.ours.count().at_least(2));
                    let mut defence = Vec::new();
                    here.ours.conservative(&mut defence);
                    let places = run.add_to_graph(&candidate, !here.theirs.count().is_none());
                    run.place_all(Side::White, &defence);
                    run.note_inversion(places, &mut here.blocks);
                    run.line.push(mv);
                    line.push(Step { split, defence });
                }
                let active: Vec<_> = run.search.graph.active().collect();
                assert_eq!(active, build_naively(&position, &line));
                check_zones(run);
            }
            run.search.graph.forget_inactive();
            let active: Vec<_> = run.search.graph.active().collect();
            assert_eq!(active, build_naively(&position, &line));
            assert!(run.search.graph.len() <= active.len());
        });
    }

    /// Every win claimed has a certificate that the checker walks, and is found
    /// by the plain search too.
    #[test]
    fn every_win_is_one(position in positions(), which in 0..6usize, normal: bool, deepen: bool, table: bool) {
        let filter = Filter::ALL[which];
        let defence = if normal { Defence::Normal } else { Defence::Conservative };
        let dbs = DbsOptions { defence, deepen, table, depth: 6, ..DbsOptions::default() };
        let mut solver = solver(position.game(), VcdtVariant::Filtered(filter), dbs);
        let solved = solver.solve(&position, Side::Black, &mut Budget::of_nodes(2_000), &mut Silent);
        let solved = match solved {
            Ok(solved) => solved,
            Err(SolveError::Over(_)) => return Ok(()),
            Err(error) => return Err(TestCaseError::fail(error.to_string())),
        };
        if solved.report.verdict.win().is_some() {
            let mut plain = VcdtSearch::new(position.game(), 1 << 18);
            let mut board = Board::from_position(&position);
            let options = VcdtOptions { partners: Partners::All, ..VcdtOptions::default() };
            let found = plain.wins(&mut board, Side::Black, options, &mut Budget::of_nodes(20_000));
            prop_assert!(matches!(found, Ok(true) | Err(Why::Nodes)));
        }
    }
}

fn solver(game: Game, variant: VcdtVariant, dbs: DbsOptions) -> ComparisonSolver {
    let strategy = ComparisonStrategy::Vcdt { variant, options: VcdtOptions::default(), dbs };
    ComparisonSolver::new(
        game,
        ComparisonOptions { table_bytes: 1 << 18, ..ComparisonOptions::new(strategy) },
    )
}

/// The attacking zone of what is active holds the stones of every active move
/// reachable from it.
fn check_zones(run: &Run<'_, '_, '_>) {
    let graph = &run.search.graph;
    let active: Vec<_> = graph.active().collect();
    for (later, (pieces, depends)) in active.iter().enumerate() {
        let reach = graph.reach(*depends) | 1 << later;
        for earlier in (0..=later).filter(|slot| reach >> slot & 1 != 0) {
            let zone = graph.attacking_zone(graph.edge_at(earlier));
            assert!(pieces.iter().all(|square| zones::contains(zone, square)));
        }
    }
}

#[test]
fn the_star_ends_at_stones_of_the_other_side() {
    let game = Game::CONNECT6;
    let mut board = Board::new(game);
    let at = |name| game.parse_square(name).unwrap();
    board.place(Side::Black, at("j10"));
    board.place(Side::White, at("j12"));
    let mut star = Vec::new();
    zones::star(&board, Side::Black, &[at("j10")], &mut star);
    for name in ["j10", "j11", "o10", "e10", "o15", "e5", "e15", "j5"] {
        assert!(zones::contains(&star, at(name)), "{name}");
    }
    for name in ["j12", "j13", "p10", "d10", "k12", "j4"] {
        assert!(!zones::contains(&star, at(name)), "{name}");
    }
}

#[test]
fn a_hyperedge_is_found_again_by_its_stones_and_sources() {
    let mut graph = super::Graph::new(Game::CONNECT6);
    let [a, b, c] = [3, 7, 200].map(|index| Pieces::one(Square::new(index)));
    graph.new_round();
    graph.begin_move(false);
    let first = graph.add(a, 0);
    graph.begin_move(false);
    let second = graph.add(b, 1 << first);
    let known = graph.edge_at(second);
    graph.end_move();
    assert_eq!(graph.find(b, 1 << first, None), Some(known));
    assert_eq!(graph.find(b, 0, None), None);
    // The same two moves behind another that they have nothing to do with.
    graph.end_move();
    graph.begin_move(false);
    graph.add(c, 0);
    graph.begin_move(false);
    let first = graph.add(a, 0);
    assert_eq!(graph.find(b, 1 << first, None), Some(known));
    assert_eq!(graph.len(), 3);
    assert!(zones::contains(graph.attacking_zone(graph.edge_at(first)), Square::new(7)));
}

#[test]
fn only_two_stones_a_move_have_halves() {
    let error = DbsSearch::new(Game::GO_MOKU, DbsOptions::default(), 1 << 12).err().unwrap();
    assert_eq!(error.to_string(), "dependency-based search is for games with two stones a move, not 1");
    // The solver falls back on the plain search.
    let text = "game: go-moku\nblack: g8 h8 i8\nwhite: a1 a3 a5\nto-move: black\n";
    let position = Setup::parse(text).unwrap().position().unwrap();
    let mut solver = solver(Game::GO_MOKU, VcdtVariant::Mixed, DbsOptions::default());
    let mut budget = Budget::within(Limits::default());
    let solved = solver.solve(&position, Side::Black, &mut budget, &mut Silent).unwrap();
    assert!(solved.report.verdict.win().is_some());
}

#[test]
fn names_are_read_back() {
    for filter in Filter::ALL {
        assert_eq!(filter.name().parse(), Ok(filter));
    }
    use VcdtVariant::{Dfpn, Filtered, Mixed, Plain};
    for variant in [Plain, Mixed, Dfpn, Filtered(Filter::F3)] {
        assert_eq!(variant.to_string().parse(), Ok(variant));
    }
    assert!("f9".parse::<VcdtVariant>().is_err());
}

/// The line itself is the strategy: whatever real defences come, its next move
/// can be played and leaves the defender no stone.
#[test]
fn the_line_wins_against_every_defence() {
    let text = "game: 13 13 6 2 1\nblack: k2 k8 h9 k6\nwhite: l4 i6 h4 i4\nto-move: black\n";
    let position = Setup::parse(text).unwrap().position().unwrap();
    let mut search = DbsSearch::new(position.game(), DbsOptions::default(), 1 << 12).unwrap();
    let mut board = Board::from_position(&position);
    let (side, mut budget) = (Side::Black, Budget::within(Limits::default()));
    search.search(&mut board, side, side, &mut budget, &mut Silent).unwrap();
    fn walk(board: &mut Board, search: &mut DbsSearch, left: u32) -> u32 {
        assert!(left > 0, "the line does not end");
        let reply = search.reply(board, Side::Black, &mut Budget::of_nodes(0)).unwrap();
        board.place_all(Side::Black, reply);
        let mut defences = lambda6_threats::Defences::default();
        defences.find(board, Side::Black);
        assert!(defence::count(board, Side::Black).at_least(2));
        assert!(!board.has_threat(Side::White));
        let mut leaves = u32::from(defences.iter().next().is_none());
        for defence in defences.iter() {
            leaves += board.play(Side::White, defence, |board| walk(board, search, left - 1));
        }
        board.remove_all(Side::Black, reply);
        leaves
    }
    assert!(walk(&mut board, &mut search, 12) > 1);
}
