"""Groups the rows of a table by date, number or word, and adds them up. Used by profile_csv.py; draws nothing."""

import datetime
import math
import re
from dataclasses import dataclass, field

FINEST_FIRST = ("hour", "day", "week", "month", "quarter", "year")
PERIODS_SHOWN = 60
PERIODS_LIMIT = 400
KEYS_LIMIT = 20_000
POINTS_PRINTED = 40
MONTH_NAMES = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split()
# Adding these up says nothing: prices, shares, ages are averaged.
AVERAGED = re.compile(r"rate|ratio|price|cost per|avg|average|mean|median|percent|pct|%|share|score|rating|temp|age$|size$|duration|latency|(^|_)(ms|seconds)$|speed", re.I)


class Unusable(Exception):
    """What was asked for cannot be made of this table; the text says why and what can."""


def usual_aggregate(name):
    return "mean" if AVERAGED.search(name) else "sum"


def start_of(moment, unit):
    """The beginning of the period that a moment lies in; weeks begin on Monday."""
    if unit == "hour":
        return moment.replace(minute=0, second=0)
    day = moment.replace(hour=0, minute=0, second=0)
    if unit == "week":
        # The first days of year 1 belong to a week that a calendar of Python does not have.
        return day - datetime.timedelta(days=min(day.weekday(), day.toordinal() - 1))
    if unit == "month":
        return day.replace(day=1)
    if unit == "quarter":
        return day.replace(month=day.month - (day.month - 1) % 3, day=1)
    return day.replace(month=1, day=1) if unit == "year" else day


def index_of(moment, unit):
    """The number of a period: neighbours differ by one."""
    if unit == "hour":
        return moment.toordinal() * 24 + moment.hour
    if unit in ("day", "week"):
        return (moment.toordinal() - 1) // (7 if unit == "week" else 1)
    months = moment.year * 12 + moment.month - 1
    return months // {"month": 1, "quarter": 3, "year": 12}[unit]


def moment_of(index, unit):
    """The beginning of a period, from its number."""
    if unit in ("hour", "day", "week"):
        day = datetime.datetime.fromordinal({"hour": index // 24, "day": index + 1, "week": index * 7 + 1}[unit])
        return day.replace(hour=index % 24 if unit == "hour" else 0)
    months = index * {"month": 1, "quarter": 3, "year": 12}[unit]
    return datetime.datetime(months // 12, months % 12 + 1, 1)


def period_name(moment, unit):
    if unit == "hour":
        return f"{moment:%Y-%m-%d %H}:00".rjust(16, "0")
    if unit in ("day", "week"):
        return moment.date().isoformat()
    if unit == "month":
        return f"{moment.year:04}-{moment.month:02}"
    return f"{moment.year:04}-Q{moment.month // 3 + 1}" if unit == "quarter" else f"{moment.year:04}"


@dataclass
class Cell:
    count: int = 0
    total: float = 0.0

    def value(self, aggregate):
        return self.count if aggregate == "count" else self.total if aggregate == "sum" else self.total / self.count


@dataclass
class Series:
    """`keys` in order: period numbers, numbers or words. `values[key][group]` is a Cell; a missing one is a gap."""
    kind: str
    keys: list = field(default_factory=list)
    values: dict = field(default_factory=dict)
    unit: str = ""
    moments: dict = field(default_factory=dict)
    groups: list = field(default_factory=list)
    groups_left: int = 0
    rows: int = 0
    used: int = 0
    merged: bool = False

    def name(self, key):
        if self.kind == "date":
            return period_name(self.moments[key], self.unit)
        return f"{key:.10g}" if self.kind == "number" else key

    def totals(self):
        """Key to one Cell, all groups together."""
        result = {}
        for key, cells in self.values.items():
            result[key] = Cell(sum(c.count for c in cells.values()), math.fsum(c.total for c in cells.values()))
        return result


def collect(source, x, kind, read_x, y=None, read_y=None, group=None, by="auto", groups_shown=5, is_missing=lambda v: v == ""):
    """Goes through the rows once. x, y, group: column numbers; read_x, read_y: from text to a value or None."""
    raw, series = {}, Series(kind)
    finest = None
    for _, row in source.rows():
        series.rows += 1
        at = row[x].strip() if x < len(row) else ""
        number = 0.0
        if y is not None:
            number = read_y(row[y].strip()) if y < len(row) else None
        key = None if is_missing(at) else read_x(at)
        if key is None or number is None:
            continue
        if kind == "date":
            moment, exact = key
            unit = "hour" if exact == "time" else exact
            if finest is None or FINEST_FIRST.index(unit) < FINEST_FIRST.index(finest):
                finest = unit
            key = start_of(moment, unit)
        which = None
        if group is not None:
            which = row[group].strip() if group < len(row) else ""
            which = which or "(empty)"
        series.used += 1
        cell = raw.setdefault((key, which), Cell())
        cell.count += 1
        cell.total += number
        if len(raw) > KEYS_LIMIT:
            raise Unusable(f"column '{source.names[x]}' has too many different values for a chart: take another, or hist")
    if kind == "date" and raw:
        raw = by_period(series, raw, finest, by)
    sizes = {}
    for (key, which), cell in raw.items():
        series.values.setdefault(key, {})[which] = cell
        sizes[which] = sizes.get(which, 0) + (abs(cell.total) if y is not None else cell.count)
    ranked = sorted(sizes, key=lambda which: (-sizes[which], which or ""))
    series.groups, series.groups_left = ranked[:groups_shown], max(0, len(ranked) - groups_shown)
    if kind == "date" and y is None and series.values:
        # Where rows are counted, none is a true 0; a sum or mean of nothing is not known.
        for key in range(min(series.values), max(series.values) + 1):
            series.values.setdefault(key, {})
            series.moments.setdefault(key, moment_of(key, series.unit))
    series.keys = sorted(series.values)
    return series


def by_period(series, raw, finest, by):
    """The same cells by periods of one length: the wanted one, or the shortest that leaves few and mostly filled."""
    moments = [moment for moment, _ in raw]
    low, high = min(moments), max(moments)
    units = FINEST_FIRST[FINEST_FIRST.index(finest):] if by == "auto" else (by,)
    for unit in units:
        spanned = index_of(high, unit) - index_of(low, unit) + 1
        filled = len({index_of(moment, unit) for moment in moments})
        if by != "auto" or spanned <= PERIODS_SHOWN and filled >= spanned / 2:
            break
    if spanned > PERIODS_LIMIT:
        raise Unusable(f"{spanned} periods are too many for a chart: give a longer one with --by")
    series.unit, series.merged, merged = unit, unit != finest, {}
    for (moment, which), cell in raw.items():
        key = index_of(moment, unit)
        series.moments[key] = start_of(moment, unit)
        into = merged.setdefault((key, which), Cell())
        into.count += cell.count
        into.total += cell.total
    return merged


def show(number):
    """A number for people: thousands apart, no more digits than say something."""
    if number == int(number) and abs(number) < 1e15:
        return f"{number:,.0f}"
    if abs(number) >= 100:
        return f"{number:,.2f}"
    if abs(number) >= 1:
        return f"{number:.3f}".rstrip("0").rstrip(".")
    return f"{number:.4g}"


def cell(text):
    return text.replace("\\", "\\\\").replace("|", "\\|")


def table(heads, rows, most=POINTS_PRINTED):
    lines = ["| " + " | ".join(map(cell, heads)) + " |", "|" + "---|" * len(heads)]
    shown = rows if len(rows) <= most else [*rows[: most - 5], ("…",) + ("",) * (len(heads) - 1), *rows[-4:]]
    lines += ["| " + " | ".join(map(cell, row)) + " |" for row in shown]
    return lines + ([f"", f"{len(rows)} lines; those in the middle are left off."] if len(rows) > most else [])
