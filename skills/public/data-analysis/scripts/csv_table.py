"""Reads a delimited text file as rows, and its cells as numbers and dates. Used by profile_csv.py; runs nothing itself.

The file is read as a stream: a large one needs no more memory than a small one. How a column writes its numbers and
dates is decided once, from the first rows.
"""

import csv
import datetime
import re
from collections import Counter

MISSING = {"", "na", "n/a", "nan", "null", "none", "nil", "-", "--", "?", "#n/a", "unknown"}
SAMPLE_ROWS = 5_000
PLAIN = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")
# A sign or a currency before, a unit or percent behind: "$ 1,234.50", "(12.5)", "1.234,50 EUR", "12 %".
DRESSED = re.compile(r"([-+(]?)\s?([^\w\s.,()+-]|[A-Z]{3})?\s?([-+]?)(\d[\d.,'’ \u00a0\u202f]*)\s?(%|[^\w\s.,()+-]|[A-Z]{3})?\)?")
GROUPS = re.compile(r"\d{1,3}([.,'’ \u00a0\u202f])\d{3}(\1\d{3})*")
MONTHS = {name: at for at, name in enumerate("jan feb mar apr may jun jul aug sep oct nov dec".split(), start=1)}
ISO = re.compile(r"(\d{4})[-/](\d{1,2})(?:[-/](\d{1,2})(?:[T ](\d{1,2}):(\d\d)(?::(\d\d)(?:[.,]\d+)?)?\s?(Z|[+-]\d\d:?\d\d)?)?)?")
LOCAL = re.compile(r"(\d{1,2})([./-])(\d{1,2})\2(\d{4}|\d{2})(?:[T ,]+\d{1,2}:\d\d(?::\d\d)?)?")
NAMED = re.compile(r"(?:(\d{1,2})\.?[ -])?([A-Za-z]{3,9})\.?[ -](?:(\d{1,2}),? )?(\d{4})")
QUARTER = re.compile(r"(?:(\d{4})[- ]?Q([1-4])|Q([1-4])[- ](\d{4}))")


def is_missing(value):
    return value.lower() in MISSING


class Source:
    """A file whose rows can be gone through more than once. Raises OSError, UnicodeDecodeError, LookupError, csv.Error."""

    def __init__(self, path, encoding="auto", delimiter=None, header=True, max_rows=None):
        self.path = path
        self.encoding = encoding if encoding != "auto" else find_encoding(path)
        self.max_rows = max_rows
        with self._open() as file:
            sample = file.read(65_536)
        self.delimiter = delimiter or find_delimiter(sample)
        self.header = header
        self.notes = []
        self.first = next(self._lines(), (0, None))[1]
        if self.first is None:
            self.names = []
        elif header:
            self.names = self._unique(self.first)
        else:
            self.names = [f"column_{at}" for at in range(1, len(self.first) + 1)]

    def _open(self):
        # A byte that is no letter in an old encoding is shown as such and not a reason to stop.
        errors = "replace" if self.encoding == "cp1252" else "strict"
        return open(self.path, encoding=self.encoding, errors=errors, newline="")

    def _lines(self):
        with self._open() as file:
            reader = csv.reader(file, delimiter=self.delimiter)
            for row in reader:
                if any(cell.strip() for cell in row):
                    yield reader.line_num, row

    def rows(self):
        """(number of the row's last line in the file, its cells) for each row that is not empty."""
        lines = self._lines()
        if self.header:
            next(lines, None)
        for at, pair in enumerate(lines):
            if self.max_rows is not None and at >= self.max_rows:
                return
            yield pair

    def find(self, wanted):
        """The index of a column by its name, as written or else without regard to case; None: there is none."""
        if wanted in self.names:
            return self.names.index(wanted)
        folded = [name.casefold() for name in self.names]
        return folded.index(wanted.casefold()) if folded.count(wanted.casefold()) == 1 else None

    def _unique(self, header):
        names, seen = [], Counter()
        for position, raw in enumerate(header, start=1):
            name = " ".join(raw.split()) or f"column_{position}"
            if not raw.strip():
                self.notes.append(f"column {position} has no name")
            seen[name] += 1
            if seen[name] > 1:
                self.notes.append(f"column name '{name}' occurs more than once")
                name = f"{name}#{seen[name]}"
            names.append(name)
        return names


def find_encoding(path):
    with open(path, "rb") as file:
        start = file.read(4)
    if start.startswith((b"\xff\xfe", b"\xfe\xff")):
        return "utf-16"
    try:
        with open(path, encoding="utf-8") as file:
            while file.read(1_048_576):
                pass
        return "utf-8-sig"
    except UnicodeDecodeError:
        return "cp1252"


def find_delimiter(sample):
    """What parts the first lines most evenly; a comma when nothing does."""
    lines = [line for line in sample.splitlines()[:50] if line.strip()]
    if len(lines) > 2:
        lines = lines[:-1]  # The last one may be cut.
    best, best_score = ",", 0.0
    for delimiter in ",;\t|":
        widths = [len(row) for row in csv.reader(lines, delimiter=delimiter)]
        if not widths or max(widths) < 2:
            continue
        width, hits = Counter(widths).most_common(1)[0]
        score = hits / len(widths) * (width > 1) + width / 1000
        if score > best_score:
            best, best_score = delimiter, score
    return best


class Numbers:
    """Reads the numbers of one column. `decimal` is its decimal sign, found from the values that tell."""

    def __init__(self, values):
        votes = Counter(sign for value in values for sign in [decimal_sign(value)] if sign)
        self.decimal = "," if votes[","] > votes["."] else "."
        self.contradicted = min(votes[","], votes["."])

    def read(self, text):
        """The number, or None. `12 %` is 12, `(5)` is -5."""
        if self.decimal == "." and PLAIN.fullmatch(text):
            return finite(text)
        match = DRESSED.fullmatch(text)
        if not match or (match[1] == "(") != text.endswith(")"):
            return None
        digits = match[4].strip()
        whole, point, part = digits.rpartition(self.decimal)
        if not point:
            whole, part = digits, ""
        group = "." if self.decimal == "," else ","
        if not (whole.isdigit() or whole == "" or grouped(whole, group)) or not (part == "" or part.isdigit()):
            return None
        number = finite("".join(c for c in whole if c.isdigit()) + "." + part)
        return -number if number is not None and (match[1] in ("-", "(") or match[3] == "-") else number


def grouped(whole, group):
    match = GROUPS.fullmatch(whole)
    return match is not None and (match[1] == group or match[1] not in ".,")


def finite(text):
    if not any(c.isdigit() for c in text):
        return None
    number = float(text)
    # Beyond this sums overflow; no measured quantity is that large.
    return number if abs(number) < 1e150 else None


def decimal_sign(value):
    """The sign before the decimals where the value leaves no doubt, else None: 1,234 may be either."""
    match = DRESSED.fullmatch(value)
    digits = match[4].strip() if match else ""
    last = max(digits.rfind(","), digits.rfind("."))
    if last < 0:
        return None
    sign, other = digits[last], "." if digits[last] == "," else ","
    if other in digits:
        return sign
    if digits.count(sign) > 1:
        return other
    return None if len(digits) - last == 4 and not digits.startswith("0") and last <= 3 else sign


class Dates:
    """Reads the dates of one column. `unit` is how exact they are: year, quarter, month, day or time."""

    def __init__(self, values):
        firsts, seconds, self.ambiguous = 0, 0, 0
        dotted = False
        for value in values:
            match = LOCAL.fullmatch(value)
            if match:
                firsts += int(match[1]) > 12
                seconds += int(match[3]) > 12
                dotted = dotted or match[2] == "."
                self.ambiguous += 1
        self.day_first = firsts >= seconds if firsts or seconds else dotted
        self.mixed = firsts > 0 and seconds > 0
        # 03/04/2026 in a column that never goes past 12: nobody can tell.
        self.unclear = self.ambiguous > 0 and not firsts and not seconds and not dotted

    def read(self, text):
        """(datetime, unit), or None for what is no date."""
        if not text[:1].isalnum() or len(text) > 40:
            return None
        match = ISO.fullmatch(text)
        if match:
            year, month, day, hour, minute, second, _ = match.groups()
            unit = "time" if hour else "day" if day else "month"
            return made(unit, year, month, day or 1, hour or 0, minute or 0, second or 0)
        match = LOCAL.fullmatch(text)
        if match:
            one, two = (match[1], match[3]) if self.day_first else (match[3], match[1])
            year = int(match[4])
            return made("day", year + (0 if year > 99 else 2000 if year < 70 else 1900), two, one)
        match = QUARTER.fullmatch(text)
        if match:
            return made("quarter", match[1] or match[4], 3 * int(match[2] or match[3]) - 2, 1)
        match = NAMED.fullmatch(text)
        if match and match[2][:3].lower() in MONTHS:
            day = match[1] or match[3]
            return made("day" if day else "month", match[4], MONTHS[match[2][:3].lower()], day or 1)
        return None


def made(unit, *parts):
    try:
        return datetime.datetime(*(int(part) for part in parts)), unit
    except ValueError:
        return None
