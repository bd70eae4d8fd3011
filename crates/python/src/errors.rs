//! Errors as the exceptions of `lambda6.errors`.

use lambda6_checker::CheckError;
use lambda6_proof::SolveError;
use lambda6_rules::record::{AnyError, RecordError};
use pyo3::{call::PyCallArgs, exceptions::PyOSError, prelude::*, sync::PyOnceLock};
use std::fmt::Display;

/// An exception of this class of `lambda6.errors`, made with these arguments.
fn raise<'py>(py: Python<'py>, class: &str, arguments: impl PyCallArgs<'py>) -> PyErr {
    static MODULE: PyOnceLock<Py<PyModule>> = PyOnceLock::new();
    let module = MODULE.get_or_try_init(py, || py.import("lambda6.errors").map(Bound::unbind));
    let made =
        module.and_then(|module| Ok(PyErr::from_value(module.bind(py).call_method1(class, arguments)?)));
    made.unwrap_or_else(|error| error)
}

/// `InputError`: an argument is wrong.
pub(crate) fn input(py: Python<'_>, field: &str, reason: impl Display) -> PyErr {
    raise(py, "InputError", (field, reason.to_string()))
}

/// `SearchError`: a search could not be run.
pub(crate) fn search(py: Python<'_>, reason: impl Display) -> PyErr {
    raise(py, "SearchError", (reason.to_string(),))
}

/// `RecordError`: a text is no record.
pub(crate) fn record(py: Python<'_>, field: &str, error: &RecordError) -> PyErr {
    let (line, column) = error.place.map(|place| (place.line, place.column)).unzip();
    raise(py, "RecordError", (field, error.to_string(), line, column))
}

/// `RecordError` or `InputError`: a text is no position.
pub(crate) fn any(py: Python<'_>, field: &str, error: &AnyError) -> PyErr {
    match error {
        AnyError::Record(error) => record(py, field, error),
        other => input(py, field, other),
    }
}

/// `InputError` about a position that cannot be searched, `SearchError` otherwise.
pub(crate) fn solve(py: Python<'_>, error: &SolveError) -> PyErr {
    match error {
        SolveError::Caught(_) => search(py, error),
        _ => input(py, "position", error),
    }
}

/// `CertificateError`: a text is no valid certificate.
pub(crate) fn certificate(py: Python<'_>, field: &str, error: CheckError) -> PyErr {
    match error {
        CheckError::Io(error) => PyOSError::new_err(format!("{field}: {error}")),
        CheckError::Rejected(rejection) => {
            let reason = rejection.reason.to_string();
            raise(py, "CertificateError", (field, reason, Some(rejection.reply)))
        }
        other => raise(py, "CertificateError", (field, other.to_string(), None::<u64>)),
    }
}

/// `CertificateError`: a text is no certificate at all.
pub(crate) fn not_a_certificate(py: Python<'_>, field: &str, reason: impl Display) -> PyErr {
    raise(py, "CertificateError", (field, reason.to_string(), None::<u64>))
}
