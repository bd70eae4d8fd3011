use crate::{Files, json, run, solve::puzzle, stdout};
use std::fs;

/// The error of a run that must fail, of which only a part is worth a test.
fn error(arguments: &[&str]) -> String {
    let run = run(arguments);
    assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""), "{arguments:?}");
    run.stderr
}

#[test]
fn every_search_of_trees_proves_a_win() {
    for search in ["pns", "pns-1", "pns-2a", "pns-2b", "pns-3", "dfpn", "dfs", "bfs", "mcts"] {
        let files = Files::new();
        let path = files.name("win.proof");
        let found = json(&[
            "solve",
            puzzle("p040"),
            "--search",
            search,
            "--nodes",
            "5000",
            "--proof",
            &path,
            "--json",
        ]);
        assert_eq!((&found["verdict"], &found["search"]), (&"win".into(), &search.into()));
        assert!(found["tree_nodes"].is_u64() && found["class"].is_null());
        assert!(stdout(&["check", &path]).contains("valid: black wins"));
    }
}

#[test]
fn a_tree_is_written_and_read_back() {
    let files = Files::new();
    for (name, kind) in [("tree.sgf", "(;"), ("tree.json", "{\"kind\":\"tree\"")] {
        let path = files.name(name);
        // A position that takes single threats, so that there are zones.
        stdout(&["solve", puzzle("p160"), "--search", "pns-2b", "--tree", &path]);
        assert!(fs::read_to_string(&path).unwrap().starts_with(kind));
        let shown = json(&["tree", "show", &path, "--json"]);
        assert_eq!((&shown["search"], &shown["proof"]), (&"pns-2b".into(), &0.into()));
        assert!(shown["disproof"].is_null() && shown["first_wrong"].is_null());
        assert!(shown["zones"].as_u64().unwrap() > 0 && !shown["line"].as_array().unwrap().is_empty());
        assert!(stdout(&["tree", "show", &path]).contains("\nnumbers: all follow from those below\n"));
        let said = error(&["solve", puzzle("p160"), "--search", "pns-2b", "--tree", &path]);
        assert!(said.contains("exists already"), "{said}");
    }
    // Both say the same, and any program that reads SGF can read the first.
    let [sgf, json_] = ["tree.sgf", "tree.json"].map(|name| stdout(&["tree", "show", &files.name(name)]));
    assert_eq!(sgf, json_);
    stdout(&["convert", &files.name("tree.sgf"), "--to", "gm511", "--output", &files.name("other.sgf")]);
}

#[test]
fn a_tree_with_a_wrong_number_is_not_believed() {
    let files = Files::new();
    let path = files.name("tree.json");
    let solved = run(&[
        "solve",
        puzzle("p160"),
        "--search",
        "bfs",
        "--nodes",
        "500",
        "--effort",
        "0",
        "--tree",
        &path,
    ]);
    assert_eq!(solved.code, Some(1), "{}", solved.stderr);
    let text = fs::read_to_string(&path).unwrap();
    let at = text.find("\"disproof\":").unwrap() + "\"disproof\":".len();
    fs::write(&path, format!("{}9{}", &text[..at], &text[at..])).unwrap();
    let shown = run(&["tree", "show", &path]);
    assert_eq!(shown.code, Some(1), "{}", shown.stderr);
    assert!(shown.stdout.contains("numbers: those of node 0 do not"), "{}", shown.stdout);
}

#[test]
fn what_is_no_tree_is_error() {
    let files = Files::new();
    let path = files.name("no-tree.json");
    fs::write(&path, "{\"kind\":\"tree\"}").unwrap();
    let said = error(&["tree", "show", &path]);
    assert!(said.contains("no-tree.json: missing field"), "{said}");
    assert!(error(&["tree", "show", "(;GM[511];B[JJ])"]).contains("the first comment has no \"attacker\""));
    let arguments = ["solve", "j10", "--search", "dfpn", "--tree", "tree.sgf"];
    assert!(error(&arguments).contains("dfpn keeps no tree"));
    assert!(error(&["solve", "j10", "--search", "a-star"]).contains("expected pns, pns-1, pns-2a"));
    assert!(error(&["solve", "j10", "--force"]).contains("there is no file to replace"));
}
