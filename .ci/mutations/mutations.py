#!/usr/bin/env python3
"""Breaks the program in one place at a time and says who notices: the gate or the
tests. Needs Go and Python 3.11, nothing else.

    .ci/mutations/mutations.py check        every snippet of the list applies and has a result; prints the counts
    .ci/mutations/mutations.py run          run what has no result yet
    .ci/mutations/mutations.py try NAME...  run these again and compare with their results; nothing is written

mutations.toml, beside this script, is the list: a file, a snippet that occurs in it
once, what it becomes and what that does. mutations.jsonl has a line for every result.
The tree is never changed: `go build -overlay` reads the mutated file from a temporary
directory. For every mutation

- `run smoke`, or the spec that the list names, fills an empty directory and `gate` compares its cells;
- the gate is asked about the cells of the unmutated build, which it must refuse;
- the tests of the package and of those named in the list run until one fails.

`run` resumes after a kill. A line counts as long as the mutation reads the same; `run
--again` forgets them all. The exit status is 1 if a mutation that changes something is
noticed by nobody, or the gate notices one that is said to change no prediction.
"""

import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import threading
import tomllib

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
LIST, RESULTS = HERE / "mutations.toml", HERE / "mutations.jsonl"
FIELDS = {"name", "file", "find", "replace", "does", "methods", "spec", "tests", "env", "nothing"}
BARE = ["-ldflags", "-s -w"]  # links faster
LONGEST = 900  # seconds that a run of the program or of the tests may take


class Fault(Exception):
    """Something that ends the script: where, what, what to do."""


def load():
    with LIST.open("rb") as f:
        groups = tomllib.load(f)["group"]
    names = [m["name"] for g in groups for m in g["mutation"]]
    twice = sorted({n for n in names if names.count(n) > 1})
    if twice:
        raise Fault(f"{LIST}: two mutations are called {', '.join(twice)}")
    for g in groups:
        for m in g["mutation"]:
            if unknown := set(m) - FIELDS:
                raise Fault(f"{LIST}: {m['name']}: unknown key {', '.join(sorted(unknown))}")
            m.setdefault("methods", g.get("methods", ""))
            m.setdefault("spec", g.get("spec", "smoke"))
    return groups


def every(groups):
    return [m for g in groups for m in g["mutation"]]


def mutated(m):
    """The text of the file of a mutation, mutated."""
    source = (ROOT / m["file"]).read_text()
    count = source.count(m["find"])
    if count != 1:
        raise Fault(f"{LIST}: {m['name']}: the snippet occurs {count} times in {m['file']}, want once; "
                    f"write it as the code reads now: {m['find']!r}")
    return source.replace(m["find"], m["replace"])


def identity(m):
    """What a result depends on, of the mutation."""
    return {k: m[k] for k in ("file", "find", "replace", "methods", "spec", "env", "tests") if m.get(k) and m[k] != "smoke"}


def read_results(path):
    """The last result of every mutation, by name."""
    results = {}
    if path.exists():
        for line in path.read_text().splitlines():
            try:
                r = json.loads(line)
            except json.JSONDecodeError:
                continue  # cut off by a kill
            results[r["name"]] = r
    return results


def valid(results, m):
    r = results.get(m["name"])
    return r is not None and r["mutation"] == identity(m)


class Workshop:
    """A temporary directory with the unmutated program and its cells."""

    def __init__(self, directory, wanted):
        """wanted are the methods that are computed, by spec; empty: all."""
        self.directory = directory
        self.environment = {k: v for k, v in os.environ.items() if not k.startswith("R2LMLBENCH_")}
        self.environment |= {"RAPID_SEED": "1", "RAPID_NOFAILFILE": "true"}  # the same draws every time, and no file about those that fail
        self.program = directory / "unmutated"
        self.cells = directory / "cells"
        self.go(["build", *BARE, "-o", str(self.program), "."])
        for spec, methods in wanted.items():
            self.fresh(self.program, self.cells, spec, methods, {})
            status, cells = self.gate(self.program, self.cells, spec, methods)
            if status != "pass":
                raise Fault(f"the gate {spec} is red without a mutation ({status}, {len(cells)} cells); accept or mend that first")

    def go(self, arguments):
        done = subprocess.run(["go", *arguments], cwd=ROOT, env=self.environment, capture_output=True, text=True)
        if done.returncode != 0:
            raise Fault(f"go {' '.join(arguments)}: {done.stderr.strip()}")

    def fresh(self, program, cells, spec, methods, env):
        """Computes the cells of a spec into an empty directory. A failed cell is the gate's to find."""
        command = [str(program), "run", spec, "--fresh", "--quiet", "--workers", "1", "--results", str(cells)] + only(methods)
        subprocess.run(command, cwd=self.directory, env=self.environment | env, stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL, timeout=LONGEST)

    def gate(self, program, cells, spec, methods):
        """The status of the gate and its cells."""
        command = [str(program), "gate", spec, "--quiet", "--format", "json", "--results", str(cells)] + only(methods)
        done = subprocess.run(command, cwd=self.directory, env=self.environment, capture_output=True, text=True, timeout=LONGEST)
        try:
            answer = json.loads(done.stdout)
        except json.JSONDecodeError:
            return "error", []  # it crashed
        if (done.returncode == 0) != (answer["status"] == "pass"):
            raise Fault(f"{' '.join(command)}: exit status {done.returncode} with status {answer['status']}")
        return answer["status"], answer["cells"]

    def outcome(self, m):
        """The result of a mutation."""
        with tempfile.TemporaryDirectory(dir=self.directory) as d:
            work = pathlib.Path(d)
            changed = work / pathlib.Path(m["file"]).name
            changed.write_text(mutated(m))
            overlay = work / "overlay.json"
            overlay.write_text(json.dumps({"Replace": {str(ROOT / m["file"]): str(changed)}}))
            program, cells, of = work / "program", work / "cells", (m["spec"], m["methods"])
            self.go(["build", *BARE, "-overlay", str(overlay), "-o", str(program), "."])
            try:
                self.fresh(program, cells, *of, m.get("env", {}))
                status, compared = self.gate(program, cells, *of)
            except subprocess.TimeoutExpired:
                status, compared = "no end", []  # killed after LONGEST
            differ = [c for c in compared if c.get("differ", 0) > 0]
            error = [c for c in compared if c["status"] == "error"]
            green = [c for c in compared if c["status"] == "pass"]
            gate = {"status": status, "cells": len(compared), "differ": len(differ), "error": len(error),
                    "scores": len(compared) - len(green) - len(differ) - len(error)}  # on the validation samples, or another setting
            stale, _ = self.gate(program, self.cells, *of)
            return {"name": m["name"], "mutation": identity(m), "gate": gate, "stale": stale, "test": self.test(overlay, m)}

    def test(self, overlay, m):
        """The first test that fails, as "package: name"; empty without one."""
        packages = list(dict.fromkeys(["./" + str(pathlib.Path(m["file"]).parent)] + m.get("tests", [])))
        for package in packages:
            command = ["go", "test", *BARE, "-vet=off", "-failfast", "-timeout", f"{LONGEST}s", "-overlay", str(overlay), package]
            done = subprocess.run(command, cwd=ROOT, env=self.environment | m.get("env", {}), capture_output=True, text=True)
            if done.returncode == 0:
                continue
            out = done.stdout + done.stderr
            if "[build failed]" in out or "[setup failed]" in out:
                raise Fault(f"{m['name']}: {package} does not build: {out.strip()[-500:]}")
            failed = re.search(r"^--- FAIL: (\S+)|^\s*running tests:\s+(\S+)", out, re.M)
            return f"{package[2:]}: {(failed[1] or failed[2]) if failed else 'it crashes'}"
        return ""


def only(methods):
    return ["--methods", methods] if methods else []


def red(r):
    return r["gate"]["status"] != "pass"


def complaint(m, r):
    """What is wrong with the result of a mutation; empty when nothing is."""
    noticed = red(r) or r["test"]
    if r["stale"] == "pass":
        return "the gate takes the cells of another build"
    if red(r) and m.get("nothing"):
        return "it is said to change no prediction, but the gate is red"
    if not noticed and not m.get("nothing"):
        return "nobody notices"
    return ""


def run(mutations, jobs, keep):
    """Runs mutations, hands every result to keep and returns how many complaints there were."""
    union = {}
    for m in mutations:
        union.setdefault(m["spec"], set()).update(m["methods"].split(",") if m["methods"] else ["*"])
    complaints, lock = 0, threading.Lock()
    with tempfile.TemporaryDirectory(prefix="mutations-") as d:
        shop = Workshop(pathlib.Path(d), {spec: "" if "*" in names else ",".join(sorted(names)) for spec, names in union.items()})

        def one(m):
            nonlocal complaints
            r = shop.outcome(m)
            with lock:
                what = keep(r) or complaint(m, r)
                complaints += bool(what)
                print(f"{m['name']}: gate {cell(r)}, tests {r['test'] or 'green'}{'; ' + what.upper() if what else ''}", flush=True)

        with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
            for future in [pool.submit(one, m) for m in mutations]:
                future.result()
    return complaints


def cell(r):
    """What the gate said of fresh cells."""
    g = r["gate"]
    if not red(r):
        return "green"
    words = [(g["differ"], "differ"), (g["scores"], "have other scores"), (g["error"], "in error")]
    return "red: " + (", ".join(f"{count} of {g['cells']} {word}" for count, word in words if count) or g["status"])


def counts(groups, results):
    """How many mutations are noticed, and by whom."""
    known = [(m, results[m["name"]]) for m in every(groups)]
    gate = [m for m, r in known if red(r)]
    test = [m for m, r in known if r["test"]]
    nobody = [m["name"] for m, r in known if not red(r) and not r["test"]]
    return (f"{len(known)} mutations apply; the gate notices {len(gate)} on fresh cells, the tests notice {len(test)}; "
            f"noticed by neither: {', '.join(nobody) or 'none'}")


def check(groups):
    for m in every(groups):
        mutated(m)
    results = read_results(RESULTS)
    if missing := [m["name"] for m in every(groups) if not valid(results, m)]:
        raise Fault(f"{RESULTS}: no result of {', '.join(missing)}; .ci/mutations/mutations.py run")
    print(counts(groups, results))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("command", choices=["check", "run", "try"])
    parser.add_argument("names", nargs="*", help="of mutations, for run and try; none: all")
    parser.add_argument("--jobs", type=int, default=1, help="mutations at once")
    parser.add_argument("--again", action="store_true", help="run: also those that have a result")
    arguments = parser.parse_intermixed_args()
    groups = load()
    if arguments.command == "check":
        check(groups)
        return 0
    known = {m["name"]: m for m in every(groups)}
    if unknown := [n for n in arguments.names if n not in known]:
        raise Fault(f"{LIST}: no mutation {', '.join(unknown)}")
    todo = [known[n] for n in arguments.names] or list(known.values())
    for m in todo:
        mutated(m)
    results = read_results(RESULTS)
    if arguments.command == "try":
        def compare(r):
            before = results.get(r["name"])
            return "" if before == r else f"the result was {json.dumps(before)}, is {json.dumps(r)}"
        return run(todo, arguments.jobs, compare) > 0

    def keep(r):
        results[r["name"]] = r
        with RESULTS.open("a") as f:
            f.write(json.dumps(r, ensure_ascii=False) + "\n")

    todo = [m for m in todo if arguments.again or not valid(results, m)]
    complaints = run(todo, arguments.jobs, keep) if todo else 0
    lines = [json.dumps(results[n], ensure_ascii=False) + "\n" for n in known if n in results]  # one each, in the order of the list
    RESULTS.write_text("".join(lines))
    return complaints > 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except Fault as fault:
        sys.exit(f"mutations.py: {fault}")
