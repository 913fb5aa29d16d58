package io.github.sparkbic

/** The data flow through Spark: `ConnectivityPlan` makes the plan, and `WindowOperator` feeds the index of
  * one graph and answers its windows. Only this package and those below feed or save an index.
  */
package object operator
