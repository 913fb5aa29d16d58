package io.github.sparkbic.call

import org.apache.spark.sql.DataFrame
import org.apache.spark.sql.types.{StructField, StructType}

import io.github.sparkbic.arguments._
import io.github.sparkbic.operator.paths.PathsPlan

/** Checks the answers that ask for paths. */
private[sparkbic] object PathArguments {
  import ColumnTypes.show

  /** @param keep the columns of the edges that come back in the paths */
  def plan(frame: DataFrame, edges: EdgeColumns, keep: Seq[String]): PathsPlan = {
    val columns = new NamedColumns("answers", frame)
    val ends = this.ends(columns)
    columns.requireStatic()
    val pair = ends.map(columns.vertex(_, edges))
    columns.requireFree("path", "paths")
    val read = edges.roles.map(_._2.name) ++ ends :+ "window"
    def isForgotten(name: String) = columns.has(name) && !read.exists(columns.areSame(_, name))
    edges.frame.schema.fieldNames.find(isForgotten).foreach { name =>
      throw Arguments.invalid(
        s"answers and edges both have a column '$name', which is not in by; give it in by, for paths of each graph, or " +
          "rename it in answers"
      )
    }
    new PathsPlan(
      edges,
      columns,
      window(columns, edges),
      pair,
      edges.byFields.map(columns.key),
      kept(keep, edges)
    )
  }

  private def kept(keep: Seq[String], edges: EdgeColumns): Seq[StructField] = {
    val fields = keep.map(edges.columns.field(_, "keep"))
    fields.foreach { field =>
      val name = field.name
      edges.roles.find(_._2.name == name).foreach { case (role, _) =>
        throw Arguments.invalid(
          s"column '$name' is given as $role and as keep, but the answers have it already; leave it out of keep"
        )
      }
      if (fields.count(_.name == name) > 1)
        throw Arguments.invalid(s"column '$name' is given twice in keep")
      if (Seq("src", "dst", "time").exists(edges.columns.areSame(_, name)))
        throw Arguments.invalid(
          s"column '$name' of keep has the name of a field of path (src, dst, time); rename it"
        )
    }
    fields
  }

  /** The columns with the first and the last vertex of a path, whichever question the answers are of. */
  private def ends(answers: NamedColumns): Seq[String] = {
    val (ofPairs, ofMarked) = (Seq("source", "target"), Seq("vertex", "marked"))
    if ((ofPairs ++ ofMarked).forall(answers.has))
      throw Arguments.invalid(
        "answers have the columns source and target, and vertex and marked as well; drop the two columns that are not the " +
          "ends of the paths"
      )
    // Where a column is missing, the error is about the ends of which there is one.
    val found = Seq(ofPairs, ofMarked).filter(_.exists(answers.has))
    found.find(_.forall(answers.has)).orElse(found.headOption).getOrElse(ofPairs)
  }

  private def window(columns: NamedColumns, edges: EdgeColumns): StructField = {
    val field = columns.field("window", "window")
    val time = edges.timeField
    field.dataType match {
      case window: StructType
          if Seq("start", "end").forall(bound =>
            window.exists(f => f.name == bound && f.dataType == time.dataType)
          ) =>
        field
      case _ =>
        val kind = time.dataType.sql
        throw Arguments.invalid(
          s"answers have ${show(field)}, but window must be STRUCT<start: $kind, end: $kind>, in the type of the edges' " +
            s"${show(time)}; give the window of the answers as it is"
        )
    }
  }
}
