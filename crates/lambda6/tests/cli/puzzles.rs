use crate::{Files, json, refused, run, solve::puzzle, stdout};

/// A set of a few puzzles.
fn set(files: &Files, header: &str, ids: &[&str]) -> String {
    let rows: String = ids.iter().map(|id| format!("{id}\t{}\n", puzzle(id))).collect();
    files.write("set.tsv", format!("{header}\n{rows}"))
}

#[test]
fn a_set_is_made_again_to_the_byte() {
    let files = Files::new();
    let make = |name: &str, seed: &str| {
        let path = files.name(name);
        stdout(&["puzzles", "make", "--count", "5", "--seed", seed, "--output", &path]);
        std::fs::read(&path).unwrap()
    };
    let first = make("1.tsv", "11");
    assert_eq!(first, make("2.tsv", "11"));
    assert_ne!(first, make("3.tsv", "12"));
    let text = String::from_utf8(first).unwrap();
    assert_eq!(text.lines().next(), Some("id\tgame\tgrade\tclass\tdepth\tareas\tinversions\tnodes\tmoves"));
    assert_eq!(text.lines().count(), 6);
    assert_eq!(text, stdout(&["puzzles", "make", "--count", "5", "--seed", "11"]));
    let made = json(&["puzzles", "make", "--count", "5", "--seed", "11", "--json"]);
    assert_eq!(made["puzzles"].as_array().unwrap().len(), 5);
    // And what was made is solved, in the game that the table names.
    let path = files.name("go-moku.tsv");
    stdout(&["puzzles", "make", "--game", "go-moku,20 20 5 1 1", "--count", "2", "--output", &path]);
    for path in [files.name("1.tsv"), path] {
        stdout(&["puzzles", "solve", &path, "--nodes", "1000000", "--verify"]);
    }
}

#[test]
fn a_set_is_solved_and_summed_up() {
    let files = Files::new();
    let path = set(&files, "id\tmoves", &["p001", "p040", "p155"]);
    let text = stdout(&["puzzles", "solve", &path, "--nodes", "100000", "--verify"]);
    let last = text.lines().last().unwrap();
    assert!(last.starts_with("solved=3 total=3 nodes="), "{text}");
    let seconds = last.rsplit_once("seconds=").unwrap().1;
    assert!(seconds.parse::<f64>().unwrap() >= 0.0);
    assert!(text.starts_with("slowest:\n"), "{text}");
    let nodes = |arguments: &[&str]| {
        let text = stdout(&[&["puzzles", "solve", &path, "--nodes", "100000"], arguments].concat());
        let last = text.lines().last().unwrap().to_string();
        last.split(' ').nth(2).unwrap().to_string()
    };
    assert_eq!(nodes(&[]), nodes(&["--jobs", "3"]), "nodes do not depend on threads");
    let text = stdout(&["puzzles", "solve", &path, "--limit", "2", "--slowest", "0"]);
    assert!(text.starts_with("solved=2 total=2 "), "{text}");
}

#[test]
fn what_is_not_solved_is_told() {
    let files = Files::new();
    let path = set(&files, "id\tmoves", &["p001", "p155"]);
    let run = run(&["puzzles", "solve", &path, "--class", "vcdt"]);
    assert_eq!((run.code, run.stderr.as_str()), (Some(1), ""));
    assert!(run.stdout.contains("not solved:\n"), "{}", run.stdout);
    assert!(run.stdout.lines().last().unwrap().starts_with("solved=1 total=2 "), "{}", run.stdout);
    let found = json(&["puzzles", "solve", &path, "--json"]);
    assert_eq!((&found["solved"], &found["total"]), (&2.into(), &2.into()));
    assert_eq!(found["positions"][1]["id"], "p155");
    assert_eq!(found["positions"][1]["row"], 3);
}

#[test]
fn certificates_are_kept() {
    let files = Files::new();
    let path = set(&files, "id\tmoves", &["p001"]);
    let proofs = files.name("proofs");
    stdout(&["puzzles", "solve", &path, "--proofs", &proofs]);
    let proof = files.path("proofs").join("000002.proof");
    lambda6_checker::check_file(proof, |_| std::ops::ControlFlow::Continue(())).unwrap();
}

#[test]
fn a_bad_set_is_an_error_with_its_place() {
    let files = Files::new();
    for (content, message) in [
        ("id\tmoves\n1\tj10 j10k9\n", "line 2, column 7: move 2: j10 is occupied by a black stone"),
        ("id\tmoves\n1\tj10 k9\n", "line 2, column 7: move 2: "),
        ("id\tmoves\n1\n", "line 2, column 3: the row ends before its cell \"moves\""),
        (
            "class\tmoves\nvcdt\tj10\nfast\tj10\n",
            "line 3, column 1: \"fast\" is not a class of moves: expected vcdt, vcst",
        ),
        (
            "game\tclass\tmoves\ngo-moku\tfast\th8\n",
            "line 2, column 9: \"fast\" is not a class of moves: expected vcf, vct",
        ),
        ("game\tmoves\nchess\th8\n", "line 2, column 1: "),
        ("class\tdepth\tmoves\nvcdt\tx\tj10\n", "line 2, column 6: expected the number of moves"),
        ("moves\na1 a19b19 b1c1 c19d19 d1e1 s19r19 f1g1\n", "line 2, column 1: the game is over"),
        ("", "is empty, expected a table of positions"),
    ] {
        let path = files.write("set.tsv", content);
        let run = run(&["puzzles", "solve", &path]);
        assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""), "{content:?}");
        assert!(run.stderr.starts_with(&format!("error: {path}: {message}")), "{}", run.stderr);
    }
    refused(&["puzzles", "solve", "missing.tsv"], "missing.tsv: there is no such file");
}

#[test]
fn winners_of_games_are_searched_before_the_end() {
    let files = Files::new();
    let rows: String = ["p001\tBWin", "p040\tBWin", "p155\tWWin", "p152\tDraw"]
        .iter()
        .map(|row| {
            let (id, result) = row.split_once('\t').unwrap();
            format!("{id}\t{result}\t{}\n", puzzle(id))
        })
        .collect();
    let path = files.write("games.tsv", format!("gid\tresult\tmoves\n{rows}"));
    let arguments = ["puzzles", "games", &path, "--last", "4", "--time", "0.01,0.05"];
    let text = stdout(&arguments);
    assert!(text.starts_with("games with a winner: 3\npositions of the winner to move: 6\n"), "{text}");
    for class in ["vcdt", "vcst"] {
        for time in ["0.01", "0.05"] {
            assert!(text.contains(&format!("class={class} seconds={time} solved=")), "{text}");
        }
    }
    let sample = ["--sample", "2", "--seed", "3", "--class", "vcdt", "--json"];
    let found = json(&[&arguments[..], &sample].concat());
    assert_eq!((&found["found"], &found["positions"]), (&6.into(), &2.into()));
    assert_eq!(found["classes"].as_array().unwrap().len(), 1);
    let path = files.write("games.tsv", "gid\tmoves\n1\tj10\n");
    refused(&["puzzles", "games", &path], &format!("{path}: line 1: expected a column named \"result\""));
}
