package io.github.sparkbic.bench.baseline

/** HDT: spanning forests in levels. A search for a replacement edge pays for itself by lifting what it looks at.
  *
  * Every edge has a level. Forest `i` spans the edges of level `i` and higher, as Euler tours, and no tree of it has
  * more than n / 2^i^ vertices. When a tree edge of level `l` goes, the smaller part is searched on the levels `l` to 0:
  * its tree edges of that level are lifted, then its other edges, until one is found that leads to the larger part.
  * O(log² n) amortised an update.
  *
  * J. Holm, K. de Lichtenberg, M. Thorup, "Poly-logarithmic deterministic fully-dynamic algorithms for connectivity,
  * minimum spanning tree, 2-edge, and biconnectivity", J. ACM 48(4), 2001.
  */
final class Hdt extends LeveledForest(32)

/** ET-Tree: one spanning forest as Euler tours; when a tree edge goes, the other edges of the smaller part are searched
  * for one that leads to the larger part, each time anew.
  *
  * M. R. Henzinger, V. King, "Randomized fully dynamic graph algorithms with polylogarithmic time per operation",
  * J. ACM 46(4), 1999 (the Euler-tour trees, without sampling).
  */
final class EtTree extends LeveledForest(1)
