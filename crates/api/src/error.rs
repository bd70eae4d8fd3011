//! How a question is refused.

use serde::Serialize;
use utoipa::ToSchema;

/// What kind of refusal it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Code {
    /// The document asks for something that cannot be.
    BadRequest,
    /// A certificate was read and does not prove its claim.
    Rejected,
    /// There is no such thing.
    NotFound,
    /// More than the limits allow.
    TooLarge,
    /// A token is needed, or it is the wrong one.
    Unauthorized,
    /// The request comes from another site.
    Forbidden,
    /// As much work as allowed is under way already.
    Busy,
    /// This copy of the program cannot do it.
    Unavailable,
    /// A fault of the program.
    Internal,
}

/// Why there is no answer. The message says what was expected; `field` says
/// where in the request it was missed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema, thiserror::Error)]
#[error("{message}")]
pub struct ApiError {
    /// For programs.
    pub code: Code,
    /// The part of the request that is wrong, such as `moves[3]`.
    pub field: Option<String>,
    /// For people.
    pub message: String,
}

impl ApiError {
    /// A refusal.
    pub fn new(code: Code, message: impl Into<String>) -> ApiError {
        ApiError { code, field: None, message: message.into() }
    }

    /// A field of the request is wrong.
    pub fn field(field: impl Into<String>, message: impl ToString) -> ApiError {
        ApiError { code: Code::BadRequest, field: Some(field.into()), message: message.to_string() }
    }

    /// A fault of the program.
    pub fn internal(message: impl ToString) -> ApiError {
        ApiError::new(Code::Internal, message.to_string())
    }
}

impl From<serde_json::Error> for ApiError {
    fn from(error: serde_json::Error) -> ApiError {
        ApiError::new(Code::BadRequest, format!("the request is not the JSON that was expected: {error}"))
    }
}
