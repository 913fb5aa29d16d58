package io.github.sparkbic.operator.question

import java.util.Arrays

import org.apache.spark.sql.Row
import org.apache.spark.sql.types._

import io.github.sparkbic.index.contract.WindowComponents
import io.github.sparkbic.index.recency.RecencyIndex
import io.github.sparkbic.operator.keys.KeyRows
import io.github.sparkbic.operator.state.Kept

/** What is asked of a graph: the columns of an answer after the columns of the window, and how they are made.
  *
  * @param method       the user's method that asks the question, by which plans and the log name it
  * @param vertices     names of the fields that hold vertices, as BIGINT or, for strings, as their bytes
  * @param vertexType   the type in which users get vertices, if it is not the type of the edges' columns
  * @param timesOfEdges names of the fields that hold times in microseconds, which get the type of the edges' times
  * @param isPacked     whether a row of the operator holds many answers. Then each field is an array, with an item for each
  *   answer, or a [[io.github.sparkbic.operator.block.NameColumn]]
  * @param kept         what the rows depend on beside the edges of their window, such as the window before
  * @param autoIndex    the index where the choice is left, for windows of one length and without `suffixParameters`
  * @param suffixParameters the user's parameters that need a [[io.github.sparkbic.index.recency.RecencyIndex]], where they
  *   are given
  * @param list         the pairs or the marked vertices that the user gives. They are sent on the driver, before the tasks of
  *   each execution
  */
private[sparkbic] abstract class Question(
    val method: String,
    val fields: Seq[StructField],
    val vertices: Seq[String] = Nil,
    val vertexType: Option[DataType] = None,
    val timesOfEdges: Seq[String] = Nil,
    val isPacked: Boolean = false,
    val kept: Kept = Kept.Nothing,
    val autoIndex: String = RecencyIndex.Name,
    val suffixParameters: Seq[String] = Nil,
    val list: Option[Queries] = None
) extends Serializable {

  /** What the list asks of all graphs. Spark gives each task a question of its own. */
  @transient final lazy val asked: Option[QuerySet] = list.map(_.value)
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

  private[question] def vertices(strings: Boolean, names: String*): Seq[StructField] =
    names.map(StructField(_, vertex(strings)))

  private[question] def numbers(names: String*): Seq[StructField] = names.map(StructField(_, LongType))

  private[question] def when[A](holds: Boolean)(value: => A): Seq[A] = if (holds) Seq(value) else Nil

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

  /** The values of the numbers below `size`. A mapped array would box each value, of which there may be millions. */
  def longs(size: Int)(value: Int => Long): Array[Long] = {
    val values = new Array[Long](size)
    Arrays.setAll(values, (i: Int) => value(i))
    values
  }

  /** Visits each place with a vertex, and the component of the place. */
  def foreachPlace(found: WindowComponents)(visit: (Int, Int) => Unit): Unit = {
    var place = 1
    while (place < found.places) {
      val component = found.componentOf(place)
      if (component >= 0) visit(place, component)
      place += 1
    }
  }

  /** Answers in a row: some 64 KiB for two columns of integral vertices. */
  final val ChunkSize = 4096
}
