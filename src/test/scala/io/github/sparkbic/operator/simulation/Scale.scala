package io.github.sparkbic.operator.simulation

import scala.util.Random

import io.github.sparkbic.operator.question.{AskedPairs, AskedStats}

/** How large a schedule is. Most are small, so that very many run. A few have panes, windows, states and graphs beyond the
  * sizes from which on the product does something else ([[Threshold]]).
  */
final class Scale private (
    val setup: (Setup, Random) => Setup,
    val steps: Random => Int,
    val rows: Arrivals => Seq[Arrival]
)

object Scale {

  /** The scale of the schedule of a seed. What takes more time is rarer. */
  def of(seed: Long): Scale = Math.floorMod(seed, 5000L).toInt match {
    case 2573                => hundredThousands
    case n if n % 400 == 137 => thousands
    case n if n % 400 == 88  => manyPanes
    case n if n % 100 == 44  => manyBatches
    case n if n % 100 == 12  => hundreds
    case _                   => small
  }

  /** At most fourteen vertices, and some hundred rows. */
  val small: Scale = new Scale((setup, _) => setup, 2 + _.nextInt(9), _.small())

  /** Panes of some hundred edges, with as many vertices, or far fewer. */
  private val hundreds = new Scale(
    (setup, random) =>
      withVertices(setup, 1000 + random.nextInt(3000), random).copy(
        graphs = pick(random)(1, 1, 2, 12),
        tasks = pick(random)(1, 6, 6),
        nameLength = pick(random)(0, 400)
      ),
    1 + _.nextInt(3),
    rows => {
      val random = rows.random
      // Several tasks that share these edges find few for each vertex, and all of them together many.
      def shared = rows.among(10 + random.nextInt(30), degree = 11)
      random.nextInt(6) match {
        case 0     => rows.apart(150 + random.nextInt(350)) ++ rows.scattered(10)
        case 1 | 5 => rows.apart(1700) ++ shared ++ shared ++ shared ++ shared ++ shared
        case 2     => rows.apart(1100) ++ rows.scattered(60)
        case 3     => rows.apart(1100) ++ rows.apart(2500)
        case _     => rows.among(100 + random.nextInt(300), degree = 2)
      }
    }
  )

  /** Windows of some hundred panes. */
  private val manyPanes = new Scale(
    (setup, random) => {
      val slide = setup.unit
      val perWindow = if (random.nextBoolean()) 280L + random.nextInt(20) else 66L + random.nextInt(60)
      val panes = setup.panes.copy(window = slide * perWindow, slide = slide, shorter = Nil)
      // The oracle looks at each pane of each window for the start of the latest path.
      val asked = setup.asked match {
        case AskedPairs(early, _) => AskedPairs(early, since = false)
        case other                => other
      }
      withVertices(setup, 40, random).copy(panes = panes, asked = asked, graphs = 1)
    },
    2 + _.nextInt(2),
    rows => rows.among(40, degree = 2) ++ rows.scattered(5)
  )

  /** A pane that stays open over some forty micro-batches. */
  private val manyBatches = new Scale(
    // As many vertices as edges, so that every edge counts.
    (setup, random) => withVertices(setup, 100, random).copy(graphs = 1, inPanes = true),
    36 + _.nextInt(8),
    rows => rows.still(1 + rows.random.nextInt(4))
  )

  /** Panes of some thousand vertices, and perhaps of more edges than are kept. */
  private val thousands = new Scale(
    (setup, random) => {
      val panes = setup.panes.copy(window = setup.panes.slide * (1 + random.nextInt(3)), shorter = Nil)
      withVertices(setup, 5800 + random.nextInt(1500), random)
        .copy(asked = setup.asked.simple, panes = panes, graphs = 1, tasks = pick(random)(1, 1, 1, 1, 1, 3))
    },
    _ => 1,
    rows => {
      val (setup, random) = (rows.setup, rows.random)
      val many = if (random.nextBoolean()) rows.ring() else rows.among(setup.vertices.size, degree = 2)
      // Edges are joined once they are many. New vertices, and ids outside of a range, come after that.
      val (first, last) = many.splitAt(many.size - 300)
      val repeated = rows.again(first, (1 << 18) / many.size + 2) ++ last
      val more =
        if (!setup.isRange) last ++ rows.apart(500)
        else if (!setup.isFilled) repeated
        else pick(random)(repeated, repeated, repeated ++ rows.outside(700 + random.nextInt(800)))
      first ++ more ++ rows.apart(200)
    }
  )

  /** A pane of more edges than one sort takes, of which a forest would keep most. */
  private val hundredThousands = new Scale(
    (setup, random) => {
      val panes = setup.panes.copy(window = setup.panes.slide, shorter = Nil)
      withVertices(setup.copy(strings = false), 360000, random)
        .copy(asked = AskedStats(sizes = true), panes = panes, graphs = 1, tasks = 1)
    },
    _ => 1,
    _.apart(270000)
  )

  private def pick[A](random: Random)(of: A*): A = of(random.nextInt(of.size))

  /** So many ids: close together, some apart, or anywhere. */
  private def withVertices(setup: Setup, count: Int, random: Random): Setup = {
    val first = random.nextInt(1000).toLong
    val step = pick(random)(1L, 1L, 10L, 0x9e3779b97f4a7c15L)
    setup.asking(Seq.tabulate(count)(i => first + i * step).toIndexedSeq)
  }
}

/** Draws the rows of a schedule, as time goes on. */
final class Arrivals(val setup: Setup, val random: Random) {
  // Spark takes no timeout before one millisecond after 1970, where no stream is. Of long windows, `bic` is to see the end
  // of a chunk.
  private var now =
    if (setup.panes.perWindow < 64) 60L else setup.panes.window / setup.unit - 12
  private var fresh = 0
  // Whether some edges come late.
  private var isMixed = false

  private def any: Long = setup.vertices(random.nextInt(setup.vertices.size))

  private def row(src: Option[Long], dst: Long, back: Long, graph: Int): Arrival =
    Arrival(graph, src, dst, math.max(20L, now - back) * setup.unit)

  def small(): Seq[Arrival] = Seq.fill(random.nextInt(14)) {
    if (random.nextInt(3) == 0) now += 1L + random.nextInt(3)
    if (random.nextInt(40) == 0) now += 2 * setup.panes.window / setup.unit + random.nextInt(20)
    // One in ten rows may be late.
    val back = if (random.nextInt(10) == 0) random.nextInt(60).toLong else random.nextInt(4).toLong
    val graph = random.nextInt(setup.graphs)
    val src = if (random.nextInt(20) == 0) None else Some(any)
    row(src, any, back, graph)
  }

  /** An edge at this time, or perhaps a little before; most are of the first graph. */
  private def edge(src: Long, dst: Long): Arrival = {
    val back = if (isMixed && random.nextInt(20) == 0) random.nextInt(8).toLong else 0L
    val graph = if (random.nextInt(4) == 0) random.nextInt(setup.graphs) else 0
    row(if (random.nextInt(100) == 0) None else Some(src), dst, back, graph)
  }

  /** The time moves on into another pane. */
  private def pass(): Unit = {
    now += setup.panes.length / setup.unit + random.nextInt(4)
    isMixed = setup.vertices.size < 10000 && random.nextInt(3) == 0
  }

  /** Edges of one pane with ends of their own. */
  def apart(count: Int): Seq[Arrival] = {
    pass()
    Seq.fill(count) {
      fresh += 2
      val at = fresh % (setup.vertices.size - 1)
      // The vertices that are asked for are among those that have more edges.
      if (random.nextInt(50) == 0) edge(setup.vertices(random.nextInt(4)), any)
      else edge(setup.vertices(at), setup.vertices(at + 1))
    }
  }

  /** Edges of one pane between the first so many vertices. */
  def among(vertices: Int, degree: Int): Seq[Arrival] = {
    pass()
    val of = math.min(vertices, setup.vertices.size)
    Seq.fill(of * degree)(edge(setup.vertices(random.nextInt(of)), setup.vertices(random.nextInt(of))))
  }

  /** Edges while no time passes. */
  def still(count: Int): Seq[Arrival] = Seq.fill(count)(edge(any, any))

  /** An edge of each vertex to the next one, in some order, but for a few. */
  def ring(): Seq[Arrival] = {
    pass()
    val all = setup.vertices
    random.shuffle(all.indices.toVector).filter(_ % 97 != 0).map(i => edge(all(i), all((i + 1) % all.size)))
  }

  /** Edges of as many panes. */
  def scattered(count: Int): Seq[Arrival] = Seq.fill(count) {
    now += setup.panes.length / setup.unit + random.nextInt(2)
    edge(any, any)
  }

  /** Edges of one pane whose vertices are far from all others. */
  def outside(count: Int): Seq[Arrival] =
    Seq.fill(count)(edge(random.nextLong(), random.nextLong()))

  /** The same rows, each so many times. */
  def again(rows: Seq[Arrival], times: Int): Seq[Arrival] = rows.map(_.copy(times = times))
}
