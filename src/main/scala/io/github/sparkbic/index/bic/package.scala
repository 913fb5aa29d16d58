package io.github.sparkbic.index

/** The paper's index. Read [[bic.BicIndex BicIndex]] first, which names the parts: `BackwardBuffer`; `PaneLog`
  * for the edges of the current chunk; and `InterBufferSearch` over both buffers. The forward buffer is a `UnionBySize`.
  *
  * The paper's algorithms to the letter are in `bench/`, where figures of the paper are tests (`PaperExampleSuite`).
  */
package object bic
