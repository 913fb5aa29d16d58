package io.github.sparkbic.index.format

/** Where each byte of a state, and of a block on its way through a shuffle, lies.
  *
  * Numbers are `u`: unsigned, as a LEB128 varint; `s`: signed, zigzag-coded to a varint; or `m`: unsigned, with a mark
  * of one bit. Other numbers are little-endian, of four or eight bytes. `n × …` repeats the fields behind the sign. A
  * difference is to the value before, at first to 0.
  *
  * {{{
  * frame, around each value in a state store (StateFrame)
  *    0        4         8                  12        16         20
  *   +--------+---------+------------------+---------+----------+----------
  *   | magic  | version | length of payload| place   | CRC-32C  | payload …
  *   +--------+---------+------------------+---------+----------+----------
  *   The place is a hash of the query, of the graph's key and of the kind of value; for a part, of pane and number. The
  *   checksum is that of the version, as one byte, of the place and of the payload.
  *
  * shape of the query, which begins two kinds of payload (StateShape)
  *   s window │ s slide │ s start time, below the slide │ u n │ n × s length of another window
  *   u Apart, Compared (windows are compared), Named (windows are compared, and components keep their names), Early (rows of
  *     pairs may come before their window closes), EarlyVertices (rows of vertices may), Updates (windows are compared, by
  *     their vertices with a row), or Events (events are asked about)
  *   Compared and Named: u least size of the components of which the rows are updates, or 0 where the rows are no updates
  *   u kind of vertex ids: Integral or Strings
  *   u n │ n × (u length │ name of a column of `by` in UTF-8)
  *
  * layout `value`: one value for each graph (ValueGraph)
  *   GraphMagic
  *     shape │ s first pane that is not closed │ s newest pane in the index
  *     where vertex ids are strings: dictionary
  *     panes that wait:   u n │ n × (s difference of panes │ u m │ m × edges)
  *     how many edges came in each pane: u n │ n × (s difference of panes │ u count)
  *     Early: emitted windows │ EarlyVertices and Updates: emitted vertices │ Events: waiting events
  *     where an edge is live: where components keep their names: component names
  *                            index │ 4 bytes: how many vertices │ 4 bytes: how many links
  *     where frame and payload so far have LeastWithToken bytes or more: TokenSize random bytes
  *
  * layout `panes`: a header for each graph, a part or some for each of its panes, and perhaps a value beside them
  *   (PaneGraph); links have no bytes: the index is built of the parts
  *   HeaderMagic (PaneGraph)
  *     shape │ TokenSize random bytes │ s first pane that is not closed │ s newest pane in the index
  *     u n │ n ≤ 1 × s time in milliseconds at which Spark is to call again
  *     how many edges came in each pane: u n │ n × (s difference of panes │ u count)
  *     panes:   u n │ n × (s difference of panes │ u number of parts │ of vertices │ of links │ of bytes)
  *     Named, Early, EarlyVertices and Updates: u bytes of the value with KeptMagic; 0 if there is none
  *     Events: panes of waiting events: u n │ n × (s difference of panes │ u parts │ u events │ u bytes)
  *   PartMagic (EdgeParts)
  *     edges │ where vertex ids are strings: names, to the end, of which vertices are positions
  *   KeptMagic: a value, or a part of the waiting events of one pane, numbered from −1 down (WaitingEvents)
  *     Named: component names │ Early: emitted windows │ EarlyVertices and Updates: emitted vertices
  *     where vertex ids are strings: names, to the end, of which vertices are positions
  *     Events: waiting events alone
  *
  * component names, by rising smallest vertex of the component in the window answered last (KeptNames)
  *   u n │ n × (s difference of smallest vertices │ s vertex in the name − smallest vertex
  *              │ s difference of the panes after the window of birth)
  *
  * emitted windows, each pair with the windows for which its row has come (EmittedRows)
  *   u n │ n × (s difference of sources │ s difference of targets │ u how often the pair came before in the queries │ runs)
  *
  * emitted vertices, each with the windows for which its row has come; of Updates, the window answered last (EmittedRows)
  *   u n │ n × (s difference of vertices │ runs)
  *
  * runs of windows, the latest run first (EmittedRows)
  *   for each length of window: u runs │ runs × (s difference of last windows │ s last window − first window)
  *
  * waiting events (WaitingEvents)
  *   u n │ n × (s difference of panes │ u m │ m × (u length │ block)) │ where n > 0: u length │ columns of an event in UTF-8
  *   block: 4 bytes: where the first row begins │ 4 bytes: its length │ so for each row │ the rows, in Spark's own bytes
  *
  * edges of one pane: a pane forest or loose edges (EdgeSets, PaneForest, LooseEdges)
  *   u Forest │ u n vertices │ u components │ n × (m difference of ids, the first id signed, marked if the
  *              component is not that of the vertex before │ if marked: u component from 1 on, or 0 if new)
  *   u Loose  │ u n edges │ u sources │ u bytes that follow │ where there are any: s first source
  *              │ slices of SliceEdges edges, the last one perhaps shorter: column sources │ column targets
  *                  sources:  difference to the source before, modulo 2^64^.
  *                  targets:  zigzag-coded difference from source to target. The width is 1 or more.
  *
  * names, in the order of the vertices, and the dictionary of a graph (PackedNames, VertexNames, NameCode)
  *   names:      u n │ codes
  *   dictionary: u n │ n × u numbers without a name between this number and the number before │ codes
  *   codes:      where n > 0: u b │ the b bytes with which all codes begin
  *               runs of codes of one length, n codes in all: u codes │ u length − b │ what follows the b bytes in each code
  *   code:       UuidMark │ 16 bytes, big-endian       of a UUID in the 36 characters of java.util.UUID
  *               EscapeMark │ the name                 of another name that begins with either mark
  *               the name in UTF-8                     of all others
  *
  * packed block: one row (PackedBlock)
  *   pane │ edges that came │ edges, as above │ names or null │ dictionary
  *   Vertices are ids, or positions in names; or, if dictionary is not 0, positions in the names of all blocks so far with
  *   the same dictionary, or with its negation, which marks the last one.
  *
  * index: the maximum spanning forest by pane (SavedForest, which NumberedIndex.save and Indexes.restore call); a link is its
  * entries in the columns `links` and `parents`
  *   s closed pane │ u n vertices, and numbers without a vertex: at most a quarter of all
  *   stretches of StretchSize numbers, the last one perhaps shorter:
  *     s smallest id │ column ids │ column seen │ column links │ column parents
  *       ids:      difference to the smallest id.
  *       seen:     1 + age of the pane in which the vertex was last seen; 0 is no vertex. The width is 1 or more.
  *       links:    1 + age of the pane of the link; 0 is no link.
  *       parents:  of each link, the zigzag-coded difference from the vertex's number to its parent's number.
  *
  * column of n numbers: 1 byte: width │ n × width bytes, little-endian (BinaryFormat)
  * }}}
  */
object StateLayout {

  /** Nothing older needs to be read: no release has written any other version. */
  val Version: Int = 1

  val FrameSize: Int = 20

  /** Vertices of an index in a stretch. One large number widens a column of the stretch by some hundred bytes. */
  val StretchSize: Int = 256

  /** Loose edges in a slice: few enough to stay in the first cache. */
  val SliceEdges: Int = 1024

  // Four characters, the first one in the lowest byte.
  val GraphMagic: Int = 0x43494253 // "SBIC"
  val HeaderMagic: Int = 0x48494253 // "SBIH"
  val PartMagic: Int = 0x50494253 // "SBIP"
  val KeptMagic: Int = 0x4b494253 // "SBIK"

  // Final, so that a match can tell them apart.
  final val Apart = 0
  final val Compared = 1
  final val Named = 2
  final val Early = 3
  final val EarlyVertices = 4
  final val Updates = 5
  final val Events = 6

  val Integral: Int = 0
  val Strings: Int = 1

  val Forest: Int = 0
  val Loose: Int = 1

  /** The size of an index, behind it. */
  val IndexSizeLength: Int = 8

  val TokenSize: Int = 16

  /** The bytes of a value from which on a live graph is known by its token, and no longer by the value. */
  val LeastWithToken: Int = 4096

  // No character of UTF-8 has one of these bytes.
  final val UuidMark: Byte = -2
  final val EscapeMark: Byte = -1
  final val UuidCodeSize = 17
}
