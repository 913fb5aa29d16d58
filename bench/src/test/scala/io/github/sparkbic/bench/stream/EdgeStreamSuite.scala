package io.github.sparkbic.bench.stream

import java.nio.charset.StandardCharsets
import java.nio.file.{Files, Path}
import java.util.zip.GZIPOutputStream

import org.scalatest.funsuite.AnyFunSuite

/** What the experiments are run on: the generators, and files of text. */
class EdgeStreamSuite extends AnyFunSuite {

  private def withFile[A](bytes: Array[Byte], suffix: String = ".txt")(body: Path => A): A = {
    val file = Files.createTempFile("edges", suffix)
    try body(Files.write(file, bytes))
    finally Files.delete(file)
  }

  private def read(text: String, limit: Int = Int.MaxValue): Seq[(Long, Long)] =
    withFile(text.getBytes(StandardCharsets.UTF_8))(file => edges(EdgeStream.read(file, limit)))

  private def edges(stream: EdgeStream): Seq[(Long, Long)] = stream.sources.toSeq.zip(stream.targets.toSeq)

  private def refused(text: String): String = withFile(text.getBytes(StandardCharsets.UTF_8)) { file =>
    intercept[IllegalArgumentException](EdgeStream.read(file, 9)).getMessage.replace(file.toString, "FILE")
  }

  test("comments, blank lines and any of the usual separators") {
    val text =
      "# Nodes: 4\n% sym\n\n1 2\n  3\t4  \n \t \n5,6\r\n7 , 8\n  # indented\n-9 9223372036854775807\n"
    assert(read(text) == Seq((1, 2), (3, 4), (5, 6), (7, 8), (-9L, Long.MaxValue)))
    assert(read(text, limit = 2) == Seq((1, 2), (3, 4)))
  }

  test("edges are sorted by time, before or after 1970, and those of one time stay as they come") {
    assert(read("1 2 30\n3 4 -5\n5 6 30\n7 8 -9\n") == Seq((7, 8), (3, 4), (1, 2), (5, 6)))
    assert(read("1 2 30\n3 4 -5\n5 6 30\n7 8 -9\n", limit = 2) == Seq((7, 8), (3, 4)))
    assert(read("1 2 1 30\n3 4 1 20\n") == Seq((3, 4), (1, 2)), "the last of four fields is the time")
    val many = (0 until 5000).map(i => s"$i ${i + 1} ${-i}").mkString("\n")
    assert(read(many) == (0L until 5000L).map(i => (i, i + 1)).reverse)
  }

  test("a packed file, and comments in another encoding") {
    val packed = new java.io.ByteArrayOutputStream
    val gzip = new GZIPOutputStream(packed)
    gzip.write("# K\u00f6ln\n1 2\n".getBytes(StandardCharsets.ISO_8859_1))
    gzip.close()
    Seq(".txt.gz", ".txt").foreach { suffix =>
      withFile(packed.toByteArray, suffix)(file => assert(edges(EdgeStream.read(file, 9)) == Seq((1L, 2L))))
    }
    withFile(packed.toByteArray.dropRight(9)) { file =>
      val error = intercept[IllegalArgumentException](EdgeStream.read(file, 9))
      assert(error.getMessage.startsWith(s"cannot read the edges of $file: java.io.EOFException"))
    }
  }

  test("what is no edge is refused, with its line and the fix") {
    assert(refused("1 2\n\n1 x\n") == "FILE:3: '1 x' is not 'src dst [time]' in whole numbers: 'x' is none")
    assert(
      refused("1 2 1.5\n") == "FILE:1: '1 2 1.5' is not 'src dst [time]' in whole numbers: '1.5' is none"
    )
    assert(refused("# a\n7\n") == "FILE:2: '7' is not 'src dst [time]': it has fewer than two fields")
    assert(refused("1 2 3\n4 5\n") ==
      "FILE:2: '4 5' has no time, which the lines before have: give every line one, or none")
    assert(refused("1 2\n4 5 6\n") ==
      "FILE:2: '4 5 6' has a time, which none of the lines before have: give every line one, or none")
    assert(refused("# nothing\n\n") == "FILE holds no edge: no line of 'src dst [time]'")
  }

  test("R-MAT: the quadrants of Graph500, ids permuted, the same again from a seed") {
    val stream = EdgeStream.rmat(1, 100000, 7)
    val shares = edges(stream).groupBy(identity).map { case (edge, found) => edge -> found.size / 1e5 }
    // Of two vertices, which one is the first is up to the permutation.
    val first = if (shares((0, 0)) > shares((1, 1))) 0L else 1L
    val wanted = Map((first, first) -> .57, (first, 1 - first) -> .19, (1 - first, first) -> .19) +
      ((1 - first, 1 - first) -> .05)
    wanted.foreach { case (edge, share) => assert(math.abs(shares(edge) - share) < .01, edge) }

    val large = EdgeStream.rmat(10, 20000, 7)
    val hub = large.sources.groupBy(identity).maxBy(_._2.length)._1
    assert(hub != 0 && large.sources.forall(v => v >= 0 && v < 1024))
    assert(edges(EdgeStream.rmat(10, 20000, 7)) == edges(large))
    assert(edges(EdgeStream.rmat(10, 20000, 8)) != edges(large))
    assert(edges(EdgeStream.rmat(10, 5000, 7)) == edges(large.prefix(5000)), "fewer edges are a prefix")
  }

  test("uniform ends, ever new vertices, and pairs to ask, the same again from a seed") {
    val stream = EdgeStream.uniform(10, 10000, 3)
    assert(edges(stream) == edges(EdgeStream.uniform(10, 10000, 3)))
    (0L until 10L).foreach(v => assert(math.abs(stream.sources.count(_ == v) - 1000) < 200))
    val fresh = EdgeStream.fresh(1000)
    assert(fresh.sources.distinct.length == 1000 && fresh.targets.distinct.length == 1000)
    assert(stream.queries(5, 1).toSeq == stream.queries(5, 1).toSeq)
  }
}
