package io.github.sparkbic.operator

/** A graph between two micro-batches. Read [[state.StreamedGraph]] first: what a graph holds, and what of it is forgotten.
  * Then one of its layouts, [[state.ValueGraph]] or [[state.PaneGraph]] (with `PaneParts`): how it is read and written.
  * [[state.GraphStores]] ties both to Spark's state, and [[state.LiveGraphs]] keeps graphs alive in memory.
  *
  * What a graph holds: `PendingPanes`, `PaneCounts`, and as [[state.Kept]] tells by the question, `KeptNames` or
  * `EmittedWindows`. The bytes of a value: `StateShape` first, in a `StateFrame` that knows its `StatePlace`;
  * [[io.github.sparkbic.index.format.StateLayout]] has the map. A change of bytes shows in the golden checkpoints.
  * The rest are settings (`LayoutSetting`, `CacheLimit`) and metrics (`Counters`).
  */
package object state
