#!/usr/bin/env python3
"""Writes the cases of a corpus directory as Rust test modules.

    python3 tests/corpus/generate.py SOURCE

SOURCE holds NAME.rs (functions, `// @differentiate` above those to be differentiated) and NAME.toml (points, with
values and gradients from an independent source). The cases written are those named in enabled.txt.
"""

import pathlib
import subprocess
import sys

sys.dont_write_bytecode = True

from records import Record, numbers  # noqa: E402 (leaves no cache beside the sources)

HERE = pathlib.Path(__file__).parent
# What users write and clippy would have otherwise, and what a record's numbers are like. Nothing of what the macro emits.
ALLOWED = []


class Case(Record):
    """The tests of one case.

    A test evaluates the arguments anew for each call, so that arguments may be moved; only references are bound
    to a name, to outlive a saved sweep. `place_k` is what parameter k of type `&mut` refers to.
    """

    def test(self, index, point):
        body = self.general(point) if "seed" in point else self.scalar(point)
        return f"#[test]\nfn point_{index}() {{\n{self.bindings(point)}{body}}}\n"

    def bindings(self, point):
        """Binds the references among the arguments."""
        text = ""
        for k, arg in enumerate(point["args"]):
            if k in self.places:
                text += f"let mut place_{k} = {arg.removeprefix('&mut ')};\n"
            elif arg.startswith("&"):
                text += f"let argument_{k} = {arg};\n"
        return text

    def args(self, point, place="place"):
        """The arguments of a call, `&mut` ones referring to variables whose names begin with `place`."""
        args = [f"argument_{k}" if arg.startswith("&") else arg for k, arg in enumerate(point["args"])]
        return [f"&mut {place}_{k}" if k in self.places else arg for k, arg in enumerate(args)]

    def call(self, function, *args):
        path = f"{self.name}::{function}" if function else self.name
        return f"{path}({', '.join(args)})"

    def active(self, point):
        """Parameters that have a cotangent among the results."""
        return [k for k, name in enumerate(self.params) if name in point["grad"] and k not in self.places]

    def cotangents(self, point):
        """The expressions of those cotangents: a tuple's fields, or a bare value."""
        active = self.active(point)
        return ["gradient"] if len(active) == 1 else [f"gradient.{position}" for position in range(len(active))]

    def close(self, what, got, wanted):
        return f'close("{what}", &{got}, {numbers(wanted)}, {self.tolerance});\n'

    def compare(self, point, k, got):
        """Compares a cotangent with the recorded one."""
        return self.close(f"d {self.params[k]}", f"{got}.flatten()", point["grad"][self.params[k]])

    def gradients(self, point):
        pairs = zip(self.active(point), self.cotangents(point))
        return "".join(self.compare(point, k, got) for k, got in pairs)

    # Functions that return one float and change nothing.

    def scalar(self, point):
        args = self.args(point)
        return (
            f"let (value, gradient) = {self.call('gradient', *args)};\n"
            + self.close("value", "value.flatten()", point["value"])
            + f'same("the primal\'s value", &{self.call("", *args)}.flatten(), &value.flatten());\n'
            + self.gradients(point)
            + f"let (again, cotangents) = {self.call('vjp', *args, '1.0')};\n"
            + 'same("the value of vjp", &again.flatten(), &value.flatten());\n'
            + 'same("vjp", &cotangents.flatten(), &gradient.flatten());\n'
            + self.saved(args, "1.0")
            + self.forward_mode(point, "value", "f64::from(tangent)")
        )

    def saved(self, args, seed):
        """One forward sweep serves many seeds."""
        adjoint = self.call("adjoint", "&saved", seed)
        return (
            f"let (_, saved) = {self.call('forward', *args)};\n"
            f'for _ in 0..2 {{\nsame("adjoint", &{adjoint}.flatten(), &gradient.flatten());\n}}\n'
        )

    def forward_mode(self, point, value, pairing):
        """The derivative along some direction is the gradient's inner product with it."""
        lets, tangents, products = "", [], []
        for position, (k, cotangent) in enumerate(zip(self.active(point), self.cotangents(point))):
            lets += f"let direction_{position} = direction(&{cotangent}, {position});\n"
            tangents.append("&" * point["args"][k].startswith("&") + f"direction_{position}")
            products.append(f"{cotangent}.dot(&direction_{position})")
        call = self.call("jvp", *self.args(point), *tangents)
        return (
            f"{lets}let reverse = {' + '.join(products)};\nlet (pushed, tangent) = {call};\n"
            f'same("the primal\'s value in forward mode", &pushed.flatten(), &{value}.flatten());\n'
            f"agree({pairing}, reverse, {self.tolerance});\n"
        )

    # Other functions: the recorded weights are the result's seed, followed by the shadows of `&mut` parameters.

    def general(self, point):
        text = "".join(f"let mut copy_{k} = again(&place_{k});\n" for k in self.places)
        text += self.result(self.call("", *self.args(point, "copy")), "r", "value", "copy", "let mut seed = r.zero_tangent();\n")
        text += self.close("value", "value", point["value"]) + self.seeds(point)
        arguments = self.args(point) + ["again(&seed)"] * self.returns + [f"&mut shadow_{k}" for k in self.places]
        gradient = "gradient" if self.active(point) else "()"
        text += self.result(self.call("vjp", *arguments), f"(r, {gradient})", "repeated", "place")
        text += 'same("the primal\'s value", &repeated, &value);\n' + self.gradients(point)
        for k in self.places:
            text += self.compare(point, k, f"shadow_{k}")
        if not self.places:
            text += self.saved(self.args(point), "again(&seed)")
        return text

    def result(self, call, pattern, name, place, before=""):
        """Calls, and flattens what is returned and what `&mut` parameters hold then into a list called `name`.

        The record's expression for it may take the result apart: `before` is done with it first.
        """
        if self.returns:
            flattened = self.data.get("flatten", "r.flatten()")
            text = f"let {pattern} = {call};\n{before}let {'mut ' * bool(self.places)}{name}: Vec<f64> = {flattened};\n"
        else:
            text = f"let {pattern.replace('r', '()', 1)} = {call};\nlet mut {name}: Vec<f64> = Vec::new();\n"
        own = f"let own = {name}.len();\n" if before else ""
        return text + own + "".join(f"{name}.extend(flat({place}_{k}.iter()));\n" for k in self.places)

    def seeds(self, point):
        text = f"let weights: &[f64] = {numbers(point['seed'])};\n"
        text += "seed.assign_flat(&weights[..own]);\n" * self.returns
        text += "let mut at = own;\n" * bool(self.places)
        for k in self.places:
            text += f"let mut shadow_{k} = place_{k}.zero_tangent();\nat = fill(&mut shadow_{k}, weights, at);\n"
        return text + "assert_eq!(at, weights.len());\n" * bool(self.places)

    # Modules

    def attributes(self):
        return ""

    def module(self, header):
        tests = "\n".join(self.test(index, point) for index, point in enumerate(self.data["point"]))
        traits = "Differentiable as _, Tangent as _" if "zero_tangent" in tests else "Tangent as _"
        uses = f"use crate::support::*;\nuse autodiff::{{{traits}}};\n"
        return f"{header}\n{self.attributes()}\n{uses}\n{self.functions()}\n{tests}"


def write(here, case, allowed):
    """Writes the cases that `here`/enabled.txt names, and mod.rs, which lists them."""
    if len(sys.argv) != 2:
        sys.exit(f"usage: {sys.argv[0]} SOURCE")
    header = f"//! Generated by `python3 tests/{here.name}/generate.py SOURCE`.\n"
    names = sorted((here / "enabled.txt").read_text().split())
    modules = {name: case(pathlib.Path(sys.argv[1]), name).module(header) for name in names}
    lints = "".join(f"#![allow({lint})] // {reason}\n" for lint, reason in allowed)
    modules["mod"] = f"{header}\n{lints}\n" + "".join(f"mod {name};\n" for name in names)
    cases = here / "cases"
    for old in cases.glob("*.rs"):
        old.unlink()
    for name, text in modules.items():
        (cases / f"{name}.rs").write_text(text)
    # It follows the declarations in mod.rs.
    subprocess.run(["rustfmt", "--edition", "2024", "cases/mod.rs"], cwd=here, check=True)


if __name__ == "__main__":
    write(HERE, Case, ALLOWED)
