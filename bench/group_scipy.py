"""SciPy's `connected_components` for each window, from scratch, with all edges in memory and without Spark.

A program without an index has the edges of a window as NumPy arrays, and makes the rows of one question about groups
as columns of Arrow. The Spark benchmarks start this program over the parquet files that they made. The time is that of
the windows alone; for the components of a table, the time includes reading the files. The last line printed is the
outcome: time, rows, and a checksum of the rows of each window.
"""

# ruff: noqa: E501

import argparse
import struct
import time
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

KINDS = ("appeared", "merged", "split", "vanished")
TOP = 10

Columns = dict[str, pa.Array]


class Components(NamedTuple):
    """The components of a window."""

    vertices: np.ndarray
    """Rising."""
    labels: np.ndarray
    """The number of the component of each vertex."""
    names: np.ndarray
    """The smallest vertex of each component."""
    edges: int


def numbered(src: np.ndarray, dst: np.ndarray, by_hash: bool) -> tuple[np.ndarray, ...]:
    """The vertices, and the places of the ends of the edges among them."""
    if by_hash:
        # `np.unique` would sort the ends, which takes two to three times as long as all the rest.
        ends, vertices = pd.factorize(np.concatenate([src, dst]))
        return vertices, ends[: len(src)], ends[len(src) :]
    # The ids of the streams are dense, and none is negative.
    occurs = np.zeros(max(src.max(), dst.max()) + 1, bool)
    occurs[src] = True
    occurs[dst] = True
    places = np.cumsum(occurs, dtype=np.int32)
    places -= 1
    return np.flatnonzero(occurs), places[src], places[dst]


def components(src: np.ndarray, dst: np.ndarray, by_hash: bool = False) -> Components:
    """The components of these edges; those of no edges are empty."""
    if not len(src):
        return Components(*(np.empty(0, np.int64) for _ in range(3)), 0)
    vertices, sources, targets = numbered(src, dst, by_hash)
    weights = np.ones(len(src), np.int8)
    graph = coo_array((weights, (sources, targets)), shape=(len(vertices),) * 2)
    count, labels = connected_components(graph, directed=False)
    if by_hash:
        names = np.full(count, np.iinfo(np.int64).max)
        np.minimum.at(names, labels, vertices)
    else:
        # Vertices rise, and of several values for one place the last one stays.
        names = np.empty(count, np.int64)
        names[labels[::-1]] = vertices[::-1]
    return Components(vertices, labels, names, len(src))


def members(now: Components) -> Columns:
    return {"vertex": pa.array(now.vertices), "component": pa.array(now.names[now.labels])}


def updates(now: Components, before: Components) -> Columns:
    """The rows that differ from the window before; null is the component of a vertex that left."""
    limit = limit_of(now, before)
    after, earlier = (
        by_vertex(window.vertices, window.names[window.labels], limit) for window in (now, before)
    )
    changed = np.flatnonzero(after != earlier)
    after = after[changed]
    return {"vertex": pa.array(changed), "component": pa.array(after, mask=after < 0)}


def limit_of(*windows: Components) -> int:
    return max(int(window.vertices.max(initial=-1)) for window in windows) + 1


def by_vertex(vertices: np.ndarray, values: np.ndarray, limit: int) -> np.ndarray:
    """The values at the places of their vertices, whose ids are dense, and -1 elsewhere."""
    found = np.full(limit, -1)
    found[vertices] = values
    return found


def stats(now: Components) -> Columns:
    largest = np.bincount(now.labels).max()
    counts = (len(now.vertices), now.edges, len(now.names), largest)
    names = ("vertices", "edges", "components", "largest")
    return {name: pa.array([count], pa.int64()) for name, count in zip(names, counts, strict=True)}


def largest(now: Components) -> Columns:
    """Of two components of one size, that of the smaller name comes first."""
    sizes = np.bincount(now.labels)
    least = np.partition(sizes, -TOP)[-TOP] if len(sizes) > TOP else 0
    found = np.flatnonzero(sizes >= least)
    found = found[np.lexsort((now.names[found], -sizes[found]))][:TOP]
    return {"component": pa.array(now.names[found]), "size": pa.array(sizes[found])}


def changes(now: Components, before: Components) -> Columns:
    """The rows of `bicChanges`, of which each kind is made in one go."""
    earlier = by_vertex(before.vertices, before.labels, limit_of(now, before))[now.vertices]
    stays = earlier >= 0
    both = np.unique(earlier[stays] << 32 | now.labels[stays])
    earlier, later = both >> 32, both & 0xFFFFFFFF
    parts = []
    sides = (
        (before, now, earlier, later, "vanished", "split", ("before", "after")),
        (now, before, later, earlier, "appeared", "merged", ("after", "before")),
    )
    for here, there, own, others, of_none, of_several, names in sides:
        sizes = np.bincount(here.labels, minlength=len(here.names))
        related = np.bincount(own, minlength=len(here.names))
        changed = np.flatnonzero(related != 1)
        # Rising by the component here, and by the name of the component there.
        order = np.lexsort((there.names[others], own))
        order = order[(related != 1)[own[order]]]
        values = {
            names[0]: lists(here.names[changed], np.ones(len(changed), np.int64)),
            names[1]: lists(there.names[others[order]], related[changed]),
        }
        kinds = np.where(related[changed] == 0, KINDS.index(of_none), KINDS.index(of_several))
        change = pa.DictionaryArray.from_arrays(pa.array(kinds, pa.int32()), list(KINDS))
        columns = (change, values["before"], values["after"], pa.array(sizes[changed]))
        parts.append(pa.table(columns, ["change", "before", "after", "size"]))
    whole = pa.concat_tables(parts).combine_chunks()
    return {
        name: whole[name].chunk(0) if len(whole) else pa.array([]) for name in whole.column_names
    }


def lists(values: np.ndarray, lengths: np.ndarray) -> pa.Array:
    offsets = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int32)
    return pa.ListArray.from_arrays(pa.array(offsets), pa.array(values))


# By question; true if the window before is asked for too.
QUESTIONS: dict[str, tuple[Callable[..., Columns], bool]] = {
    "components": (members, False),
    "components-updates": (updates, True),
    "stats": (stats, False),
    "largest": (largest, False),
    "changes": (changes, True),
    "table": (members, False),
}

PRIMES = tuple(
    np.uint64(prime)
    for prime in (
        *(0x9E3779B185EBCA87, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9),
        *(0x85EBCA77C2B2AE63, 0x27D4EB2F165667C5),
    )
)


def hash64(values: np.ndarray, seeds: np.ndarray) -> np.ndarray:
    """The hash XXH64 of numbers of 64 bits, as `xxhash64` of Spark has it."""

    def rotated(x: np.ndarray, bits: int) -> np.ndarray:
        return x << np.uint64(bits) | x >> np.uint64(64 - bits)

    one, two, three, four, five = PRIMES
    mixed = rotated(values.astype(np.uint64) * two, 31) * one
    found = rotated((seeds + five + np.uint64(8)) ^ mixed, 27) * one + four
    found = (found ^ found >> np.uint64(33)) * two
    found = (found ^ found >> np.uint64(29)) * three
    return found ^ found >> np.uint64(32)


def check(columns: Columns) -> int:
    """The checksum of the rows, in any order: of their number, and of their hashes, exclusive-ored."""
    rows = len(next(iter(columns.values())))
    hashes = np.full(rows, 42, np.uint64)
    for column in columns.values():
        if isinstance(column, pa.ListArray):
            values, offsets = column.values.to_numpy(), column.offsets.to_numpy()
            lengths = np.diff(offsets)
            for place in range(lengths.max(initial=0)):
                held = lengths > place
                hashes[held] = hash64(values[offsets[:-1][held] + place], hashes[held])
            continue
        if isinstance(column, pa.DictionaryArray):
            numbers, held = column.indices.to_numpy() + 1, np.full(rows, True)
        else:
            held = column.is_valid().to_numpy(zero_copy_only=False)
            numbers = column.fill_null(0).to_numpy()
        hashes[held] = hash64(numbers[held], hashes[held])
    return zlib.crc32(struct.pack("<QQ", int(np.bitwise_xor.reduce(hashes)), rows))


class Edges:
    """The edges of all files, in their order."""

    def __init__(self, folder: Path) -> None:
        files = sorted(str(file) for file in folder.glob("edges-*.parquet"))
        table = pq.read_table(files, columns=["src", "dst"], use_threads=pa.cpu_count() > 1)
        self.src, self.dst = (table[name].to_numpy() for name in ("src", "dst"))

    def of(self, first: int, end: int) -> tuple[np.ndarray, np.ndarray]:
        return self.src[first:end], self.dst[first:end]


def run(query: str, folder: Path, windows: list[list[int]], checked: bool) -> tuple[float, Any]:
    """The seconds that the windows took, and the rows, or the checksum if that is asked for, of each."""
    by_hash = query.endswith("-hash")
    question = query.removesuffix("-hash").removesuffix("-scipy")
    answer, compares = QUESTIONS[question]
    of_table = question == "table"
    edges = None if of_table else Edges(folder)
    seconds = 0.0
    found = {}
    for start, first, end, first_before, end_before in windows:
        # A loop over windows has the window before already.
        before = [components(*edges.of(first_before, end_before))] if edges and compares else []
        begun = time.perf_counter()
        held = edges or Edges(folder)
        columns = answer(components(*held.of(first, end), by_hash), *before)
        rows = len(next(iter(columns.values())))
        if edges:
            window = np.full(rows, start * 1000).view("datetime64[us]")
            columns = {"window": pa.array(window), **columns}
        table = pa.table(columns)
        seconds += time.perf_counter() - begun
        columns.pop("window", None)
        found[start] = check(columns) if checked else table.num_rows
    return seconds, found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("--folder", "--query", "--windows"):
        parser.add_argument(name, required=True)
    for name in ("--cores", "--runs"):
        parser.add_argument(name, type=int, required=True)
    options = parser.parse_args()
    windows = [[int(n) for n in window.split(":")] for window in options.windows.split(",")]

    def once(windows: list[list[int]], checked: bool = False) -> tuple[float, Any]:
        return run(options.query, Path(options.folder), windows, checked)

    pa.set_cpu_count(options.cores)
    # To warm up: one window.
    once(windows[:1])
    runs = sorted((once(windows) for _ in range(options.runs)), key=lambda one: one[0])
    seconds, rows = runs[len(runs) // 2]
    _, found = once(windows, checked=True)
    checks = " ".join(f"{start}={crc}" for start, crc in sorted(found.items()))
    figures = f"{int(seconds * 1e9)} 0 0 {len(windows)} {sum(rows.values())} 0 {options.runs} 0 0"
    print(f"outcome: {options.query} {figures};{checks};")


if __name__ == "__main__":
    main()
