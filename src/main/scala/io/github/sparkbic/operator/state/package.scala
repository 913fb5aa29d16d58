package io.github.sparkbic.operator

/** A graph between two micro-batches. Read in this order:
  *   - [[state.StreamedGraph]]: what a graph holds, and what of it is forgotten;
  *   - [[state.ValueGraph]] or [[state.PaneGraph]] (with `PaneParts`): how a layout reads and writes it;
  *   - [[state.GraphStore]]: a graph in one call, between Spark's state and the graphs in memory;
  *   - [[state.LiveGraphs]]: the graphs in memory, and why none of them is stale;
  *   - [[state.Kept]]: all that is kept beside the windows, by the question. New things to keep go there.
  *
  * Each value is in a `StateFrame`; that of a graph, and a header, begins with a `StateShape`.
  * [[io.github.sparkbic.index.format.StateLayout]] has the map. A change of bytes shows in the golden checkpoints.
  */
package object state
