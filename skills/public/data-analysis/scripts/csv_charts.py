"""From the columns that were asked for to a chart and the values in it: chooses, groups, lays out. svg_chart.py draws."""

import os
import re
import statistics

import csv_series
import svg_chart
from csv_columns import NUMERIC, columns_of, first_dates, measures, shorten
from csv_series import Unusable, show, table
from csv_table import SAMPLE_ROWS, is_missing

BARS_SHOWN = 20
COLUMNS_SHOWN = 40
GROUPS_SHOWN = 5
MONEY = re.compile(r"revenue|turnover|sales|amount|total|profit|income|spend|umsatz|betrag", re.I)


def choose(columns):
    """The chart that says most at first sight, as options of this program; None where there is nothing to draw."""
    numbers, x = measures(columns), first_dates(columns)
    # Money, if there is some; else the last measure: the first are often counts of which it is made.
    money = [c for _, c in numbers if MONEY.search(c.name) or c.dressed and not c.dressed_as.endswith("%")]
    y = (money or [c for _, c in numbers[-1:]] or [None])[-1]
    y = y and y.name
    few = next((c for c in columns if c.type() in ("text", "boolean") and 2 <= len(c.values) <= GROUPS_SHOWN), None)
    words = next((c for c in columns if c.type() in ("text", "boolean", "identifier") and 2 <= len(c.values) <= 0.7 * c.count), None)
    if x is not None:
        groups = few.name if few and len(columns[x].values) > 2 else None
        # Few periods are columns; groups need lines.
        return chart_options("line" if groups or len(columns[x].values) > 4 else "bar", columns[x].name, y, groups)
    if words is None:
        words = next((c for c in columns if c.type() == "text" and 2 <= len(c.values) <= BARS_SHOWN), None)
    if words is not None:
        return chart_options("bar", words.name, y, None)
    return chart_options("hist", y, None, None) if y else None


def chart_options(chart, x, y, group):
    how = None if chart == "hist" else csv_series.usual_aggregate(y) if y else "count"
    return {"chart": chart, "x": x, "y": y, "agg": how, "group": group if chart == "line" else None}


def draw(source, options):
    """(SVG, lines of what was drawn). Raises Unusable."""
    columns = columns_of(source)
    if options.chart == "auto":
        for line, row in source.rows():
            for index, column in enumerate(columns):
                column.add(row[index] if index < len(row) else "", line)
        choice = choose(columns)
        if choice is None:
            raise Unusable("no column is fit for a chart: none holds dates, numbers or repeated words")
        for name, value in choice.items():
            if name == "chart" or getattr(options, name) is None:
                setattr(options, name, value)
    if options.x is None:
        raise Unusable("--x is missing: name the column for it")

    def column(wanted):
        at = source.find(wanted)
        if at is None:
            raise Unusable(f"there is no column '{wanted}'; there are: {', '.join(map(shorten, source.names[:COLUMNS_SHOWN]))}")
        return at

    x, y = column(options.x), None if options.y is None else column(options.y)
    group = None if options.group is None else column(options.group)
    # Filled from the sample alone, to know of what kind each is.
    for at in {x, y} - {None}:
        if not columns[at].count:
            for number, (line, row) in enumerate(source.rows()):
                if number >= SAMPLE_ROWS:
                    break
                columns[at].add(row[at] if at < len(row) else "", line)
    name_x = columns[x].name
    if y is not None and columns[y].type() not in NUMERIC and options.agg != "count":
        raise Unusable(f"column '{columns[y].name}' holds no numbers: take one that does, or --agg count")
    if options.chart == "hist":
        return draw_histogram(source, columns[x], x, options)
    if group is not None and options.chart != "line":
        raise Unusable("--group goes with line only")
    how = options.agg or (csv_series.usual_aggregate(columns[y].name) if y is not None else "count")
    if how != "count" and y is None:
        raise Unusable(f"--agg {how} needs --y: the column to take it of")
    kind = {"date": "date", "integer": "number", "number": "number"}.get(columns[x].type(), "text")
    if options.chart == "line" and kind == "text":
        raise Unusable(f"a line needs dates or numbers on x, and '{name_x}' holds words: take bar")
    if options.chart == "bar" and kind == "number" and len(columns[x].values) > 40:
        raise Unusable(f"column '{name_x}' has too many different numbers for bars: take line or hist")
    if options.chart == "bar" and kind == "number" and columns[x].kinds["number"]:
        kind = "text"
    read_x = {"date": columns[x].read_date.read, "number": columns[x].read_number.read, "text": lambda value: value}[kind]
    count_y = how == "count"
    series = csv_series.collect(
        source, x, kind, read_x, None if count_y else y, None if count_y else columns[y].read_number.read,
        group, options.by, GROUPS_SHOWN, is_missing,
    )
    if not series.used:
        raise Unusable(f"no row has a value in '{name_x}'" + ("" if count_y else f" and in '{columns[y].name}'"))
    return lay_out(source, columns, series, how, name_x, None if count_y else columns[y].name, options)


def described(options, default, subtitle, x, y, source, used, rows):
    notes = [f"Source: {os.path.basename(source.path)}; {used:,} of {rows:,} rows used."]
    return svg_chart.Words(options.title or default, subtitle, x, y, notes)


def draw_histogram(source, column, x, options):
    numbers, rows = [], 0
    for _, row in source.rows():
        rows += 1
        value = row[x].strip() if x < len(row) else ""
        number = None if is_missing(value) else column.read_number.read(value)
        if number is not None:
            numbers.append(number)
    if not numbers:
        raise Unusable(f"column '{column.name}' holds no numbers: take one that does")
    numbers.sort()
    name = shorten(column.name)
    words = described(options, f"How {name} is spread", f"Number of rows by {name}", name, "rows", source, len(numbers), rows)
    words.summary = f"From {show(numbers[0])} to {show(numbers[-1])}, median {show(statistics.median(numbers))}."
    svg, bins = svg_chart.histogram(words, numbers)
    return svg, [words.subtitle + ". " + words.summary, "", *table([name, "rows"], [(a, show(b)) for a, b in bins])]


def lay_out(source, columns, series, how, name_x, name_y, options):
    """Puts what was collected into the form that was asked for."""
    x = shorten(name_x)
    measure = "rows" if how == "count" else f"{shorten(name_y)} ({how})"
    said = "Number of rows" if how == "count" else f"{'Sum' if how == 'sum' else 'Mean'} of {shorten(name_y)}"
    by = f" by {series.unit}" if series.kind == "date" and series.unit != x.lower() else f" by {x}"
    title = f"{'Rows' if how == 'count' else shorten(name_y)}{by}"
    grouped = options.group is not None
    each = f", for each {shorten(options.group)}" if grouped else ""
    words = described(options, title[0].upper() + title[1:] + (f" and {shorten(options.group)}" if grouped else ""),
                      f"{said}{by}{each}", x, measure, source, series.used, series.rows)
    if series.groups_left:
        words.notes.append(f"The {len(series.groups)} largest of {len(series.groups) + series.groups_left} values of {options.group} are drawn.")
    totals = {key: cell.value(how) for key, cell in series.totals().items()}
    if options.chart == "bar" and series.kind == "text":
        return lay_bars(words, series, totals, how, x, measure)
    keys = series.keys
    if series.kind == "date":
        words.x = x if series.unit == x.lower() else f"{x} (by {series.unit})"
        if how != "count" and len(keys) < keys[-1] - keys[0] + 1:
            words.notes[0] += " Periods without a value are left empty."
        if series.merged:
            words.notes[0] += f" The first and the last {series.unit} may be incomplete."
    if options.chart == "bar":
        everything = range(keys[0], keys[-1] + 1) if series.kind == "date" else keys
        bars = [bar_of(series, key, totals.get(key)) for key in everything]
        words.summary = extremes_said(series, totals)
        rows = [(series.name(key), show(totals[key])) for key in keys]
        return svg_chart.columns(words, bars), [f"{words.subtitle}. {words.summary}", "", *table([x, measure], rows)]
    none, runs = (0 if how == "count" else None), []
    for which in series.groups:
        at = {key: cells[which].value(how) for key, cells in series.values.items() if which in cells}
        places = range(keys[0], keys[-1] + 1) if series.kind == "date" else sorted(at)
        runs.append((shorten(which or measure, 28), [(key, at.get(key, none), series.name(key) if key in series.values else "") for key in places]))
    if grouped:
        words.summary = " ".join(f"{name}: {course_said([v for _, v, _ in points if v is not None])}." for name, points in runs)
    else:
        words.summary = extremes_said(series, totals)
    svg = svg_chart.lines(words, runs, axis_labels(series, keys), (keys[0], keys[-1]))
    heads = [x, *(name for name, _ in runs)] if grouped else [x, measure]
    found = [{key: value for key, value, _ in points} for _, points in runs]
    rows = [(series.name(key), *("" if run.get(key) is None else show(run[key]) for run in found)) for key in keys]
    return svg, [f"{words.subtitle}. {words.summary}", "", *table(heads, rows)]


def lay_bars(words, series, totals, how, x, measure):
    ranked = sorted(totals.items(), key=lambda pair: (-pair[1], pair[0]))
    shown = ranked[:BARS_SHOWN]
    if len(ranked) > len(shown):
        words.notes.append(f"The first {len(shown)} of {len(ranked)} values of {x} are drawn.")
    words.x, words.y = measure, x
    whole = sum(totals.values())
    first, last = ranked[0], ranked[-1]
    part = f", {first[1] / whole:.0%} of all" if how != "mean" and whole > 0 and min(totals.values()) >= 0 else ""
    words.summary = f"Most: {shorten(first[0])} with {show(first[1])}{part}. Least: {shorten(last[0])} with {show(last[1])}."
    rows = [(shorten(name), show(value)) for name, value in ranked]
    svg = svg_chart.bars(words, [(shorten(name, 80), value) for name, value in shown])
    return svg, [f"{words.subtitle}. {words.summary}", "", *table([x, measure], rows)]


def bar_of(series, key, value):
    if series.kind != "date":
        return plain_number(key), "", value, plain_number(key)
    if value is None:
        return "", "", None, ""
    return *svg_chart.period_label(series.moments[key], series.unit), value, series.name(key)


def plain_number(number):
    """Of a scale: years have no thousands apart."""
    return f"{number:.10g}" if abs(number) < 10_000 else show(number)


def axis_labels(series, keys):
    if series.kind == "date":
        return [(key, *svg_chart.period_label(series.moments[key], series.unit)) for key in keys]
    if len(keys) <= 12 and len({after - before for before, after in zip(keys, keys[1:])}) < 2:
        return [(key, plain_number(key), "") for key in keys]
    ticks, _ = svg_chart.scale(keys[0], keys[-1], 8, False)
    return [(tick, plain_number(tick), "") for tick in ticks if keys[0] <= tick <= keys[-1]]


def extremes_said(series, totals):
    high, low = max(totals, key=totals.get), min(totals, key=totals.get)
    return f"Highest in {series.name(high)} with {show(totals[high])}, lowest in {series.name(low)} with {show(totals[low])}."


def course_said(values):
    return f"{show(values[0])} at first, {show(values[-1])} at last, between {show(min(values))} and {show(max(values))}"
