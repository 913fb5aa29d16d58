package io.github.sparkbic.index

/** Bytes of states and blocks, without any structure of the product: [[format.StateLayout StateLayout]] draws each layout,
  * `BinaryWriter` and `BinaryReader` in `BinaryFormat` write and read numbers and columns.
  *
  * Read `StateLayout` first. A change of a layout needs new golden files (`make golden`).
  */
package object format
