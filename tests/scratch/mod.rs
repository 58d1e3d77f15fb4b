//! A package of its own under cargo's folder for test files, which depends on this crate.
//!
//! It has neither matrices nor dev-dependencies, so that it builds in seconds, and the versions
//! of the workspace's lock file.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

pub(crate) struct Scratch {
    folder: PathBuf,
}

impl Scratch {
    /// An empty package; `targets` are the tables of its manifest beyond those that every one has.
    pub(crate) fn new(name: &str, targets: &str) -> Self {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let manifest = format!(
            r#"
[workspace]

[package]
name = "{name}"
version = "0.0.0"
edition = "2024"

[dependencies]
autodiff = {{ path = {root:?}, default-features = false, features = ["std"] }}

{targets}
"#
        );
        fs::create_dir_all(folder.join("src")).expect("the folder for test files is writable");
        let scratch = Self { folder };
        scratch.write("Cargo.toml", &manifest);
        let lock = fs::read_to_string(root.join("Cargo.lock")).expect("the workspace is locked");
        scratch.write("Cargo.lock", &lock);
        scratch
    }

    pub(crate) fn write(&self, file: &str, text: &str) {
        fs::write(self.folder.join(file), text).expect("the folder for test files is writable");
    }

    /// Runs cargo in the package and demands success.
    pub(crate) fn cargo(&self, arguments: &[&str]) {
        let output = Command::new(env!("CARGO"))
            .args(arguments)
            .arg("--target-dir")
            .arg(self.target())
            .current_dir(&self.folder)
            .output()
            .expect("cargo starts");
        assert!(output.status.success(), "cargo {arguments:?} failed:\n{}", String::from_utf8_lossy(&output.stderr));
    }

    /// Where cargo puts what it builds.
    pub(crate) fn target(&self) -> PathBuf {
        self.folder.join("target")
    }
}
