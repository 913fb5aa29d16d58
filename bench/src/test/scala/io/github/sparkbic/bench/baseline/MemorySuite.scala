package io.github.sparkbic.bench.baseline

import java.lang.reflect.Modifier
import java.util.{IdentityHashMap, SplittableRandom}

import org.scalatest.funsuite.AnyFunSuite

import io.github.sparkbic.bench.WindowSystem
import io.github.sparkbic.bench.baseline.paper.BicPaper
import io.github.sparkbic.bench.stream.EdgeStream

/** No baseline keeps more than its structure needs: a rival must not look larger than it is. */
class MemorySuite extends AnyFunSuite {
  private val window = 30000

  /** Bytes of all arrays of numbers that the system keeps, after two windows of an R-MAT stream. */
  private def kept(system: WindowSystem): Long = {
    val stream = EdgeStream.rmat(13, 2 * window, 1)
    val perPane = window / 10
    stream.sources.indices.foreach { i =>
      if (i % perPane == 0 && i >= window) system.complete(i / perPane - 9L)
      system.insert((i / perPane).toLong, stream.sources(i), stream.targets(i))
    }
    bytes(system, new IdentityHashMap)
  }

  private def bytes(of: AnyRef, seen: IdentityHashMap[AnyRef, AnyRef]): Long = of match {
    case _ if of == null || seen.put(of, of) != null => 0
    case a: Array[Int]                               => 4L * a.length
    case a: Array[Long]                              => 8L * a.length
    case a: Array[AnyRef]                            => a.map(bytes(_, seen)).sum
    case _ if of.getClass.getName.startsWith("java") => 0
    case _ =>
      Iterator.iterate[Class[_]](of.getClass)(
        _.getSuperclass
      ).takeWhile(_ != null).flatMap(_.getDeclaredFields)
        .filterNot(field => Modifier.isStatic(field.getModifiers) || field.getType.isPrimitive)
        .map { field =>
          field.setAccessible(true)
          bytes(field.get(of), seen)
        }.sum
  }

  test("RWC keeps eight bytes an edge, and four a vertex and its number") {
    // The arrays of the queue double; the rest is the numbering, and the components.
    assert(kept(new Rwc) < 8 * Integer.highestOneBit(2 * window) + 30 * 8192)
  }

  test("bic-paper keeps eight bytes an edge of its chunk, and 45 a vertex for two chunks and their numbers") {
    // The arrays of the edges double. The first tenth of a chunk is not stored.
    assert(kept(new BicPaper(10)) < 8 * Integer.highestOneBit(2 * window) + 45 * 8192)
  }

  test("HDT keeps less than twice what one forest takes: most edges stay on the lowest level") {
    val hdt = kept(new Hdt)
    val one = kept(new EtTree)
    assert(hdt > one && hdt < 1.8 * one, s"$hdt bytes, and $one of ET-Tree")
  }

  test("a queue of edges over panes that come, go, and are passed over") {
    val random = new SplittableRandom(5)
    val queue = new EdgeQueue
    val expected = scala.collection.mutable.Queue.empty[(Long, Int, Int)]
    (0 until 300).foreach { pane =>
      (0 until random.nextInt(40) * random.nextInt(3)).foreach { i =>
        queue.add(pane.toLong - 150, i, pane)
        expected.enqueue((pane - 150L, i, pane))
      }
      if (random.nextBoolean()) {
        val from = pane - 150L - random.nextInt(60)
        queue.dropBefore(from)
        expected.dequeueWhile(_._1 < from)
      } else
        (0 until math.min(queue.size, random.nextInt(50))).foreach { _ =>
          assert((queue.headPane, queue.headSource, queue.headTarget) == expected.dequeue())
          queue.drop()
        }
      assert((0 until queue.size).map(i => (queue.source(i), queue.target(i))) == expected.map(e =>
        (e._2, e._3)
      ))
    }
    assert(expected.nonEmpty)
  }
}
