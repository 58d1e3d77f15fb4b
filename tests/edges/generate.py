#!/usr/bin/env python3
"""Writes the edge cases as Rust test modules, or tries them, as tests/corpus/generate.py does.

    python3 tests/edges/generate.py SOURCE... tests/edges
    python3 tests/edges/generate.py SOURCE... --project . [--target FOLDER] --try [NAME...]

A trial also sees that what must not compile is refused with the right words in the right place, that lints stay
quiet, and that times keep their limits.
"""

import pathlib
import re
import subprocess
import sys

sys.dont_write_bytecode = True  # no cache beside the sources
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "corpus"))

from case import Case  # noqa: E402 (found through the line above)
from generate import command_line  # noqa: E402
from trial import Trial  # noqa: E402


class EdgeCase(Case):
    def __init__(self, source, name):
        super().__init__(source, name)
        self.expect = self.data.get("expect", "gradient")
        self.compile = self.data.get("compile", {})

    def attributes(self, allowed):
        if self.expect == "compile_error":
            raise SystemExit(f"{self.name}: what must not compile is no test module")
        return super().attributes(allowed)


class EdgeTrial(Trial):
    def linted(self):
        """Cases whose lints are checked, each in a library of its own: nothing in a binary can lack its docs."""
        return [case for case in self.cases if case.compile.get("deny") or case.compile.get("forbid")]

    def manifest(self):
        libraries = ""
        for case in self.linted():
            path = f"src/lints/{case.name}.rs"
            libraries += f'[[example]]\nname = "lints_{case.name}"\npath = "{path}"\ncrate-type = ["lib"]\n'
        return super().manifest() + libraries

    def module(self, case):
        return case.functions() if case.expect == "compile_error" else super().module(case)

    def write(self):
        super().write()
        for case in self.linted():
            library = self.package / "src" / "lints" / f"{case.name}.rs"
            library.parent.mkdir(exist_ok=True)
            library.write_text("//! One case.\n" + case.attributes({}) + "\n" + case.functions())

    def measurements(self, case):
        """Calls that compare times."""
        text = ""
        if "scaling" in case.data:
            scaling = case.data["scaling"]
            small, large = (self.time(case, "gradient", [re.sub(r"\bN\b", str(n), arg) for arg in scaling["args"]]) for n in scaling["n"])
            text += f"trial::limit(\"scaling\", {large} / {small}, {float(scaling['max_time_ratio'])});\n"
        if "cost" in case.data and self.options.release:
            args = next(point["args"] for point in case.points if "panics" not in point)
            gradient, primal = self.time(case, "gradient", args), self.time(case, "", args)
            text += f'trial::limit("cost", {gradient} / {primal}, {float(case.data["cost"])});\n'
        return f"use case::*;\n{text}" if text else ""

    @staticmethod
    def time(case, function, args):
        """Arguments are made before the clock runs; owned ones are part of a call."""
        lets = "".join(f"let a{k} = {arg};" for k, arg in enumerate(args) if arg.startswith("&") and not arg.startswith("&mut "))
        names = [f"a{k}" if arg.startswith("&") and not arg.startswith("&mut ") else arg for k, arg in enumerate(args)]
        names = [f"std::hint::black_box({name})" for name in names]
        return f"{{ {lets} trial::seconds(|| {{ std::hint::black_box({case.call(function, names)}); }}) }}"

    def report(self):
        self.lints = None
        return super().report()

    def outcome(self, case, messages):
        errors = self.errors(messages)
        if case.expect == "compile_error":
            faults = self.refusal(case, errors)
            return ("wrong refusal" if errors else "compiles, but must not", faults) if faults else ("ok (refused)", [])
        refusals = [error for error in errors if error["code"] is None]
        if refusals and "compile_error" in case.data.get("also_ok", []):
            return "ok (refused)", self.lines(refusals)
        outcome, details = super().outcome(case, messages)
        details = [*details, *self.faults(case)] if outcome != "compile error" else details
        return ("wrong", details) if outcome == "ok" and details else (outcome, details)

    def refusal(self, case, errors):
        """What is wrong with the errors of a case that must be refused."""
        wanted = case.compile
        text = "\n".join("\n".join([error["message"], *(child["message"] for child in error["children"])]) for error in errors)
        places = [self.source(span) for error in errors for span in error["spans"] if span["is_primary"]]
        faults = [f"says nothing of {word!r}" for word in wanted.get("says", []) if word not in text]
        if wanted.get("error_at") and wanted["error_at"] not in places:
            faults.append(f"stands at {places}, not at {wanted['error_at']!r}")
        if not wanted.get("min_errors", 1) <= len(errors) <= wanted.get("max_errors", len(errors)):
            faults.append(f"{len(errors)} errors")
        return faults + (self.lines(errors) if faults else [])

    def source(self, span):
        """The source text of a span."""
        return (self.package / span["file_name"]).read_bytes()[span["byte_start"] : span["byte_end"]].decode()

    def faults(self, case):
        """What a compiled case does besides giving wrong numbers."""
        faults = []
        if case in self.linted():
            self.lints = self.lints if self.lints is not None else self.cargo("clippy", "--examples")
            faults += [f"lint: {line}" for line in self.lines([m for m in self.lints[f"lints_{case.name}"] if m["spans"]])]
        if "cost" in case.data and not self.options.release:
            faults.append("cost is measured only with --release")
        limit = case.data.get("max_compile_seconds")
        if limit is not None and (took := self.compile_seconds(case.name)) > limit:
            faults.append(f"compiles in {took:.1f} s, at most {limit} allowed")
        if case.compile.get("expand_twice") and self.expansion(case) != self.expansion(case):
            faults.append("two expansions differ")
        return faults

    def expansion(self, case):
        """The expanded source, which a stable compiler shows only when told that it may."""
        environment = self.environment() | {"RUSTC_BOOTSTRAP": "1"}
        line = ["cargo", "rustc", "--bin", case.name, "--", "-Zunpretty=expanded"]
        return subprocess.run(line, cwd=self.package, env=environment, capture_output=True, text=True, check=True).stdout


if __name__ == "__main__":
    sys.exit(command_line("edges", EdgeCase, EdgeTrial))
