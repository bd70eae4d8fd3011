//! The description of the interface: an OpenAPI document made from the handlers.
//!
//! What all operations have in common is added here rather than repeated at
//! every handler: the errors, the events of streams and the form of names.

use crate::routes;
use lambda6_api::{
    ApiError, CheckProgress, PlayProgress, ReviewProgress, SolveProgress, StandDoc, VerifyProgress,
};
use serde_json::{Map, Value, json};
use utoipa::{
    Modify, OpenApi,
    openapi::security::{HttpAuthScheme, HttpBuilder, SecurityScheme},
};

#[derive(OpenApi)]
#[openapi(
    info(
        title = "lambda6",
        description = "Connect6 and its family: positions, records, play, analysis, forced wins and \
            proofs. Searches answer with server-sent events: `queued` while they wait for their turn, \
            `progress` now and then, and at the end `done` with the answer or `error`. Closing the \
            connection stops the search.",
        license(name = "MIT OR Apache-2.0")
    ),
    components(schemas(
        ApiError, CheckProgress, PlayProgress, ReviewProgress, SolveProgress, StandDoc, VerifyProgress
    )),
    modifiers(&Bearer)
)]
pub(crate) struct Document;

struct Bearer;

impl Modify for Bearer {
    fn modify(&self, openapi: &mut utoipa::openapi::OpenApi) {
        let scheme = HttpBuilder::new()
            .scheme(HttpAuthScheme::Bearer)
            .description(Some("Needed when the server listens on an address that others can reach."))
            .build();
        let components = openapi.components.get_or_insert_default();
        components.add_security_scheme("token", SecurityScheme::Http(scheme));
    }
}

/// The description of the interface.
pub fn openapi() -> String {
    let (_, mut document) = routes::interface().split_for_parts();
    document.info = Document::openapi().info;
    let mut document = serde_json::to_value(document).unwrap_or_default();
    // A server on this machine's own address needs no token.
    document["security"] = json!([{}, { "token": [] }]);
    let paths = document["paths"].as_object_mut().into_iter().flat_map(Map::values_mut);
    for operation in paths.filter_map(Value::as_object_mut).flat_map(|path| path.iter_mut()) {
        describe(operation.0 == "post", operation.1);
    }
    correct_unsigned(&mut document);
    serde_json::to_string_pretty(&document).unwrap_or_default()
}

/// Removes the formats of unsigned numbers: OpenAPI has names for signed ones only,
/// whose ranges are smaller.
fn correct_unsigned(part: &mut Value) {
    match part {
        Value::Object(fields) => {
            if fields.get("minimum").is_some_and(|minimum| *minimum == 0) {
                fields.remove("format");
            }
            fields.values_mut().for_each(correct_unsigned);
        }
        Value::Array(items) => items.iter_mut().for_each(correct_unsigned),
        _ => {}
    }
}

/// Adds what follows from the kind of an operation.
fn describe(is_post: bool, operation: &mut Value) {
    let id = operation["operationId"].as_str().unwrap_or_default().to_string();
    let mut has_name = false;
    let parameters = operation.get_mut("parameters").and_then(Value::as_array_mut);
    for parameter in parameters.into_iter().flatten() {
        has_name |= parameter["in"] == "path";
        match parameter["name"].as_str() {
            Some("id") => parameter["schema"]["pattern"] = json!("^[0-9a-f]{32}$"),
            Some("name") => parameter["schema"]["pattern"] = json!("^[a-z0-9-]{1,60}$"),
            _ => {}
        }
    }
    let has_body = operation.get("requestBody").is_some();
    for (status, description, answers) in [
        ("400", "A bad request", is_post || has_name),
        ("401", "No token, or the wrong one", true),
        ("403", "A request from another site", true),
        ("404", "Nothing has this name", has_name),
        ("408", "Not sent, or not answered, within the time allowed", true),
        ("413", "Too large", has_body),
        ("500", "A bug in the program", true),
        ("501", "This server keeps no job-level searches", operation["tags"][0] == "jobs"),
        ("503", "The server is busy", true),
    ] {
        if answers {
            let schema = reference("ApiError");
            let content = json!({ "application/json": { "schema": schema } });
            operation["responses"][status] = json!({ "description": description, "content": content });
        }
    }
    let answer = &mut operation["responses"]["200"];
    if answer["description"] == "" {
        answer["description"] = json!("The answer");
    }
    if let Some(schema) = answer.pointer_mut("/content/text~1event-stream/schema") {
        *schema = events(&id, schema.take());
        answer["description"] = json!("Server-sent events");
    }
    for holder in ["/requestBody", "/responses/200"] {
        let schema = format!("{holder}/content/application~1octet-stream/schema");
        if let Some(schema) = operation.pointer_mut(&schema) {
            *schema = json!({ "type": "string", "format": "binary" });
        }
    }
}

fn reference(schema: &str) -> Value {
    json!({ "$ref": format!("#/components/schemas/{schema}") })
}

/// The events of an operation, from the schema of its answer.
fn events(operation: &str, answer: Value) -> Value {
    let event = |name: &str, schema: Value| {
        let data =
            json!({ "type": "string", "contentMediaType": "application/json", "contentSchema": schema });
        json!({
            "type": "object",
            "required": ["event", "data"],
            "properties": { "event": { "const": name }, "data": data },
        })
    };
    let error = event("error", reference("ApiError"));
    if operation == "events" {
        return json!({ "oneOf": [event("tree", answer), error] });
    }
    let progress = match operation {
        "play" | "analyse" => Some("PlayProgress"),
        "evaluate" => Some("StandDoc"),
        "review" => Some("ReviewProgress"),
        "solve" => Some("SolveProgress"),
        "check" => Some("CheckProgress"),
        _ => None,
    };
    let mut all = vec![event("queued", json!({ "type": "object" }))];
    all.extend(progress.map(|schema| event("progress", reference(schema))));
    all.extend([event("done", answer), error]);
    json!({ "oneOf": all })
}
