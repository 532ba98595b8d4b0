"""Makes a Python function a method of r2lmlbench, under both protocols.

    from r2lmlbench import serve

    def fit(problem):
        ...
        return labels  # a class for every row of problem.query

    serve(fit)

Copy this file to where your program is. It needs numpy.
"""

import functools
import importlib.metadata
import json
import os
import platform
import random
import sys
from types import SimpleNamespace

for library in ("OMP", "OPENBLAS", "MKL"):  # `run --workers` says how many threads compute
    os.environ.setdefault(library + "_NUM_THREADS", "1")

try:
    import numpy as np
except ImportError as error:
    sys.exit(f"{error}; install numpy (Debian: python3-numpy) for {sys.executable}")


def table(name):
    """Return the rows of a file below its header."""
    return np.loadtxt(name, delimiter=",", skiprows=1, ndmin=2)


@functools.cache
def environment():
    """Name the interpreter and the packages that are in use, with their versions."""
    told = [f"{platform.python_implementation()} {platform.python_version()}"]
    if sys.version_info >= (3, 10):  # older ones cannot tell to which package a module belongs
        packages = importlib.metadata.packages_distributions()
        names = {package for module in list(sys.modules) for package in packages.get(module, ())}
        told += [f"{name} {importlib.metadata.version(name)}" for name in sorted(names)]
    return told


def answer(fit):
    """Make one fit in the current directory."""
    with open("params.json") as file:
        problem = SimpleNamespace(**json.load(file))  # phase, seed, neighbors, classes, features, params
    train = table("train.csv")
    problem.x, problem.y = train[:, 1:], train[:, 0].astype(int)
    problem.query = table("query.csv")
    random.seed(problem.seed)  # in every fit, so that none depends on those before
    np.random.seed(problem.seed % 2**32)
    np.savetxt("predictions.csv", fit(problem), fmt="%d", header="label", comments="")
    if problem.phase == "test":
        with open("environment.json", "w") as file:
            json.dump(environment(), file)


def serve(fit):
    """Make the fit of the current directory or, with protocol stdio, all that are asked for."""
    if os.environ.get("R2LMLBENCH_PROTOCOL") != "stdio":
        return answer(fit)
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # what a library prints is no answer
    for line in sys.stdin:
        request = json.loads(line)
        os.chdir(request["directory"])
        answer(fit)
        print(json.dumps({"id": request["id"]}), file=answers, flush=True)
