package io.github.sparkbic

/** A call on its way from Scala, Python or SQL to the frame of its answers. `Options` holds the arguments,
  * `Ask` says which parameters a question has, and `Call` makes the plan. Nothing runs before an action on
  * the answers.
  */
package object call
