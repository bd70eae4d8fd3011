//! Certificates: read, checked, walked through.

use crate::{
    errors,
    position::PyPosition,
    record::Content,
    walk::PyWalk,
    watch::{self, Ended, Listener},
};
use lambda6_api::{ApiError, Ceiling, Code, Proof, Proofs};
use lambda6_checker::{CheckError, Checked};
use lambda6_proof::{Certificate, convert};
use lambda6_rules::{Position, Side};
use pyo3::{exceptions::PyTimeoutError, prelude::*};
use std::{
    fs,
    ops::ControlFlow,
    path::PathBuf,
    sync::{Arc, OnceLock, atomic::Ordering},
};

/// A proved win: the attacker's replies to every move of the defender that matters. There is
/// none that the checker has not accepted.
///
/// >>> from lambda6 import Position, solve
/// >>> position = Position("j10 i10h9 i11k11 j11g8 k12e6 i9k9 j12g9 h10j8 l10i13")
/// >>> certificate = solve(position).certificate
/// >>> certificate
/// <Certificate: white wins with white to move, 61 replies>
/// >>> walk = certificate.walk()
/// >>> walk.reply, walk.defences
/// ('h14m9', ['j9', 'l9'])
/// >>> walk.defend("j9a1")
/// <Walk: h14m9 j9a1 h13g11, unstoppable>
#[pyclass(name = "Certificate", module = "lambda6", frozen)]
pub(crate) struct PyCertificate {
    text: OnceLock<Vec<u8>>,
    /// The certificate of a search, as long as its text has not been asked for.
    made: Option<Certificate>,
    proof: OnceLock<Arc<Proof>>,
    position: Position,
    attacker: Side,
    method: &'static str,
    replies: u64,
}

impl PyCertificate {
    /// A certificate that a search has made.
    pub(crate) fn made(certificate: Certificate) -> PyCertificate {
        PyCertificate {
            text: OnceLock::new(),
            proof: OnceLock::new(),
            position: certificate.position().clone(),
            attacker: certificate.attacker(),
            method: certificate.method().name(),
            replies: certificate.replies().len() as u64,
            made: Some(certificate),
        }
    }

    fn bytes(&self) -> &[u8] {
        self.text.get_or_init(|| {
            let mut text = Vec::new();
            if let Some(certificate) = &self.made {
                // Writing to memory does not fail.
                let _ = certificate.write(&mut text);
            }
            text
        })
    }

    /// The proof with the index for walks. The checker walks the text for it.
    fn proof(&self, py: Python<'_>) -> PyResult<Arc<Proof>> {
        if let Some(proof) = self.proof.get() {
            return Ok(Arc::clone(proof));
        }
        let proof = read(py, "certificate", self.bytes().to_vec(), None)?;
        Ok(Arc::clone(self.proof.get_or_init(|| proof)))
    }
}

/// Reads and checks a certificate.
fn read(py: Python<'_>, field: &str, text: Vec<u8>, progress: Option<Listener>) -> PyResult<Arc<Proof>> {
    let tell = listener(progress.as_ref());
    let ended = watch::run(py, None, tell, move |watched| {
        let ceiling = Ceiling { certificate: usize::MAX, ..Ceiling::default() };
        let proofs = Proofs::new(usize::MAX);
        let mut proceed = |replies: u64| match watched.stop.load(Ordering::Relaxed) {
            true => Err(ApiError::new(Code::Busy, "the check was stopped")),
            false => {
                watched.report(|| replies);
                Ok(())
            }
        };
        Proof::check(&text[..], &ceiling, &mut proofs.room(), &mut proceed).map_err(|error| (error, text))
    })?;
    let Ended::Done(done) = ended else { return Err(stopped()) };
    done.map(Arc::new).map_err(|(error, text)| match error.code {
        Code::Busy => stopped(),
        // The checker tells at which reply, in a type of its own.
        Code::Rejected => match lambda6_checker::check(&*unpacked(&text)) {
            Err(error) => errors::certificate(py, field, error),
            Ok(_) => errors::not_a_certificate(py, field, error),
        },
        _ => errors::not_a_certificate(py, field, error),
    })
}

/// The text of a certificate that may be compressed with zstd.
fn unpacked(bytes: &[u8]) -> Vec<u8> {
    zstd::decode_all(bytes).unwrap_or_else(|_| bytes.to_vec())
}

fn replies(count: u64) -> String {
    if count == 1 { "1 reply".to_string() } else { format!("{count} replies") }
}

pub(crate) fn stopped() -> PyErr {
    PyTimeoutError::new_err("the check was stopped before its end")
}

/// Calls a Python function with the number of replies that have been checked.
fn listener(progress: Option<&Listener>) -> impl FnMut(Python<'_>, Option<u64>) -> PyResult<bool> + '_ {
    move |py, replies| match (progress, replies) {
        (Some(progress), Some(replies)) => progress.hear(py, replies),
        _ => Ok(true),
    }
}

#[pymethods]
impl PyCertificate {
    /// Reads a certificate, as text or compressed with zstd, and has the checker check it.
    /// `progress` is called with the number of replies, and ends the check when it returns
    /// False.
    ///
    /// >>> from lambda6 import Certificate
    /// >>> Certificate.read("connect-proof 1\ngame: 3 3 3 1 1\n")
    /// Traceback (most recent call last):
    /// lambda6.errors.CertificateError: text: not a certificate: line 3: the line "to-move: ..." is missing
    #[staticmethod]
    #[pyo3(signature = (text, *, progress = None))]
    fn read(py: Python<'_>, text: Content, progress: Option<Listener>) -> PyResult<PyCertificate> {
        PyCertificate::from_bytes(py, "text", text.into_bytes(), progress)
    }

    /// Reads and checks a file. See `read`.
    #[staticmethod]
    #[pyo3(signature = (path, *, progress = None))]
    fn load(py: Python<'_>, path: PathBuf, progress: Option<Listener>) -> PyResult<PyCertificate> {
        let bytes = fs::read(&path)?;
        PyCertificate::from_bytes(py, &path.display().to_string(), bytes, progress)
    }

    /// Writes it to a file, compressed with zstd if the name ends in `.zst`.
    fn save(&self, path: PathBuf) -> PyResult<()> {
        let packed = path.extension().is_some_and(|extension| extension == "zst");
        match packed {
            true => fs::write(&path, zstd::encode_all(self.bytes(), 0)?)?,
            false => fs::write(&path, self.bytes())?,
        }
        Ok(())
    }

    /// The certificate as text.
    #[getter]
    fn text(&self) -> String {
        String::from_utf8_lossy(self.bytes()).into_owned()
    }

    /// The position that is won.
    #[getter]
    fn position(&self) -> PyPosition {
        PyPosition::alone(self.position.clone())
    }

    /// Who wins.
    #[getter]
    fn attacker(&self) -> &'static str {
        self.attacker.name()
    }

    /// Which moves of a defender with spare stones are answered: `rzop`, `srzop1`, `srzop2` or
    /// `mutual`.
    #[getter]
    fn method(&self) -> &'static str {
        self.method
    }

    /// How many replies there are.
    #[getter]
    fn replies(&self) -> u64 {
        self.replies
    }

    /// Checks it again with the checker, which shares no code with the searches. See
    /// `lambda6.check`.
    #[pyo3(signature = (*, progress = None))]
    fn check(&self, py: Python<'_>, progress: Option<Listener>) -> PyResult<PyChecked> {
        check(py, Content::Bytes(self.bytes().to_vec()), progress)
    }

    /// Walks through the proof: the defender plays, the proof answers. The defender's moves can
    /// be given, or played with `Walk.defend`.
    #[pyo3(signature = (*defences))]
    fn walk(&self, py: Python<'_>, defences: Vec<String>) -> PyResult<PyWalk> {
        PyWalk::begin(self.proof(py)?, self.attacker, self.position.clone()).after(py, defences)
    }

    fn __str__(&self) -> String {
        self.text()
    }

    fn __repr__(&self) -> String {
        let (attacker, to_move) = (self.attacker, self.position.to_move());
        format!("<Certificate: {attacker} wins with {to_move} to move, {}>", replies(self.replies))
    }

    fn __reduce__(slf: &Bound<'_, Self>) -> PyResult<(Py<PyAny>, (String,))> {
        Ok((slf.get_type().getattr("read")?.unbind(), (slf.get().text(),)))
    }
}

impl PyCertificate {
    fn from_bytes(
        py: Python<'_>,
        field: &str,
        bytes: Vec<u8>,
        progress: Option<Listener>,
    ) -> PyResult<PyCertificate> {
        let proof = read(py, field, bytes, progress)?;
        let Checked { header, summary } = proof.checked();
        let position = convert::rules_position(header).map_err(|error| errors::input(py, field, error))?;
        Ok(PyCertificate {
            text: OnceLock::from(proof.text().to_vec()),
            made: None,
            position,
            attacker: convert::rules_side(header.attacker),
            method: convert::rules_method(header.method).name(),
            replies: summary.replies,
            proof: OnceLock::from(proof),
        })
    }
}

/// What the checker says of a valid certificate.
#[pyclass(name = "Checked", module = "lambda6", frozen, get_all)]
pub(crate) struct PyChecked {
    /// Who wins.
    attacker: &'static str,
    /// The side to move in the position.
    to_move: &'static str,
    /// The method of the certificate.
    method: &'static str,
    /// How many replies were checked.
    replies: u64,
    /// How many of them connect.
    wins: u64,
    /// The attacker's moves in the longest line.
    longest: u64,
    /// Of the other replies, how many leave 0, 1, ... threats; the last, more than can be met.
    by_threats: Vec<u64>,
}

#[pymethods]
impl PyChecked {
    fn __repr__(&self) -> String {
        format!("<Checked: {} wins with {} to move, {}>", self.attacker, self.to_move, replies(self.replies))
    }
}

/// Checks a certificate, as text or compressed with zstd, whoever made it. The checker shares no
/// code with the searches, and reads nothing into memory that it does not need.
///
/// >>> from lambda6 import check
/// >>> text = '''connect-proof 1
/// ... game: 3 3 3 1 1
/// ... black: a1 b1
/// ... white: a3 b2
/// ... to-move: black
/// ... attacker: black
/// ... method: rzop
/// ... replies: 1
/// ...
/// ... c1
/// ... '''
/// >>> check(text)
/// <Checked: black wins with black to move, 1 reply>
/// >>> check(text.replace("c1", "c2"))
/// Traceback (most recent call last):
/// lambda6.errors.CertificateError: certificate: reply 1: the defender can connect in one move
#[pyfunction]
#[pyo3(signature = (certificate, *, progress = None))]
pub(crate) fn check(py: Python<'_>, certificate: Content, progress: Option<Listener>) -> PyResult<PyChecked> {
    let bytes = certificate.into_bytes();
    let ended = watch::run(py, None, listener(progress.as_ref()), move |watched| {
        let proceed = |replies| match watched.stop.load(Ordering::Relaxed) {
            true => ControlFlow::Break(()),
            false => {
                watched.report(|| replies);
                ControlFlow::Continue(())
            }
        };
        match bytes.starts_with(&zstd::zstd_safe::MAGICNUMBER.to_le_bytes()) {
            true => {
                let text = zstd::Decoder::with_buffer(&bytes[..])?;
                lambda6_checker::check_with(std::io::BufReader::new(text), proceed)
            }
            false => lambda6_checker::check_with(&bytes[..], proceed),
        }
    })?;
    match ended {
        Ended::Done(Ok(Checked { header, summary })) => Ok(PyChecked {
            attacker: convert::rules_side(header.attacker).name(),
            to_move: convert::rules_side(header.to_move).name(),
            method: convert::rules_method(header.method).name(),
            replies: summary.replies,
            wins: summary.wins,
            longest: summary.longest,
            by_threats: summary.by_threats,
        }),
        Ended::Done(Err(CheckError::Stopped)) | Ended::Abandoned(_) => Err(stopped()),
        Ended::Done(Err(error)) => Err(errors::certificate(py, "certificate", error)),
    }
}
