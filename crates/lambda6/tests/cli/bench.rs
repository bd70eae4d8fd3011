use crate::json;

#[test]
fn the_signature_is_the_same_every_time() {
    let (one, two) = (json(&["bench", "--json"]), json(&["bench", "--json"]));
    assert_eq!(one["signature"], two["signature"]);
    assert_eq!(one["nodes"], two["nodes"]);
    let wins = |document: &serde_json::Value| {
        document["searches"].as_array().unwrap().iter().filter(|row| row["verdict"] == "win").count()
    };
    assert!(wins(&one) >= 8, "{one}");
}
