package io.github.sparkbic

import java.util.{List => JList, Map => JMap}

import com.fasterxml.jackson.databind.ObjectMapper
import org.apache.spark.sql.DataFrame

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
    * @param objects  the other parameters: frames, and an observation
    */
  def answers(function: String, options: String, objects: JMap[String, Object]): DataFrame = {
    val all = Map.newBuilder[String, Any]
    new ObjectMapper().readValue(options, classOf[JMap[String, Object]]).forEach {
      case (name, items: JList[_]) => all += name -> items.toArray.toSeq
      case (name, value)           => all += name -> value
    }
    objects.forEach((name, value) => all += name -> value)
    TableFunctions.all.find(_.name == function).get.answers(all.result())
  }
}
