package io.github.sparkbic.arguments

import java.util.Locale

import org.apache.commons.text.similarity.LevenshteinDistance

/** The valid name that a mistyped one is nearest to, for errors. */
private[sparkbic] object Nearest {

  /** More changed letters than this make another name, not a slip. */
  private val MostEdits = 2

  private val distance = new LevenshteinDistance(MostEdits)

  /** The end of an error, such as `; did you mean 'src'?`, or nothing if no valid name is near. */
  def hint(name: String, valid: Seq[String]): String = {
    def folded(name: String) = name.toLowerCase(Locale.ROOT)
    val near = valid.map(each => each -> distance(folded(name), folded(each)).intValue)
      // Of short names, two changed letters make another name, as of 'site' and 'time'.
      .filter { case (each, edits) => edits >= 0 && 3 * edits <= math.min(each.length, name.length) }
    if (near.isEmpty) "" else s"; did you mean '${near.minBy(_._2)._1}'?"
  }
}
