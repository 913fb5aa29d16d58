package io.github.sparkbic.operator.state

import io.github.sparkbic.index.FormatVersion

/** The version of the state's format, for tests outside of this package. */
object StateVersion {
  def current: Int = FormatVersion.Current
}
