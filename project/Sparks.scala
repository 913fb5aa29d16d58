/** A minor version of Spark, for which there is a jar. Patch releases of a minor version share the jar.
  *
  * @param version the patch release that the jar is compiled against: the oldest that the tests run on
  * @param shims   the folders of sources for this version, after `scala-spark-`; two versions that need the same share one
  * @param jdk     the version of Java that the jar needs at least: the oldest that this Spark runs on, but 11 instead of 8
  */
final case class Sparks(version: String, scala: String, shims: Seq[String], jdk: Int) {
  val minor: String = version.split('.').take(2).mkString(".")

  val scalaBinary: String = scala.split('.').take(2).mkString(".")

  /** The package of the managers of checkpoint files. */
  val checkpointing: String = if (Set("3.5", "4.0")(minor)) "" else "checkpointing."

  val artifact: String = s"spark-bic_$minor"
}

object Sparks {
  private val Scala212 = "2.12.18" // that of Spark 3.5
  private val Scala213 = "2.13.18"

  val Spark35 = Sparks("3.5.7", Scala212, Seq("3.5"), jdk = 11)
  val Spark35Of213 = Sparks("3.5.7", Scala213, Seq("3.5"), jdk = 11)
  val Spark40 = Sparks("4.0.4", Scala213, Seq("4", "4.0"), jdk = 17)
  val Spark41 = Sparks("4.1.3", Scala213, Seq("4", "4.1"), jdk = 17)
  val Spark42 = Sparks("4.2.0", Scala213, Seq("4", "4.1"), jdk = 17)

  /** Rising. */
  val all: Seq[Sparks] = Seq(Spark35, Spark35Of213, Spark40, Spark41, Spark42)
}
