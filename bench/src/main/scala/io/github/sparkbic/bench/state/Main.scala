package io.github.sparkbic.bench.state

import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.classic.{SparkSession => ClassicSession}

import io.github.sparkbic.bench.StateStores

/** What the state costs a micro-batch: see [[Main.help]]. */
object Main {
  private val help =
    """bench.state.Main EXPERIMENT [WORD...]: micro-batches over a full window, on two cores, one partition
      |  cache    graphs kept alive between micro-batches, and not: a million live vertices
      |  layouts  one value a graph, and pane by pane: panes of 1 MB, in windows of 1, 10 and 100 (window-of-1 …)
      |  empty    micro-batches without a row: with our operator over 10 MB of state, with Spark's own count of a window,
      |           and without state; with either of Spark's ways to write a checkpoint, files or contexts
      |The state store is RocksDB, unless the setting says otherwise.
      |Only settings with all the WORDs in their name are run. Whole micro-batch: median (fastest to slowest).""".stripMargin

  def main(arguments: Array[String]): Unit = arguments.toSeq match {
    case Seq(name, words @ _*) if experiments.get(name).exists(chosen(_, words).nonEmpty) =>
      val spark = SparkSession.builder().master("local[2]").appName("bench-state")
        .config("spark.ui.enabled", "false")
        .config("spark.sql.shuffle.partitions", "1")
        .config("spark.sql.streaming.noDataMicroBatches.enabled", "false")
        .config(StateStores.Conf, StateStores.RocksDb)
        .getOrCreate()
      spark.sparkContext.setLogLevel("ERROR")
      println(
        "| setting | live vertices | state, MB | micro-batch, ms | index, ms | state, ms | store's commit, ms | restored |"
      )
      println("| --- | --- | --- | --- | --- | --- | --- | --- |")
      try
        chosen(experiments(name), words).foreach { case (setting, measure) =>
          print(setting, measure(spark.asInstanceOf[ClassicSession]))
        }
      finally spark.stop()
    case Seq("--help") => println(help)
    case other =>
      System.err.println(s"error: ${unknown(other)}\n$help")
      sys.exit(1)
  }

  private def chosen(of: Experiment, words: Seq[String]): Experiment =
    of.filter { case (setting, _) => words.forall(setting.split(' ').contains(_)) }

  /** What is wrong with arguments that choose nothing. */
  private[state] def unknown(arguments: Seq[String]): String = arguments match {
    case Seq(name, words @ _*) if experiments.contains(name) =>
      s"no setting of $name has all of '${words.mkString(" ")}' in its name; there is: " +
        experiments(name).map(_._1).mkString("; ")
    case Seq(name, _*) =>
      s"unknown experiment '$name'; there is: ${experiments.keys.toSeq.sorted.mkString(", ")}"
    case _ => s"an experiment is wanted: ${experiments.keys.toSeq.sorted.mkString(", ")}"
  }

  private type Experiment = Seq[(String, ClassicSession => Cost)]

  private def experiments: Map[String, Experiment] =
    Map("cache" -> cache, "layouts" -> layouts, "empty" -> empty)

  private def cache: Experiment =
    for {
      index <- Seq("recency", "bic")
      layout <- Seq("value", "panes")
      (name, limit) <- Seq("on" -> "1g", "off" -> "0")
    } yield {
      val confs = Map("spark.bic.cache.maxBytes" -> limit, "spark.bic.stateLayout" -> layout)
      val setting = Setting(index, 1L << 20, 100000, 20, sparse = false, confs)
      s"$index $layout cache $name" -> (new MicroBatches(_: ClassicSession, setting).onePaneEach(9))
    }

  /** Vertices of a pane hardly come again, and their ids are spread over 64 bits: the longest state for its edges. */
  private def layouts: Experiment =
    for {
      index <- Seq("recency", "bic")
      layout <- Seq("value", "panes")
      panes <- Seq(1, 10, 100)
    } yield {
      val setting =
        Setting(index, 1L << 40, 55000, panes, sparse = true, Map("spark.bic.stateLayout" -> layout))
      s"$index $layout window-of-$panes" -> (new MicroBatches(_: ClassicSession, setting).onePaneEach(7))
    }

  private def empty: Experiment = {
    val changelog = "spark.sql.streaming.stateStore.rocksdb.changelogCheckpointing.enabled" -> "true"
    val hdfsBacked = StateStores.Conf -> StateStores.HdfsBacked
    val panes = "spark.bic.stateLayout" -> "panes"
    val settings = Seq(
      ("without", "", Map.empty[String, String]),
      ("count HDFS-backed", "count", Map(hdfsBacked)),
      ("value HDFS-backed", "recency", Map(hdfsBacked)),
      ("count RocksDB", "count", Map.empty[String, String]),
      ("value RocksDB", "recency", Map.empty[String, String]),
      ("panes RocksDB", "recency", Map(panes)),
      ("count RocksDB with a changelog", "count", Map(changelog)),
      ("value RocksDB with a changelog", "recency", Map(changelog)),
      ("panes RocksDB with a changelog", "recency", Map(panes, changelog)),
      ("without, again", "", Map.empty[String, String])
    )
    for {
      (way, how) <- Seq("contexts" -> Map.empty[String, String], "files" -> StateStores.ByFiles)
      (name, query, confs) <- settings
    } yield {
      val setting = Setting(query, 1L << 40, 55000, 10, sparse = true, confs ++ how)
      s"$name empty $way" -> (new MicroBatches(_: ClassicSession, setting).empty(25))
    }
  }

  private def print(setting: String, cost: Cost): Unit = println(
    f"| $setting | ${cost.liveVertices} | ${cost.stateBytes / 1e6}%.1f | " +
      f"${cost.wholeMs}%.0f (${cost.fastestMs}%.0f to ${cost.slowestMs}%.0f) | ${cost.indexMs}%.0f | " +
      f"${cost.stateMs}%.0f | ${cost.commitMs}%.0f | ${cost.restored} |"
  )
}
