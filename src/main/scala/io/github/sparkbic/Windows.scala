package io.github.sparkbic

import scala.language.implicitConversions

/** How long the windows are: one length, such as `"1 hour"`, or several lengths, such as `Seq("5 minutes", "1 day")`. Each
  * length is a duration in weeks or smaller units. `Windows.WholeTable` stands for no windows.
  */
final class Windows private (private[sparkbic] val lengths: Seq[String]) {
  override def toString: String = if (lengths == null) "whole table" else lengths.mkString(", ")
}

object Windows {

  /** No windows: the question is about all edges of a static table. */
  val WholeTable: Windows = new Windows(null)

  implicit def one(length: String): Windows = new Windows(Seq(length))

  implicit def several(lengths: Seq[String]): Windows = new Windows(lengths)
}
