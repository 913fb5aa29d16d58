package io.github.sparkbic.index

/** The paper's index. Read [[bic.BicIndex BicIndex]] first, which names the parts: `ForwardBuffer` and `BackwardBuffer`,
  * `PaneLog` for the edges of the current chunk, and `InterBufferSearch` over both buffers.
  *
  * Figures of the paper are tests (`PaperExampleSuite`). The paper's algorithms to the letter are in `bench/`.
  */
package object bic
