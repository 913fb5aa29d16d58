package io.github.sparkbic.index.kernels

import java.util.concurrent.{ExecutionException, FutureTask}

/** Work on a range of numbers by threads that live as long as the work, so that no index holds a thread between two
  * micro-batches. To start a thread takes some 0.1 ms.
  */
private[index] object Threads {

  /** Applies `body` to consecutive parts of `from until until`, a part to each thread, and gives the results in order.
    * The caller works on the first part. No part is empty, unless the range is empty. A failure of a part is thrown; other
    * parts may still be at work then.
    */
  def map[T](from: Int, until: Int, threads: Int)(body: (Int, Int) => T): Seq[T] = {
    val count = math.min(threads, until - from)
    if (count <= 1) Seq(body(from, until))
    else {
      def bound(part: Int): Int = from + ((until - from).toLong * part / count).toInt
      val parts = Seq.tabulate(count)(part => new FutureTask[T](() => body(bound(part), bound(part + 1))))
      parts.tail.foreach { part =>
        val helper = new Thread(part, "bic-range")
        helper.setDaemon(true)
        helper.start()
      }
      parts.head.run()
      try parts.map(_.get())
      catch { case e: ExecutionException => throw e.getCause }
    }
  }
}
