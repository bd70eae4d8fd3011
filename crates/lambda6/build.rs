//! Finds the commit that is being built, for `lambda6 --version`.
//!
//! The files of the repository are read rather than git asked: git may not be
//! installed, and it would also answer for a repository around an unpacked
//! release. Only a `.git` at the root of this workspace counts.

use std::{
    env, fs,
    path::{Path, PathBuf},
};

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    let manifest = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default());
    let hash = head_commit(&manifest.join("../..")).unwrap_or_else(|| "unknown".to_string());
    println!("cargo:rustc-env=LAMBDA6_GIT_HASH={hash}");
}

/// The first digits of the commit that is checked out at `root`.
fn head_commit(root: &Path) -> Option<String> {
    let git_dir = git_dir(root)?;
    // A linked worktree keeps its HEAD to itself and shares the branches.
    let common = match fs::read_to_string(git_dir.join("commondir")) {
        Ok(path) => git_dir.join(path.trim()),
        Err(_) => git_dir.clone(),
    };
    // A commit changes the log of HEAD in any case, but HEAD itself only when it
    // is detached.
    watch(&git_dir.join("HEAD"));
    watch(&git_dir.join("logs/HEAD"));
    watch(&common.join("packed-refs"));
    let head = fs::read_to_string(git_dir.join("HEAD")).ok()?;
    let commit = match head.trim().strip_prefix("ref: ") {
        Some(name) => {
            watch(&common.join(name));
            loose_ref(&common, name).or_else(|| packed_ref(&common, name))?
        }
        None => head.trim().to_string(),
    };
    let is_hash = commit.len() >= 40 && commit.bytes().all(|b| b.is_ascii_hexdigit());
    is_hash.then(|| commit[..12].to_string())
}

/// The repository's directory: `.git`, or where the file `.git` points to.
fn git_dir(root: &Path) -> Option<PathBuf> {
    let dot_git = root.join(".git");
    if dot_git.is_dir() {
        return Some(dot_git);
    }
    let text = fs::read_to_string(&dot_git).ok()?;
    Some(root.join(text.trim().strip_prefix("gitdir: ")?))
}

fn loose_ref(common: &Path, name: &str) -> Option<String> {
    Some(fs::read_to_string(common.join(name)).ok()?.trim().to_string())
}

fn packed_ref(common: &Path, name: &str) -> Option<String> {
    let packed = fs::read_to_string(common.join("packed-refs")).ok()?;
    packed.lines().find_map(|line| Some(line.strip_suffix(name)?.strip_suffix(' ')?.to_string()))
}

/// Runs this script again when the file changes. A missing file would make cargo
/// run it every time.
fn watch(path: &Path) {
    if path.exists() {
        println!("cargo:rerun-if-changed={}", path.display());
    }
}
