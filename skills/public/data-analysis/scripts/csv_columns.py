"""What can be said of each column of a table: its kind, range, frequent values, suspicious points."""

import math
import re
import statistics
from array import array
from collections import Counter

import csv_series
from csv_series import show
from csv_table import LOCAL, MISSING, SAMPLE_ROWS, Dates, Numbers, is_missing

BOOLEANS = {"true", "false", "yes", "no", "t", "f", "y", "n"}
SENTINELS = {-1.0, -99.0, -999.0, -9999.0, 99.0, 999.0, 9999.0, 99999.0}
# Numbers that name something: nobody adds them up.
LABEL = re.compile(r"(^|[_\s-])(id|ids|key|code|zip|plz|postcode|phone|year|no|nr|index)$", re.I)
NUMERIC = ("integer", "number")
DISTINCT_LIMIT = 10_000
TEXT_SHOWN = 60


def shorten(value, most=TEXT_SHOWN):
    value = " ".join(value.split())
    return value if len(value) <= most else value[: most - 1] + "…"


def share(part, whole):
    return round(part / whole, 4) if whole else 0.0


class Column:
    """Collects what is needed about one column, in one pass. `sample`: some of its values, by which it is read."""

    def __init__(self, name, sample):
        self.name = name
        self.read_number = Numbers(sample)
        self.read_date = Dates(sample)
        self.count = self.missing = self.padded = self.dressed = 0
        self.dressed_as = ""
        self.missing_words = Counter()
        self.kinds = Counter()
        self.values = Counter()
        self.known = {}
        self.distinct_capped = False
        self.numbers = array("d")
        self.first_over_12 = self.second_over_12 = 0
        self.least = self.most = None
        self.low = self.high = None
        self.units = Counter()
        self.examples = {}

    def classify(self, value):
        """(kind, what it says): a number, a moment with its unit, or None."""
        digits = value.lstrip("+-")
        if digits.isdigit() and digits.isascii():
            if len(digits) > 15 or len(digits) > 1 and digits[0] == "0":
                return "identifier", None
            return "integer", float(value)
        number = self.read_number.read(value)
        if number is not None:
            return "number", number
        moment = self.read_date.read(value)
        if moment is not None:
            return "date", moment
        return ("boolean" if value.lower() in BOOLEANS else "text"), None

    def add(self, raw, line):
        self.count += 1
        value = raw.strip()
        if value != raw:
            self.padded += 1
        if value.lower() in MISSING:
            self.missing += 1
            self.missing_words[value] += 1
            return
        found = self.known.get(value)
        if found is None:
            found = self.classify(value)
            if len(self.known) < DISTINCT_LIMIT:
                self.known[value] = found
            self.examples.setdefault(found[0], shorten(value))
        kind, says = found
        self.kinds[kind] += 1
        if value in self.values or len(self.values) < DISTINCT_LIMIT:
            self.values[value] += 1
        else:
            self.distinct_capped = True
        if kind in NUMERIC:
            self.numbers.append(says)
            if value[-1] not in "0123456789." or not value.lstrip("+-")[:1].isdigit() or "," in value or " " in value:
                self.dressed += 1
                self.dressed_as = self.dressed_as or value
            if self.least is None or says < self.least[0]:
                self.least = (says, line)
            if self.most is None or says > self.most[0]:
                self.most = (says, line)
        elif kind == "date":
            moment, unit = says
            self.units[unit] += 1
            self.low = moment if self.low is None else min(self.low, moment)
            self.high = moment if self.high is None else max(self.high, moment)
            match = LOCAL.fullmatch(value)
            if match:
                self.first_over_12 += int(match[1]) > 12
                self.second_over_12 += int(match[3]) > 12

    def type(self):
        """One name for the column; `mixed` when no reading covers 95 % of the values."""
        present = self.count - self.missing
        if present == 0:
            return "empty"
        kinds = Counter(self.kinds)
        if kinds["identifier"]:
            kinds["identifier"] += kinds.pop("integer", 0)
        if kinds["number"]:
            kinds["number"] += kinds.pop("integer", 0)
        if kinds["text"]:
            # Words that look like a flag are still words beside other words.
            kinds["text"] += kinds.pop("boolean", 0)
        kind, hits = kinds.most_common(1)[0]
        return kind if hits >= 0.95 * present else "mixed"

    def is_label(self):
        """Whether its numbers name something: by its name, or because each row has the next."""
        if LABEL.search(self.name):
            return True
        return self.least is not None and len(self.numbers) > 9 and all(
            after - before == 1 for before, after in zip(self.numbers, self.numbers[1:])
        )

    def unit(self):
        return next((unit for unit in ("time", "day", "month", "quarter") if self.units[unit]), None)

    def numeric(self):
        values = sorted(self.numbers)
        if not values:
            return None
        quartiles = statistics.quantiles(values, n=4, method="inclusive") if len(values) > 1 else values * 3
        spread = quartiles[2] - quartiles[0]
        low, high = quartiles[0] - 1.5 * spread, quartiles[2] + 1.5 * spread
        outside = [value for value in values if value < low or value > high] if spread > 0 and len(values) > 7 else []
        return {
            "min": values[0],
            "q1": quartiles[0],
            "median": quartiles[1],
            "q3": quartiles[2],
            "max": values[-1],
            "mean": math.fsum(values) / len(values),
            "stdev": statistics.stdev(values) if len(values) > 1 else None,
            "sum": math.fsum(values),
            "zeros": values.count(0),
            "negatives": sum(1 for value in values if value < 0),
            "outliers": len(outside),
            "min_line": self.least[1],
            "max_line": self.most[1],
        }

    def report(self, top, warn):
        present = self.count - self.missing
        kind = self.type()
        result = {
            "name": self.name,
            "type": kind,
            "values": present,
            "missing": self.missing,
            "distinct": len(self.values),
        }
        if self.distinct_capped:
            result["distinct_is_at_least"] = True
        common = [(value, count) for value, count in self.values.most_common(top) if count > 1]
        if common:
            result["top"] = [{"value": shorten(value), "count": count} for value, count in common]
        elif self.values:
            result["sample"] = [shorten(value) for value in list(self.values)[: min(top, 3)]]
        numbers = self.numeric() if kind in NUMERIC else None
        if numbers:
            result["label"] = self.is_label()
            result["numbers"] = {
                key: value if value is None or isinstance(value, int) else float(f"{value:.10g}")
                for key, value in numbers.items()
            }
        if kind == "date":
            unit = self.unit()
            shown = "day" if unit == "time" else unit
            result["exact_to"] = unit
            result["earliest"] = csv_series.period_name(self.low, shown)
            result["latest"] = csv_series.period_name(self.high, shown)
        if kind == "mixed":
            result["kinds"] = dict(self.kinds)
            result["examples"] = self.examples
        self.warnings(kind, present, numbers, warn)
        return result

    def warnings(self, kind, present, numbers, warn):
        name = self.name
        if kind == "empty":
            warn(f"{name}: no values")
        if kind == "mixed":
            warn(f"{name}: mixes kinds, " + ", ".join(f"{n} {k}" for k, n in self.kinds.most_common()))
        elif kind not in ("text", "empty"):
            odd = present - sum(self.kinds[k] for k in family(kind))
            if odd:
                other = next((e for k, e in self.examples.items() if k not in family(kind)), "")
                warn(f"{name}: of kind {kind}, but {odd} value(s) are not, such as '{other}'")
        if kind in NUMERIC and self.dressed:
            warn(f"{name}: numbers with signs or separators, such as '{self.dressed_as}', read with the decimal sign '{self.read_number.decimal}'")
        if kind in NUMERIC and self.read_number.contradicted:
            warn(f"{name}: some numbers have '.' for the decimals, some ','")
        if kind == "date" and (self.first_over_12 or self.second_over_12 or self.read_date.unclear):
            if self.first_over_12 and self.second_over_12:
                warn(f"{name}: mixes day-first and month-first dates")
            elif not self.first_over_12 and not self.second_over_12:
                warn(f"{name}: whether day or month comes first cannot be told; read month first")
        if self.padded:
            warn(f"{name}: {self.padded} value(s) with spaces at an end")
        words = [word for word in self.missing_words if word]
        if words:
            warn(f"{name}: missing values are written as " + ", ".join(repr(word) for word in sorted(words)))
        if 0.05 < share(self.missing, self.count) < 1:
            warn(f"{name}: {self.missing} of {self.count} values are missing")
        if present > 1 and len(self.values) == 1:
            warn(f"{name}: the same value in every row that has one")
        if kind == "text" and not self.distinct_capped:
            if len({value.casefold() for value in self.values}) < len(self.values):
                warn(f"{name}: values that differ only in upper and lower case")
        if numbers and not self.is_label():
            if numbers["outliers"]:
                low, high = (self.least[0], self.least[1]), (self.most[0], self.most[1])
                far = max(low, high, key=lambda end: abs(end[0] - numbers["median"]))
                count = numbers["outliers"]
                warn(
                    f"{name}: {count} {'outlier' if count == 1 else 'outliers'}, over 1.5 interquartile ranges away; "
                    f"the farthest is {show(far[0])} in line {far[1]}"
                )
            common = Counter(self.numbers)
            for number in SENTINELS & set(common):
                if common[number] > 1 and number in (numbers["min"], numbers["max"]):
                    warn(f"{name}: {common[number]} times {number:g}, perhaps a code for missing")


def family(kind):
    """The kinds that count as agreeing with a column's type."""
    return {"identifier": ("identifier", "integer"), "number": NUMERIC}.get(kind, (kind,))


def columns_of(source):
    """A Column for each, not filled yet: how numbers and dates are written is taken from the first rows."""
    samples = [[] for _ in source.names]
    for at, (_, row) in enumerate(source.rows()):
        if at >= SAMPLE_ROWS:
            break
        for sample, cell in zip(samples, row):
            value = cell.strip()
            if value and not is_missing(value):
                sample.append(value)
    return [Column(name, sample) for name, sample in zip(source.names, samples)]


def measures(columns):
    return [(at, c) for at, c in enumerate(columns) if c.type() in NUMERIC and not c.is_label()]


def first_dates(columns):
    return next((at for at, c in enumerate(columns) if c.type() == "date" and len(c.values) > 1), None)
