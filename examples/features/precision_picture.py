"""The picture: how many of the alerts are fraud, by how much of the fraud is found."""

from pathlib import Path

import matplotlib

matplotlib.use("Agg")

import matplotlib.pyplot as plt
import numpy as np
from numpy.typing import NDArray

INK = "#22303c"
MUTED = "#6b7a87"
COLOURS = ["#6b7a87", "#0b6e75"]


def draw(path: Path, scores: dict[str, tuple[NDArray[np.float64], NDArray[np.bool_]]]) -> None:
    """Draw a line for each model: its scores, and which of the payments are fraud."""
    plt.rcParams.update({"font.family": "DejaVu Sans", "font.size": 11, "text.color": INK})
    figure, axes = plt.subplots(figsize=(8, 4.6), layout="constrained")
    for colour, (name, (found, labels)) in zip(COLOURS, scores.items(), strict=True):
        hits = np.cumsum(labels[np.argsort(-found, kind="stable")])
        recall = hits / labels.sum()
        precision = hits / np.arange(1, len(hits) + 1)
        axes.plot(recall, precision, color=colour, linewidth=2)
        middle = int(np.searchsorted(recall, 0.6))
        axes.annotate(
            name,
            (recall[middle], precision[middle]),
            xytext=(0, 12),
            textcoords="offset points",
            ha="left",
            color=colour,
            fontweight="bold",
        )
    axes.set(xlim=(0, 1), ylim=(0, 1.12), yticks=np.linspace(0, 1, 6))
    axes.set_xlabel("recall: the share of the fraud that is found", color=MUTED)
    axes.set_ylabel("precision: the share of alerts that are fraud", color=MUTED)
    axes.tick_params(colors=MUTED)
    axes.spines[["top", "right"]].set_visible(False)
    axes.grid(color="#eef1f4")
    figure.savefig(path, dpi=150)
    plt.close(figure)
