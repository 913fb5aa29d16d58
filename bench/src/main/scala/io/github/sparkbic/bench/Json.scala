package io.github.sparkbic.bench

import java.util.Locale

/** The little JSON that results are written in: one flat object a line. */
object Json {

  /** ASCII alone, whatever the text: it passes through the output of a process, whose encoding is the machine's. */
  def text(value: String): String =
    value.map {
      case '"'                     => "\\\""
      case '\\'                    => "\\\\"
      case c if c < ' ' || c > '~' => f"\\u${c.toInt}%04x"
      case c                       => c.toString
    }.mkString("\"", "", "\"")

  def number(value: Double): String = String.format(Locale.ROOT, "%.4f", Double.box(value))

  def fields(values: Seq[(String, String)]): String =
    values.map { case (name, value) => s"${text(name)}: $value" }.mkString("{", ", ", "}")
}
