package io.github.sparkbic

import scala.language.implicitConversions

/** How long the windows are: one length, such as `"1 hour"`, or several, such as `Seq("5 minutes", "1 day")`, each a
  * duration in weeks or smaller units.
  */
final class Windows private (val lengths: Seq[String])

object Windows {
  implicit def one(length: String): Windows = new Windows(Seq(length))

  implicit def several(lengths: Seq[String]): Windows = new Windows(lengths)
}
