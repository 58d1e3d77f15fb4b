#!/usr/bin/env python3
"""Writes edge cases as Rust test modules, as tests/corpus/generate.py does.

    python3 tests/edges/generate.py SOURCE

Their records say more: answers that are infinite, undefined or a convention, panics, lints that must stay quiet.
Cases that must not compile are not written here.
"""

import pathlib
import sys

HERE = pathlib.Path(__file__).parent
sys.dont_write_bytecode = True
sys.path.insert(0, str(HERE.parent / "corpus"))

from generate import Case, write  # noqa: E402 (found through the line above, without a cache beside the sources)
from records import numbers  # noqa: E402

ALLOWED = []


class EdgeCase(Case):
    KEYS = Case.KEYS | {"expect", "compile"}
    POINT_KEYS = Case.POINT_KEYS | {"panics", "also", "rel", "agree"}
    # `choice` says that the answer is a convention; times are measured by benches; a test's thread has the stack of `stack_bytes`.
    IGNORED = Case.IGNORED | {"what", "right", "also_ok", "choice", "scaling", "max_compile_seconds", "stack_bytes"}

    def __init__(self, source, name):
        super().__init__(source, name)
        if self.data["expect"] not in ("gradient", "panic", "compiles_clean"):
            raise ValueError(f"{name}: {self.data['expect']} is not a test of this kind")
        if set(self.data.get("compile", {})) - {"deny"}:
            raise ValueError(f"{name}: of [compile] only `deny` is understood")

    def attributes(self):
        """Lints that neither the functions nor what is generated for them may trip."""
        denied = self.data.get("compile", {}).get("deny", [])
        return f"#![deny({', '.join(denied)})]\n" if denied else ""

    def test(self, index, point):
        if "panics" not in point:
            return super().test(index, point)
        message = point["panics"].replace('"', '\\"')
        call = self.call("gradient", *self.args(point))
        body = f"{self.bindings(point)}let _ = {call};\n"
        return f'#[test]\n#[should_panic(expected = "{message}")]\nfn point_{index}() {{\n{body}}}\n'

    def compare(self, point, k, got):
        name = self.params[k]
        answers = [point["grad"]] + [also["grad"] for also in point.get("also", [])]
        wanted = [numbers(answer[name]) for answer in answers if name in answer]
        if point.get("rel"):
            return f'close_relative("d {name}", &{got}.flatten(), {wanted[0]}, 1e-9);\n'
        if len(wanted) > 1:
            return f'one_of("d {name}", &{got}.flatten(), &[{", ".join(wanted)}], {self.tolerance});\n'
        return super().compare(point, k, got)

    def forward_mode(self, point, value, pairing):
        """Where NaN is wanted there is nothing to compare, unless both modes must agree all the same."""
        if "nan" in str(point["grad"]) and not point.get("agree"):
            return ""
        return super().forward_mode(point, value, pairing)


if __name__ == "__main__":
    write(HERE, EdgeCase, ALLOWED)
