"""A recorded case and the Rust test module made of it."""

import re
import tomllib

OPEN, CLOSE = "([{<", ")]}>"


def split_top_level(text):
    """The parts of `text` between commas that stand in no bracket."""
    parts, depth, current = [], 0, ""
    for previous, char in zip(" " + text, text):
        if char in OPEN:
            depth += 1
        elif char in CLOSE and previous not in "-=":
            depth -= 1
        if char == "," and depth == 0:
            parts.append(current)
            current = ""
        else:
            current += char
    return [part.strip() for part in [*parts, current] if part.strip()]


def signature(name, code):
    """Names of the parameters as the records spell them, and the return type, if the function is written out."""
    head = re.search(rf"pub fn {name}\s*(<[^(]*>)?\s*\(", code)
    if head is None:  # written by a macro
        return None
    depth, end = 1, head.end()
    while depth:
        depth += (code[end] in "([{") - (code[end] in ")]}")
        end += 1
    names = []
    for param in split_top_level(re.sub(r"//.*", "", code[head.end() : end - 1])):
        if re.search(r"#\[cfg\(any\(\)\)\]", param):  # never there
            continue
        param = re.sub(r"#\[[^\]]*\]", "", param).strip()
        pattern = param[: top_level_colon(param)]
        names.append(re.sub(r"\bmut\b|\s", "", pattern))
    return names, re.split(r"\{|\bwhere\b", code[end:])[0].strip()


def top_level_colon(param):
    depth = 0
    for position, char in enumerate(param):
        depth += (char in OPEN) - (char in CLOSE)
        if char == ":" and depth == 0:
            return position
    raise ValueError(f"no type in {param}")


def number(value):
    special = {"inf": "f64::INFINITY", "-inf": "f64::NEG_INFINITY", "nan": "f64::NAN"}
    return special[value] if isinstance(value, str) else repr(float(value))


def numbers(values):
    values = values if isinstance(values, list) else [values]
    return "&[" + ", ".join(number(value) for value in values) + "]"


def mark_blocks(code, attribute):
    """Puts the attribute on `impl` blocks that need it there: those of traits, and those with generics."""
    lines = code.split("\n")
    starts = [k for k, line in enumerate(lines) if re.match(r"impl(<| .* for )", line)]
    for start in reversed(starts):
        end = next(k for k in range(start, len(lines)) if lines[k] == "}")
        block = lines[start:end]
        if any("// @differentiate" in line for line in block):
            lines[start:end] = [attribute, *(line.replace("// @differentiate", "#[differentiate]") for line in block)]
    return "\n".join(lines)


class Case:
    """NAME.rs and NAME.toml of a corpus directory."""

    # One switch for forward mode: its directional derivative against the gradient, and the records' `agree`.
    FORWARD_MODE = True

    def __init__(self, source, name):
        self.name = name
        self.data = tomllib.loads((source / f"{name}.toml").read_text())
        self.code = (source / f"{name}.rs").read_text()
        self.points = [point for point in self.data.get("point", []) if "value" in point or "panics" in point]
        self.params, self.result = signature(name, self.code) or (list(self.points[0]["grad"]) if self.points else [], "-> f64")
        self.mutable = self.data.get("mut", [])
        self.unit = not self.result.startswith("->")
        # An `f32` case says how far off it may be.
        self.tolerance = max(self.data.get("rtol", 0.0), 1e-10)

    def in_lanes(self):
        """Whether several tangents can be pushed at once: matrices and what is generic over types cannot."""
        return not self.unit and "@derive" not in self.code and not re.search(r"nalgebra|Matrix|Vector|fn \w+\s*<(?!const)[^(]*:", self.code)

    def functions(self):
        attribute = "#[autodiff::differentiate(lanes)]" if self.in_lanes() else "#[autodiff::differentiate]"
        code = mark_blocks(self.code, attribute).replace("// @differentiate", attribute)
        return code.replace("// @derive", "#[derive(autodiff::Differentiable)]")

    def float(self, expression):
        """As an `f64`; what a generic function returns shows in its arguments."""
        generic = self.result not in ("-> f64", "-> f32") and any("_f32" in arg for point in self.points for arg in point["args"])
        return f"f64::from({expression})" if generic or self.result == "-> f32" else expression

    def flat(self):
        return self.data.get("flatten", f"vec![{self.float('r')}]")

    def tests(self, trial=False):
        """A function for each point: tests, or what a trial's `main` calls."""
        # What must hold after one call needs a process with no other calls before it.
        together = "after" in self.data and not trial
        mark = "" if trial or together else "#[test]\n"
        whole = "".join(self.test(index, point, mark, trial) for index, point in enumerate(self.points))
        if "after" in self.data:
            whole += self.after()
        if together:
            calls = "".join(f"point_{k}();\n" for k, point in enumerate(self.points) if "panics" not in point)
            whole += f"#[test]\nfn all() {{\nafter_one_call();\n{calls}}}\n"
        return whole

    def test(self, index, point, mark, trial):
        body = self.panicking(point) if "panics" in point else self.body(point)
        if "panics" in point and not trial:
            expected = point["panics"].replace("\\", "\\\\").replace('"', '\\"')
            mark = f'#[test]\n#[should_panic(expected = "{expected}")]\n'
        if "stack_bytes" in self.data:
            body = f"on_stack({self.data['stack_bytes']}, || {{\n{body}}});\n"
        return f"{mark}{'pub(crate) ' if trial else ''}fn point_{index}() {{\n{body}}}\n\n"

    def body(self, point):
        return self.general(point) if isinstance(point["value"], list) else self.scalar(point)

    def panicking(self, point):
        lets, args = self.bound(point)
        return f"{lets}let _ = {self.call('gradient', args)};\n"

    def after(self):
        point = next(point for point in self.points if "panics" not in point)
        lets, args = self.bound(point)
        holds = f"assert!({self.data['after']}, \"after one gradient call\");\n"
        return f"pub(crate) fn after_one_call() {{\n{lets}let _ = {self.call('gradient', args)};\n{holds}}}\n\n"

    def call(self, function, args):
        return f"{self.name}{'::' + function if function else ''}({', '.join(args)})"

    def active(self, point):
        """Parameters whose cotangents are returned, each with the expression of its cotangent."""
        recorded = {name for point in self.points for name in point.get("grad", {})}
        names = [name for name in self.params if name in recorded and name not in self.mutable]
        return [(name, "gradient" if len(names) == 1 else f"gradient.{k}") for k, name in enumerate(names)]

    def close(self, what, got, accepted, relative=False):
        tolerance = 1e-9 if relative else self.tolerance
        return f'close("{what}", {got}, &[{", ".join(accepted)}], {tolerance}, {str(relative).lower()});\n'

    def gradients(self, point):
        """Compares each active parameter's cotangent with the record, or with one of the accepted others."""
        lines = ""
        for name, cotangent in self.active(point):
            answers = [point["grad"], *(also.get("grad", {}) for also in point.get("also", []))]
            # An `Option` that is `None` has no numbers.
            accepted = [numbers(answer[name]) for answer in answers if name in answer] or [numbers([])]
            lines += self.close(f"d {name}", f"&{cotangent}.flatten()", accepted, bool(point.get("rel")))
        return lines

    def bound(self, point):
        """References that live as long as a saved sweep, and places for `&mut` arguments."""
        lets, args = "", []
        for k, arg in enumerate(point["args"]):
            if arg.startswith("&mut "):
                lets += f"let mut place_{k} = {arg.removeprefix('&mut ')};\n"
                args.append(f"&mut place_{k}")
            elif arg.startswith("&"):
                lets += f"let argument_{k} = {arg};\n"
                args.append(f"argument_{k}")
            elif arg == "None":  # whose type the function says
                lets += f"let place_{k} = None;\n"
                args.append(f"place_{k}")
            else:
                args.append(arg)
        return lets, args

    def scalar(self, point):
        lets, args = self.bound(point)
        accepted = [numbers(answer["value"]) for answer in [point, *point.get("also", [])] if "value" in answer]
        value, primal = self.float("value"), self.float(self.call("", args))
        return (
            f"{lets}let (value, gradient) = {self.call('gradient', args)};\n"
            + self.close("value", f"&[{value}]", accepted)
            + f'same("the primal\'s value", &[{value}], &[{primal}]);\n'
            + self.gradients(point)
            + f"let (_, saved) = {self.call('forward', args)};\n"
            "for _ in 0..2 {\n"
            f'same("adjoint", &{self.name}::adjoint(&saved, 1.0).flatten(), &gradient.flatten());\n'
            "}\n" + self.forward_mode(point, args) + self.allocation(args)
        )

    def forward_mode(self, point, args):
        """The derivative along some direction is the gradient's inner product with it."""
        if not self.FORWARD_MODE or ("agree" not in point and "nan" in str(point["grad"])):
            return ""
        tangents, products, lanes, others = [], [], [], []
        for k, (name, cotangent) in enumerate(self.active(point)):
            argument = args[self.params.index(name)]
            reference = "&" if argument.startswith("&") or argument.startswith("argument_") else ""
            first, second = f"direction(&{cotangent}, {k})", f"direction(&{cotangent}, {k + 20})"
            tangents.append(f"{reference}{first}")
            products.append(f"product(&{cotangent}, &{first})")
            lanes.append(f"{reference}both({'' if reference else '&'}{argument}, &{first}, &{second})")
            others.append(f"product(&{cotangent}, &{second})")
        pushed, tangent, value = self.float("pushed"), self.float("tangent"), self.float("value")
        lines = (
            f"let (pushed, tangent) = {self.call('jvp', args + tangents)};\n"
            f'same("the primal\'s value in forward mode", &[{pushed}], &[{value}]);\n'
            f"agree(&[({tangent}, 0.0)], &[{', '.join(products)}], {self.agreement()});\n"
        )
        if self.in_lanes():
            lines += (
                f"let (pushed, tangents) = {self.call('jvp_lanes', args + lanes)};\n"
                f'same("the primal\'s value in lanes", &[{pushed}], &[{value}]);\n'
                f'same("the first lane", &[{self.float("tangents.0[0]")}], &[{tangent}]);\n'
                f"agree(&[({self.float('tangents.0[1]')}, 0.0)], &[{', '.join(others)}], {self.agreement()});\n"
            )
        return lines

    def agreement(self):
        """How far the modes may be apart: rounding, of the sums that are compared."""
        return 1e-12 if self.tolerance <= 1e-10 else self.tolerance

    def pushed(self, point, places):
        """The weighted derivative of the values along some direction is the cotangents' inner product with it."""
        if not self.FORWARD_MODE or "nan" in str(point["grad"]):
            return ""
        lets, args = self.bound(point)
        cotangents = dict(self.active(point))
        tangents, products = [], []
        lines = lets
        for k, name in enumerate(self.params):
            if name in self.mutable and name in point["grad"]:
                lines += f"let start_{k} = direction(&shadow_{k}, {k});\nlet mut dot_{k} = copy(&start_{k});\n"
                tangents.append(f"&mut dot_{k}")
                products.append(f"product(&shadow_{k}, &start_{k})")
            elif name in self.mutable and k in places:
                # Its former content does not matter.
                lines += f"let mut dot_{k} = place_{k}.zero_tangent();\n"
                tangents.append(f"&mut dot_{k}")
            elif name in cotangents:
                reference = "&" if args[k].startswith(("&", "argument_")) else ""
                tangents.append(f"{reference}direction(&{cotangents[name]}, {k})")
                products.append(f"product(&{cotangents[name]}, &direction(&{cotangents[name]}, {k}))")
        result = "_" if self.unit else "result_dot"
        lines += f"let (_, {result}) = {self.call('jvp', args + tangents)};\n"
        outputs = [] if self.unit else ["product(&result_dot, &with(&zero, &weights[..own]))"]
        lines += "" if not places else f"let at = {'0' if self.unit else 'own'};\n"
        for k in places:
            lines += f"let mut weight_{k} = place_{k}.zero_tangent();\nlet at = fill(&mut weight_{k}, weights, at);\n"
            outputs.append(f"product(&dot_{k}, &weight_{k})")
        lines += "let _ = at;\n" if places else ""
        return "{\n" + lines + f"agree(&[{', '.join(outputs)}], &[{', '.join(products)}], {self.agreement()});\n}}\n"

    def allocation(self, args):
        """The owned result may be on the heap, nothing else."""
        if not self.data.get("no_alloc"):
            return ""
        count = "allocation_counter::measure(|| {{ let _ = {}; }}).count_total"
        return (
            f"let spent = {count.format(self.call('gradient', args))};\n"
            f"let owned = {count.format('copy(&gradient)')};\n"
            'assert!(spent <= owned, "{spent} allocations, {owned} of them for the result");\n'
        )

    def general(self, point):
        """The seed and the shadows of `&mut` parameters are the recorded weights, in the order of the values."""
        places = [k for k, name in enumerate(self.params) if name in self.mutable]
        lets, args = self.bound(point)
        copies = [f"&mut copy_{k}" if k in places else arg for k, arg in enumerate(args)]
        shadows = [f"&mut shadow_{k}" for k in places]
        seed = [] if self.unit else ["with(&zero, &weights[..own])"]
        body = lets + "".join(f"let mut copy_{k} = {point['args'][k].removeprefix('&mut ')};\n" for k in places)
        body += f"let weights: &[f64] = {numbers(point['seed'])};\n"
        body += self.primal(copies, places)
        body += self.close("value", "&value", [numbers(point["value"])])
        body += self.shadows(places)
        body += self.differentiated(args + seed + shadows, places)
        body += 'same("the primal\'s value", &again, &value);\n' + self.gradients(point)
        for k in places:
            if self.params[k] in point["grad"]:
                body += self.close(f"d {self.params[k]}", f"&shadow_{k}.flatten()", [numbers(point["grad"][self.params[k]])])
        body += self.pushed(point, places)
        return body + (self.float_with_places(point, args, shadows, places) if places else self.sweeps(args, seed))

    def primal(self, args, places):
        """The value of the plain function: its result's components and then those of its `&mut` parameters."""
        mutable = "mut " if places else ""
        if self.unit:
            lines = f"{self.call('', args)};\nlet mut value: Vec<f64> = Vec::new();\n"
        else:
            lines = f"let r = {self.call('', args)};\nlet zero = r.zero_tangent();\nlet {mutable}value: Vec<f64> = {self.flat()};\n"
            lines += "let own = value.len();\n"
        return lines + "".join(f"value.extend(copy_{k}.flatten());\n" for k in places)

    def shadows(self, places):
        if not places:
            return ""
        lines = f"let at = {'0' if self.unit else 'own'};\n"
        for k in places:
            lines += f"let mut shadow_{k} = copy_{k}.zero_tangent();\nlet at = fill(&mut shadow_{k}, weights, at);\n"
        return lines + 'assert_eq!(at, weights.len(), "one weight for each component");\n'

    def differentiated(self, args, places):
        mutable = "mut " if places else ""
        used = any(name not in self.mutable for point in self.points for name in point.get("grad", {}))
        gradient = "gradient" if used else "_"
        if self.unit:
            lines = f"let (_, {gradient}) = {self.call('vjp', args)};\nlet mut again: Vec<f64> = Vec::new();\n"
        else:
            lines = f"let (r, {gradient}) = {self.call('vjp', args)};\nlet {mutable}again: Vec<f64> = {self.flat()};\n"
        return lines + "".join(f"again.extend(place_{k}.flatten());\n" for k in places)

    def sweeps(self, args, seed):
        return (
            f"let (_, saved) = {self.call('forward', args)};\n"
            "for _ in 0..2 {\n"
            f'same("adjoint", &{self.name}::adjoint(&saved, {seed[0]}).flatten(), &gradient.flatten());\n}}\n'
        )

    def float_with_places(self, point, args, shadows, places):
        """`gradient` of a float function with places is `vjp` with the seed 1."""
        if self.result not in ("-> f64", "-> f32"):
            return ""
        calls = ""
        for function, extra in (("gradient", []), ("vjp", ["1.0"])):
            for k in places:
                calls += f"let mut place_{k} = {point['args'][k].removeprefix('&mut ')};\n"
                calls += f"let mut shadow_{k} = place_{k}.zero_tangent();\nfill(&mut shadow_{k}, weights, own);\n"
            flat = "".join(f"{function}.extend(shadow_{k}.flatten());\n" for k in places)
            calls += f"let (_, returned) = {self.call(function, args + extra + shadows)};\n"
            calls += f"let mut {function} = returned.flatten();\n{flat}"
        return calls + 'same("gradient with a shadow", &gradient, &vjp);\n'

    def attributes(self, allowed):
        """Lints that are let pass, each with the reason, and those that neither the functions nor their derivatives may trip."""
        compile = self.data.get("compile", {})
        lines = "".join(f'#![allow({lint}, reason = "{reason}")]\n' for lint, reason in allowed.items())
        for level in ("deny", "forbid"):
            if compile.get(level):
                lines += f"#![{level}({', '.join(compile[level])})]\n"
        return lines

    def module(self, tests, attributes=""):
        used = [f"{name} as _" for name, method in (("Differentiable", "zero_tangent"), ("Tangent", r"flatten\(\)|dot\("))
                if re.search(rf"\.(?:{method})", tests)]
        traits = f"use autodiff::{{{', '.join(used)}}};\n" if used else ""
        helpers = "use crate::support::*;\n" if re.search(r"\b(close|same|on_stack)\(", tests) else ""
        return attributes + helpers + traits + "\n" + self.functions() + "\n" + tests
