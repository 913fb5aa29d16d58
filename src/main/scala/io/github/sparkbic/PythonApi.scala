package io.github.sparkbic

import java.nio.{ByteBuffer, ByteOrder}
import java.util.{List => JList, Map => JMap}

import com.fasterxml.jackson.databind.ObjectMapper
import org.apache.spark.sql.DataFrame
import org.apache.spark.sql.bic.SparkInternals
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.types.{LongType, StringType}
import org.apache.spark.unsafe.types.UTF8String

import io.github.sparkbic.call.{Build, TableFunctions}

/** The entry points of the Python package. */
object PythonApi {

  /** The version of this jar, which must be that of the Python package. */
  def version: String = Build.version

  /** Why this jar cannot serve the running Spark; null if it can. */
  def refusal: String = Build.refusal

  /** The answers of a call.
    *
    * @param function as in SQL, such as `bic_components`
    * @param options  a JSON object of the parameters that are strings, numbers, booleans or lists
    * @param objects  the other parameters: frames, vertices, and an observation
    */
  def answers(function: String, options: String, objects: JMap[String, Object]): DataFrame = {
    val called = TableFunctions.all.find(_.name == function).getOrElse {
      val names = TableFunctions.all.map(_.name).mkString(", ")
      throw new IllegalArgumentException(s"there is no function $function; choose from $names")
    }
    val all = Map.newBuilder[String, Any]
    val plain = new ObjectMapper().readValue(options, classOf[JMap[String, Object]])
    plain.forEach {
      case (name, items: JList[_]) => all += name -> items.toArray.toSeq
      case (name, value)           => all += name -> value
    }
    objects.forEach((name, value) => all += name -> value)
    called.answers(all.result())
  }

  /** The table of a list of vertices. As a plan it goes unseen by Spark's analyzer, which would walk through all rows.
    *
    * @param ids  row after row, in the byte order of this machine; of strings, how many bytes each has
    * @param text the UTF-8 bytes of all strings; null if the ids are numbers
    */
  def vertices(columns: JList[String], ids: Array[Byte], text: Array[Byte]): LogicalPlan = {
    val numbers = ByteBuffer.wrap(ids).order(ByteOrder.nativeOrder).asLongBuffer
    var end = 0
    def next(): Any = {
      val number = numbers.get()
      if (text != null) end += number.toInt
      if (text == null) number else UTF8String.fromBytes(text, end - number.toInt, number.toInt)
    }
    val width = columns.size
    val rows = IndexedSeq.fill(numbers.remaining / width)(new GenericInternalRow(Array.fill(width)(next())))
    val idType = if (text == null) LongType else StringType
    SparkInternals.table(columns.toArray(Array.empty[String]).toSeq, idType, rows)
  }
}
