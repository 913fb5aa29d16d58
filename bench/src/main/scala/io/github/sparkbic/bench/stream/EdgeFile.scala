package io.github.sparkbic.bench.stream

import java.io.{BufferedInputStream, BufferedReader, InputStreamReader, IOException}
import java.nio.charset.StandardCharsets
import java.nio.file.{Files, Path}
import java.util.{Arrays, StringTokenizer}
import java.util.zip.GZIPInputStream

/** SNAP-style text: `src dst [time]` a line, separated by blanks, tabs or commas; `#` and `%` begin comments, and
  * what gzip has packed is unpacked. Of four fields and more the last is the time, as in KONECT's `src dst weight time`.
  *
  * Edges are sorted by time where there is one, those of one time as they come; then only their order counts. A file
  * without times is read no further than is wanted, one with times to its end, at 24 bytes an edge.
  */
private[stream] final class EdgeFile(file: Path, limit: Int) {
  private var sources = new Array[Long](1024)
  private var targets = new Array[Long](1024)
  private var times = new Array[Long](1024)
  private var count = 0
  // Whether lines have a time: as the first one has.
  private var timed = false
  private var sorted = true

  def read(): EdgeStream = {
    try lines()
    catch { case e: IOException => throw new IllegalArgumentException(s"cannot read the edges of $file: $e") }
    if (count == 0) throw new IllegalArgumentException(s"$file holds no edge: no line of 'src dst [time]'")
    val size = math.min(count, limit)
    val name = file.getFileName.toString
    if (sorted) new EdgeStream(name, Arrays.copyOf(sources, size), Arrays.copyOf(targets, size))
    else {
      val order = Array.range(0, count).sortBy(times(_)).take(size)
      new EdgeStream(name, order.map(sources(_)), order.map(targets(_)))
    }
  }

  private def lines(): Unit = {
    val bytes = new BufferedInputStream(Files.newInputStream(file))
    try {
      bytes.mark(2)
      val packed = bytes.read() == 0x1f && bytes.read() == 0x8b
      bytes.reset()
      val text = if (packed) new GZIPInputStream(bytes) else bytes
      // Of comments in any encoding; numbers are ASCII.
      val reader = new BufferedReader(new InputStreamReader(text, StandardCharsets.ISO_8859_1))
      var number = 1
      var line = reader.readLine()
      while (line != null && (timed || count < limit)) {
        val trimmed = line.trim
        if (trimmed.nonEmpty && trimmed(0) != '#' && trimmed(0) != '%') add(trimmed, s"$file:$number")
        number += 1
        line = reader.readLine()
      }
    } finally bytes.close()
  }

  private def add(line: String, where: => String): Unit = {
    def refuse(why: String) = throw new IllegalArgumentException(s"$where: '${line.take(80)}' $why")
    val words = new StringTokenizer(line, " \t,")
    def next(): Long = {
      val word = words.nextToken()
      word.toLongOption.getOrElse(refuse(s"is not 'src dst [time]' in whole numbers: '$word' is none"))
    }
    val fields = words.countTokens
    if (fields < 2) refuse("is not 'src dst [time]': it has fewer than two fields")
    if (count == 0) timed = fields > 2
    else if (timed != fields > 2)
      refuse(
        s"has ${if (timed) "no time, which" else "a time, which none of"} the lines before have: give every line one, or none"
      )
    if (count == sources.length) grow()
    sources(count) = next()
    targets(count) = next()
    while (words.hasMoreTokens) times(count) = next()
    if (count > 0 && times(count) < times(count - 1)) sorted = false
    count += 1
  }

  private def grow(): Unit = {
    sources = Arrays.copyOf(sources, 2 * count)
    targets = Arrays.copyOf(targets, 2 * count)
    times = Arrays.copyOf(times, 2 * count)
  }
}
