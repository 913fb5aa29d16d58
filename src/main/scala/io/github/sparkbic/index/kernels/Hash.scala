package io.github.sparkbic.index.kernels

/** The hash of 64-bit ids. */
private[sparkbic] object Hash {

  /** Mixes an id with a seed; a permutation of all ids for each seed, random to whoever does not know the seed. */
  def mix(id: Long, seed: Long): Long = {
    val h = (id ^ seed) * 0x9e3779b97f4a7c15L
    (h ^ (h >>> 32)) * 0xd6e8feb86659fd93L
  }
}
