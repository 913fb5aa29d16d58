package io.github.sparkbic.faults

import java.io.FileOutputStream
import java.lang.instrument.{ClassFileTransformer, Instrumentation}
import java.nio.file.{Files, Path}
import java.security.ProtectionDomain
import java.util.jar.{Attributes, JarOutputStream, Manifest}

import scala.collection.mutable

import org.apache.spark.sql.DataFrame
import org.apache.spark.sql.streaming.Trigger
import org.apache.xbean.asm9.{ClassReader, ClassVisitor, ClassWriter, MethodVisitor, Opcodes}

import io.github.sparkbic._

/** Which classes an edge passes in the tasks, from a row of a Parquet file to an answer.
  *
  * An agent counts the calls of methods in tasks. Two runs differ by the number of edges alone, each in a pane of its own. A
  * class is on the way if the longer run calls methods of its instances more often. So what a task does once, such as reading
  * a setting, is not on the way. Nested classes count as the class that holds them.
  *
  * Neither on the way are objects and settings, which hold no edge, and the packages `index.kernels` and `index.format`, which
  * know arrays and bytes, not edges. Settings are case classes that never change and have no array.
  *
  * This is a program: it takes a folder, and prints a line for each class, in the order of the first calls.
  */
object WayOfAnEdge {
  private val Product = "io/github/sparkbic/"
  private val Passed = Seq("index/kernels/", "index/format/", "faults/").map(Product + _)

  private val calls = mutable.LinkedHashMap.empty[String, Int]

  /** Called at the start of every method. */
  def enter(name: String): Unit =
    if (Thread.currentThread.getName.startsWith("Executor task launch worker"))
      calls.synchronized(calls(name) = calls.getOrElse(name, 0) + 1)

  def premain(arguments: String, instrumentation: Instrumentation): Unit =
    instrumentation.addTransformer(new ClassFileTransformer {
      override def transform(
          loader: ClassLoader,
          name: String,
          redefined: Class[_],
          domain: ProtectionDomain,
          bytes: Array[Byte]
      ): Array[Byte] =
        if (!name.startsWith(Product) || Passed.exists(name.startsWith) || areSettings(bytes)) null
        else counting(name, bytes)
    })

  private def areSettings(bytes: Array[Byte]): Boolean = {
    val reader = new ClassReader(bytes)
    var fixed = reader.getInterfaces.contains("scala/Product")
    val fields = new ClassVisitor(Opcodes.ASM9) {
      override def visitField(access: Int, name: String, of: String, as: String, value: AnyRef) = {
        fixed &= (access & Opcodes.ACC_FINAL) != 0 && !of.startsWith("[")
        null
      }
    }
    reader.accept(fields, ClassReader.SKIP_CODE)
    fixed
  }

  private def counting(name: String, bytes: Array[Byte]): Array[Byte] = {
    val holder = name.replaceFirst("\\$.*", "").stripPrefix(Product).replace('/', '.')
    val writer = new ClassWriter(ClassWriter.COMPUTE_MAXS)
    val counter = new ClassVisitor(Opcodes.ASM9, writer) {
      override def visitMethod(access: Int, method: String, of: String, as: String, throws: Array[String]) =
        if (name.endsWith("$") || (access & Opcodes.ACC_STATIC) != 0)
          super.visitMethod(access, method, of, as, throws)
        else
          new MethodVisitor(Opcodes.ASM9, super.visitMethod(access, method, of, as, throws)) {
            override def visitCode(): Unit = {
              super.visitCode()
              visitLdcInsn(holder)
              val owner = Product + "faults/WayOfAnEdge"
              visitMethodInsn(Opcodes.INVOKESTATIC, owner, "enter", "(Ljava/lang/String;)V", false)
            }
          }
    }
    new ClassReader(bytes).accept(counter, 0)
    writer.toByteArray
  }

  /** A jar with nothing but the name of the agent. */
  def writeAgent(folder: Path): Path = {
    val manifest = new Manifest
    manifest.getMainAttributes.put(Attributes.Name.MANIFEST_VERSION, "1.0")
    manifest.getMainAttributes.putValue("Premain-Class", getClass.getName.stripSuffix("$"))
    val jar = folder.resolve("agent.jar")
    new JarOutputStream(new FileOutputStream(jar.toFile), manifest).close()
    jar
  }

  def main(arguments: Array[String]): Unit = {
    val folder = Path.of(arguments(0))
    val spark = ChildDriver.session("local[1]", "spark.sql.shuffle.partitions" -> 1)
    def edges(from: Int, count: Int) = spark.range(from.toLong, from.toLong + count).coalesce(1)
      .selectExpr("id AS src", "id + 1 AS dst", "timestamp_seconds(300 * id) AS time")
    def asked(edges: DataFrame) = edges.bicConnectivity("10 minutes", "5 minutes", Seq((1L, 2L), (2L, 4L)))
    def batch(count: Int): Unit = {
      val path = folder.resolve(s"batch-$count").toString
      edges(1, count).write.parquet(path)
      asked(spark.read.parquet(path)).collect(): Unit
    }
    def stream(count: Int): Unit = {
      val source = Files.createDirectory(folder.resolve(s"stream-$count"))
      for ((from, i) <- Seq(1, 1 + count, 1000).zipWithIndex)
        edges(from, if (from == 1000) 1 else count).write.parquet(source.resolve(s"part=$i").toString)
      val files = spark.readStream.schema("src LONG, dst LONG, time TIMESTAMP")
        .option("maxFilesPerTrigger", "1").parquet(s"$source/*")
      asked(files.withWatermark("time", "0 seconds")).writeStream.format("noop")
        .option("checkpointLocation", folder.resolve(s"checkpoint-$count").toString)
        .trigger(Trigger.AvailableNow()).start().awaitTermination()
    }
    for ((kind, run) <- Seq[(String, Int => Unit)]("batch" -> batch, "stream" -> stream)) {
      val counted = Seq(5, 10).map { count =>
        calls.synchronized(calls.clear())
        run(count)
        calls.synchronized(calls.toSeq)
      }
      val fewer = counted.head.toMap
      counted(1).collect { case (name, times) if times > fewer.getOrElse(name, 0) => println(s"$kind $name") }
    }
    println(StreamJob.Finished)
    spark.stop()
  }
}
