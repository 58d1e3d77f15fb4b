"""Reads the cases of a corpus directory: NAME.rs, the functions, and NAME.toml, points with values and gradients."""

import re
import tomllib

OPEN, CLOSE = "([{<", ")]}>"
SPECIAL = {"inf": "f64::INFINITY", "-inf": "f64::NEG_INFINITY", "nan": "f64::NAN"}


def depths(text):
    """Each character of `text` with the number of brackets around it. The `>` of `->` and `=>` is none."""
    depth = 0
    for previous, char in zip(" " + text, text):
        depth += char in OPEN
        depth -= char in CLOSE and not (char == ">" and previous in "-=")
        yield char, depth


def split_top_level(text):
    """The parts of `text` between commas that stand in no bracket."""
    parts = [""]
    for char, depth in depths(text):
        if char == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += char
    return [part.strip() for part in parts if part.strip()]


def pattern(param):
    """What stands before the colon of a parameter, spelled as the records do: `(a,b)` for `mut (a, b): (f64, f64)`."""
    param = re.sub(r"#\[[^\]]*\]", "", param)
    colon = next(at for at, (char, depth) in enumerate(depths(param)) if char == ":" and depth == 0)
    return re.sub(r"\bmut\b|\s", "", param[:colon])


def signature(name, code):
    """The parameters' patterns, and whether the function returns something."""
    head = re.search(rf"pub fn {name}\s*(<[^(]*>)?\s*\(", code)
    rest = re.sub(r"//.*", "", code[head.end() :])
    end = next(at for at, (_, depth) in enumerate(depths(rest)) if depth < 0)
    return [pattern(param) for param in split_top_level(rest[:end])], rest[end + 1 :].lstrip().startswith("->")


def numbers(values):
    """A number or a list of numbers as a Rust slice."""
    values = values if isinstance(values, list) else [values]
    return "&[" + ", ".join(SPECIAL[x] if isinstance(x, str) else repr(float(x)) for x in values) + "]"


class Record:
    """One case as it is recorded."""

    # What a test is made of, and what says nothing about the answer. A key in neither is an error: it may ask for a check.
    KEYS = {"fn", "point", "mut", "flatten", "rtol"}
    POINT_KEYS = {"args", "value", "grad", "seed"}
    IGNORED = {"features", "tier", "note"}

    def __init__(self, source, name):
        self.name = name
        self.data = tomllib.loads((source / f"{name}.toml").read_text())
        self.code = (source / f"{name}.rs").read_text()
        self.params, self.returns = signature(name, self.code)
        self.places = [k for k, param in enumerate(self.params) if param in self.data.get("mut", [])]
        # An `f32` case says how far off it may be.
        self.tolerance = max(self.data.get("rtol", 0.0), 1e-10)
        self.refuse_unknown_keys()

    def refuse_unknown_keys(self):
        unknown = set(self.data) - self.KEYS
        for point in self.data["point"]:
            unknown |= set(point) - self.POINT_KEYS
        if unknown - self.IGNORED:
            raise ValueError(f"{self.name}: no test is made of {sorted(unknown - self.IGNORED)}")

    def functions(self):
        """The code with attributes in place of the marks."""
        code = self.code.replace("// @differentiate", "#[autodiff::differentiate]")
        return code.replace("// @derive", "#[derive(autodiff::Differentiable)]")
