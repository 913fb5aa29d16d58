"""The colours of pictures."""

INK = "#22303c"
MUTED = "#6b7a87"
FAINT = "#e6eaee"
TEAL = "#0b6e75"
ORANGE = "#e07a3f"
INDIGO = "#4c5fa8"
GOLD = "#c2a02c"
PLUM = "#9a4c7d"
# One per component of a drawing, and from the start again.
PALETTE = [TEAL, ORANGE, INDIGO, GOLD, PLUM, "#5d8a3c", "#8c6d5a", "#5aa0c8"]
