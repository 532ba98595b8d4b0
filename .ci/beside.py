#!/usr/bin/env python3
"""Times this program beside others, one core each, and prints tables for docs/dev/performance.md.

    .ci/beside.py neighbors                     5-NN beside FAISS's flat index and scikit-learn
    .ci/beside.py methods --data DIR            NCA, ITML, LMNN and 5-NN beside scikit-learn and metric-learn

Programs take turns, --rounds times. A figure is the median of its rounds, in wall time; a
ratio is the other program's median by ours. What is not installed is left out and said so.
Needs Go, numpy and scikit-learn (Debian: python3-sklearn python3-faiss).

neighbors: Gaussian samples, 1000 query samples. The numbers are those of float32, so that
all programs see the same ones. Building an index counts. "Same" is the share of query
samples with the neighbors of scikit-learn in its order.

methods: this program calls both sides through one spec with a new directory of results for
each round, in memory where there is /dev/shm. Ours is the whole cell with distances and vote,
theirs the call of fit alone, for Euclidean also predict.
"""

import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

for library in ("OMP", "OPENBLAS", "MKL"):
    os.environ[library + "_NUM_THREADS"] = "1"
os.environ["GOMAXPROCS"] = "1"

import numpy as np  # noqa: E402, after the number of threads

ROOT = pathlib.Path(__file__).resolve().parent.parent
SHAPES = [(4, 240), (4, 5000), (16, 520), (30, 500), (30, 5000), (64, 20000), (784, 60000)]
QUERIES, NEIGHBORS = 1000, 5
TOLERANCE = 1e7 * 2.0**-52  # relative fall of the objective at which our NCA stops, as SciPy's L-BFGS-B does
LEAST = 0.2  # seconds for which a call is repeated


def each(call):
    """Return the mean seconds of a call, made again and again, and its last result."""
    start, calls = time.perf_counter(), 0
    while True:
        result, calls = call(), calls + 1
        if (passed := time.perf_counter() - start) >= LEAST:
            return passed / calls, result


def brute_force(x, q):
    from sklearn.neighbors import NearestNeighbors

    return lambda: NearestNeighbors(n_neighbors=NEIGHBORS, algorithm="brute", n_jobs=1).fit(x).kneighbors(q, return_distance=False)


def tree(x, q):
    from sklearn.neighbors import NearestNeighbors

    return lambda: NearestNeighbors(n_neighbors=NEIGHBORS, algorithm="kd_tree", n_jobs=1).fit(x).kneighbors(q, return_distance=False)


def flat_index(x, q):
    import faiss

    faiss.omp_set_num_threads(1)
    x, q = x.astype("f4"), q.astype("f4")

    def search():
        index = faiss.IndexFlatL2(x.shape[1])
        index.add(x)
        return index.search(q, NEIGHBORS)[1]

    return search


def ours(binary, folder, x, q):
    """Return a function that runs the benchmark of the Go search on files."""
    x.tofile(folder / "training")
    q.tofile(folder / "queries")
    command = [binary, "-test.run=-", "-test.bench=BenchmarkBeside$", f"-test.benchtime={LEAST}s"]
    env = os.environ | {"R2LMLBENCH_BESIDE": str(folder), "R2LMLBENCH_BESIDE_SHAPE": f"{x.shape[1]} {NEIGHBORS}"}

    def run():
        out = subprocess.run(command, env=env, check=True, capture_output=True, text=True).stdout
        line = next(line for line in out.splitlines() if line.startswith("BenchmarkBeside"))
        nearest = np.fromfile(folder / "nearest", dtype="i8").reshape(len(q), NEIGHBORS)
        return float(line.split()[2]) * 1e-9, nearest

    return run


def neighbors(rounds):
    others = {"FAISS flat": flat_index, "scikit-learn brute": brute_force, "scikit-learn k-d tree": tree}
    try:
        import faiss  # noqa: F401
    except ImportError:
        print("FAISS is not installed; its column is left out.", file=sys.stderr)
        del others["FAISS flat"]
    print("| D | N | ours, ms |" + "".join(f" {name}, ms | ratio | same |" for name in others))
    print("|---|---|---|" + "---|---|---|" * len(others))
    with tempfile.TemporaryDirectory() as work:
        work = pathlib.Path(work)
        binary = work / "kernel.test"
        subprocess.run(["go", "test", "-c", "-o", binary, "./internal/kernel"], cwd=ROOT, check=True)
        for d, n in SHAPES:
            print(neighbors_row(rounds, d, n, others, binary, work), flush=True)


def neighbors_row(rounds, d, n, others, binary, work):
    random = np.random.default_rng([d, n])
    x, q = (random.standard_normal((rows, d)).astype("f4").astype("f8") for rows in (n, QUERIES))
    go = ours(binary, work, x, q)
    calls = {name: make(x, q) for name, make in others.items() if d <= 30 or make is not tree}
    times, found = {name: [] for name in ["ours", *calls]}, {}
    for _ in range(rounds):
        seconds, found["ours"] = go()
        times["ours"].append(seconds)
        for name, call in calls.items():
            seconds, found[name] = each(call)
            times[name].append(seconds)
    middle = {name: 1e3 * statistics.median(values) for name, values in times.items()}
    right = found["scikit-learn brute"]
    if not np.array_equal(found["ours"], right):
        sys.exit(f"D {d}, N {n}: our neighbors are not those of scikit-learn")
    row = f"| {d} | {n} | {middle['ours']:.3g} |"
    for name in others:
        if name not in calls:
            row += " - | - | - |"
            continue
        same = np.mean((found[name] == right).all(axis=1))
        row += f" {middle[name]:.3g} | {middle[name] / middle['ours']:.2f} | {same:.3f} |"
    return row


def recipes():
    """Return the functions that make a model of another program, by our method's name."""
    from sklearn.neighbors import KNeighborsClassifier, NeighborhoodComponentsAnalysis

    made = {
        "nca": ("scikit-learn", lambda seed: NeighborhoodComponentsAnalysis(init="identity", max_iter=100, tol=TOLERANCE, random_state=seed)),
        "euclidean": ("scikit-learn", lambda seed: KNeighborsClassifier(NEIGHBORS, algorithm="brute")),
    }
    try:
        import metric_learn
    except ImportError:
        return made
    made["itml"] = ("metric-learn", lambda seed: metric_learn.ITML_Supervised(random_state=seed))
    made["lmnn"] = ("metric-learn", lambda seed: metric_learn.LMNN(init="identity", n_neighbors=3, max_iter=500))
    return made


def fit(problem):
    """The fit of another program, for serve of r2lmlbench.py: a line of the log for each."""
    from sklearn.neighbors import KNeighborsClassifier

    model = recipes()[problem.params["method"]][1](problem.seed)
    start = time.perf_counter()
    model.fit(problem.x, problem.y)
    if problem.params["method"] == "euclidean":
        labels = model.predict(problem.query)
    seconds = time.perf_counter() - start
    if problem.params["method"] != "euclidean":
        nearest = KNeighborsClassifier(NEIGHBORS, algorithm="brute").fit(model.transform(problem.x), problem.y)
        labels = nearest.predict(model.transform(problem.query))
    with open(problem.params["log"], "a") as log:
        print(json.dumps([problem.params["method"], seconds]), file=log)
    return labels


def methods(rounds, data, sets):
    known = recipes()
    if "itml" not in known:
        print("metric-learn is not installed; ITML and LMNN are left out.", file=sys.stderr)
    memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    with tempfile.TemporaryDirectory(dir=memory) as work:
        work = pathlib.Path(work)
        binary = work / "r2lmlbench"
        subprocess.run(["go", "build", "-o", binary, "."], cwd=ROOT, check=True)
        rows = {}
        for r in range(rounds):
            for name in sets:
                measure(rows, binary, work, r, data, name, known)
    print("| set | method | ours, ms | accuracy | other program | its fit, ms | accuracy | ratio |")
    print("|---|---|---|---|---|---|---|---|")
    for (name, method), (mine, theirs, accuracies) in rows.items():
        a, b = statistics.median(mine), statistics.median(theirs)
        print(f"| {name} | {method} | {1e3 * a:.3g} | {accuracies[0]:.2f} | {known[method][0]} | {1e3 * b:.3g} | {accuracies[1]:.2f} | {b / a:.2f} |")


def measure(rows, binary, work, r, data, name, known):
    """Run one data set once and add its times to rows."""
    results, log, spec = work / f"{name}-{r}", work / f"{name}-{r}.log", work / f"{name}-{r}.yaml"
    columns = []
    for method in known:
        serve = [sys.executable, str(pathlib.Path(__file__).resolve()), "serve"]
        columns += [
            {"method": method, "name": method},
            {"method": "external", "name": "other-" + method,
             "params": {"command": serve, "protocol": "stdio", "method": method, "log": str(log)}},
        ]
    spec.write_text(json.dumps({"name": "beside", "datasets": [name], "seeds": 1, "neighbors": NEIGHBORS, "methods": columns}))
    common = [binary, "table", spec, "--results", results, "--data", data]
    subprocess.run([binary, "run", *common[2:], "--workers", "1", "--quiet"], check=True, stdout=subprocess.DEVNULL)
    table = json.loads(subprocess.run([*common, "--format", "json"], check=True, capture_output=True, text=True).stdout)
    accuracy = {cell["method"]: float(cell["accuracy"]) for cell in table["rows"][0]["cells"]}
    fits = [json.loads(line) for line in log.read_text().splitlines()]
    for method in known:
        mine, theirs, accuracies = rows.setdefault((name, method), ([], [], []))
        (sidecar,) = (results / "cells" / name).glob(f"{method}-*.run.json")
        mine.append(json.loads(sidecar.read_text())["wall_seconds"])
        theirs.append(sum(seconds for made, seconds in fits if made == method))
        accuracies[:] = accuracy[method], accuracy["other-" + method]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["neighbors", "methods", "serve"])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--data", default=os.environ.get("R2LMLBENCH_DATA"), help="where data fetch has put the data")
    parser.add_argument("--datasets", default="ionosphere,robot,winequality")
    options = parser.parse_args()
    if options.what == "neighbors":
        neighbors(options.rounds)
    elif options.what == "serve":
        sys.path.insert(0, str(ROOT / "experiments" / "external"))
        from r2lmlbench import serve

        serve(fit)
    elif options.data is None:
        parser.error("methods needs --data or R2LMLBENCH_DATA; `go run . data fetch --data DIR` fetches the data")
    else:
        methods(options.rounds, options.data, options.datasets.split(","))


if __name__ == "__main__":
    main()
