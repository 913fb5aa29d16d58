package io.github.sparkbic.operator

/** Keys of graphs, the values of the `by` columns: exact on their way through objects of the JVM, and comparable. */
package object keys
