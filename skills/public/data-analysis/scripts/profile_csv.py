#!/usr/bin/env python3
"""Profile a delimited text file: types, missing values, ranges, duplicates and suspicious points.

Reads one file (or standard input), prints one JSON object to standard output, never changes the file.
Needs only the standard library. Exit status: 0 profile printed, 2 wrong use or unreadable, 3 no data rows.
"""

import argparse
import csv
import io
import json
import math
import re
import statistics
import sys
from collections import Counter

MISSING = {"", "na", "n/a", "nan", "null", "none", "nil", "-", "--", "?", "#n/a", "unknown"}
BOOLEANS = {"true", "false", "yes", "no", "t", "f", "y", "n"}
INTEGER = re.compile(r"^[+-]?\d+$")
DECIMAL = re.compile(r"^[+-]?(\d+\.\d*|\.\d+|\d+)([eE][+-]?\d+)?$")
# "1,234.50", "1.234,50", "12 %", "$5", "5 EUR": a number for people, which must be parsed on purpose.
FORMATTED = re.compile(r"^[^\w\s.,+-]?\s?[+-]?\d{1,3}([.,' ]?\d{3})*([.,]\d+)?\s?(%|[^\w\s.,]|[A-Z]{3})?$")
ISO_DATE = re.compile(r"^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$")
ISO_TIME = re.compile(r"^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?\s?(Z|[+-]\d\d:?\d\d)?$")
LOCAL_DATE = re.compile(r"^(\d{1,2})[./-](\d{1,2})[./-](\d{2}|\d{4})$")
SENTINELS = {-1.0, -99.0, -999.0, -9999.0, 99.0, 999.0, 9999.0, 99999.0}
TOTAL_WORDS = {"total", "totals", "sum", "subtotal", "grand total", "summe", "gesamt"}
DISTINCT_LIMIT = 50_000
TEXT_SHOWN = 60
WARNINGS_SHOWN = 100


def kind_of(value):
    """The narrowest kind that a non-missing value has."""
    if INTEGER.match(value):
        digits = value.lstrip("+-")
        if len(digits) > 15:
            return "identifier"
        return "identifier" if len(digits) > 1 and digits[0] == "0" else "integer"
    if DECIMAL.match(value):
        return "number"
    if ISO_DATE.match(value):
        return "date"
    if ISO_TIME.match(value):
        return "datetime"
    if LOCAL_DATE.match(value):
        return "local_date"
    if value.lower() in BOOLEANS:
        return "boolean"
    if FORMATTED.match(value):
        return "formatted_number"
    return "text"


def shorten(value):
    return value if len(value) <= TEXT_SHOWN else value[: TEXT_SHOWN - 3] + "..."


def rounded(value):
    # Ten digits: sums stay exact to the cent, noise of binary fractions goes.
    return float(f"{value:.10g}")


def share(part, whole):
    return round(part / whole, 4) if whole else 0.0


class Column:
    """Collects what is needed about one column, in one pass."""

    def __init__(self, name):
        self.name = name
        self.count = 0
        self.missing = 0
        self.missing_words = Counter()
        self.padded = 0
        self.kinds = Counter()
        self.values = Counter()
        self.distinct_capped = False
        self.numbers = []
        self.first_over_12 = 0
        self.second_over_12 = 0
        self.low = None
        self.high = None
        self.examples = {}

    def add(self, raw):
        self.count += 1
        value = raw.strip()
        if value != raw:
            self.padded += 1
        if value.lower() in MISSING:
            self.missing += 1
            self.missing_words[value] += 1
            return
        kind = kind_of(value)
        self.kinds[kind] += 1
        self.examples.setdefault(kind, shorten(value))
        if value in self.values or len(self.values) < DISTINCT_LIMIT:
            self.values[value] += 1
        else:
            self.distinct_capped = True
        if kind in ("integer", "number"):
            number = float(value)
            # Beyond this a variance overflows; no measured quantity is that large.
            if abs(number) < 1e150:
                self.numbers.append(number)
        elif kind == "local_date":
            first, second, _ = LOCAL_DATE.match(value).groups()
            self.first_over_12 += int(first) > 12
            self.second_over_12 += int(second) > 12
        elif kind in ("date", "datetime"):
            self.low = value if self.low is None else min(self.low, value)
            self.high = value if self.high is None else max(self.high, value)

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
        if kinds["datetime"]:
            kinds["datetime"] += kinds.pop("date", 0)
        if kinds["formatted_number"]:
            kinds["formatted_number"] += kinds.pop("integer", 0) + kinds.pop("number", 0)
        if kinds["text"]:
            # Words that look like a flag or a grouped number are still words beside other words.
            kinds["text"] += kinds.pop("boolean", 0)
        kind, hits = kinds.most_common(1)[0]
        return kind if hits >= 0.95 * present else "mixed"

    def numeric(self):
        values = sorted(self.numbers)
        if not values:
            return None
        quartiles = statistics.quantiles(values, n=4, method="inclusive") if len(values) > 1 else values * 3
        spread = quartiles[2] - quartiles[0]
        fence_low, fence_high = quartiles[0] - 3 * spread, quartiles[2] + 3 * spread
        far = sum(1 for value in values if value < fence_low or value > fence_high) if spread > 0 else 0
        return {
            "min": rounded(values[0]),
            "q1": rounded(quartiles[0]),
            "median": rounded(quartiles[1]),
            "q3": rounded(quartiles[2]),
            "max": rounded(values[-1]),
            "mean": rounded(math.fsum(values) / len(values)),
            "stdev": rounded(statistics.stdev(values)) if len(values) > 1 else None,
            "sum": rounded(math.fsum(values)),
            "zeros": sum(1 for value in values if value == 0),
            "negatives": sum(1 for value in values if value < 0),
            "far_outliers": far,
        }

    def report(self, top, warn):
        present = self.count - self.missing
        kind = self.type()
        result = {
            "name": self.name,
            "type": kind,
            "missing": self.missing,
            "missing_share": share(self.missing, self.count),
            "distinct": len(self.values),
        }
        if self.distinct_capped:
            result["distinct_is_at_least"] = True
        if self.values:
            common = [(value, count) for value, count in self.values.most_common(top) if count > 1]
            if common:
                result["top"] = [{"value": shorten(value), "count": count} for value, count in common]
            else:
                result["sample"] = [shorten(value) for value in list(self.values)[: min(top, 3)]]
        numbers = self.numeric() if kind in ("integer", "number") else None
        if numbers:
            result["numbers"] = numbers
        if kind in ("date", "datetime"):
            result["earliest"], result["latest"] = self.low, self.high
        if kind == "mixed":
            result["kinds"] = dict(self.kinds)
            result["examples"] = self.examples
        self.warnings(kind, present, numbers, warn)
        return result

    def warnings(self, kind, present, numbers, warn):
        name = self.name
        if kind == "empty":
            warn(f"column '{name}' has no values")
        if kind == "mixed":
            warn(f"column '{name}' mixes kinds: " + ", ".join(f"{k} {n}" for k, n in self.kinds.most_common()))
        elif kind not in ("text", "empty"):
            odd = present - sum(self.kinds[k] for k in family(kind))
            if odd:
                warn(f"column '{name}' is {kind}, but {odd} value(s) are not")
        if kind == "formatted_number":
            warn(f"column '{name}' holds numbers with separators or units: parse them before calculating")
        if kind == "local_date":
            if self.first_over_12 and self.second_over_12:
                warn(f"column '{name}' mixes day-first and month-first dates")
            elif not self.first_over_12 and not self.second_over_12:
                warn(f"column '{name}' has dates whose order of day and month cannot be told")
        if self.padded:
            warn(f"column '{name}' has {self.padded} value(s) with spaces at an end")
        words = [word for word in self.missing_words if word]
        if words:
            warn(f"column '{name}' writes missing values as: " + ", ".join(repr(w) for w in sorted(words)))
        if 0.05 < share(self.missing, self.count) < 1:
            warn(f"column '{name}' lacks {self.missing} of {self.count} values")
        if present > 1 and len(self.values) == 1:
            warn(f"column '{name}' has the same value in every row that has one")
        if kind == "text" and not self.distinct_capped:
            folded = len({value.casefold() for value in self.values})
            if folded < len(self.values):
                warn(f"column '{name}' has values that differ only in upper and lower case")
        if numbers:
            if numbers["far_outliers"]:
                warn(f"column '{name}' has {numbers['far_outliers']} far outlier(s), over 3 interquartile ranges away")
            common = Counter(self.numbers)
            for number in SENTINELS:
                extreme = number in (numbers["min"], numbers["max"])
                if extreme and common[number] > max(2, 0.01 * len(self.numbers)):
                    warn(f"column '{name}' has {common[number]} times {number:g}: perhaps a code for missing")


def family(kind):
    """The kinds that count as agreeing with a column's type."""
    return {
        "identifier": ("identifier", "integer"),
        "number": ("number", "integer"),
        "datetime": ("datetime", "date"),
        "formatted_number": ("formatted_number", "integer", "number"),
    }.get(kind, (kind,))


def unique_names(header, warn):
    names, seen = [], Counter()
    for position, raw in enumerate(header, start=1):
        name = raw.strip() or f"column_{position}"
        if not raw.strip():
            warn(f"column {position} has no name")
        seen[name] += 1
        if seen[name] > 1:
            warn(f"column name '{name}' occurs more than once")
            name = f"{name}#{seen[name]}"
        names.append(name)
    return names


def sniff(sample):
    """The delimiter that splits the first lines most evenly; a comma when nothing does."""
    lines = [line for line in sample.splitlines()[:50] if line.strip()]
    best, best_score = ",", 0.0
    for delimiter in ",;\t|":
        widths = [len(row) for row in csv.reader(lines, delimiter=delimiter)]
        if not widths or max(widths) < 2:
            continue
        width, hits = Counter(widths).most_common(1)[0]
        score = hits / len(widths) * (1 if width > 1 else 0) + width / 1000
        if score > best_score:
            best, best_score = delimiter, score
    return best


def read_text(path, encoding):
    """The text and the encoding that fitted. Raises OSError, UnicodeDecodeError or LookupError."""
    if path == "-":
        data = sys.stdin.buffer.read()
    else:
        with open(path, "rb") as file:
            data = file.read()
    if encoding != "auto":
        return data.decode(encoding), encoding
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return data.decode("utf-16"), "utf-16"
    try:
        return data.decode("utf-8-sig"), "utf-8"
    except UnicodeDecodeError:
        return data.decode("cp1252", errors="replace"), "cp1252"


def profile(text, encoding, options):
    """The whole report as a dictionary. Raises csv.Error for text that is no table."""
    warnings = []
    delimiter = options.delimiter or sniff(text[:65_536])
    rows = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
    header = next(rows, None)
    if header is None:
        return None
    if options.no_header:
        names = [f"column_{i}" for i in range(1, len(header) + 1)]
        first = [header]
    else:
        names = unique_names(header, warnings.append)
        first = []
    columns = [Column(name) for name in names]
    fingerprints, total, ragged, totals, headers, truncated = Counter(), 0, 0, 0, 0, False

    def each():
        yield from first
        yield from rows

    for row in each():
        if not any(cell.strip() for cell in row):
            continue
        if total >= options.max_rows:
            truncated = True
            break
        total += 1
        if len(row) != len(columns):
            ragged += 1
        if not options.no_header and row == header:
            headers += 1
        if any(cell.strip().lower() in TOTAL_WORDS for cell in row[:2]):
            totals += 1
        fingerprints[hash(tuple(row))] += 1
        for index, column in enumerate(columns):
            column.add(row[index] if index < len(row) else "")
    if total == 0:
        return None

    duplicates = total - len(fingerprints)
    if encoding == "cp1252":
        warnings.append("the file is not UTF-8: read as cp1252, check letters with accents")
    if ragged:
        warnings.append(f"{ragged} row(s) have another number of fields than the header")
    if headers:
        warnings.append(f"{headers} row(s) repeat the header")
    if totals:
        warnings.append(f"{totals} row(s) look like totals: remove them before summing")
    if duplicates:
        warnings.append(f"{duplicates} row(s) repeat another row completely")
    if truncated:
        warnings.append(f"only the first {total} rows were read: raise --max-rows to read more")
    shown = columns[: options.max_columns]
    if len(shown) < len(columns):
        warnings.append(f"only {len(shown)} of {len(columns)} columns are shown: raise --max-columns")
    reports = [column.report(options.top, warnings.append) for column in shown]
    return {
        "rows": total,
        "rows_complete": not truncated,
        "columns": len(columns),
        "delimiter": delimiter,
        "encoding": encoding,
        "duplicate_rows": duplicates,
        "ragged_rows": ragged,
        "possible_keys": [
            r["name"] for c, r in zip(shown, reports)
            if not c.missing and not c.distinct_capped and len(c.values) == total
        ],
        "warnings": warnings[:WARNINGS_SHOWN],
        "warnings_left_off": max(0, len(warnings) - WARNINGS_SHOWN),
        "fields": reports,
    }


def render(result):
    """JSON with one line a field and a warning: readable, and short enough for a bounded tool result."""
    lines = []
    for key, value in result.items():
        if key in ("fields", "warnings") and value:
            items = ",\n  ".join(json.dumps(item, ensure_ascii=False) for item in value)
            lines.append(f' "{key}": [\n  {items}\n ]')
        else:
            lines.append(f" {json.dumps(key)}: {json.dumps(value, ensure_ascii=False)}")
    return "{\n" + ",\n".join(lines) + "\n}"


def positive(text):
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError("must be at least 1")
    return number


def main():
    parser = argparse.ArgumentParser(
        description="Profile a CSV or other delimited file; prints JSON.",
        epilog="Exit status: 0 printed, 2 wrong use or unreadable file, 3 no data rows.",
    )
    parser.add_argument("file", help="path of the file, or - for standard input")
    parser.add_argument("--delimiter", help="one character, or: tab; found out by itself when absent")
    parser.add_argument("--encoding", default="auto", help="default: UTF-8, else cp1252")
    parser.add_argument("--no-header", action="store_true", help="the first row is data")
    parser.add_argument("--max-rows", type=positive, default=200_000, help="rows read at most (default 200000)")
    parser.add_argument("--max-columns", type=positive, default=60, help="columns shown at most (default 60)")
    parser.add_argument("--top", type=positive, default=5, help="most frequent values shown (default 5)")
    options = parser.parse_args()
    if options.delimiter == "tab":
        options.delimiter = "\t"
    if options.delimiter is not None and len(options.delimiter) != 1:
        parser.error("--delimiter takes one character")
    # A long text cell is data, not an attack: the default limit of 128 KB stops honest files.
    csv.field_size_limit(16_777_216)
    try:
        text, encoding = read_text(options.file, options.encoding)
        result = profile(text, encoding, options)
    except (OSError, UnicodeDecodeError, LookupError, csv.Error) as error:
        print(f"profile_csv: cannot read {options.file}: {error}", file=sys.stderr)
        return 2
    if result is None:
        print(f"profile_csv: {options.file} has no data rows", file=sys.stderr)
        return 3
    print(render(result))
    return 0


if __name__ == "__main__":
    sys.exit(main())
