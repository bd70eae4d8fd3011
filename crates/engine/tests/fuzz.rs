//! The bodies of the fuzz targets, run on generated input.

use proptest::prelude::*;

#[allow(unreachable_pub, reason = "the fuzz targets see these functions from outside")]
#[path = "../../../fuzz/src/protocols.rs"]
mod body;

/// Words of the protocols, so that conversations get further than errors.
const WORDS: [&str; 66] = [
    "name",
    "name?",
    "new",
    "black",
    "white",
    "move",
    "next",
    "end",
    "error",
    "quit",
    "depth",
    "print",
    "play",
    "genmove",
    "undo",
    "boardsize",
    "clear_board",
    "time_settings",
    "time_left",
    "showboard",
    "b",
    "w",
    "JJ",
    "IKKK",
    "K10",
    "J9,H11",
    "A1",
    "19",
    "3",
    "0",
    "1",
    "# interrupt",
    "gogui-play_sequence",
    "reg_genmove",
    "{\"requests\":[{\"x0\":0,\"y0\":0}],\"responses\":[]}",
    "{\"x0\":1,\"y0\":0}",
    "{\"id\":\"a\",\"moves\":",
    "[]}",
    "START 5\n",
    "START 15\n",
    "RECTSTART 7,5\n",
    "RESTART\n",
    "BEGIN\n",
    "TURN",
    "BOARD\n",
    "YXBOARD\n",
    "0,0",
    "1,0",
    "2,0,1\n",
    "2,1,2\n",
    "3,1,3\n",
    "DONE\n",
    "TAKEBACK",
    "PLAY",
    "INFO",
    "rule",
    "timeout_turn",
    "time_left",
    "max_memory",
    "YXBLOCK\n",
    "YXNBEST 3\n",
    "YXBALANCETWO 0\n",
    "\r\n",
    "END\n",
    "\u{0}",
    "é",
];

fn conversation() -> impl Strategy<Value = Vec<u8>> {
    let word = prop_oneof![4 => prop::sample::select(&WORDS[..]).prop_map(str::to_string), 1 => ".{0,6}"];
    let space = prop_oneof![3 => Just(" "), 2 => Just("\n")];
    (any::<u8>(), prop::collection::vec((word, space), 0..60)).prop_map(|(pick, words)| {
        let text: String = words.into_iter().flat_map(|(word, space)| [word, space.to_string()]).collect();
        [vec![pick], text.into_bytes()].concat()
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, failure_persistence: None, ..Default::default() })]

    #[test]
    fn no_conversation_breaks_the_engine(bytes in conversation()) {
        body::session(&bytes);
    }

    #[test]
    fn no_query_breaks_the_analysis(bytes in conversation()) {
        body::query(&bytes[1..]);
    }

    #[test]
    fn bytes_do_no_harm(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        body::session(&bytes);
        body::query(&bytes);
    }
}

#[test]
fn the_seeds_of_the_fuzz_targets_pass() {
    let seeds = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/seeds");
    for (target, body) in [("session", body::session as fn(&[u8])), ("query", body::query)] {
        for entry in std::fs::read_dir(seeds.join(target)).unwrap() {
            body(&std::fs::read(entry.unwrap().path()).unwrap());
        }
    }
}
