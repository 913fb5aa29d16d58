/** A minor version of Spark, for which there is a jar. Patch releases of a minor version share the jar.
  *
  * @param version the patch release that the jar is compiled against: the oldest that the tests run on
  * @param shims   the folders of sources for this version, after `scala-spark-`; two versions that need the same share one
  */
final case class Sparks(version: String, scala: String, shims: Seq[String]) {
  val minor: String = version.split('.').take(2).mkString(".")

  /** The package of the managers of checkpoint files. */
  val checkpointing: String = if (minor == "4.0") "" else "checkpointing."

  val artifact: String = s"spark-bic_$minor"
}

object Sparks {
  val Spark40 = Sparks("4.0.4", "2.13.18", Seq("4.0"))
  val Spark41 = Sparks("4.1.3", "2.13.18", Seq("4.1"))
  val Spark42 = Sparks("4.2.0", "2.13.18", Seq("4.1"))

  /** Rising. */
  val all: Seq[Sparks] = Seq(Spark40, Spark41, Spark42)
}
