package io.github.sparkbic.operator

/** Stage 1: in every input task, the edges of each graph and pane become a block, or some. In the order of reading:
  *
  * {{{
  * PaneForests        the stage as Spark's optimizer sees it; PaneForestsExec is planned for it, and generates code
  *   EdgeBatches      the edges of one graph that Parquet or ORC gives as columns
  *   WatermarkInStage the watermark, within the same generated code
  * OpenGraphs         the state of a task; finds the graph of an edge in GraphTable, behind EdgeQueue if graphs are many
  *   OpenGraph        one graph: finds the pane of an edge, decides which panes stay loose edges, and makes the blocks;
  *                    each of its panes is a PaneForestBuilder
  *   OpenNames        vertices that are strings, of all graphs of a task, or of a pane in a stream of one graph;
  *                    NameVector has a column of them
  *   OpenMemory       when a task must send all that it holds
  * Segments           runs of windows into which a batch query cuts a graph
  * StreamChecks       streams that are refused
  * }}}
  *
  * Generated code calls `OpenGraphs`, `OpenGraph` and `EdgeBatches` by name, once an edge or a batch: there nothing may be
  * allocated. A repeated task must make the same blocks of the same rows in the same order. No edge is dropped as late in this
  * stage: the window operator does that, by whole blocks (`WindowOperator.OneGraph.stream`).
  */
package object forests
