package io.github.sparkbic.operator

/** Stage 1: pane forests in every input task, built within the code that Spark generates for the scan.
  * `PaneForestsExec` is the node of the plan, `OpenForests` the state of a task.
  */
package object forests
