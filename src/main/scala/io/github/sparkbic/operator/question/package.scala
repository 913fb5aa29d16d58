package io.github.sparkbic.operator

/** What is asked of a window, one class a question, and the rows of its answer: read [[question.Question]] first. */
package object question
