package io.github.sparkbic

/** Checks of the arguments that a user gave: durations, columns and their types. A check runs before a query starts,
  * and its error holds the bad value and the fix.
  */
package object arguments
