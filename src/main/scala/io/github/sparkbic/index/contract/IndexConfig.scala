package io.github.sparkbic.index.contract

import java.util.concurrent.ThreadLocalRandom

/** Seeds and thresholds of an index; the defaults are measured, tests inject small values.
  *
  * @param seed          of hashes and ranks, random to whoever chose the ids and edges
  * @param batchEdges    edges, or vertices of a pane forest, that are looked up together, at most
  * @param smallestDense vertices below which no array replaces the hash table, which then lies in the caches
  * @param sweepPart     numbers are added where a round over all vertex numbers frees fewer than one in so many
  * @param smallestThinned edges of a chunk before its log is first thinned
  * @param smallestSparse vertex numbers below which no memory is worth giving back
  * @param smallestConcurrent vertices that several threads may work on, at least
  * @param threads       threads that may work for an index at once, among them the caller
  * @param idsAreNumbers whether vertices have the ids 0, 1, 2 …, and an id is given to another vertex only once the vertex
  *                      that had it has expired
  * @param reach         panes after which an index is rebuilt, so that 32 bits suffice for a pane
  */
final case class IndexConfig(
    seed: Long = ThreadLocalRandom.current().nextLong(),
    batchEdges: Int = 128,
    smallestDense: Int = 1 << 14,
    sweepPart: Int = 16,
    smallestThinned: Int = 1 << 12,
    smallestSparse: Int = 1 << 14,
    smallestConcurrent: Int = 1 << 13,
    threads: Int = 1,
    idsAreNumbers: Boolean = false,
    reach: Long = 1L << 30
) {

  /** How many threads may work on so many vertices at once. */
  def threadsFor(vertices: Int): Int = if (vertices < smallestConcurrent) 1 else threads
}
