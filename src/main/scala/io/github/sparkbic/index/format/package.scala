package io.github.sparkbic.index

/** Bytes of states and blocks. [[format.StateLayout StateLayout]] draws each layout; without any structure of the product,
  * `BinaryWriter` and `BinaryReader` in `BinaryFormat` write and read numbers and columns.
  *
  * Read `StateLayout` first. A change of a layout needs new golden files (`make golden`).
  */
package object format
