"""How long alerts take after the payment that makes them certain, as a table and a picture."""

from collections.abc import Iterable
from itertools import accumulate
from pathlib import Path

from payments import MINUTE, Payment

SHARES = (0, 50, 90, 100)
INK, MUTED, FAINT, TEAL, ORANGE = "#22303c", "#6b7a87", "#e6eaee", "#0b6e75", "#e07a3f"


def clock(payments: Iterable[Payment]) -> list[int]:
    """The time of the newest payment so far, in seconds, for each payment as it arrives."""
    return list(accumulate((payment.seconds for payment in payments), max))


def waits(clock: list[int], rows: Iterable[tuple[int, int]]) -> list[float]:
    """Minutes of the stream from the payment of an alert to the last payment of the micro-batch.

    ``rows`` have the place of this payment, and how many payments had been read at the end of the
    micro-batch that brought the row. The payment that only ends the stream does not count.
    """
    newest = clock[-2]
    return sorted((min(clock[end - 1], newest) - clock[place]) / MINUTE for place, end in rows)


def show(early: list[float], closed: list[float], picture: Path) -> None:
    """Print the shares of both distributions, and draw them into a file."""
    print("\nMinutes of the stream from the payment that connects to the alert:\n")
    print("            " + "".join(f"{_name(share):>9}" for share in SHARES) + "   alerts")
    for name, found in (("early", early), ("not early", closed)):
        at = [found[min(len(found) * share // 100, len(found) - 1)] for share in SHARES]
        print(f"{name:>11} " + "".join(f"{minutes:9.1f}" for minutes in at) + f"{len(found):9}")
    _draw(early, closed, picture)
    print(f"\nthe distributions are drawn in {picture}")


def _name(share: int) -> str:
    return {0: "least", 50: "median", 100: "most"}.get(share, f"{share} %")


def _draw(early: list[float], closed: list[float], picture: Path) -> None:
    import matplotlib

    matplotlib.use("agg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(9, 4), layout="constrained")
    for name, found, colour in (("early=True", early, TEAL), ("without early", closed, ORANGE)):
        shares = [100 * i / len(found) for i in range(len(found) + 1)]
        axes.step([0, *found], shares, where="post", color=colour, linewidth=2)
        median = found[len(found) // 2]
        axes.annotate(
            f"{name}: half within {median:.0f} minutes",
            (median, 50),
            xytext=(14, -16),
            textcoords="offset points",
            color=colour,
            fontweight="bold",
        )
    axes.set(xlim=(0, max(closed) * 1.15), ylim=(0, 101), yticks=range(0, 101, 25))
    axes.set_xlabel(
        "minutes of the stream from the payment that connects to the alert", color=MUTED
    )
    axes.set_title("alerts that have come, %", loc="left", color=MUTED, fontsize=10)
    figure.suptitle("How long an alert takes", x=0.01, ha="left", fontweight="bold", color=INK)
    axes.spines[:].set_visible(False)
    axes.grid(axis="y", color=FAINT)
    axes.set_axisbelow(True)
    axes.tick_params(length=0, colors=MUTED)
    figure.savefig(picture, dpi=120)
    pyplot.close(figure)
