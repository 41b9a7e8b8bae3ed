"""Times PyData/Sparse and SciPy beside compiled kernels, and measures the memory of both.

See README.md. Each array is a process of its own for either side; the sides take turns.
"""

import argparse
import math
import os
import pathlib
import subprocess
import sys
import time

ELEMENTWISE = ["xor", "ldexp", "right_shift", "power", "xor_and", "xor_or", "xor_xor"]
FUSED = {"xor_and", "xor_or", "xor_xor"}
VIEWS = ["window_500", "window_quarter", "window_inner", "stride_2", "stride_4", "stride_8"]


def status(name):
    with open("/proc/self/status") as lines:
        for line in lines:
            if line.startswith(name):
                return int(line.split()[1]) * 1024
    return 0


def measured(operands, run, repeats, stored):
    """The best seconds, entries of the result, bytes of operands and of growth in the first run."""
    with open("/proc/self/clear_refs", "w") as refs:
        refs.write("5")  # sets the peak back to what is resident
    before = status("VmRSS:")
    result = run()
    peak = operands + max(0, status("VmHWM:") - before)
    entries = stored(result)
    del result
    best = math.inf
    for _ in range(repeats):
        began = time.perf_counter()
        result = run()
        best = min(best, time.perf_counter() - began)
        del result
    return best, entries, peak


def load(path):
    """Sorted coordinates, a column each entry, values, shape."""
    import numpy as np

    if path.endswith(".tns"):
        table = np.loadtxt(path, ndmin=2)
        at, values = table[:, :-1].astype(np.int64).T - 1, table[:, -1]
        shape = tuple(int(n) + 1 for n in at.max(axis=1))
    else:
        import scipy.io

        matrix = scipy.io.mmread(path).tocsr()
        matrix.sum_duplicates()
        matrix = matrix.tocoo()
        at, values, shape = np.array([matrix.row, matrix.col], dtype=np.int64), matrix.data, matrix.shape
    order = np.lexsort(at[::-1])
    at, values = at[:, order], np.asarray(values, dtype=np.float64)[order]
    last = np.append((np.diff(at) != 0).any(axis=0), True)
    first = np.append(True, last[:-1])
    keep = first & (values != 0)
    return at[:, keep], values[keep], shape


def moved(at, by, shape):
    at = at.copy()
    at[-1] = (at[-1] + by) % shape[-1]
    return at


def elementwise(programs, path, repeats):
    import numpy as np
    import sparse

    def calls(at, values, shape):
        def array(by, data):
            return sparse.COO(moved(at, by, shape), data, shape=shape)

        n = len(values)
        a, b, c = (array(by, np.ones(n, dtype=bool)) for by in range(3))
        x, two = array(0, values), np.full(n, 2.0)
        whole = array(0, np.maximum(values.astype(np.int64), 1))
        xor, land, lor = np.logical_xor, np.logical_and, np.logical_or
        ints, floats = array(1, two.astype(np.int32)), array(1, two)
        longs = array(1, two.astype(np.int64))
        return {
            "xor": ((a, b), lambda: xor(a, b)),
            "ldexp": ((x, ints), lambda: np.ldexp(x, ints)),
            "right_shift": ((whole, longs), lambda: np.right_shift(whole, longs)),
            "power": ((x, floats), lambda: np.power(x, floats)),
            "xor_and": ((a, b, c), lambda: land(xor(a, b), c)),
            "xor_or": ((a, b, c), lambda: lor(xor(a, b), c)),
            "xor_xor": ((a, b, c), lambda: xor(xor(a, b), c)),
        }

    at, values, shape = load(path)
    # What it compiles for a first call is compiled for a few entries.
    for _, run in calls(at[:, :3], values[:3], shape).values():
        run()
    all_calls = calls(at, values, shape)
    for program in programs:
        operands, run = all_calls[program]
        held = sum(o.coords.nbytes + o.data.nbytes for o in operands)
        yield program, measured(held, run, repeats, lambda r: r.nnz)


def views(programs, what, repeats):
    import numpy as np
    import scipy.sparse

    size, permille = (int(n) for n in what.split(":"))
    draw = np.random.default_rng(1)

    def matrix():
        count = size * permille // 1000
        places = [np.sort(draw.choice(size, count, replace=False)) for _ in range(size)]
        columns = np.concatenate(places).astype(np.int32)
        starts = np.arange(0, size * count + 1, count, dtype=np.int32)
        values = draw.random(size * count) + 0.5
        return scipy.sparse.csr_array((values, columns, starts), shape=(size, size))

    a, b = matrix(), matrix()
    held = sum(m.data.nbytes + m.indices.nbytes + m.indptr.nbytes for m in (a, b))
    lo = (size - min(size, 500)) // 2
    part = {
        "window_500": np.s_[lo : lo + 500, lo : lo + 500],
        "window_quarter": np.s_[size // 4 : size // 2, :],
        "window_inner": np.s_[1 : size - 1, :],
        "stride_2": np.s_[::2, ::2],
        "stride_4": np.s_[::4, ::4],
        "stride_8": np.s_[::8, ::8],
    }
    for program in programs:
        of = part[program]
        yield program, measured(held, lambda: a[of] + b[of], repeats, lambda r: r.nnz)


def worker(programs, array, repeats):
    programs = programs.split(",")
    if array.startswith("random:"):
        rows = views(programs, array.removeprefix("random:"), repeats)
    else:
        rows = elementwise(programs, array, repeats)
    for program, figures in rows:
        print(program, *figures)


# Memory that is freed goes back to the system: what an earlier program held hides nothing.
GIVEN_BACK = {"MALLOC_MMAP_THRESHOLD_": "65536", "MALLOC_TRIM_THRESHOLD_": "0"}


def figures(command, environment=None):
    """By program: seconds, entries, bytes."""
    environment = {**os.environ, **(environment or {})}
    done = subprocess.run(command, capture_output=True, text=True, env=environment)
    if done.returncode:
        print(done.stderr[-400:], file=sys.stderr)
        return {}
    rows = (line.split() for line in done.stdout.splitlines())
    return {name: (float(s), int(n), int(b)) for name, s, n, b in rows}


def turns(options, programs, array):
    """By program what both sides take at best, in turns for time and once more for memory."""
    ours, theirs = {}, {}
    sides = [(ours, [options.binary]), (theirs, [sys.executable, __file__, "--worker"])]
    arguments = [",".join(programs), array]
    for turn in range(options.turns):
        for best, command in sides if turn % 2 == 0 else sides[::-1]:
            for program, (s, n, _) in figures([*command, *arguments, str(options.repeats)]).items():
                best[program] = (min(s, best.get(program, (math.inf,))[0]), n)
    for best, command in sides:
        for program, (_, _, b) in figures([*command, *arguments, "0"], GIVEN_BACK).items():
            best[program] = (*best[program], b)
    return [(p, ours[p], theirs[p]) for p in programs if p in ours and p in theirs]


def mean(ratios):
    return math.exp(sum(map(math.log, ratios)) / len(ratios)) if ratios else math.nan


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("binary", help="the bench `peers`, built")
    parser.add_argument("data", help="the directory with matrices/, graphs/ and tensors/")
    parser.add_argument("--turns", type=int, default=3)
    parser.add_argument("--repeats", type=int, default=10)
    parser.add_argument("--every", type=int, default=1, help="of matrices every so many")
    parser.add_argument("--only", default="tensors,views,matrices", help="some of these")
    options = parser.parse_args()
    data = pathlib.Path(options.data)
    matrices = sorted([*data.glob("matrices/*.mtx"), *data.glob("graphs/*.mtx")])[:: options.every]
    random = [f"random:{n}:{m}" for n in (1000, 2000, 4000) for m in (2, 10, 50)]
    rows = []
    lists = [
        ("tensors", ELEMENTWISE, map(str, sorted(data.glob("tensors/*.tns")))),
        ("views", VIEWS, random),
        ("matrices", ELEMENTWISE, map(str, matrices)),
    ]
    print(f"{'array':<26} {'program':<15} {'ours ms':>9} {'theirs':>9} {'ratio':>6} {'memory':>6}")
    for kind, programs, arrays in (of for of in lists if of[0] in options.only.split(",")):
        for array in arrays:
            for program, ours, theirs in turns(options, programs, array):
                speed, memory = theirs[0] / ours[0], theirs[2] / ours[2]
                # A result that happens to be the fill is stored by one side alone, and random
                # matrices are others on each side: the entries of the others must agree.
                if "xor" in program:
                    assert ours[1] == theirs[1], (array, program, ours[1], theirs[1])
                rows.append((kind, program, speed, memory, theirs[2]))
                name = pathlib.Path(array).stem if kind != "views" else array
                times = f"{ours[0] * 1e3:>9.3f} {theirs[0] * 1e3:>9.3f}"
                print(f"{name:<26} {program:<15} {times} {speed:>6.2f} {memory:>6.2f}", flush=True)
    print(f"\n{'':<26} {'rows':>5} {'speed':>6} {'least':>6} {'most':>6} {'memory':>6}")

    def foot(name, chosen):
        speeds, big = [r[2] for r in chosen], [r[3] for r in chosen if r[4] > 4e6]
        if speeds:
            least, most = min(speeds), max(speeds)
            print(f"{name:<26} {len(speeds):>5} {mean(speeds):>6.2f} {least:>6.2f} {most:>6.2f} {mean(big):>6.2f}")

    for kind in ("tensors", "matrices"):
        of = [r for r in rows if r[0] == kind]
        foot(kind, [r for r in of if r[1] not in FUSED])
        foot(f"{kind}, fused", [r for r in of if r[1] in FUSED])
    foot("windows", [r for r in rows if r[1].startswith("window")])
    foot("strides", [r for r in rows if r[1].startswith("stride")])


if __name__ == "__main__":
    if sys.argv[1:2] == ["--worker"]:
        worker(sys.argv[2], sys.argv[3], int(sys.argv[4]))
    else:
        main()
