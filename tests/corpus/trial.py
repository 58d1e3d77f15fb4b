"""Tries cases outside the repository: each its own binary of one package, so that none hides another."""

import collections
import json
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import time

HERE = pathlib.Path(__file__).parent
MANIFEST = """[package]
name = "trial"
edition = "2024"
[workspace]
[profile.dev]
debug = false
incremental = false
[dependencies]
autodiff = {{ path = {project} }}
nalgebra = "0.35"
num-traits = "0.2"
{more}"""


def options(parser):
    parser.add_argument("--try", dest="names", nargs="*", metavar="NAME", help="try these cases, or all")
    parser.add_argument("--tier", type=int, help="try the cases of this tier")
    parser.add_argument("--project", type=pathlib.Path, default=pathlib.Path("."), help="directory of the crate `autodiff`")
    parser.add_argument("--target", type=pathlib.Path, default=pathlib.Path(tempfile.gettempdir(), "target-corpus"), help="takes what is built")
    parser.add_argument("--release", action="store_true", help="build with optimisation: `cost` is measured only then")
    parser.add_argument("--timeout", type=float, default=60.0, help="seconds for one case")


class Trial:
    def __init__(self, case_type, options):
        self.options = options
        self.target = options.target.resolve()
        self.package = self.target / "package"
        self.cases = [case for case in self.found(case_type) if options.tier in (None, case.data.get("tier"))]

    def found(self, case_type):
        """The cases asked for, in the order of their names."""
        wanted, known = set(self.options.names or []), {}
        for folder in self.options.directories:
            for record in sorted(folder.glob("*.toml")):
                if (not wanted or record.stem in wanted) and record.with_suffix(".rs").exists():
                    known.setdefault(record.stem, case_type(folder, record.stem))
        for name in sorted(wanted - set(known)):
            print(f"no case {name}")
        return list(known.values())

    def report(self):
        """Prints the table; whether anything was not right."""
        if not self.cases:
            return 1
        self.write()
        messages = self.cargo("build", "--bins")
        rows = [(case, *self.outcome(case, messages[case.name])) for case in self.cases]
        width = max(len(case.name) for case in self.cases)
        for case, outcome, details in rows:
            print(f"{case.name:{width}}  {case.data.get('tier', '-')}  {outcome}")
            for line in details:
                print(f"{'':{width}}       {line}")
        counts = collections.Counter(outcome for _, outcome, _ in rows)
        print(", ".join(f"{count} {outcome}" for outcome, count in counts.most_common()))
        return int(any(not outcome.startswith("ok") for outcome in counts))

    def write(self):
        """The package, anew: its place stays the same, so that its dependencies are built once."""
        source = self.package / "src"
        shutil.rmtree(self.package, ignore_errors=True)
        for folder in ("bin", "cases"):
            (source / folder).mkdir(parents=True)
        for file in ("support.rs", "trial.rs"):
            shutil.copy(HERE / file, source / file)
        if (self.options.project / "Cargo.lock").exists():
            shutil.copy(self.options.project / "Cargo.lock", self.package)
        for case in self.cases:
            (source / "cases" / f"{case.name}.rs").write_text(self.module(case))
            (source / "bin" / f"{case.name}.rs").write_text(self.main(case))
        project = json.dumps(str(self.options.project.resolve()))
        (self.package / "Cargo.toml").write_text(MANIFEST.format(project=project, more=self.manifest()))

    def manifest(self):
        counted = any(case.data.get("no_alloc") for case in self.cases)
        return 'allocation-counter = "0.8"\n' if counted else ""

    def module(self, case):
        return case.module(case.tests(trial=True))

    def main(self, case):
        """Runs the points; nothing where there are none."""
        lints = '#![allow(warnings)]\n#[path = "../cases/{0}.rs"]\nmod case;\n'.format(case.name)
        if not case.points:
            return lints + "fn main() {}\n"
        calls = 'trial::run("after one call", None, case::after_one_call);\n' if "after" in case.data else ""
        for index, point in enumerate(case.points):
            panics = f"Some({json.dumps(point['panics'], ensure_ascii=False)})" if "panics" in point else "None"
            calls += f'trial::run("point {index}", {panics}, case::point_{index});\n'
        modules = '#[path = "../support.rs"]\nmod support;\n#[path = "../trial.rs"]\nmod trial;\n'
        return lints + modules + f"fn main() {{\n{calls}{self.measurements(case)}}}\n"

    def measurements(self, case):
        return ""

    def cargo(self, command, *arguments):
        """Runs cargo on the package; the compiler's messages by the name of the target."""
        release = ["--release"] if self.options.release else []
        line = ["cargo", command, *arguments, *release, "--keep-going", "--message-format=json"]
        run = subprocess.run(line, cwd=self.package, env=self.environment(), capture_output=True, text=True)
        messages = collections.defaultdict(list)
        for record in map(json.loads, filter(lambda line: line.startswith("{"), run.stdout.splitlines())):
            if record["reason"] == "compiler-message":
                messages[record["target"]["name"]].append(record["message"])
        if run.returncode and not any(map(self.errors, messages.values())):
            raise SystemExit(run.stderr[-4000:])
        return messages

    def environment(self):
        return {**os.environ, "CARGO_TARGET_DIR": str(self.target)}

    @staticmethod
    def errors(messages):
        """Errors that stand somewhere; not the count of them at the end."""
        return [message for message in messages if message["level"].startswith("error") and message["spans"]]

    @staticmethod
    def lines(messages, limit=3):
        """The first errors, each with the line it stands in."""
        texts = []
        for message in messages[:limit]:
            span = next(span for span in message["spans"] if span["is_primary"])
            text = span["text"][0]["text"].strip() if span["text"] else ""
            texts.append(f"{span['line_start']}: {message['message'].splitlines()[0]}   `{text[:100]}`")
        return texts + ([f"and {len(messages) - limit} more"] if len(messages) > limit else [])

    def outcome(self, case, messages):
        """What came of a case, and the lines that say why."""
        errors = self.errors(messages)
        if errors:
            return "compile error", self.lines(errors)
        return self.run(case)

    def binary(self, name):
        return self.target / ("release" if self.options.release else "debug") / name

    def run(self, case):
        try:
            run = subprocess.run([self.binary(case.name)], capture_output=True, text=True, timeout=self.options.timeout)
        except subprocess.TimeoutExpired:
            return "wrong", [f"still running after {self.options.timeout} s"]
        details = self.wrong(run.stdout)
        if run.returncode:
            details.append(f"ended with {run.returncode}: {run.stderr.strip()[-200:]}")
        return ("wrong", details) if details else ("ok", [])

    @staticmethod
    def wrong(output):
        """The indented lines, each after the name of what was run."""
        name, lines = "", []
        for line in output.splitlines():
            if re.fullmatch(r"(point \d+|after one call|(scaling|cost): .*)", line):
                name = line.split(":")[0]
            else:
                lines.append(f"{name}: {line.strip()}")
        return lines

    def compile_seconds(self, name):
        """From a touched source to its binary."""
        (self.package / "src" / "bin" / f"{name}.rs").touch()
        start = time.monotonic()
        self.cargo("build", "--bin", name)
        return time.monotonic() - start
