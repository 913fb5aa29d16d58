"""The page: tiles with counts, and two charts, as Dash components made of a snapshot."""

from typing import Any

import plotly.graph_objects as go
from dash import dcc, html
from plotly.subplots import make_subplots

from pyspark_bic.extras._colours import FAINT, INDIGO, INK, MUTED, ORANGE, PALE, PLUM, RED, TEAL
from pyspark_bic.extras.live._snapshot import Snapshot

_LINES = [TEAL, ORANGE, INDIGO, PLUM]
_FONT = "Helvetica, Arial, sans-serif"
_STATUS = {"runs": TEAL, "has stopped": MUTED, "has failed": RED, "is out of reach": RED}


def layout(seconds: float) -> Any:
    """The frame, which asks for news every so many seconds."""
    return html.Div(
        [
            dcc.Interval(id="tick", interval=max(1, int(seconds * 1000))),
            html.Div(id="news"),
        ],
        style={
            "fontFamily": _FONT,
            "color": INK,
            "maxWidth": "1100px",
            "margin": "0 auto",
            "padding": "24px",
        },
    )


def news(seen: Snapshot) -> list[Any]:
    """What the frame holds."""
    head = html.H2(
        [
            f"{seen.name} ",
            html.Span(seen.status, id="status", style={"color": _STATUS[seen.status]}),
        ],
        style={"margin": "0 0 16px"},
    )
    failure = [html.P(seen.failure, id="failure", style={"color": RED})]
    return [
        head,
        *(failure if seen.failure else []),
        _tiles(seen),
        *_alerts(seen),
        _answers(seen),
        _batches(seen),
    ]


def _tiles(seen: Snapshot) -> Any:
    held = seen.metrics
    shown = {
        "edges": f"{held['edges']:,}",
        "late edges": f"{held['late_edges']:,}",
        "windows answered": f"{held['windows']:,}",
        "live vertices": f"{held['live_vertices']:,}",
        "bytes of state": f"{held['state_bytes']:,}",
        "watermark": seen.watermark,
    }
    tile = {
        "flex": "1 1 120px",
        "background": PALE,
        "borderRadius": "8px",
        "padding": "12px 16px",
    }
    return html.Div(
        [
            html.Div(
                [
                    html.Div(title, style={"color": MUTED, "fontSize": "13px"}),
                    html.Div(
                        value,
                        id=title.replace(" ", "-"),
                        style={"fontSize": "19px", "fontWeight": "bold", "whiteSpace": "nowrap"},
                    ),
                ],
                style=tile,
            )
            for title, value in shown.items()
        ],
        style={"display": "flex", "flexWrap": "wrap", "gap": "12px"},
    )


def _alerts(seen: Snapshot) -> list[Any]:
    """The last alerts; a mark shows the rows that have just come."""
    alerts = seen.alerts
    if not alerts.rows:
        return []
    cell = {"padding": "2px 16px 2px 0"}
    rows = [
        html.Tr(
            [
                html.Td("● new" if alert in alerts.news else "", style={**cell, "color": ORANGE}),
                html.Td(alert.pair, style=cell),
                html.Td(
                    f"{alert.start:%Y-%m-%d %H:%M:%S} to {alert.end:%Y-%m-%d %H:%M:%S}", style=cell
                ),
                html.Td(f"since {alert.since}" if alert.since else "", style=cell),
            ],
            className="new" if alert in alerts.news else "old",
        )
        for alert in alerts.shown
    ]
    title = f"connected pairs of the latest windows, {len(alerts.news):,} of them new"
    return [
        html.H4(title, style={"margin": "24px 0 8px", "fontSize": "15px"}),
        html.Div(
            html.Table(html.Tbody(rows), id="alerts", style={"fontSize": "14px"}),
            # About seven rows; the others are reached by scrolling.
            style={"maxHeight": "170px", "overflowY": "auto"},
        ),
    ]


def _answers(seen: Snapshot) -> Any:
    if seen.answers.refused:
        return html.P(seen.answers.title, id="refused", style={"color": RED})
    figure = go.Figure()
    colours = iter(_LINES)
    for name, values in seen.answers.lines.items():
        colour = MUTED if name == "pairs asked" else next(colours)
        figure.add_scatter(
            x=seen.answers.ends,
            y=values,
            name=name,
            mode="lines",
            line={"color": colour, "width": 2, "shape": "hv"},
        )
    figure.update_layout(
        title={"text": seen.answers.title, "x": 0, "xref": "paper", "font": {"size": 15}},
        legend={"orientation": "h", "x": 0, "y": 1, "yanchor": "bottom"},
        height=340,
    )
    figure.update_xaxes(title="end of the window")
    return _chart("answers", figure)


def _batches(seen: Snapshot) -> Any:
    """Two panels above one another, each with a scale of its own."""
    figure = make_subplots(
        rows=2,
        shared_xaxes=True,
        vertical_spacing=0.2,
        subplot_titles=["milliseconds of each micro-batch", "input rows a second"],
    )
    figure.add_bar(
        x=seen.batches, y=seen.batch_ms, name="ms", marker={"color": MUTED}, row=1, col=1
    )
    figure.add_scatter(
        x=seen.batches,
        y=seen.rows_per_second,
        name="rows/s",
        mode="lines",
        line={"color": TEAL, "width": 2},
        row=2,
        col=1,
    )
    figure.update_annotations(x=0, xanchor="left", font={"size": 15})
    figure.update_layout(height=420, showlegend=False)
    figure.update_xaxes(title="micro-batch", row=2, col=1)
    return _chart("batches", figure)


def _chart(name: str, figure: Any) -> Any:
    figure.update_layout(
        margin={"l": 60, "r": 40, "t": 64, "b": 48},
        font={"family": _FONT, "color": INK},
        plot_bgcolor="white",
        # A redraw keeps what the reader has zoomed to.
        uirevision=name,
    )
    # The margins are those above, so that the panels are aligned.
    figure.update_yaxes(gridcolor=FAINT, rangemode="tozero", tickformat=",.3~r", automargin=False)
    figure.update_xaxes(showgrid=False, automargin=False)
    return dcc.Graph(id=name, figure=figure, config={"displayModeBar": False})
