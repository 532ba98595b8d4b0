#!/usr/bin/python3
"""Times this program beside others, one core each, and prints the tables of
docs/dev/performance.md:

    .ci/beside.py [--authors DIR] [--rounds N]

DIR holds the authors' program of E-R2LML (StepOne.m and Prox_Nuclear.m), which Octave runs.
Needs Go, numpy and scikit-learn; FAISS and Octave if they are there (Debian: python3-sklearn,
python3-faiss, octave). What is missing is left out and said so.

Programs take turns, N times. A figure is the median of its rounds; a ratio is the other
program's median by ours. 5-NN and NCA see the same generated numbers on both sides:

- block 1: an iteration of E-R2LML for one map. Ours is BenchmarkBlock1, eight maps at once.
  Both have clustered samples of the shape; theirs takes as long for any.
- 5-NN: Gaussian samples in float32, 1000 query samples, the index is built each time. The
  script ends with an error unless our neighbors are those of scikit-learn.
- NCA: four clusters in 20 features, from the identity, to the same fall of the objective at
  which both stop, and a longer run. Iterations, evaluations and the objective are counted.
"""

import argparse
import os
import pathlib
import re
import shutil
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
BLOCKS = [(4, 240), (34, 80), (16, 520), (30, 400), (60, 200)]
SEARCHES = [(4, 5000), (30, 500), (30, 5000), (64, 20000), (784, 60000)]
CLIMBS = [(1000, 1e7), (1000, 1e5), (4000, 1e7)]  # samples, and the fall in units of 2^-52 at which to stop
QUERIES, NEIGHBORS = 1000, 5
LEAST = 0.2  # seconds for which a short call is repeated


def each(call):
    """Return the mean seconds of a call, made again and again, and its last result."""
    start, calls = time.perf_counter(), 0
    while True:
        result, calls = call(), calls + 1
        if (passed := time.perf_counter() - start) >= LEAST:
            return passed / calls, result


def bench(binary, name, folder=".", times=f"{LEAST}s", shape=()):
    """Run a Go benchmark and return its metrics by unit."""
    env = os.environ | {"R2LMLBENCH_BESIDE": str(folder), "R2LMLBENCH_BESIDE_SHAPE": " ".join(map(str, shape))}
    out = subprocess.run([binary, "-test.run=-", f"-test.bench={name}", f"-test.benchtime={times}"], env=env, check=True, capture_output=True, text=True).stdout
    line = next(line for line in out.splitlines() if line.startswith("Benchmark"))
    return {unit: float(value) for value, unit in re.findall(r"(\S+) (\S+/\S+|evaluations|iterations|milliobjective)", line.split("\t", 2)[2].replace("\t", " "))}


def turns(rounds, calls):
    """Call each of the functions in turns and return the median of each one's seconds."""
    seconds = [[call() for call in calls] for _ in range(rounds)]
    return [statistics.median(column) for column in zip(*seconds)]


def row(work, d, n, mine, other, theirs):
    print(f"| {work} | {d} × {n} | {1e3 * mine:.3g} | {other} | {1e3 * theirs:.3g} | {theirs / mine:.3g} |", flush=True)


def blocks(rounds, binary, folder, authors):
    # Octave asks for new memory in every iteration; without these it waits for the kernel.
    env = os.environ | {"MALLOC_MMAP_MAX_": "0", "MALLOC_TRIM_THRESHOLD_": str(1 << 40), "MALLOC_TOP_PAD_": str(1 << 28)}
    for d, n in BLOCKS:
        random = np.random.default_rng([d, n])
        y = np.arange(n) % 10
        np.savetxt(folder / "x", (random.standard_normal((n, d)) + 3 * random.standard_normal((10, d))[y]).T)
        np.savetxt(folder / "y", y)
        least = max(5, int(2e6 / n / n))
        script = f"""addpath("{authors}"); X = load("{folder}/x"); y = load("{folder}/y")'; S = double(y' == y); L = eye({d}); g = ones(1, {n});
            StepOne(L, g, X, S, 1, 1e-9, 2); tic; StepOne(L, g, X, S, 1, 1e-9, {least}); printf("\\n%.9f\\n", toc / {least})"""

        def octave():
            out = subprocess.run(["octave-cli", "--no-init-file", "--eval", script], env=env, check=True, capture_output=True, text=True).stdout
            return float(out.split()[-1])

        mine, theirs = turns(rounds, [lambda: bench(binary, f"Block1/method=e-r2lml/d={d}/n={n}/engine=(avx512|avx2|neon|go)$")["ms/iteration"] / 1e3, octave])
        row("E-R2LML, an iteration of block 1", d, n, mine, "authors'", theirs)


def searches(rounds, binary, folder):
    from sklearn.neighbors import NearestNeighbors

    try:
        import faiss
    except ImportError:
        print("FAISS is not installed; its rows are left out.", file=sys.stderr)
        faiss = None
    for d, n in SEARCHES:
        random = np.random.default_rng([d, n])
        x, q = (random.standard_normal((rows, d)).astype("f4").astype("f8") for rows in (n, QUERIES))
        x.tofile(folder / "training")
        q.tofile(folder / "queries")
        found = {}

        def timed(name, call):
            def seconds():
                passed, found[name] = each(call)
                return passed
            return seconds

        def flat():
            faiss.omp_set_num_threads(1)
            index = faiss.IndexFlatL2(d)
            index.add(x.astype("f4"))
            return index.search(q.astype("f4"), NEIGHBORS)[1]

        def brute():
            return NearestNeighbors(n_neighbors=NEIGHBORS, algorithm="brute", n_jobs=1).fit(x).kneighbors(q, return_distance=False)

        others = {"scikit-learn": brute} | ({"FAISS flat": flat} if faiss else {})
        mine, *theirs = turns(rounds, [lambda: bench(binary, "BenchmarkBeside$", folder, shape=(d, NEIGHBORS))["ns/op"] * 1e-9,
                                       *(timed(name, call) for name, call in others.items())])
        if not np.array_equal(np.fromfile(folder / "nearest", dtype="i8").reshape(QUERIES, NEIGHBORS), found["scikit-learn"]):
            sys.exit(f"D {d}, N {n}: our neighbors are not those of scikit-learn")
        for name, seconds in zip(others, theirs):
            row("5-NN, 1000 queries", d, n, mine, name, seconds)


def climbs(rounds, binary, folder):
    import sklearn.neighbors._nca as module

    d, ends = 20, []
    minimize, last = module.minimize, {}

    def watched(*args, **options):
        last["result"] = minimize(*args, **options)
        return last["result"]

    module.minimize = watched
    for n, units in CLIMBS:
        random = np.random.default_rng(n)
        y = np.arange(n) % 4
        x = random.standard_normal((n, d)) + random.standard_normal((4, d))[y] / 2
        x.tofile(folder / "training")
        y.astype("f8").tofile(folder / "labels")
        fall = units * 2.0**-52
        counts = {}

        def ours():
            counts["ours"] = bench(binary, "BenchmarkBeside$", folder, "1x", (d, fall))
            return counts["ours"]["ns/op"] * 1e-9

        def theirs():
            start = time.perf_counter()
            module.NeighborhoodComponentsAnalysis(init="identity", max_iter=1000, tol=fall).fit(x, y)
            return time.perf_counter() - start

        seconds = turns(rounds, [ours, theirs])
        row("NCA" if units == 1e7 else "NCA, longer", d, n, seconds[0], "scikit-learn", seconds[1])
        r, c = last["result"], counts["ours"]
        ends.append(f"| {d} × {n} | {c['iterations']:.0f} | {c['evaluations']:.0f} | {c['milliobjective'] / 1000:.2f} | {r.nit} | {r.nfev} | {-r.fun:.2f} |")
    print("\n| NCA, D × N | our iterations | evaluations | Σp | scikit-learn's iterations | evaluations | Σp |\n|---|---|---|---|---|---|---|", *ends, sep="\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--authors", help="folder with StepOne.m and Prox_Nuclear.m")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as work:
        work = pathlib.Path(work)
        binaries = {package: work / f"{pathlib.Path(package).name}.test" for package in ("r2lml", "internal/kernel", "baselines")}
        for package, binary in binaries.items():
            subprocess.run(["go", "test", "-c", "-o", binary, "./" + package], cwd=ROOT, check=True)
        print("| work | D × N | ours, ms | other program | its time, ms | ratio |\n|---|---|---|---|---|---|")
        if options.authors and shutil.which("octave-cli"):
            blocks(options.rounds, binaries["r2lml"], work, pathlib.Path(options.authors).resolve())
        else:
            print("--authors is not given or Octave not installed; the rows of the authors' program are left out.", file=sys.stderr)
        searches(options.rounds, binaries["internal/kernel"], work)
        climbs(options.rounds, binaries["baselines"], work)


if __name__ == "__main__":
    main()
