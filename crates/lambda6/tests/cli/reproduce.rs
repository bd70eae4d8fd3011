use crate::{json, stdout};
use std::fs;

const PUZZLES: &str = include_str!("../../data/puzzles.tsv");

#[test]
fn the_table_of_dependency_based_search_has_every_program() {
    let directory = tempfile::tempdir().unwrap();
    let figures = directory.path().join("new/figures");
    let arguments =
        ["reproduce", "dbs", "--limit", "3", "--repeat", "1", "--json", "--svg", figures.to_str().unwrap()];
    let document = json(&arguments);
    assert_eq!(document["positions"], 3);
    let programs = document["programs"].as_array().unwrap();
    let names: Vec<&str> = programs.iter().map(|row| row["program"].as_str().unwrap()).collect();
    assert_eq!(names, ["plain", "plain with graph", "F1", "F2", "F3", "F4", "F5"]);
    // The graph alone changes nothing in what is searched.
    assert_eq!(programs[0]["moves"], programs[1]["moves"]);
    assert_eq!(programs[0]["hyperedges"], 0);
    assert_eq!(programs[0]["solved"], 3);
    assert_eq!(document["harder_half"].as_array().unwrap().len(), 7);
    for name in ["dbs-figure-7.svg", "dbs-figure-8.svg"] {
        let figure = fs::read_to_string(figures.join(name)).unwrap();
        assert!(figure.starts_with("<svg") && figure.contains("position"), "{name}");
    }
}

/// What the filters are for: the set was picked by the plain search alone.
#[test]
fn f4_solves_all_that_plain_solves_with_a_fifth_of_its_moves() {
    let document = json(&["reproduce", "dbs", "--repeat", "1", "--time", "100", "--json"]);
    let [plain, f4] = [0, 5].map(|program| &document["harder_half"][program]);
    assert_eq!((f4["program"].as_str(), &f4["solved"]), (Some("F4"), &plain["solved"]));
    assert!(f4["moves"].as_u64().unwrap() * 5 < plain["moves"].as_u64().unwrap());
}

#[test]
fn sets_of_nothing_and_hopeless_ones_make_tables_too() {
    let directory = tempfile::tempdir().unwrap();
    let set = directory.path().join("set.tsv");
    fs::write(&set, "id\tmoves\n1\tj10 i8h9\n").unwrap();
    for limit in ["0", "1"] {
        let arguments = ["reproduce", "dbs", set.to_str().unwrap(), "--limit", limit];
        let figures = directory.path().to_str().unwrap();
        let text = stdout(&[&arguments[..], &["--svg", figures]].concat());
        assert!(text.starts_with(&format!("{limit} positions, depth 10, branching 50")), "{text}");
    }
}

#[test]
fn the_tables_of_the_bitboard_paper_have_every_search() {
    let directory = tempfile::tempdir().unwrap();
    let figures = directory.path().join("figures");
    let set = directory.path().join("set.tsv");
    let row = |id| PUZZLES.lines().find(|line| line.starts_with(id)).unwrap();
    fs::write(&set, ["id", "p040", "p160"].map(row).join("\n")).unwrap();
    let limits = ["--moves", "20000", "--memory", "8"];
    let arguments = ["reproduce", "bitboard", set.to_str().unwrap(), "--svg", figures.to_str().unwrap()];
    let document = json(&[&arguments[..], &limits, &["--nodes", "2000", "--json"]].concat());
    let searches = document["searches"].as_array().unwrap();
    let names: Vec<&str> = searches.iter().map(|column| column["search"].as_str().unwrap()).collect();
    assert_eq!(names, ["pns", "pns-1", "pns-2a", "pns-2b", "pns-3", "dfpn", "dfs", "bfs", "mcts"]);
    assert_eq!(searches[3]["solved"], 2);
    assert_eq!(
        (&document["knowledge"]["positions"], &document["knowledge"]["same"]),
        (&2.into(), &true.into())
    );
    for name in ["bitboard-time.svg", "bitboard-moves.svg"] {
        assert!(fs::read_to_string(figures.join(name)).unwrap().starts_with("<svg"), "{name}");
    }
    let text =
        stdout(&[&arguments[..], &limits, &["--search", "bfs", "--nodes", "50", "--no-naive"]].concat());
    for part in
        ["Table 7: positions of class vcdt", "Table 8: positions of class vcst", "p160                     X"]
    {
        assert!(text.contains(part), "{part} {text}");
    }
}

/// V_Wu is run like the others, and solves no more than they do.
#[test]
fn the_tables_of_the_verifiers_have_every_verifier() {
    let directory = tempfile::tempdir().unwrap();
    let limits = ["--limit", "2", "--time", "100", "--nodes", "20000", "--json"];
    let arguments = ["reproduce", "rzop", "--svg", directory.path().to_str().unwrap()];
    let document = json(&[&arguments[..], &limits].concat());
    let groups = document["groups"].as_array().unwrap();
    assert_eq!(groups.len(), 3);
    for group in groups {
        let verifiers = group["verifiers"].as_array().unwrap();
        let names: Vec<&str> = verifiers.iter().map(|row| row["verifier"].as_str().unwrap()).collect();
        assert_eq!(names, ["V_Wu", "V_C6", "V_C6-O1", "V_C6-O2", "mutual"]);
    }
    let puzzles = &groups[1]["verifiers"];
    assert_eq!((&puzzles[1]["solved"], &puzzles[4]["solved"]), (&2.into(), &2.into()), "{puzzles}");
    assert!(puzzles[0]["solved"].as_u64() <= puzzles[1]["solved"].as_u64());
    let figure = fs::read_to_string(directory.path().join("rzop-nodes.svg")).unwrap();
    for part in ["V_Wu", "V_C6-O2", "mutual", "position, by the nodes of V_C6", "nodes (replies"] {
        assert!(figure.contains(part), "{part}");
    }
}
