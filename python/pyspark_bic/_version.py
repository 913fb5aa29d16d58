"""The one version of the project: sbt, the wheel build and the jar check all read it here."""

__version__ = "0.1.0"
