package io.github.sparkbic

import java.util.{List => JList, Map => JMap}

import scala.jdk.CollectionConverters._

import com.fasterxml.jackson.databind.ObjectMapper
import org.apache.spark.sql.DataFrame

import io.github.sparkbic.call.{Ask, Build, Call, Options}

/** The entry points of the Python package. */
object PythonApi {

  /** The version of this jar, which must be that of the Python package. */
  def version: String = Build.version

  /** The answers of a call.
    *
    * @param function as in SQL, such as `bic_components`
    * @param options  a JSON object of the parameters that are strings, numbers, booleans or lists
    * @param objects  the other parameters: frames, and an observation
    */
  def answers(function: String, options: String, objects: JMap[String, Object]): DataFrame = {
    val ask = Ask.all.find(_.function == function).getOrElse {
      val functions = Ask.all.map(_.function).mkString(", ")
      throw new IllegalArgumentException(s"there is no function $function; choose from $functions")
    }
    val plain = new ObjectMapper().readValue(options, classOf[JMap[String, Object]]).asScala.toMap
    Call.answers(new Options(ask, plain.view.mapValues(inScala).toMap ++ objects.asScala))
  }

  private def inScala(value: Any): Any = value match {
    case items: JList[_] => items.asScala.map(inScala).toSeq
    case other           => other
  }
}
