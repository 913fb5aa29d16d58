package io.github.sparkbic

/** A call on its way from Scala, Python or SQL to the frame of its answers. `TableFunctions` lists the
  * questions, each with its parameters and its plan; `Options` holds the arguments of a call. Nothing runs
  * before an action on the answers.
  */
package object call
