package io.github.sparkbic.operator.question

import java.util.Arrays

import org.apache.spark.sql.Row
import org.apache.spark.sql.types._

import io.github.sparkbic.index.recency.RecencyIndex
import io.github.sparkbic.operator.keys.KeyRows
import io.github.sparkbic.operator.state.Kept

/** What is asked of a graph: the columns of an answer after the columns of the window, and how they are made. */
private[sparkbic] trait Question extends Serializable {

  /** The user's method that asks the question, by which plans and the log name it. */
  def method: String

  def fields: Seq[StructField]

  /** Names of the fields that hold vertices, as BIGINT or, for strings, as their bytes. */
  def vertices: Seq[String] = Nil

  /** The type in which users get vertices, if it is not the type of the edges' columns. */
  def vertexType: Option[DataType] = None

  /** Names of the fields that hold times in microseconds, which get the type of the edges' times. */
  def timesOfEdges: Seq[String] = Nil

  /** Whether a row of the operator holds many answers. Then each field is an array, with an item for each answer,
    * or a [[io.github.sparkbic.operator.block.NameColumn]].
    */
  def isPacked: Boolean = false

  /** What the rows depend on beside the edges of their window, such as the window before. */
  def kept: Kept = Kept.Nothing

  /** The index where the choice is left, for windows of one length and without [[suffixParameters]]. */
  def autoIndex: String = RecencyIndex.Name

  /** The user's parameters that need a [[io.github.sparkbic.index.recency.RecencyIndex]], where they are given. */
  def suffixParameters: Seq[String] = Nil

  /** The pairs or the marked vertices that the user gives. They are sent on the driver, before the tasks of each execution. */
  def list: Option[Queries[_]] = None
}

/** A question whose rows are of the windows that end at whole slides. */
private[sparkbic] trait WindowQuestion extends Question {

  /** Looks at the window before the first window of a segment of a batch, which another task answers. */
  def begin(key: Row, windows: ClosedWindows): Unit = ()

  /** The rows of one window of the graph with this key, each with the values of `fields`, or with arrays of them. */
  def answers(key: Row, window: ClosedWindows): Iterator[Seq[Any]]

  /** The rows of open windows that are certain now and have not come before, where rows may come early: the start and the
    * end of the window, and the values of `fields`. The rows of [[answers]] leave these rows out.
    */
  def earlyAnswers(key: Row, open: OpenWindows): Iterator[(Long, Long, Seq[Any])] = Iterator.empty
}

private[sparkbic] object Question {

  /** The type of vertices in rows. Strings are bytes: a `java.lang.String` maps all invalid UTF-8 to the same character. */
  def vertex(strings: Boolean): DataType = KeyRows.exactType(if (strings) StringType else LongType)

  /** The numbers below `end` that `isWanted` takes, as many as a row holds at a time: no row of packed answers is large. */
  def chunks(end: Int)(isWanted: Int => Boolean): Iterator[Array[Int]] = {
    val chunk = new Array[Int](ChunkSize)
    var next = 0
    Iterator.continually {
      var count = 0
      while (count < chunk.length && next < end) {
        if (isWanted(next)) {
          chunk(count) = next
          count += 1
        }
        next += 1
      }
      Arrays.copyOf(chunk, count)
    }.takeWhile(_.nonEmpty)
  }

  /** Answers in a row: some 64 KiB for two columns of integral vertices. */
  final val ChunkSize = 4096
}
