//! Errors as documents.

use serde::Serialize;
use utoipa::ToSchema;

/// The kind of an error, for programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Code {
    /// The request is malformed, or asks for something impossible.
    BadRequest,
    /// A certificate was read and does not prove its claim.
    Rejected,
    /// Nothing has this name or address.
    NotFound,
    /// More than the limits allow.
    TooLarge,
    /// A token is needed, or it is the wrong one.
    Unauthorized,
    /// The request comes from another site.
    Forbidden,
    /// The request, or the work it asks for, took longer than allowed.
    Timeout,
    /// As much work as allowed is under way already.
    Busy,
    /// This copy of the program cannot do it.
    Unavailable,
    /// A bug in the program.
    Internal,
}

/// Why a request was refused. The message says what was expected; `field` says
/// where in the request.
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
    /// An error of this kind.
    pub fn new(code: Code, message: impl Into<String>) -> ApiError {
        ApiError { code, field: None, message: message.into() }
    }

    /// A [`Code::BadRequest`] about a field of the request.
    pub fn field(field: impl Into<String>, message: impl ToString) -> ApiError {
        ApiError { code: Code::BadRequest, field: Some(field.into()), message: message.to_string() }
    }

    /// A [`Code::Internal`] error.
    pub fn internal(message: impl ToString) -> ApiError {
        ApiError::new(Code::Internal, message.to_string())
    }
}

impl From<serde_json::Error> for ApiError {
    fn from(error: serde_json::Error) -> ApiError {
        ApiError::new(Code::BadRequest, format!("the request is not the JSON that was expected: {error}"))
    }
}
