package io.github.sparkbic.index.recency

/** Makes visible to tests of all packages what tests of this package see. */
object RecencyProbe {

  def validate(index: RecencyIndex): Option[String] = index.validate()
}
