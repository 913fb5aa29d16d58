package io.github.sparkbic.index.bic

/** Makes visible to tests of all packages what tests of this package see. */
object BicProbe {

  def validate(index: BicIndex): Option[String] = index.validate()

  /** Edges of the chunk that are kept. */
  def logSize(index: BicIndex): Int = index.parts._4.size
}
