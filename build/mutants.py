"""Plants faults in the product, one after the other, and has the simulator look for each.

python build/mutants.py [how many seeds]

Each fault is a change of one line. The sources are copied to target/mutants, changed there and
compiled; ten thousand schedules, or as many as are given, must find it. Prints a table with the
seed that found each fault, and ends with status 1 if one was not found. Takes a minute a fault.
"""

import os
import re
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
COPY = ROOT / "target" / "mutants"
SOURCES = "src/main/scala/io/github/sparkbic"
MOST_SECONDS = 900
SIMULATOR = "io.github.sparkbic.operator.simulation.Simulator"


class Mutant(NamedTuple):
    fault: str
    file: str
    right: str
    wrong: str


MUTANTS = [
    Mutant(
        "a value of another graph or pane is read",
        "operator/state/StateFrame.scala",
        "if (written != place) fail(",
        "if (false) fail(",
    ),
    Mutant(
        "a displaced link is dropped when it is the first of a batch",
        "index/recency/RecencyLinks.scala",
        "displacing += ~(paneOf(displaced) - first) >>> 31",
        "displacing += (~(paneOf(displaced) - first) >>> 31) & (if (i == 0) 0 else 1)",
    ),
    Mutant(
        "a number is used again one pane too early",
        "index/vertices/VertexNumbers.scala",
        "while (number <= end && lastSeen(number) - first >= 0) number += 1",
        "while (number <= end && lastSeen(number) - first > 0) number += 1",
    ),
    Mutant(
        "numbers that have no name yet count as vertices of the oldest pane",
        "index/vertices/VertexNumbers.scala",
        "largest + 1, firstPane - 1)",
        "largest + 1, firstPane)",
    ),
    Mutant(
        "an index is saved without the links of its first pane",
        "index/forests/SavedForest.scala",
        "(~(Link.paneOf(link) - first) & ~(seen(number) - first)",
        "(~(Link.paneOf(link) - first - 1) & ~(seen(number) - first)",
    ),
    Mutant(
        "the backward buffer of an earlier chunk stays",
        "index/bic/BicIndex.scala",
        "forward.clear()\n      backward = new BackwardBuffer(perWindow)",
        "forward.clear()",
    ),
    Mutant(
        "the backward buffer lacks the last pane of its chunk",
        "index/bic/BicIndex.scala",
        "val j = Math.floorMod(firstHeld, perWindow)",
        "val j = Math.floorMod(firstHeld, perWindow) + 1",
    ),
    Mutant(
        "a chunk's log is thinned without the newest vertex",
        "index/bic/BicIndex.scala",
        "log.thin(vertices.top + 1)",
        "log.thin(vertices.top)",
    ),
    Mutant(
        "a window counts as complete one pane early",
        "index/contract/WindowCursor.scala",
        "if (end > horizon) false",
        "if (end > horizon + 1) false",
    ),
    Mutant(
        "a block one pane late counts",
        "operator/WindowOperator.scala",
        "val isLate = block.pane < firstOpen",
        "val isLate = block.pane < firstOpen - 1",
    ),
    Mutant(
        "windows without an edge are counted",
        "operator/WindowOperator.scala",
        "if (window.hasEdges) counters.windows += 1",
        "counters.windows += 1",
    ),
    Mutant(
        "pairs and marks of a new reading come early for new edges alone",
        "operator/WindowOperator.scala",
        "if (isListKnown) oldestPane",
        "if (graph.readAt.isDefined) oldestPane",
    ),
    Mutant(
        "edges are forgotten one pane too early",
        "operator/state/StreamedGraph.scala",
        "counts.forgetBefore(if (isLive) cursor.nextWindow else",
        "counts.forgetBefore(if (isLive) cursor.nextWindow + 1 else",
    ),
    Mutant(
        "names of edges that wait are swept away",
        "operator/state/StreamedGraph.scala",
        "index.vertices(visit)\n"
        "    pending.valuesIterator.flatten.foreach(EdgeSets.foreachVertex(_)(visit))",
        "index.vertices(visit)\n"
        "    pending.valuesIterator.flatten.foreach(EdgeSets.foreachVertex(_)(_ => ()))",
    ),
    Mutant(
        "an index of many links is not saved again",
        "operator/state/ValueGraph.scala",
        "case Some(saved) if !indexChanged =>",
        "case Some(saved) if !indexChanged || saved.size.links > 5 =>",
    ),
    Mutant(
        "rows that have come early are forgotten a window too early",
        "operator/state/EmittedRows.scala",
        "(if (ofLast) step else 0)",
        "(if (ofLast) step else -step)",
    ),
    Mutant(
        "a live graph is used whatever the state store holds",
        "operator/state/LiveGraphs.scala",
        "if Arrays.equals(own, stamp) => graph",
        "if Arrays.equals(own, own) && stamp.length > 0 => graph",
    ),
    Mutant(
        "the first pane that a window holds is removed from the state",
        "operator/state/PaneGraph.scala",
        "pane > newest || pane >= keep",
        "pane > newest || pane > keep",
    ),
    Mutant(
        "a closed pane keeps one of its parts alone",
        "operator/state/PaneGraph.scala",
        "parts.replace(pane, sets, ids)",
        "parts.replace(pane, sets.take(1), ids)",
    ),
    Mutant(
        "the timer of a graph is not moved",
        "operator/state/StreamedGraph.scala",
        "    variables.callAt(millis, nextCall)\n",
        "    if (nextCall.isEmpty) variables.callAt(millis, nextCall)\n",
    ),
    Mutant(
        "Spark calls a millisecond late",
        "operator/state/GraphStore.scala",
        "setTimeoutTimestamp(math.max(1L, at - 1))",
        "setTimeoutTimestamp(math.max(1L, at))",
    ),
    Mutant(
        "of two components that merge, the younger gives its name",
        "operator/question/ComponentTable.scala",
        "before.births(one) < before.births(other)",
        "before.births(one) > before.births(other)",
    ),
    Mutant(
        "of two equal parts of a component, the one of larger names is the heir",
        "operator/question/ComponentTable.scala",
        "share == shares(old) && compare(now, heirs(old)) < 0",
        "share == shares(old) && compare(now, heirs(old)) > 0",
    ),
    Mutant(
        "of two components born together that merge, the larger name stays",
        "operator/question/ComponentTable.scala",
        "else ids.compare(before.names(one), before.names(other)) < 0",
        "else ids.compare(before.names(one), before.names(other)) > 0",
    ),
    Mutant(
        "the vertices of a component of the least size leave without a row",
        "operator/question/Components.scala",
        "place >= 0 && before.size(before.componentOf(place)) >= minSize",
        "place >= 0 && before.size(before.componentOf(place)) > minSize",
    ),
    Mutant(
        "an edge is lost when the queue of edges is full",
        "operator/forests/EdgeQueue.scala",
        "if (count == Edges) flush()",
        "if (count == Edges) { flush(); return }",
    ),
    Mutant(
        "edges go to graphs that were sent when the memory was full",
        "operator/forests/OpenGraphs.scala",
        "    closed = closed ++ more\n    last = null",
        "    closed = closed ++ more",
    ),
    Mutant(
        "a name that waits in the queue is taken for the source of its edge",
        "operator/forests/EdgeQueue.scala",
        "targets(i) = names.numbers(2 * i + 1).toLong",
        "targets(i) = names.numbers(2 * i).toLong",
    ),
    Mutant(
        "a block refers to a name that no block of the window had",
        "operator/block/Dictionary.scala",
        "Dictionary.isOver(_, perWindow, pane)",
        "Dictionary.isOver(_, 2 * perWindow, pane)",
    ),
    Mutant(
        "a graph is not sent names that another graph was sent",
        "operator/block/Dictionary.scala",
        "def close(): Unit = isOpen = false",
        "def close(): Unit = ()",
    ),
    Mutant(
        "the last edge of a full batch of names is lost",
        "operator/forests/OpenNames.scala",
        "val edges = waiting.size >> 1\n    var i = 0",
        "val edges = math.min(127, waiting.size >> 1)\n    var i = 0",
    ),
    Mutant(
        "loose edges behind the first run get the targets of the first",
        "index/forests/LooseEdges.scala",
        "targets(i) = ends(2 * (from + sort.order(i)) + 1)",
        "targets(i) = ends(2 * sort.order(i) + 1)",
    ),
    Mutant(
        "edges of a pane that come after many others are lost",
        "index/forests/PaneForestBuilder.scala",
        "if (end > 0) union.joinAll(ends, 0, end)",
        "if (end > 0 && flushed == 0) union.joinAll(ends, 0, end)",
    ),
    Mutant(
        "vertices that are joined over a range come apart when new vertices move their ranks",
        "index/forests/RankedUnion.scala",
        "moved(ranksNow(rank)) = ranksNow(parents(rank))",
        "moved(ranksNow(rank)) = ranksNow(rank)",
    ),
    Mutant(
        "a union over a range with many ids outside loses its edges",
        "index/forests/PaneForestBuilder.scala",
        "other.add(forest.ids, forest.parents)",
        "if (!other.isInstanceOf[HashedUnion]) other.add(forest.ids, forest.parents)",
    ),
    Mutant(
        "a forest of many vertices is sorted without the highest digit",
        "index/kernels/RadixSort.scala",
        "while (shift < 32 + bits) {",
        "while (shift < 32 + bits - (if (packed.length < Many) 0 else width)) {",
    ),
    Mutant(
        "the numbers of a large forest are kept for its first batch alone",
        "index/forests/NumberedIndex.scala",
        "System.arraycopy(entered, 0, numbers, from, until - from)",
        "if (from == 0) System.arraycopy(entered, 0, numbers, from, until - from)",
    ),
    Mutant(
        "the root of the last vertex of a block is not found",
        "index/contract/WindowComponents.scala",
        "findRoots(parents, block, math.min(until, block + Block), waiting)",
        "findRoots(parents, block, math.min(until, block + Block - 1), waiting)",
    ),
    Mutant(
        "a vertex between two rows of many answers is left out",
        "operator/question/Question.scala",
        "Arrays.copyOf(chunk, count)",
        "if (count == chunk.length) next += 1\n      Arrays.copyOf(chunk, count)",
    ),
    Mutant(
        "one of the sets of a pane that waits is lost when they are merged",
        "operator/state/ValueGraph.scala",
        "EdgeSets.merged(sets)",
        "EdgeSets.merged(sets.take(1))",
    ),
    Mutant(
        "a pane of very many parts loses one of them",
        "operator/state/PaneParts.scala",
        "replace(pane, read(pane, ids).toSeq, ids)",
        "replace(pane, read(pane, ids).toSeq.drop(1), ids)",
    ),
    Mutant(
        "a sweep of many names forgets those of panes that wait",
        "operator/state/PaneGraph.scala",
        "retainIfGrown(most)(vertices)",
        "retainIfGrown(most) { visit => index.vertices(visit); kept.foreachId(visit) }",
    ),
    Mutant(
        "of the marked vertices below a vertex, only the first counts",
        "index/forests/MarkedSuffixes.scala",
        "while (v > 0 && (heads(v) == 0 || age < ages(heads(v))))",
        "while (v > 0 && heads(v) == 0)",
    ),
    Mutant(
        "a marked vertex is connected since its last link, not since its oldest",
        "index/forests/MarkedSuffixes.scala",
        "age = math.max(age, linkAge(v))",
        "age = linkAge(v)",
    ),
    Mutant(
        "a component of a suffix ends below links of its first pane",
        "index/forests/MarkedSuffixes.scala",
        "while (isLinked(top) && linkAge(top) <= age)",
        "while (isLinked(top) && linkAge(top) < age)",
    ),
    Mutant(
        "a marked vertex that joins in the first pane of a suffix is not the smallest",
        "index/forests/MarkedSuffixes.scala",
        "ages(olders(entry)) <= age",
        "ages(olders(entry)) < age",
    ),
    Mutant(
        "an open window that is new for a vertex has no early row",
        "operator/question/ConnectedTo.scala",
        "math.min(last, found.since(i)))",
        "math.min(last, found.since(i)) - 1)",
    ),
    Mutant(
        "a graph that is alive has no early rows of new marked vertices",
        "operator/WindowOperator.scala",
        "if (isListKnown) oldestPane",
        "if (store.restoredBytes.isEmpty) oldestPane",
    ),
    Mutant(
        "two runs of emitted windows that meet lose the earlier one",
        "operator/state/EmittedRows.scala",
        "runs(at) = if (meets) runs(at + 2) else window",
        "runs(at) = window",
    ),
    Mutant(
        "of a run of emitted windows the last one is saved alone",
        "operator/state/EmittedRows.scala",
        "out.signed(runs(at + 1) - math.max(runs(at), from(place)))",
        "out.signed(0L)",
    ),
    Mutant(
        "a vertex has the rows of the vertex that had its number before",
        "operator/state/EmittedRows.scala",
        "if (hint >= 0 && slots.id(hint) == vertex) ",
        "if (hint >= 0) ",
    ),
    Mutant(
        "windows before the latest run of emitted windows count as emitted",
        "operator/state/EmittedRows.scala",
        "while (at < runs.length && runs(at) > first) at += 2",
        "if (at < 0) at += 2",
    ),
    Mutant(
        "the last of some windows counts as emitted with those before",
        "operator/state/EmittedRows.scala",
        "runs(at + 1) > last - step",
        "runs(at + 1) >= last - step",
    ),
    Mutant(
        "a run that still counts is overwritten by the latest run",
        "operator/state/EmittedRows.scala",
        "if (counted == 0) Array(window, window)",
        "if (at == 0) Array(window, window)",
    ),
    Mutant(
        "a window that closes gives no row of a list that was read since",
        "operator/WindowOperator.scala",
        "haveCome = shape.kept.isEarly && isListKnown",
        "haveCome = shape.kept.isEarly",
    ),
    Mutant(
        "the vertices of the window answered last are forgotten",
        "operator/state/EmittedRows.scala",
        "(if (ofLast) step else 0)",
        "(if (ofLast) 0 else 0)",
    ),
    Mutant(
        "vertices of the window answered last are kept as those of open windows",
        "operator/state/Kept.scala",
        "ofPairs = tag == Tags.Early, ofLast = comparesWindows)",
        "ofPairs = tag == Tags.Early, ofLast = false)",
    ),
    Mutant(
        "a component that holds several marked vertices counts one",
        "operator/question/LargestComponents.scala",
        "counts(component) += 1",
        "counts(component) = 1",
    ),
    Mutant(
        "a component that takes over a part of a split one grew",
        "operator/question/Changes.scala",
        "val isOne = before.related(old) == 1 && after.related(now) == 1",
        "val isOne = after.related(now) == 1",
    ),
    Mutant(
        "an event of the pane that has just ended is not late",
        "operator/EventAnswers.scala",
        "partition(_.pane < firstOpen)",
        "partition(_.pane < firstOpen - 1)",
    ),
    Mutant(
        "an event waits one pane too long",
        "operator/state/WaitingEvents.scala",
        "takeWhile(_ <= horizon)",
        "takeWhile(_ < horizon)",
    ),
    Mutant(
        "a graph is called to drop its edges one pane too early",
        "operator/state/StreamedGraph.scala",
        "lastEdge.map(_ + shape.panes.perWindow + 1)",
        "lastEdge.map(_ + shape.panes.perWindow)",
    ),
    Mutant(
        "the first pane of a window before an event is dropped",
        "operator/state/Kept.scala",
        "tag == Tags.Updates || tag == Tags.Events",
        "tag == Tags.Updates",
    ),
    Mutant(
        "waiting events are written only when a pane closes",
        "operator/state/PaneGraph.scala",
        "if (shape.kept.hasEvents) kept.waiting.write()",
        "if (shape.kept.hasEvents && indexChanged) kept.waiting.write()",
    ),
    Mutant(
        "waiting events that are written are written again",
        "operator/state/WaitingEvents.scala",
        "    blocks.clear()\n",
        "    if (blocks.size > 1) blocks.clear()\n",
    ),
    Mutant(
        "answered events stay in the state",
        "operator/state/WaitingEvents.scala",
        "      parts.remove(pane)\n",
        "      if (parts.partsOf(pane) > 1) parts.remove(pane)\n",
    ),
    Mutant(
        "a pair that the first pane of a window connects is taken to be apart",
        "operator/question/AsOf.scala",
        "if (pane < window.start) RecencyIndex.Never",
        "if (pane <= window.start) RecencyIndex.Never",
    ),
    Mutant(
        "several marked vertices of a component count once",
        "operator/question/AsOf.scala",
        "marked(component) += 1",
        "marked(component) = 1",
    ),
    Mutant(
        "an event that does not wait sees no edge that waits",
        "operator/EventAnswers.scala",
        "answers(ahead.iterator, cursor, streamed.pendingInputs.buffered,",
        "answers(ahead.iterator, cursor, Iterator.empty.buffered,",
    ),
    Mutant(
        "an event that does not wait is answered by the index itself, not by a copy",
        "operator/WindowOperator.scala",
        "counters.inState(graph.index).asInstanceOf[RecencyIndex].copy)",
        "counters.inState(graph.index).asInstanceOf[RecencyIndex])",
    ),
    Mutant(
        "edges of the event's own pane count",
        "index/contract/WindowCursor.scala",
        "feed(blocks, pane)",
        "feed(blocks, pane + 1)",
    ),
    Mutant(
        "a long name is another when cells are filled anew",
        "operator/block/NameCodes.scala",
        "put(number, fromOverflow, int(8), int(4))",
        "put(number, fromOverflow, 0, int(4))",
    ),
    Mutant(
        "a value has the token of the value before",
        "operator/state/StreamedGraph.scala",
        "variables.random.nextBytes(token)",
        "token(0) = 1",
    ),
    Mutant(
        "edges between names are saved with positions for vertices",
        "index/forests/LooseEdges.scala",
        "pairs = sortedPairs",
        "pairs = if (count < 0) sortedPairs else pairs",
    ),
    Mutant(
        "a number is left out before each name in a state",
        "operator/block/VertexNames.scala",
        "out.unsigned(number - before - 1L)",
        "out.unsigned(number - before)",
    ),
]


def simulate(seeds: int) -> tuple[int, str]:
    """Status and output of the simulator, in a group of processes that can be ended as one."""
    command = ["build/sbt", f"Test/runMain {SIMULATOR} {seeds} 0 only"]
    with subprocess.Popen(
        command,
        cwd=COPY,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    ) as process:
        try:
            said, _ = process.communicate(timeout=MOST_SECONDS)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            return 1, "seed that does not end fails"
        return process.returncode, said


def found(mutant: Mutant, seeds: int) -> str | None:
    """The seed that finds the fault; None if none does."""
    file = COPY / SOURCES / mutant.file
    right = file.read_text(encoding="utf-8")
    if right.count(mutant.right) != 1:
        sys.exit(f"{mutant.file} has {right.count(mutant.right)} times {mutant.right!r}")
    file.write_text(right.replace(mutant.right, mutant.wrong), encoding="utf-8")
    try:
        status, said = simulate(seeds)
    finally:
        file.write_text(right, encoding="utf-8")
    seed = re.search(r"seed (\d+|that does not end) fails", said)
    if seed is None and status != 0:
        sys.exit(f"{mutant.fault}: does not compile or run\n{said[-3000:]}")
    return seed.group(1) if seed else None


def main(seeds: int) -> None:
    shutil.rmtree(COPY, ignore_errors=True)
    kept = shutil.ignore_patterns(
        "target", ".venv*", ".git", "dist", "__pycache__", "jars", ".hypothesis", "artifacts"
    )
    shutil.copytree(ROOT, COPY, ignore=kept)
    missed = 0
    print("| fault | seed that finds it |\n| --- | ---: |", flush=True)
    for mutant in MUTANTS:
        seed = found(mutant, seeds)
        missed += seed is None
        print(f"| {mutant.fault} | {seed or 'none'} |", flush=True)
    print(f"{len(MUTANTS) - missed} of {len(MUTANTS)} faults found within {seeds} schedules")
    sys.exit(1 if missed else 0)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 10_000)
