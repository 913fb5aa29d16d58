package io.github.sparkbic.faults

import java.nio.file.{Files, Path, Paths}
import java.nio.file.attribute.FileTime
import java.util.Properties
import java.util.zip.{ZipEntry, ZipInputStream, ZipOutputStream}

import scala.collection.mutable.ArrayBuffer
import scala.jdk.CollectionConverters._
import scala.util.Using

import org.apache.spark.sql.{Column, DataFrame, SparkSession}
import org.apache.spark.sql.functions.{col, expr}
import org.apache.spark.sql.streaming.Trigger

import io.github.sparkbic.call.Build
import io.github.sparkbic.index.Indexes
import io.github.sparkbic.operator.question.{Asked, AskedAsOf, AskedConnected, AskedPairs}

/** Checkpoints in the middle of a stream, from which later releases have to go on.
  *
  * A zip holds the files of the stream, the checkpoint after the first half of them, the answers until then, and all
  * answers by the oracle. `make golden` writes the zips of the version at hand. Zips of released versions stay as they are.
  */
object GoldenCheckpoints {
  private val FilesInAll = 10

  /** What vertices are: numbers, these as text, or UUIDs made of them, some of which are in upper case. */
  private val Vertices = Map("long" -> "BIGINT", "string" -> "STRING", "uuid" -> "UUID")
  private val Layouts = Seq("value", "panes")

  /** The questions by the end of their files' names. The state holds something beside the edges for all but the first. */
  private val Questions: Seq[(String, Asked)] = Seq(
    "" -> AskedPairs(),
    "-early" -> AskedPairs(early = true),
    "-connected-early" -> AskedConnected(early = true),
    "-connected-updates" -> AskedConnected(updatesOnly = true),
    "-as-of" -> AskedAsOf(marked = true, pair = true, waits = true)
  )

  /** The version that writes a checkpoint, and the choices of its query. */
  final case class Golden(version: String, index: String, ids: String, layout: String, question: String) {
    def file: String = s"$version-$index-$ids-$layout$question.zip"

    def query: JobQuery = JobQuery("golden", "", index, Map.empty, Questions.toMap.apply(question))

    def readers: Seq[String] = if (query.asked.needsRecency) Seq(index) else Indexes.names
  }

  val all: Seq[Golden] =
    (for (index <- Indexes.names; ids <- Vertices.keys.toSeq; layout <- Layouts)
      yield Golden(Build.version, index, ids, layout, "")) ++
      (for ((question, _) <- Questions.tail; layout <- Layouts)
        yield Golden(Build.version, "recency", "string", layout, question))

  private val Name =
    s"(.+)-(bic|recency)-(long|string|uuid)-(value|panes)(${Questions.map(_._1).mkString("|")})\\.zip".r

  def ofFile(name: String): Option[Golden] = name match {
    case Name(version, index, ids, layout, question) => Some(Golden(version, index, ids, layout, question))
    case _                                           => None
  }

  /** The folder, and perhaps a part of the names of the files to write. */
  def main(args: Array[String]): Unit = {
    val target = Files.createDirectories(Paths.get(args(0)))
    val spark = ChildDriver.session("local[2]", "spark.sql.shuffle.partitions" -> 1)
    try
      all.filter(_.file.contains(args.lift(1).getOrElse(""))).foreach { golden =>
        val folder = Files.createTempDirectory("golden")
        val streams = Iterator.from(1).map(seed => new FaultStream(seed.toLong, FilesInAll, 12))
        write(spark, streams.find(isTelling(_, golden.ids != "long")).get, golden, folder)
        zip(folder, target.resolve(golden.file))
        ChildDriver.delete(folder)
        println(s"${golden.file}: ${Files.size(target.resolve(golden.file))} bytes")
      }
    finally spark.stop()
  }

  /** A stream in which windows overlap, and edges wait for the watermark. */
  private def isTelling(stream: FaultStream, strings: Boolean): Boolean =
    stream.strings == strings && stream.panes.perWindow > 3 && stream.panes.perSlide < stream.panes.perWindow &&
      stream.delay > stream.panes.slide

  private def write(spark: SparkSession, stream: FaultStream, golden: Golden, folder: Path): Unit = {
    stream.write(folder.resolve("all"))
    val settings = new Properties
    Seq(
      "window" -> s"${stream.panes.window} seconds",
      "slide" -> s"${stream.panes.slide} seconds",
      "startTime" -> s"${stream.panes.startTime} seconds",
      "delay" -> s"${stream.delay} seconds",
      "vertex" -> Vertices(golden.ids),
      "layout" -> golden.layout,
      "asked" -> stream.asked.map { case (s, t) => s"$s:$t" }.mkString(","),
      "marked" -> stream.marked.mkString(",")
    ).foreach { case (key, value) => settings.setProperty(key, value) }
    Using.resource(Files.newBufferedWriter(folder.resolve("query.properties")))(settings.store(_, null))
    val expected = stream.expected(golden.query)
    Files.write(folder.resolve("expected.rows"), expected.asJava)
    offer(folder, FilesInAll / 2)
    val before = run(spark, folder, golden.query, filesPerMicroBatch = 1)
    if (before.isEmpty || before.size == expected.size)
      throw new AssertionError(s"$stream tells nothing")
    def offered =
      folder.resolve("in").toFile.listFiles().map(file => Files.readAllLines(file.toPath).size).sum
    if (golden.query.asksOfEvents && before.size == offered)
      throw new AssertionError(s"no event of $stream waits")
    Files.write(folder.resolve("before.rows"), before.sorted.asJava)
    ChildDriver.delete(folder.resolve("in"))
  }

  /** Moves the first files of the stream, in their order, to where the query reads them. */
  def offer(folder: Path, files: Int): Unit = {
    Files.createDirectories(folder.resolve("in"))
    folder.resolve("all").toFile.list().sorted.take(files).foreach { name =>
      val to = folder.resolve("in").resolve(name)
      if (!Files.exists(to)) Files.copy(folder.resolve("all").resolve(name), to)
      Files.setLastModifiedTime(to, FileTime.fromMillis(1700000000000L + 1000L * name.take(5).toLong))
    }
  }

  /** Goes on from the checkpoint in `folder`, if there is one, to the end of the files there are; the answers. */
  def run(spark: SparkSession, folder: Path, query: JobQuery, filesPerMicroBatch: Int): Seq[String] = {
    val settings = new Properties
    Using.resource(Files.newBufferedReader(folder.resolve("query.properties")))(settings.load)
    FaultRun.settingsOfLayout(settings.getProperty("layout")).foreach { case (key, value) =>
      spark.conf.set(key, value)
    }
    val vertex = settings.getProperty("vertex")
    val job = JobSettings(
      folder.toString,
      settings.getProperty("window"),
      settings.getProperty("slide"),
      settings.getProperty("startTime"),
      settings.getProperty("delay"),
      vertex,
      settings.getProperty("asked").split(",").toSeq.map(_.split(":").map(_.toLong)).map(p => (p(0), p(1))),
      settings.getProperty("marked", "0").split(",").toSeq.map(_.toLong),
      filesPerMicroBatch
    )
    val rows = ArrayBuffer.empty[String]
    val collect = (batch: DataFrame, _: Long) => {
      val shown = StreamJob.vertices(query).map(name => name -> numbered(vertex, name)).toMap
      val lines = StreamJob.lines(batch.withColumns(shown), query)
      rows.synchronized(rows ++= lines): Unit
    }
    StreamJob.answers(spark, job, query)
      .writeStream.foreachBatch(collect)
      .option("checkpointLocation", folder.resolve("checkpoint").toString)
      .trigger(Trigger.AvailableNow())
      .start().awaitTermination()
    rows.toSeq
  }

  private def numbered(vertex: String, name: String): Column =
    if (vertex != "UUID") col(name) else expr(s"conv(replace(left($name, 18), '-', ''), 16, -10)")

  private def zip(folder: Path, file: Path): Unit =
    Using.resource(new ZipOutputStream(Files.newOutputStream(file))) { out =>
      val files = Using.resource(Files.walk(folder))(_.iterator.asScala.filter(Files.isRegularFile(_)).toSeq)
      files.sorted.foreach { path =>
        val entry = new ZipEntry(folder.relativize(path).toString)
        entry.setTimeLocal(java.time.LocalDateTime.of(2024, 5, 1, 0, 0))
        out.putNextEntry(entry)
        Files.copy(path, out)
        out.closeEntry()
      }
    }

  /** Unpacks a checkpoint into a folder of another name. Spark lets a checkpoint move, but for one file of
    * `transformWithState`, which names others by their full path.
    */
  def unzip(file: Path, folder: Path): Unit = {
    Using.resource(new ZipInputStream(Files.newInputStream(file))) { in =>
      Iterator.continually(in.getNextEntry).takeWhile(_ != null).foreach { entry =>
        val to = folder.resolve(entry.getName)
        Files.createDirectories(to.getParent)
        Files.copy(in, to)
      }
    }
    val metadata = folder.resolve("checkpoint/state/0/_metadata/v2/0")
    if (Files.exists(metadata)) {
      val moved = Files.readString(metadata)
        .replaceAll("file:[^\"]*/checkpoint/state/", s"file:$folder/checkpoint/state/")
      Files.writeString(metadata, moved)
      Files.delete(metadata.resolveSibling(".0.crc"))
    }
  }
}
