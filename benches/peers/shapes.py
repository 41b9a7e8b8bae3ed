"""Times SciPy and PyData/Sparse beside compiled kernels on the programs of the bench `shapes`.

See README.md. Matrices, operands and programs are those of benches/shapes; our side is a process of its own for
each matrix, which runs before the libraries do.
"""

import os

for threads in ("OMP", "MKL", "OPENBLAS", "BLIS", "NUMBA"):
    os.environ[threads + "_NUM_THREADS"] = "1"

import argparse
import math
import pathlib
import subprocess
import sys
import time

import numpy as np
import scipy.sparse as sp
import sparse

from peers import load, mean

# As the bench does, of both sides: else results of many megabytes are timed as page faults, of which NumPy, which asks
# for huge pages, has fewer.
KEPT = {"MALLOC_MMAP_MAX_": "0", "MALLOC_TRIM_THRESHOLD_": str(10**15)}
LARGE = 1_000_000
MADE = "made:1e7"
MOVED = 10
# Those of `inputs.rs`.
CHOSEN = """arc130 west2021 bcsstk14 memplus D6-6 cage10 internet bcsstk16 copter2 amazon-book_test
soc-slashdot0902-directed ego-twitter-undirected web-Stanford_relabelled""".split()
PROGRAMS = """collapse hstack_coo vstack_coo hstack_csr vstack_csr slice_csr split_to_coo split_to_csr
hstack_coo_to_csr vstack_coo_to_csr hstack_csr_to_coo vstack_csr_to_coo slice_csr_to_coo collapse_times vstack_spmv
slice_times slice_spgemm""".split()


def ten_million():
    """The matrix that `inputs.rs` makes."""
    rows = 1_000_000
    q = np.arange(10 * rows, dtype=np.uint64)
    bits = q + np.uint64(0x9E3779B97F4A7C15)
    bits = (bits ^ (bits >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    bits = (bits ^ (bits >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    bits = bits ^ (bits >> np.uint64(31))
    part = np.uint64(rows // 10)
    columns = q % np.uint64(10) * part + (bits >> np.uint64(32)) % part
    at = np.array([q // np.uint64(10), columns], dtype=np.int64)
    return at, (bits % np.uint64(97) + np.uint64(1)).astype(np.float64), (rows, rows)


class Operands:
    """The operands of `inputs.rs` in SciPy's formats."""

    def __init__(self, at, values, shape):
        height, width = self.shape = shape
        half, middle = height // 2, width // 2
        self.stored, self.half, self.square = len(values), half, height == width
        whole = sp.coo_array((values, (at[0], at[1])), shape=shape).tocsr()
        self.whole, self.above, self.below = whole, whole[:half], whole[half:]
        self.left, self.right = whole[:, :middle], whole[:, middle:]
        for part in ("above", "below", "left", "right"):
            setattr(self, "coo_" + part, getattr(self, part).tocoo())
        self.flat = whole.reshape(-1).tocsr()
        k = (at[0] * width + at[1] + MOVED) % (height * width)
        self.flat_moved = sp.coo_array((values, (k,)), shape=(height * width,)).tocsr(copy=True)
        keep = (at[0] < half) & (at[0] % 2 == 0)
        places = (at[0][keep] // 2, (at[1][keep] + MOVED) % width)
        self.sliced_moved = sp.coo_array((values[keep], places), shape=((half + 1) // 2, width)).tocsr()
        for m in (self.flat_moved, self.sliced_moved):
            m.sort_indices()
        self.x = np.arange(width) % 7 + 0.5


def scipy_calls(o):
    return {
        "collapse": lambda: o.whole.reshape(-1),
        "hstack_coo": lambda: sp.hstack((o.coo_left, o.coo_right)),
        "vstack_coo": lambda: sp.vstack((o.coo_above, o.coo_below)),
        "hstack_csr": lambda: sp.hstack((o.left, o.right), format="csr"),
        "vstack_csr": lambda: sp.vstack((o.above, o.below), format="csr"),
        "slice_csr": lambda: o.whole[0 : o.half : 2],
        "split_to_coo": lambda: o.flat.reshape(o.shape),
        "split_to_csr": lambda: o.flat.reshape(o.shape).tocsr(),
        "hstack_coo_to_csr": lambda: sp.hstack((o.coo_left, o.coo_right), format="csr"),
        "vstack_coo_to_csr": lambda: sp.vstack((o.coo_above, o.coo_below), format="csr"),
        "hstack_csr_to_coo": lambda: sp.hstack((o.left, o.right), format="coo"),
        "vstack_csr_to_coo": lambda: sp.vstack((o.above, o.below), format="coo"),
        "slice_csr_to_coo": lambda: o.whole[0 : o.half : 2].tocoo(),
        "collapse_times": lambda: o.whole.reshape(-1).tocsr() * o.flat_moved,
        "vstack_spmv": lambda: sp.vstack((o.above, o.below), format="csr") @ o.x,
        "slice_times": lambda: o.whole[0 : o.half : 2] * o.sliced_moved,
        "slice_spgemm": lambda: o.whole[0 : o.half : 2] @ o.whole,
    }


def sparse_calls(o):
    def gcxs(m):
        return sparse.GCXS((m.data, m.indices, m.indptr), shape=m.shape, compressed_axes=(0,))

    def flat(m):
        return sparse.COO(m.indices[None, :], m.data, shape=m.shape, sorted=True).asformat("gcxs")

    def coo(m):
        return sparse.COO(np.array([m.row, m.col]), m.data, shape=m.shape, sorted=True)

    whole, above, below, left, right = map(gcxs, (o.whole, o.above, o.below, o.left, o.right))
    above_coo, below_coo, left_coo, right_coo = map(coo, (o.coo_above, o.coo_below, o.coo_left, o.coo_right))
    line, line_moved, sliced_moved = flat(o.flat), flat(o.flat_moved), gcxs(o.sliced_moved)
    rows = {"compressed_axes": (0,)}
    stack = sparse.concatenate
    return {
        "collapse": lambda: whole.reshape((-1,)),
        "hstack_coo": lambda: stack((left_coo, right_coo), axis=1),
        "vstack_coo": lambda: stack((above_coo, below_coo), axis=0),
        "hstack_csr": lambda: stack((left, right), axis=1, **rows),
        "vstack_csr": lambda: stack((above, below), axis=0, **rows),
        "slice_csr": lambda: whole[0 : o.half : 2],
        "split_to_coo": lambda: line.reshape(o.shape, **rows).tocoo(),
        "split_to_csr": lambda: line.reshape(o.shape, **rows),
        "hstack_coo_to_csr": lambda: stack((left_coo, right_coo), axis=1).asformat("gcxs", **rows),
        "vstack_coo_to_csr": lambda: stack((above_coo, below_coo), axis=0).asformat("gcxs", **rows),
        "hstack_csr_to_coo": lambda: stack((left, right), axis=1, **rows).tocoo(),
        "vstack_csr_to_coo": lambda: stack((above, below), axis=0, **rows).tocoo(),
        "slice_csr_to_coo": lambda: whole[0 : o.half : 2].tocoo(),
        "collapse_times": lambda: whole.reshape((-1,)) * line_moved,
        "vstack_spmv": lambda: stack((above, below), axis=0, **rows) @ o.x,
        "slice_times": lambda: whole[0 : o.half : 2] * sliced_moved,
        "slice_spgemm": lambda: whole[0 : o.half : 2] @ whole,
    }


LIBRARIES = (("SciPy", scipy_calls), ("PyData/Sparse", sparse_calls))


def sums(result):
    """How many entries are not zero, and the two sums that `arrays.rs` makes."""
    if isinstance(result, np.ndarray):
        at, values = [np.arange(len(result))], result
    else:
        if isinstance(result, (sparse.COO, sparse.GCXS)):
            result = result.asformat("coo")
            at, values = list(result.coords), result.data
        else:
            result = result.tocoo()
            at, values = list(result.coords), result.data
    weights = 17 * (at[-1].astype(np.int64) % 1009)
    if len(at) == 2:
        weights += 31 * at[0].astype(np.int64)
    return np.count_nonzero(values), np.abs(values).sum(), (values * (weights % 1009)).sum()


def same(ours, theirs):
    (n, size, weighted), (m, other, other_weighted) = ours, theirs
    near = 1e-9 * max(size, 1e-300)
    return n == m and abs(size - other) <= near and abs(weighted - other_weighted) <= 1009 * near


def best_of(run, seconds, least):
    """The best time of as many runs as `seconds` have room for, but these at least and a hundred at most."""
    best, spent = math.inf, 0.0
    for count in range(1, 101):
        began = time.perf_counter()
        result = run()
        took = time.perf_counter() - began
        del result
        best, spent = min(best, took), spent + took
        if count >= least and spent > seconds:
            break
    return best


def our_figures(options, programs, matrix):
    """By program: seconds, and what `sums` gives."""
    command = [options.binary, "--worker", ",".join(programs), matrix, str(options.seconds)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    rows = (line.split() for line in done.stdout.splitlines())
    return {name: (float(s), (int(n), float(size), float(w))) for name, s, n, size, w in rows}


def measure(options, matrix, slow, rows):
    at, values, shape = ten_million() if matrix == MADE else load(matrix)
    name = "uniform 10/row" if matrix == MADE else pathlib.Path(matrix).stem
    wanted = [p for p in options.programs if any((library, p) not in slow for library, _ in LIBRARIES)]
    ours = our_figures(options, wanted, matrix)
    operands = Operands(at, values, shape)
    for library, calls_of in LIBRARIES:
        calls = calls_of(operands)
        for program in wanted:
            if program not in ours or (library, program) in slow:
                continue
            run, (seconds, expected) = calls[program], ours[program]
            try:
                began = time.perf_counter()
                found = sums(run())
                first = time.perf_counter() - began
            except Exception as error:  # What a library does not do, it is not measured by.
                print(f"{name:<26} {program:<18} {library:<14} {type(error).__name__}: {error}")
                slow.add((library, program))
                continue
            assert same(expected, found), (name, program, library, expected, found)
            theirs = best_of(run, options.seconds, 3 if first < options.limit else 1)
            # As the paper has a limit: larger matrices would take longer.
            if first > options.limit:
                slow.add((library, program))
            ratio = theirs / seconds
            rows.append((program, library, operands.stored, ratio))
            times = f"{seconds * 1e3:>9.3f} {theirs * 1e3:>10.3f}"
            print(f"{name:<26} {program:<18} {library:<14} {operands.stored:>9} {times} {ratio:>8.2f}", flush=True)


def warm():
    """What PyData/Sparse compiles for a first call is compiled for a few entries, of each type of index."""
    at = np.array([[0, 0, 1, 2, 4, 5], [0, 3, 2, 5, 1, 4]])
    for run in sparse_calls(Operands(at, np.arange(1.0, 7.0), (6, 6))).values():
        try:
            run()
        except Exception:
            pass


def foot(rows, which, large):
    print(f"\ngeometric means{which}: time of the library over ours")
    print(f"{'program':<18} {'against':<14} {'rows':>5} {'mean':>8} {'least':>7} {'most':>8}")
    for program in PROGRAMS:
        for library, _ in LIBRARIES:
            ratios = [r[3] for r in rows if r[:2] == (program, library) and r[2] > large]
            if ratios:
                figures = f"{mean(ratios):>8.2f} {min(ratios):>7.2f} {max(ratios):>8.2f}"
                print(f"{program:<18} {library:<14} {len(ratios):>5} {figures}")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("binary", help="the bench `shapes`, built")
    parser.add_argument("data", help="the directory with matrices/ and graphs/")
    parser.add_argument("--seconds", type=float, default=0.05, help="for one program of one library")
    parser.add_argument("--limit", type=float, default=0.5, help="what took longer is left out of larger matrices")
    parser.add_argument("--all", action="store_true", help="all matrices, not only those of the bench")
    parser.add_argument("--only", default="", help="some of the programs")
    parser.add_argument("--fresh", action="store_true", help="memory that is freed goes back to the system")
    options = parser.parse_args()
    if not options.fresh and KEPT.items() - os.environ.items():
        os.environ.update(KEPT)
        os.execv(sys.executable, [sys.executable, *sys.argv])
    options.programs = options.only.split(",") if options.only else PROGRAMS
    data = pathlib.Path(options.data)
    files = [*data.glob("matrices/*.mtx"), *data.glob("graphs/*.mtx")]
    files = [f for f in files if options.all or f.stem in CHOSEN]
    files.sort(key=lambda f: f.stat().st_size)
    warm()
    print(f"{'matrix':<26} {'program':<18} {'against':<14} {'stored':>9} {'ours ms':>9} {'theirs':>10} {'ratio':>8}")
    slow, rows = set(), []
    for matrix in [*map(str, files), MADE]:
        measure(options, matrix, slow, rows)
    foot(rows, "", 0)
    foot(rows, f", matrices of more than {LARGE} entries", LARGE)


if __name__ == "__main__":
    main()
