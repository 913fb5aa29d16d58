package io.github.sparkbic.index

/** What an index promises, and the time line that it lives on.
  *
  * Read [[contract.Panes Panes]] first, then [[contract.ConnectivityIndex ConnectivityIndex]], whose header is the law,
  * [[contract.EdgeSet EdgeSet]], which it is fed, and [[contract.WindowComponents WindowComponents]], which it answers.
  * `WindowCursor` feeds an index and stops at each window.
  *
  * A change of the law concerns every index, its suites, and the operator.
  */
package object contract
