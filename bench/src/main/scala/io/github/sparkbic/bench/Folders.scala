package io.github.sparkbic.bench

import java.nio.file.{Files, Path}
import java.util.Comparator

object Folders {

  /** Deletes a folder and all in it. Files that Spark deletes meanwhile are no error. */
  def delete(folder: Path): Unit = if (Files.exists(folder)) {
    val paths = Files.walk(folder)
    try paths.sorted(Comparator.reverseOrder[Path]()).forEach(path => Files.deleteIfExists(path): Unit)
    finally paths.close()
  }
}
