package io.github.sparkbic.index.forests

/** The link of a vertex in memory: the pane in the high half, and in the low half the number of the parent. `StateLayout`
  * has its saved form.
  */
private[index] object Link {

  def pack(pane: Int, parent: Int): Long = (pane.toLong << 32) | parent

  def paneOf(link: Long): Int = (link >> 32).toInt

  def parentOf(link: Long): Int = link.toInt
}
