"""Draws one chart as SVG text: columns, bars, lines or a histogram. Used by profile_csv.py; reads and writes nothing.

It stands on a ground of its own, which follows the reader's light or dark theme, and says in words what it shows.
"""

import html
import math
import re
from dataclasses import dataclass, field

from csv_series import MONTH_NAMES, show

WIDTH = 800
LIGHT = ("#1d5fd1", "#b45309", "#0f766e", "#7c3aed", "#52525b")
DARK = ("#7fb0ff", "#fbb454", "#4fd1c0", "#c7a8ff", "#c4c4cc")


def colours(palette, ground, grid, axis, ink, soft):
    # No variables of CSS: what turns an SVG into a picture often knows none.
    rules = [
        f".ground{{fill:{ground}}}.grid{{stroke:{grid}}}.axis{{stroke:{axis}}}.ink{{fill:{ink}}}.soft{{fill:{soft}}}",
        f".ring{{stroke:{ground}}}.mark{{stroke:{palette[1]}}}",
    ]
    return "\n".join(rules + [f".s{at}{{fill:{one}}}.l{at}{{stroke:{one}}}" for at, one in enumerate(palette)])


STYLE = f"""
text{{font-family:system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif;font-size:12px}}
.title{{font-size:19px;font-weight:650}}.sub{{font-size:13px}}.note{{font-size:11px}}.name{{font-weight:600}}
.run{{fill:none;stroke-width:2.25;stroke-linejoin:round;stroke-linecap:round}}.ring{{stroke-width:1.5}}
.mark{{stroke-dasharray:5 4;stroke-width:1.5}}
{colours(LIGHT, "#ffffff", "#e4e4e7", "#71717a", "#18181b", "#52525b")}
@media (prefers-color-scheme:dark){{
{colours(DARK, "#18181b", "#34343a", "#a1a1aa", "#f4f4f5", "#b4b4bd")}
}}
"""


@dataclass
class Words:
    """What stands around the drawing."""
    title: str
    subtitle: str
    x: str
    y: str
    notes: list = field(default_factory=list)
    summary: str = ""


def width_of(text, size=12.0):
    """About how wide a text is drawn, in pixels: rather too wide than too narrow."""
    wide = 0.0
    for c in text:
        wide += 1.0 if ord(c) > 0x2E7F else 0.3 if c in "iljI.,:;'|! " else 0.88 if c in "mwMW%@" else 0.68 if c.isupper() else 0.58
    return wide * size


BOLD = 1.15


def cut(text, room, size=12.0):
    if width_of(text, size) <= room:
        return text
    while text and width_of(text + "…", size) > room:
        text = text[:-1]
    return text.rstrip() + "…"


def wrapped(text, room, size, most):
    lines = [""]
    for word in text.split():
        longer = f"{lines[-1]} {word}".strip()
        if width_of(longer, size) <= room or not lines[-1]:
            lines[-1] = longer
        else:
            lines.append(word)
    if len(lines) > most:
        lines = lines[: most - 1] + [" ".join(lines[most - 1:])]
    return [cut(line, room, size) for line in lines]


def xml(text):
    return html.escape(re.sub("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]", "\ufffd", text), quote=True)


def nice_step(span, most, round_ones=(1, 2, 5)):
    """One of the round ones times a power of ten, so that a span has at most so many steps."""
    rough = span / most
    power = 10.0 ** math.floor(math.log10(rough))
    return next(m * power for m in (*round_ones, 10, 20) if m * power >= rough * (1 - 1e-9))


def digits_of(step):
    """How many decimals a step needs, 7 for more than 6."""
    return next((digits for digits in range(7) if abs(step * 10**digits - round(step * 10**digits)) < 1e-6), 7)


def scale(low, high, most=5, from_zero=True):
    """Ticks that hold all values, and how to write them."""
    if from_zero:
        low, high = min(low, 0), max(high, 0)
    if high == low:
        low, high = low - (abs(low) or 1) * (0 if low == 0 else 0.5), high + (abs(high) or 1) * 0.5
    step = nice_step(high - low, most, (1, 2, 2.5, 5))
    first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
    ticks = [at * step for at in range(first, last + 1)]
    return ticks, tick_words(ticks, step)


def tick_words(ticks, step):
    top = max(abs(tick) for tick in ticks)
    for size, sign in ((1e12, "T"), (1e9, "B"), (1e6, "M")):
        if top >= size:
            digits = digits_of(step / size)
            if digits <= 3:
                return lambda value: "0" if value == 0 else f"{value / size:,.{digits}f}{sign}"
    digits = digits_of(step)
    return (lambda value: f"{value:g}") if digits > 6 or top >= 1e15 else (lambda value: f"{value:,.{digits}f}")


class Canvas:
    """Collects elements; knows the head and the foot that all charts share."""

    def __init__(self, words):
        self.words = words
        self.parts = []
        self.top = 20
        for line in wrapped(words.title, WIDTH - 48, 19 * BOLD, 2):
            self.top += 18
            self.text(24, self.top, line, "title ink")
            self.top += 7
        self.top += 13
        self.text(24, self.top, cut(words.subtitle, WIDTH - 48, 13), "sub soft")
        self.top += 22

    def text(self, x, y, words, style="ink", anchor="start"):
        at = f' text-anchor="{anchor}"' if anchor != "start" else ""
        self.parts.append(f'<text x="{x:.1f}" y="{y:.1f}" class="{style}"{at}>{xml(words)}</text>')

    def line(self, x1, y1, x2, y2, style):
        self.parts.append(f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" class="{style}"/>')

    def bar(self, x, y, width, height, says, style="s0"):
        self.parts.append(
            f'<rect x="{x:.1f}" y="{y:.1f}" width="{max(width, 0):.1f}" height="{max(height, 0):.1f}" '
            f'rx="{min(2, width / 2, height / 2):.1f}" class="{style}"><title>{xml(says)}</title></rect>'
        )

    def dot(self, x, y, style, says):
        self.parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4" class="{style} ring"><title>{xml(says)}</title></circle>')

    def done(self, bottom):
        for line in (part for note in self.words.notes for part in wrapped(note, WIDTH - 48, 11, 2)):
            bottom += 16
            self.text(24, bottom, line, "note soft")
        height = math.ceil(bottom + 18)
        body = "\n".join(self.parts)
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}" '
            f'role="img" aria-labelledby="chart-title chart-desc">\n'
            f'<title id="chart-title">{xml(self.words.title)}</title>\n'
            f'<desc id="chart-desc">{xml(self.words.subtitle)}. {xml(self.words.summary)}</desc>\n'
            f"<style>{STYLE}</style>\n"
            f'<rect class="ground" width="{WIDTH}" height="{height}" rx="8"/>\n{body}\n</svg>\n'
        )


@dataclass
class Plot:
    """The rectangle with a value axis at its left; `y` turns a value into a place."""
    canvas: Canvas
    left: float
    right: float
    top: float
    bottom: float
    low: float
    high: float

    def y(self, value):
        return self.bottom - (value - self.low) / (self.high - self.low) * (self.bottom - self.top)


def plot(canvas, low, high, room_right=28, from_zero=True, headroom=0):
    ticks, words = scale(low, high, 5, from_zero)
    left = 24 + max(width_of(words(tick)) for tick in ticks) + 10
    canvas.text(24, canvas.top + 4, cut(canvas.words.y, WIDTH - 48), "soft")
    area = Plot(canvas, left, WIDTH - room_right, canvas.top + 22 + headroom, canvas.top + 292, ticks[0], ticks[-1])
    for tick in ticks:
        at = area.y(tick)
        canvas.line(area.left, at, area.right, at, "axis" if tick == 0 else "grid")
        canvas.text(area.left - 8, at + 4, words(tick), "soft", "end")
    return area


def x_labels(area, labels):
    """(place, first line, second line): as many as fit, evenly; the second line only where it changes."""
    if not labels:
        return area.bottom
    rows = 1
    for stride in range(1, len(labels) + 1):
        shown = labels[::stride]
        widths = [max(width_of(one), width_of(two)) for _, one, two in shown]
        gaps = (shown[at + 1][0] - shown[at][0] - (widths[at] + widths[at + 1]) / 2 for at in range(len(shown) - 1))
        if all(gap >= 10 for gap in gaps):
            break
    before = None
    for place, one, two in shown:
        half = max(width_of(one), width_of(two)) / 2
        place = min(max(place, 24 + half), WIDTH - 16 - half)
        area.canvas.text(place, area.bottom + 18, one, "soft", "middle")
        if two and two != before:
            rows = 2
            area.canvas.text(place, area.bottom + 33, two, "soft", "middle")
        before = two
    return area.bottom + 3 + 15 * rows


def x_title(area, bottom):
    area.canvas.text((area.left + area.right) / 2, bottom + 20, cut(area.canvas.words.x, area.right - area.left), "soft", "middle")
    return bottom + 24


def period_label(moment, unit):
    year = f"{moment.year:04}"
    if unit == "year":
        return year, ""
    if unit == "quarter":
        return f"Q{moment.month // 3 + 1}", year
    if unit == "month":
        return MONTH_NAMES[moment.month - 1], year
    day = f"{moment.day} {MONTH_NAMES[moment.month - 1]}"
    return (f"{moment.hour:02}:00", f"{day} {year}") if unit == "hour" else (day, year)


def columns(words, bars):
    """Upright, in the order given. bars: (first label, second label, value or None, full name)."""
    canvas = Canvas(words)
    values = [value for _, _, value, _ in bars if value is not None]
    area = plot(canvas, min(values), max(values), headroom=14)
    slot = (area.right - area.left) / len(bars)
    thick = min(slot * 0.72, 72)
    fits = all(width_of(show(value)) + 6 <= slot for value in values)
    for at, (_, _, value, name) in enumerate(bars):
        if value is None:
            continue
        middle, end, zero = area.left + (at + 0.5) * slot, area.y(value), area.y(0)
        canvas.bar(middle - thick / 2, min(end, zero), thick, abs(end - zero), f"{name}: {show(value)}")
        if fits:
            canvas.text(middle, end - 6 if value >= 0 else end + 15, show(value), "ink", "middle")
    labels = [(area.left + (at + 0.5) * slot, one, two) for at, (one, two, _, _) in enumerate(bars)]
    return canvas.done(x_title(area, x_labels(area, labels)))


def bars(words, pairs):
    """Lying, in the order given: room for long names. pairs: (name, value)."""
    canvas = Canvas(words)
    values = [value for _, value in pairs]
    low, high = min(0, *values), max(0, *values)
    high = high if high > low else low + 1
    names = min(max(width_of(name) for name, _ in pairs) + 12, 250)
    numbers = max(width_of(show(value)) for value in values) + 12
    left = 24 + names + (numbers if low < 0 else 0)
    right = WIDTH - 24 - (numbers if high > 0 else 0)
    canvas.text(24, canvas.top + 4, cut(f"{words.x}, by {words.y}", WIDTH - 48), "soft")
    top, pitch = canvas.top + 18, 26
    bottom = top + pitch * len(pairs)

    def place(value):
        return left + (value - low) / (high - low) * (right - left)

    for at, (name, value) in enumerate(pairs):
        y = top + at * pitch
        end, zero = place(value), place(0)
        canvas.bar(min(end, zero), y + 4, abs(end - zero), pitch - 8, f"{name}: {show(value)}")
        canvas.text(24 + names - 10, y + pitch / 2 + 4, cut(name, names - 10), "ink", "end")
        canvas.text(end + 6 if value >= 0 else end - 6, y + pitch / 2 + 4, show(value), "ink", "start" if value >= 0 else "end")
    canvas.line(place(0), top, place(0), bottom, "axis")
    return canvas.done(bottom + 6)


def lines(words, runs, labels, span):
    """runs: (name, [(place, value or None, full name)]); labels: (place, first, second); span: first and last place."""
    canvas = Canvas(words)
    values = [value for _, points in runs for _, value, _ in points if value is not None]
    low, high = min(values), max(values)
    zero = low < 0 < high or 0 <= low < 0.6 * high or low * 0.6 > high
    zero = zero or high <= 0 or low == high
    if not zero:
        words.notes.insert(0, "The value axis does not begin at 0.")
    named = len(runs) > 1
    room = min(max(width_of(name) for name, _ in runs) + 26, 200) if named else 40
    area = plot(canvas, low, high, room, zero, 0 if named else 14)
    first, last = span
    inset = 14

    def place(at):
        if last == first:
            return (area.left + area.right) / 2
        return area.left + inset + (at - first) / (last - first) * (area.right - area.left - 2 * inset)

    ends = []
    for number, (name, points) in enumerate(runs):
        style = f"s{number % 5}"
        drawn = [(place(at), area.y(value), value, full) if value is not None else None for at, value, full in points]
        pieces, piece = [], []
        for point in [*drawn, None]:
            if point is not None:
                piece.append(point)
            elif piece:
                pieces.append(piece)
                piece = []
        for piece in pieces:
            if len(piece) > 1:
                path = " ".join(f"{x:.1f},{y:.1f}" for x, y, _, _ in piece)
                canvas.parts.append(f'<polyline points="{path}" class="l{number % 5} run"/>')
            for x, y, value, full in piece if len(points) <= 40 or len(piece) == 1 else []:
                canvas.dot(x, y, style, f"{name}, {full}: {show(value)}" if named else f"{full}: {show(value)}")
        whole = [point for point in drawn if point is not None]
        if named and whole:
            ends.append([whole[-1][1], cut(name, room - 26), style, whole[-1]])
        elif whole:
            extremes(area, whole)
    end_labels(area, ends)
    bottom = x_labels(area, [(place(at), one, two) for at, one, two in labels])
    return canvas.done(x_title(area, bottom))


def extremes(area, points):
    """The highest and the lowest value stand at their points."""
    best = max(points, key=lambda point: point[2])
    worst = min(points, key=lambda point: point[2])
    for point, away in ((best, -10), (worst, 20)) if best[2] != worst[2] else ((best, -10),):
        half = width_of(show(point[2])) / 2
        x = min(max(point[0], area.left + half + 2), WIDTH - 16 - half)
        y = point[1] + away
        # At the foot of the plot it would stand on the axis, or on the line itself.
        if y <= area.bottom - 3:
            area.canvas.text(x, y, show(point[2]), "ink", "middle")


def end_labels(area, ends):
    """Names at the ends of their lines, moved apart where they would overlap."""
    ends.sort(key=lambda end: end[0])
    for at in range(1, len(ends)):
        ends[at][0] = max(ends[at][0], ends[at - 1][0] + 16)
    over = ends[-1][0] - area.bottom if ends else 0
    if over > 0:
        ends[-1][0] -= over
        for at in range(len(ends) - 2, -1, -1):
            ends[at][0] = min(ends[at][0], ends[at + 1][0] - 16)
    for y, name, style, _ in ends:
        area.canvas.text(area.right - 2, y + 4, name, f"{style} name")


def histogram(words, numbers):
    """numbers: sorted. Bins of equal, round width; the median is marked."""
    low, high, count = numbers[0], numbers[-1], len(numbers)
    whole = all(number == int(number) for number in numbers)
    quarter = numbers[(3 * count) // 4 if count > 1 else 0] - numbers[count // 4]
    # Freedman and Diaconis: wide where the middle half is wide, finer with more rows; then a round number.
    rough = 2 * quarter / count ** (1 / 3) if quarter > 0 else (high - low) / 10
    most = min(max((high - low) / rough if rough > 0 else 1, 5), 30)
    step = nice_step(high - low, most) if high > low else 1.0
    step = max(step, 1.0) if whole else step
    first = math.floor(low / step + 1e-9)
    bins = [0] * (math.floor(high / step + 1e-9) - first + 1)
    for number in numbers:
        bins[min(math.floor(number / step + 1e-9) - first, len(bins) - 1)] += 1
    digits = tick_words([first * step, (first + len(bins)) * step], step)
    canvas = Canvas(words)
    area = plot(canvas, 0, max(bins), headroom=16)
    slot = (area.right - area.left) / len(bins)
    for at, size in enumerate(bins):
        edge = area.left + at * slot
        says = f"{digits((first + at) * step)} to under {digits((first + at + 1) * step)}: {size:,}"
        canvas.bar(edge + 0.75, area.y(size), slot - 1.5, area.bottom - area.y(size), says)
    middle = numbers[count // 2] if count % 2 else (numbers[count // 2 - 1] + numbers[count // 2]) / 2
    at = area.left + (middle / step - first) * slot
    canvas.line(at, area.top - 12, at, area.bottom, "mark")
    left = at > (area.left + area.right) / 2
    canvas.text(at - 6 if left else at + 6, area.top - 4, f"median {show(middle)}", "ink", "end" if left else "start")
    labels = [(area.left + n * slot, digits((first + n) * step), "") for n in range(len(bins) + 1)]
    table = [(f"{digits((first + n) * step)} to under {digits((first + n + 1) * step)}", size) for n, size in enumerate(bins)]
    return canvas.done(x_title(area, x_labels(area, labels))), table
