//! Errors as HTTP responses.

use axum::{
    body::Body,
    http::{StatusCode, header},
    response::{IntoResponse, Response},
};
use lambda6_api::{ApiError, Code};

/// An error with a status: `{"code":..,"field":..,"message":..}`.
#[derive(Debug)]
pub(crate) struct Problem(pub(crate) ApiError);

impl Problem {
    pub(crate) fn new(code: Code, message: &str) -> Problem {
        Problem(ApiError::new(code, message))
    }

    /// A thread broke down.
    pub(crate) fn bug() -> Problem {
        Problem::new(Code::Internal, "the program made a mistake: please report it")
    }
}

impl From<ApiError> for Problem {
    fn from(error: ApiError) -> Problem {
        Problem(error)
    }
}

fn status(code: Code) -> StatusCode {
    match code {
        Code::BadRequest => StatusCode::BAD_REQUEST,
        Code::Rejected => StatusCode::UNPROCESSABLE_ENTITY,
        Code::NotFound => StatusCode::NOT_FOUND,
        Code::TooLarge => StatusCode::PAYLOAD_TOO_LARGE,
        Code::Unauthorized => StatusCode::UNAUTHORIZED,
        Code::Forbidden => StatusCode::FORBIDDEN,
        Code::Timeout => StatusCode::REQUEST_TIMEOUT,
        Code::Busy => StatusCode::SERVICE_UNAVAILABLE,
        Code::Unavailable => StatusCode::NOT_IMPLEMENTED,
        Code::Internal => StatusCode::INTERNAL_SERVER_ERROR,
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let body = serde_json::to_vec(&self.0).unwrap_or_default();
        let mut response = Response::new(Body::from(body));
        *response.status_mut() = status(self.0.code);
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, header::HeaderValue::from_static("application/json"));
        match self.0.code {
            Code::Busy => {
                headers.insert(header::RETRY_AFTER, header::HeaderValue::from_static("1"));
            }
            Code::Unauthorized => {
                headers.insert(header::WWW_AUTHENTICATE, header::HeaderValue::from_static("Bearer"));
            }
            _ => {}
        }
        response
    }
}
