package io.github.sparkbic.bench.spark

import org.apache.spark.sql.DataFrame
import org.apache.spark.sql.functions.{
  array,
  broadcast,
  coalesce,
  col,
  count,
  explode,
  expr,
  lit,
  min,
  struct
}

/** What users do without our queries about marked vertices and events: they take all components of all windows, and join
  * them.
  *
  * Small sides are broadcast, so that Spark neither sorts nor sends all components. Without that the joins would take far
  * longer.
  *
  * @param components window, vertex and component, of all windows
  */
private[spark] final class JoinedComponents(components: DataFrame) {

  /** The vertices of all components with a marked vertex, and the smallest such vertex of the window. */
  def connected(marked: DataFrame): DataFrame = {
    val touched = components.join(broadcast(marked), "vertex").groupBy("window", "component")
      .agg(min("vertex").as("marked"))
    components.join(broadcast(touched), Seq("window", "component")).select("window", "vertex", "marked")
  }

  /** The columns of events, and for `src` and `dst` the component in the window that ends where the slide of the event
    * starts, its size, and the number of its marked vertices. Not since when both are connected: components do not tell.
    *
    * @param slideMillis of which the length of a window is a multiple
    */
  def asOf(events: DataFrame, marked: DataFrame, slideMillis: Long): DataFrame = {
    val end = expr(s"timestamp_millis(unix_millis(time) - pmod(unix_millis(time), ${slideMillis}L))")
    val timed = events.withColumn("end", end)
    val asked = timed.select(col("end"), explode(array("src", "dst")).as("vertex")).distinct()
    val all = components.select(col("window.end").as("end"), col("vertex"), col("component"))
    val found = all.join(broadcast(asked), Seq("end", "vertex"))
    // Sizes of components that no event asks about would be most of the work.
    val needed = found.select("end", "component").distinct()
    val sizes = all.join(broadcast(needed), Seq("end", "component"))
      .join(broadcast(marked.withColumn("isMarked", lit(true))), Seq("vertex"), "left")
      .groupBy("end", "component").agg(count("vertex").as("size"), count("isMarked").as("marked"))
    val graphs = found.join(sizes, Seq("end", "component"))
      .select(col("end"), col("vertex"), struct("component", "size", "marked").as("found"))
    def of(events: DataFrame, vertex: String, name: String) =
      events.join(
        graphs.select(col("end"), col("vertex").as(vertex), col("found").as(name)),
        Seq("end", vertex),
        "left"
      )
    def graph(name: String) = struct(
      col(s"$name.component"),
      coalesce(col(s"$name.size"), lit(0L)).as("size"),
      coalesce(col(s"$name.marked"), lit(0L)).as("marked")
    ).as(name)
    of(of(timed, "src", "source"), "dst", "target")
      .select(events.columns.toSeq.map(col) ++ Seq(graph("source"), graph("target")): _*)
  }
}
