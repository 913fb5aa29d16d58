package io.github.sparkbic.operator

/** What is asked of a window, one class a question, and the rows of its answer: pairs, components, their
  * statistics and their changes.
  */
package object question
