package org.apache.spark.sql.bic

import org.apache.spark.{SparkContext, TaskContext}
import org.apache.spark.memory.TaskMemoryManager
import org.apache.spark.sql.{AnalysisException, Column, DataFrame, Encoder, Row, SparkSession}
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.analysis.EliminateSubqueryAliases
import org.apache.spark.sql.catalyst.encoders.encoderFor
import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.optimizer.{
  CollapseProject,
  ConvertToLocalRelation,
  NormalizeFloatingNumbers
}
import org.apache.spark.sql.catalyst.plans.logical._
import org.apache.spark.sql.catalyst.trees.Origin
import org.apache.spark.sql.catalyst.util.CharVarcharUtils
import org.apache.spark.sql.execution.{LogicalRDD, SparkStrategy}
import org.apache.spark.sql.execution.datasources.{HadoopFsRelation, LogicalRelation}
import org.apache.spark.sql.execution.datasources.parquet.ParquetDictionary
import org.apache.spark.sql.execution.vectorized.WritableColumnVector
import org.apache.spark.sql.internal.SQLConf
import org.apache.spark.sql.types.{CharType, DataType, StructField, StructType}
import org.apache.spark.sql.vectorized.ColumnVector

/** What this library needs and Spark keeps to its own packages: conversions between the public API and plans. Where Spark
  * differs from version to version, the members are in [[Shims]].
  */
object SparkInternals extends Shims {

  /** An error with exactly this message, and without a position in a SQL statement. */
  def analysisException(condition: String, state: String, message: String): AnalysisException = {
    val parameters = Map("message" -> message)
    new AnalysisException(message, errorClass = Some(condition), messageParameters = parameters) {
      override def getSqlState: String = state
      override def withPosition(origin: Origin): AnalysisException = this
    }
  }

  /** The tasks that the application runs at a time, of which each has `spark.task.cpus` cores; None with dynamic
    * allocation, where cores are yet to come.
    */
  def slots(spark: SparkContext): Option[Int] =
    if (spark.getConf.getBoolean("spark.dynamicAllocation.enabled", false)) None
    else Some(math.max(1, spark.defaultParallelism / spark.getConf.getInt("spark.task.cpus", 1)))

  /** The memory of the task of this thread; None outside of a task. */
  def taskMemory: Option[TaskMemoryManager] = Option(TaskContext.get()).map(_.taskMemoryManager())

  /** The dictionary of a vector, with its entries of the first `count` rows, where a reader has left the vector undecoded.
    * All batches of a row group of Parquet have the same dictionary, which Spark wraps anew for each batch.
    */
  def dictionary(vector: ColumnVector, count: Int): Option[(AnyRef, Array[Int])] = vector match {
    case coded: WritableColumnVector if coded.hasDictionary =>
      val dictionary = dictionaryOfVector.get(coded) match {
        case wrapper: ParquetDictionary => dictionaryOfWrapper.get(wrapper)
        case other                      => other
      }
      Some((dictionary, coded.getDictionaryIds.getInts(0, count)))
    case _ => None
  }

  // A subclass may read the field only of its own instances.
  private lazy val dictionaryOfVector = dictionaryField(classOf[WritableColumnVector])
  private lazy val dictionaryOfWrapper = dictionaryField(classOf[ParquetDictionary])

  private def dictionaryField(of: Class[_]) = {
    val field = of.getDeclaredField("dictionary")
    field.setAccessible(true)
    field
  }

  def conf(session: SparkSession): SQLConf = classic(session).sessionState.conf

  def nullable(dataType: DataType): DataType = dataType.asNullable

  /** The type with which a column was declared: Spark has `CHAR(n)` and `VARCHAR(n)` of tables as STRING. */
  def declaredType(field: StructField): DataType =
    CharVarcharUtils.getRawType(field.metadata).getOrElse(field.dataType)

  /** Whether a column holds `CHAR(n)`, whose strings Spark pads with spaces where it reads and compares them. */
  def isPadded(field: StructField): Boolean = holds(declaredType(field)) {
    case _: CharType        => true
    case struct: StructType => struct.exists(isPadded)
    case _                  => false
  }

  def holds(dataType: DataType)(is: DataType => Boolean): Boolean = dataType.existsRecursively(is)

  /** The expression with one zero and one NaN. */
  def normalized(expression: Expression): Expression = NormalizeFloatingNumbers.normalize(expression)

  /** The resolved plan of a frame, whose commands have run. */
  def analyzed(frame: DataFrame): LogicalPlan = execution(frame).commandExecuted

  def output(frame: DataFrame): Seq[Attribute] = analyzed(frame).output

  /** A time, or microseconds, in another type of times. */
  def retimed(time: Column, from: DataType, to: DataType): Column =
    column(PreciseTimestampConversion(expression(time), from, to))

  /** Has the tables of a plan list their files again, which they remember. */
  def refresh(plan: LogicalPlan): Unit =
    plan.collectWithSubqueries { case table: LeafNode => table.refresh() }: Unit

  /** Whether a plan reads anything but rows that a program has given, or numbers that Spark makes. */
  def readsTable(plan: LogicalPlan): Boolean = tables(plan).nonEmpty

  private def tables(plan: LogicalPlan): Seq[LogicalPlan] = plan.collectWithSubqueries {
    case leaf: LeafNode =>
      leaf
  }.filter {
    case _: LocalRelation | _: LogicalRDD | _: Range | _: OneRowRelation => false
    case _                                                               => true
  }

  /** The files of each table of a plan, as Spark has listed them last, with their sizes and dates; None for a table that is
    * not of files.
    */
  def files(plan: LogicalPlan): Seq[Option[Set[(String, Long, Long)]]] = tables(plan).map {
    case table: LogicalRelation => table.relation match {
        case ofFiles: HadoopFsRelation =>
          val files = ofFiles.location.listFiles(Nil, Nil).flatMap(_.files)
          Some(files.map(file => (file.getPath.toString, file.getLen, file.getModificationTime)).toSet)
        case _ => None
      }
    case _ => None
  }

  /** An empty table with the columns of a plan. Many rules of Spark's analyzer walk through the rows that a plan holds, and
    * this one holds none.
    */
  def standIn(plan: LogicalPlan, session: SparkSession = SparkSession.active): DataFrame =
    frame(LocalRelation(plan.output, Nil, isStreaming = plan.isStreaming), session)

  /** The plan of what was made of the stand-in, with the plan itself in its place. */
  def replaceStandIn(made: DataFrame, plan: LogicalPlan): LogicalPlan = analyzed(made).transformUp {
    case leaf: LocalRelation if leaf.output.map(_.exprId) == plan.output.map(_.exprId) => plan
  }

  /** A plan that holds its rows, of one type of columns. */
  def table(names: Seq[String], dataType: DataType, rows: Seq[InternalRow]): LogicalPlan =
    LocalRelation(names.map(AttributeReference(_, dataType)()), rows)

  /** The rows of a plan that holds them; None if reading them takes more than a projection. Spark's own reader of such rows
    * would register a metric.
    */
  def rowsAtHand(whole: LogicalPlan, encoder: Encoder[Row]): Option[Seq[Row]] = {
    val plan = CollapseProject(EliminateSubqueryAliases(whole)) match {
      case plan @ Project(columns, _: LocalRelation) if columns.forall(isPlain) =>
        ConvertToLocalRelation(plan)
      case other => other
    }
    Option(plan).collect { case local: LocalRelation =>
      local.data.map(encoderFor(encoder).resolveAndBind(local.output).createDeserializer())
    }
  }

  private def isPlain(expression: Expression): Boolean = !expression.exists {
    case _: AttributeReference | _: Alias | _: Cast | _: Literal => false
    case _                                                       => true
  }

  /** Adds a strategy to a session, once. A streaming query copies the strategies of its session when it starts. */
  def plan(session: SparkSession, strategy: SparkStrategy): Unit = session.synchronized {
    val methods = classic(session).experimental
    if (!methods.extraStrategies.contains(strategy))
      methods.extraStrategies = methods.extraStrategies :+ strategy
  }

  /** Whether a plan reads a common table expression that is defined outside of the plan. */
  def readsCommonTable(plan: LogicalPlan): Boolean = {
    val defined = plan.collectWithSubqueries { case definition: CTERelationDef => definition.id }
    val read = plan.collectWithSubqueries { case reference: CTERelationRef => reference.cteId }
    read.exists(!defined.contains(_))
  }
}
