// The jar that runs inside Spark. It brings no dependency along: Spark is `provided`, everything else is ours.

import java.io.File

// The minor version that `build/sbt test` tests whole; the others have projects of their own.
val newest = Sparks.Spark42
val sparkVersion = newest.version

// One version for jar and wheel, kept where the wheel is built from.
val productVersion = {
  val file = new File("python/pyspark_bic/_version.py")
  val pattern = """(?m)^__version__ = "([^"]+)"$""".r
  pattern
    .findFirstMatchIn(IO.read(file))
    .map(_.group(1))
    .getOrElse(sys.error(s"no line that sets __version__ in $file"))
}

ThisBuild / organization := "io.github.sparkbic"
ThisBuild / version := productVersion
ThisBuild / versionScheme := Some("early-semver")
ThisBuild / scalaVersion := "2.13.18"

// Warnings are errors, but with Scala 2.12, which warns of other things.
def compilerOptions(scalaBinary: String) =
  Seq("-deprecation", "-feature", "-unchecked") ++ (
    if (scalaBinary == "2.12") Nil
    else Seq("-Xlint:_,-byname-implicit", "-Wunused:imports,privates,locals,implicits", "-Werror") :+
      // What Scala 2.13 has itself.
      "-Wconf:origin=scala.collection.compat.*:s"
  )

// Spark reaches into the JDK; these are the packages its own launcher opens on JDK 17 and later.
val sparkAddOpens = Seq(
  "java.base/java.lang",
  "java.base/java.lang.invoke",
  "java.base/java.lang.reflect",
  "java.base/java.io",
  "java.base/java.net",
  "java.base/java.nio",
  "java.base/java.util",
  "java.base/java.util.concurrent",
  "java.base/java.util.concurrent.atomic",
  "java.base/jdk.internal.ref",
  "java.base/sun.nio.ch",
  "java.base/sun.nio.cs",
  "java.base/sun.security.action",
  "java.base/sun.util.calendar",
  "java.security.jgss/sun.security.krb5"
).map(_ + "=ALL-UNNAMED").flatMap(Seq("--add-opens", _))

val sparkJvmOptions = sparkAddOpens ++ Seq(
  "-Djdk.reflect.useDirectMethodHandle=false",
  "-Dio.netty.tryReflectionSetAccessible=true",
  "--enable-native-access=ALL-UNNAMED"
)

// Settings of the sessions of tests. They save a third of the processor time, which went into work that no test is about:
// the web page; the artifacts of a session, for which Spark gives each stream a class loader and compiles its generated
// code anew; and processes that set the permissions of a checkpoint's files. Drivers that tests start, pytest's Connect
// server and pytest's programs run without these settings, as users have it.
def testSessions(spark: Sparks) = Seq(
  "spark.ui.enabled" -> "false",
  "spark.sql.artifact.isolation.enabled" -> "false",
  // A suite that unloads its state stores while Spark maintains them waits for the maintenance, which waits for a lock of
  // the suite: until this timeout, five minutes by default.
  "spark.sql.streaming.stateStore.maintenanceShutdownTimeout" -> "1s",
  "spark.sql.streaming.stateStore.maintenanceForceShutdownTimeout" -> "1s",
  "spark.sql.streaming.checkpointFileManagerClass" ->
    s"org.apache.spark.sql.execution.streaming.${spark.checkpointing}FileSystemBasedCheckpointFileManager"
).map { case (key, value) => s"-D$key=$value" }

// Most code that Spark runs in a test runs a few times: the optimising compiler would take a third of the processor time
// and give little back. Without this compiler a JVM reserves little room for compiled code, so more room is asked for, lest
// code is thrown away and compiled again. The serial collector has no threads that take time from the suites on two cores.
// JVMs that tests start get these options too.
def testJvmOptions(spark: Sparks) =
  sparkJvmOptions ++ Seq(
    "-XX:TieredStopAtLevel=1",
    "-XX:ReservedCodeCacheSize=256m",
    "-XX:+UseSerialGC",
    "-Xss4m"
  ) ++ testSessions(spark)

// `test` leaves out suites that kill JVMs or run for minutes; `make test-long` runs them by `testLong`. It runs these too,
// since quicker suites and the simulator look at the same code.
val suitesRunLater = Seq(
  "operator.FailedTasksSuite",
  "operator.SegmentsSuite",
  "operator.forests.BatchInputsSuite"
).map("io.github.sparkbic." + _)

def isLong(suite: String): Boolean = suite.contains(".faults.") || suitesRunLater.contains(suite)

// Suites run one after the other in a JVM, and two JVMs run at a time, since sessions wait as much as they work.
Global / concurrentRestrictions := Seq(
  // The restrictions that sbt has by default, but for the number of JVMs, which is one by default.
  Tags.limitAll(java.lang.Runtime.getRuntime.availableProcessors),
  Tags.limit(Tags.ForkedTestGroup, 2),
  Tags.exclusiveGroup(Tags.Clean)
)

// A JVM is slow until it has loaded Spark and compiled some of it, so there are few JVMs. Suites are dealt out to them in
// turn, by name, so that no JVM gets all suites of one kind.
def forkedTests(jvms: Int) = Seq(
  Test / fork := true,
  Test / parallelExecution := true,
  Test / testForkedParallel := false,
  Test / testGrouping := {
    val options = (Test / forkOptions).value
    val (long, short) = (Test / definedTests).value.sortBy(_.name).partition(suite => isLong(suite.name))
    for {
      (kind, suites) <- Seq("short" -> short, "long" -> long)
      (turn, dealt) <- suites.zipWithIndex.groupBy(_._2 % jvms).toSeq.sortBy(_._1)
    } yield Tests.Group(s"$kind-$turn", dealt.map(_._1), Tests.SubProcess(options))
  },
  Test / test / testOptions += Tests.Filter(suite => !isLong(suite)),
  Test / testOptions += Tests.Argument(TestFrameworks.ScalaTest, "-oD")
)

// Tasks, so that one start of sbt can make the jars and run the tests of all projects, two JVMs at a time.
lazy val testLong = taskKey[Unit]("Run the long tests, and on other Sparks those that `make test-long` runs")

def suites(patterns: String) = testLong := (Test / testOnly).toTask(s" $patterns").value

// A wheel has the jar of one Spark, which is made in a fifth of the time, or the jars of all.
lazy val wheelJar = taskKey[Unit]("Put the jar of this project, and no other, where the wheel takes it from")
lazy val wheelJars = taskKey[Unit]("Put the jars of all Sparks where the wheel takes them from")

def putIntoWheel(root: File, jars: Seq[File]): Unit = {
  val folder = root / "python" / "pyspark_bic" / "jars"
  // By this file make sees that the jars of all Sparks are there.
  val ofAll = root / "target" / "wheel-all"
  IO.delete(Seq(folder, ofAll))
  // make compares dates, and sbt leaves the date of an unchanged jar as it is, so the copy gets a new date.
  jars.foreach(jar => IO.copyFile(jar, folder / jar.getName, preserveLastModified = false))
  if (jars.size > 1) IO.touch(ofAll)
}

// The jar for a minor version of Spark. All are made of the same sources, but for the shims.
def jarFor(spark: Sparks) = Def.settings(
  name := spark.artifact,
  // The default would replace the dot.
  moduleName := spark.artifact,
  scalaVersion := spark.scala,
  scalacOptions ++= compilerOptions(spark.scalaBinary),
  Compile / scalacOptions ++= Seq("-release", spark.jdk.toString),
  Test / scalacOptions := compilerOptions(spark.scalaBinary),
  description := "Sliding-window connectivity over streaming graphs for Apache Spark",
  homepage := Some(url("https://github.com/sparkbic/spark-bic")),
  licenses := Seq("Apache-2.0" -> url("https://www.apache.org/licenses/LICENSE-2.0")),
  // Maven Central requires developers and scmInfo. The bundle is staged under target/; only `sonaRelease` uploads it.
  developers := List(
    Developer("sparkbic", "The spark-bic developers", "", url("https://github.com/sparkbic"))
  ),
  scmInfo := Some(
    ScmInfo(
      url("https://github.com/sparkbic/spark-bic"),
      "scm:git:https://github.com/sparkbic/spark-bic.git"
    )
  ),
  publishTo := localStaging.value,
  // The last release, with which the jar must be binary compatible; empty before the first release.
  mimaPreviousArtifacts := Set.empty,
  libraryDependencies ++= Seq(
    "org.apache.spark" %% "spark-sql" % spark.version % Provided,
    "org.apache.spark" %% "spark-sql" % spark.version % Test classifier "tests",
    "org.apache.spark" %% "spark-catalyst" % spark.version % Test classifier "tests",
    "org.apache.spark" %% "spark-core" % spark.version % Test classifier "tests",
    "org.scalatest" %% "scalatest" % "3.2.19" % Test,
    "org.scalatestplus" %% "scalacheck-1-18" % "3.2.19.0" % Test,
    "org.scalacheck" %% "scalacheck" % "1.18.1" % Test,
    "org.scala-lang.modules" %% "scala-collection-compat" % "2.12.0" % Test
  ),
  Compile / resourceGenerators += Def.task {
    val file = (Compile / resourceManaged).value / "io" / "github" / "sparkbic" / "build.properties"
    IO.write(
      file,
      s"""version=${version.value}
         |spark=${spark.minor}
         |sparks=${Sparks.all.map(_.minor).distinct.mkString(", ")}
         |scala=${scalaBinaryVersion.value}
         |""".stripMargin
    )
    Seq(file)
  }.taskValue,
  Test / sourceGenerators += Def.task {
    val root = (ThisBuild / baseDirectory).value
    val pages = root / "README.md" +: (root / "docs" ** "*.md").get()
    Seq(ScalaPages.suite(root, pages, (Test / sourceManaged).value))
  }.taskValue,
  Seq(packageBin, packageSrc, packageDoc).map(made =>
    Compile / made / mappings += file("LICENSE") -> "META-INF/LICENSE"
  ),
  // Scaladoc cannot resolve links into Spark's API, and cannot be told to warn of broken links into this API alone.
  Compile / doc / scalacOptions += "-no-link-warnings",
  wheelJar := putIntoWheel((ThisBuild / baseDirectory).value, Seq((Compile / packageBin).value)),
  forkedTests(jvms = 2),
  Test / javaOptions ++= testJvmOptions(spark) :+ "-Xmx4g",
  Test / baseDirectory := (ThisBuild / baseDirectory).value,
  Seq(Compile -> "main", Test -> "test").map { case (part, folder) =>
    part / unmanagedSourceDirectories := ("scala" +: spark.shims.map("scala-spark-" + _))
      .map((ThisBuild / baseDirectory).value / "src" / folder / _)
  },
  Test / unmanagedResourceDirectories := Seq((ThisBuild / baseDirectory).value / "src" / "test" / "resources")
)

lazy val root: Project = (project in file("."))
  .settings(
    jarFor(newest),
    libraryDependencies += "io.delta" % "delta-spark_4.2_2.13" % "4.4.0" % Test,
    wheelJars := {
      val jars = (Compile / packageBin).all(ScopeFilter(inProjects(
        root,
        spark41,
        spark40,
        spark35,
        spark35of213
      ))).value
      putIntoWheel(baseDirectory.value, jars)
    },
    suites(("*.faults.*" +: suitesRunLater).mkString(" "))
  )

// On other Sparks run the law of the indexes, and the suites with a way into Spark. The other suites are not even compiled
// there, since compiling all takes longer than running these.
val suitesOfOthers =
  Seq(
    "Batch",
    "BatchInputs",
    "Build",
    "Columns",
    "Conformance",
    "EqualPlans",
    "GraphMemory",
    "IndexLaw",
    "Paths",
    "RealTime",
    "Restart",
    "ShownPlan",
    "StorageMemory",
    "Streaming",
    "TaskCores"
  )

def jarForOther(spark: Sparks) = Def.settings(
  jarFor(spark),
  Test / unmanagedSources := (Test / unmanagedSources).value.filter { file =>
    !file.getName.endsWith("Suite.scala") || suitesOfOthers.exists(each =>
      file.getName.endsWith(s"${each}Suite.scala")
    )
  }
)

// The sources for these hardly differ from those for the newest Spark.
val suitesOfNextOfKin = suites(
  "*BuildSuite *BatchSuite *StorageMemorySuite *StreamingSuite *.ConformanceSuite *RealTimeSuite"
)

lazy val spark41 =
  (project in file("target/spark-4.1")).settings(jarForOther(Sparks.Spark41), suitesOfNextOfKin)

lazy val spark40 =
  (project in file("target/spark-4.0")).settings(jarForOther(Sparks.Spark40), suitesOfNextOfKin)

// The sources for this one differ most.
lazy val spark35 =
  (project in file("target/spark-3.5")).settings(jarForOther(Sparks.Spark35), testLong := (Test / test).value)

// The same sources as spark35, with Scala 2.13.
lazy val spark35of213 = (project in file("target/spark-3.5-scala-2.13"))
  .settings(
    jarForOther(Sparks.Spark35Of213),
    suites("*BuildSuite *BatchSuite *.ConformanceSuite")
  )

// Baselines, generators and experiments; never published. Its tests use the streams and the oracle of the product's.
lazy val bench = (project in file("bench"))
  .enablePlugins(JmhPlugin)
  .dependsOn(root % "compile->compile;test->test")
  .settings(
    name := "spark-bic-bench",
    scalacOptions ++= compilerOptions(newest.scalaBinary),
    publish / skip := true,
    libraryDependencies += "org.apache.spark" %% "spark-sql" % sparkVersion,
    // The benchmark of the indexes; `runMain` names the benchmarks in Spark.
    Compile / run / mainClass := Some("io.github.sparkbic.bench.run.Main"),
    Compile / run / javaOptions ++= sparkJvmOptions,
    Compile / run / fork := true,
    Compile / run / baseDirectory := (ThisBuild / baseDirectory).value,
    Compile / run / outputStrategy := Some(StdoutOutput),
    forkedTests(jvms = 2),
    testLong := (Test / test).value,
    Test / baseDirectory := (ThisBuild / baseDirectory).value,
    Test / javaOptions ++= testJvmOptions(newest) :+ "-Xmx2g",
    // Tests start Python, and PySpark starts a JVM there, which takes its options from this variable alone.
    Test / envVars += "JAVA_TOOL_OPTIONS" -> "-XX:TieredStopAtLevel=1 -XX:ReservedCodeCacheSize=256m",
    // Jmh extends the settings of Test, but benchmarks must run with the optimising compiler.
    Jmh / envVars := Map.empty,
    Jmh / javaOptions := sparkJvmOptions
  )

// Jars for examples/payments: Kafka's source and Delta Lake's sink for Spark, and a Kafka broker. Nothing of it is
// compiled; `payments/stageJars` puts them under examples/payments/target.
lazy val Broker = config("broker").hide
lazy val stageJars = taskKey[Unit]("Fetch the jars of Kafka and Delta Lake")

lazy val payments = (project in file("examples/payments"))
  .configs(Broker)
  .settings(
    ivyConfigurations += Broker,
    autoScalaLibrary := false,
    publishMavenStyle := false, // never published; Maven could not express what follows
    publish / skip := true,
    libraryDependencies ++= {
      val kafkaVersion = "3.9.2" // what Spark's Kafka source is built with
      val deltaVersion = "4.4.0"
      // Without their dependencies, which are Spark, Hadoop and libraries that Spark has already.
      val forSpark = Seq(
        "org.apache.spark" % "spark-sql-kafka-0-10_2.13" % sparkVersion,
        "org.apache.spark" % "spark-token-provider-kafka-0-10_2.13" % "4.0.0", // not on every mirror as 4.2.0
        "org.apache.kafka" % "kafka-clients" % kafkaVersion,
        "org.apache.commons" % "commons-pool2" % "2.13.1",
        "io.delta" % "delta-spark_4.2_2.13" % deltaVersion,
        "io.delta" % "delta-storage" % deltaVersion,
        "io.delta" % "delta-kernel-api" % deltaVersion,
        "io.delta" % "delta-kernel-defaults" % deltaVersion
      )
      forSpark.map(_.intransitive()) :+ "org.apache.kafka" % "kafka_2.13" % kafkaVersion % Broker
    },
    stageJars := {
      val resolved = update.value
      val staging = target.value
      for (part <- Seq(Compile, Broker)) {
        val folder = staging / s"${part.name}-jars"
        IO.delete(folder)
        val jars = resolved.select(configurationFilter(part.name))
        jars.filter(_.getName.endsWith(".jar")).foreach(jar => IO.copyFile(jar, folder / jar.getName))
      }
      // make compares the date of this file with that of build.sbt.
      IO.touch(staging / ".staged")
    }
  )
