package io.github.sparkbic.operator

import org.apache.spark.SparkThrowable

/** A checkpoint that this query cannot go on from. The message is all that a user can act on.
  *
  * Spark repeats the stack of a failed task several times, before and after the message, so this error has none. Having a
  * condition, the error itself comes out of the job in Spark 4, and not a failed job that quotes it.
  */
private[operator] final class UnreadableStateException(message: String)
    extends IllegalStateException(message)
    with SparkThrowable {

  // Spark 3.5 asks for the class, and Spark 4 for the condition.
  override def getErrorClass: String = getCondition
  def getCondition: String = "BIC_UNREADABLE_STATE"

  override def getSqlState: String = "55000"

  override def fillInStackTrace(): Throwable = this

  /** Spark would add the stack of the driver. */
  override def setStackTrace(stack: Array[StackTraceElement]): Unit = ()
}
