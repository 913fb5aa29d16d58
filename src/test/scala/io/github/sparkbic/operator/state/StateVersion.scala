package io.github.sparkbic.operator.state

/** The version of the state's format, for tests outside of this package. */
object StateVersion {
  def current: Int = StateFrame.Version
}
