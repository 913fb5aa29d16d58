package io.github.sparkbic.operator.state

import org.apache.spark.sql.bic.CacheMemory

/** Live graphs with all the memory that a test wants. */
private[operator] class UnboundedGraphs extends LiveGraphs(_ => UnboundedGraphs.Memory)

private object UnboundedGraphs {
  private object Memory extends CacheMemory {
    override def held: Long = Long.MaxValue
    override def grow(bytes: Long): Unit = ()
  }
}
