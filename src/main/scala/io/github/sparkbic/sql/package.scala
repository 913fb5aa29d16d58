package io.github.sparkbic

/** The questions as table functions of SQL, by which Spark Connect clients call them too. */
package object sql
