package io.github.sparkbic.bench

import java.lang.management.ManagementFactory
import java.nio.file.{Files, Paths}

import scala.jdk.CollectionConverters._

/** What a figure was measured on, to be kept beside it. */
object Machine {

  /** Cores, processor, memory and Java, in one line without quotes. */
  lazy val text: String = {
    val cores = Runtime.getRuntime.availableProcessors
    val memory = ManagementFactory.getOperatingSystemMXBean match {
      case system: com.sun.management.OperatingSystemMXBean =>
        s", ${math.round(system.getTotalMemorySize / math.pow(2, 30))} GiB"
      case _ => ""
    }
    s"$cores cores of $processor$memory, JDK ${sys.props("java.version")}".replace('"', '\'')
  }

  private def processor: String = {
    val info = Paths.get("/proc/cpuinfo")
    val named =
      if (Files.isReadable(info)) Files.readAllLines(info).asScala.find(_.startsWith("model name")) else None
    named.fold(sys.props("os.arch"))(_.split(":", 2)(1).trim)
  }
}
