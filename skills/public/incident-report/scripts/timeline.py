#!/usr/bin/env python3
"""Build a timeline from logs: first and last entry, changes, errors by kind, bursts, silences.

Reads log files (ISO, syslog, nginx or Apache, epoch or JSON-lines times), prints Markdown, changes nothing. All times are
shown in UTC. What looks like a secret or an address of a person is masked. Needs only the standard library.
Exit status: 0 done, 2 wrong use or unreadable, 3 no line with a time.
"""

import argparse
import json
import os
import re
import statistics
import sys
from array import array
from collections import Counter
from datetime import datetime, timedelta, timezone

ISO = re.compile(r"(\d{4})[-/](\d\d)[-/](\d\d)[T ](\d\d):(\d\d):(\d\d)(?:[.,](\d{1,9}))?\s?(Z|UTC|[+-]\d\d:?\d\d)?")
SYSLOG = re.compile(r"(?:<\d+>)?([A-Z][a-z]{2}) {1,2}(\d{1,2}) (\d\d):(\d\d):(\d\d)(?:\.(\d{1,9}))?")
ACCESS = re.compile(r"\[(\d\d)/([A-Z][a-z]{2})/(\d{4}):(\d\d):(\d\d):(\d\d) ([+-]\d{4})\]")
EPOCH = re.compile(r"\[?(\d{10}(?:\.\d+)?|\d{13})\]?\s")
REQUEST = re.compile(r'"([A-Z]{3,8}) (\S+)[^"]*" (\d{3})\b')
MONTHS = {name: at for at, name in enumerate("Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(), start=1)}
TIME_SEARCHED = 120

TIME_KEYS = ("@timestamp", "timestamp", "time", "ts", "datetime", "date", "asctime")
LEVEL_KEYS = ("level", "severity", "levelname", "lvl", "log.level", "log_level")
TEXT_KEYS = ("message", "msg", "event", "error", "err", "exception")
LEVEL = re.compile(r"\b(EMERG(?:ENCY)?|ALERT|FATAL|CRIT(?:ICAL)?|PANIC|SEVERE|ERROR|ERR|WARN(?:ING)?|NOTICE|INFO|DEBUG|TRACE)\b", re.I)
ERRORS = {"emerg", "emergency", "alert", "fatal", "crit", "critical", "panic", "severe", "error", "err"}
FAILED = re.compile(r"\b(\w*exception|\w+error|panic|segfault|out of memory|oom-kill\w*)\b", re.I)
CHANGES = re.compile(
    r"\b(deploy\w*|releas\w+|roll(?:ed|ing)?[ -]?back\w*|rollback\w*|restart\w*|reboot\w*|start(?:ed|ing|s|up)\b|stopp(?:ed|ing)|"
    r"shut(?:ting)? ?down|fail(?:ed)?[ -]?over\w*|failover\w*|scal(?:ed|ing) (?:up|down|in|out|to)|migrat\w+|"
    r"config\w* (?:changed|reloaded|updated|applied)|feature flag|promot\w+|evict\w+|oom-kill\w*|out of memory|maintenance)",
    re.I,
)
SECRET = re.compile(r"(?i)\b(bearer|basic)\s+\S+|\b(pass(?:word|wd)?|secret|token|api[_-]?key|authorization|cookie)(\"?\s*[=:]\s*\"?)[^\s\",;]+")
EMAIL = re.compile(r"[\w.+-]+@[\w-]+\.[\w.-]+")
VARYING = (
    (re.compile(r"\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b", re.I), "<id>"),
    (re.compile(r"\b\d{1,3}(?:\.\d{1,3}){3}(?::\d+)?\b"), "<address>"),
    (re.compile(r"\b(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{8,}\b", re.I), "<id>"),
    (re.compile(r"0x[0-9a-f]+", re.I), "<id>"),
    (re.compile(r"[A-Za-z0-9+/_=-]{40,}"), "<id>"),
    (re.compile(r"\d+(?:[.,]\d+)*"), "#"),
)
SHOWN = 110
LINES_LIMIT = 1_000_000
ERRORS_LIMIT = 200_000
KINDS_SHOWN = 12
BURSTS_SHOWN = 8
SILENCES_SHOWN = 6
CHANGES_SHOWN = 15
ROWS_OF_COUNTS = 30
BUCKETS = (10, 60, 300, 900, 3600, 21_600, 86_400)
LEAST_BURST = 5
LEAST_SILENCE = 60.0


class Entry:
    __slots__ = ("at", "file", "line", "text")

    def __init__(self, at, file, line, text):
        self.at, self.file, self.line, self.text = at, file, line, text

    def source(self):
        return f"{self.file}:{self.line}"


def in_zone(moment, zone, default):
    """Seconds since 1970 of a moment that names its zone or not."""
    if not zone:
        return moment.replace(tzinfo=default).timestamp()
    if zone in ("Z", "UTC"):
        return moment.replace(tzinfo=timezone.utc).timestamp()
    return moment.replace(tzinfo=parsed_zone(zone)).timestamp()


def parsed_zone(text):
    match = re.fullmatch(r"([+-])(\d\d):?(\d\d)", text)
    if text.upper() in ("UTC", "Z"):
        return timezone.utc
    if not match or int(match[2]) > 23 or int(match[3]) > 59:
        raise ValueError(f"'{text}' is no offset: write it as +02:00")
    offset = timedelta(hours=int(match[2]), minutes=int(match[3]))
    return timezone(offset if match[1] == "+" else -offset)


def of_number(number):
    """An epoch in seconds, milliseconds, microseconds or nanoseconds."""
    for size in (1, 1e3, 1e6, 1e9):
        if 1e8 <= number / size < 1e10:
            return number / size
    return None


class Reader:
    """Reads the time of a line, and what else it says. Counts what it had to assume."""

    def __init__(self, zone, year):
        self.zone, self.year = zone, year
        self.without_zone = self.without_year = 0

    def time_of(self, text):
        """(seconds, what stands behind the time), or None."""
        head = text[:TIME_SEARCHED]
        try:
            match = ACCESS.search(head)
            if match:
                day, month, year, hour, minute, second, zone = match.groups()
                moment = datetime(int(year), MONTHS[month], int(day), int(hour), int(minute), int(second))
                return in_zone(moment, zone, self.zone), text
            match = ISO.search(head)
            if match:
                *parts, fraction, zone = match.groups()
                self.without_zone += zone is None
                at = in_zone(datetime(*map(int, parts)), zone, self.zone) + float(f"0.{fraction or 0}")
                return at, (head[: match.start()].strip(" [") + " " + text[match.end():].lstrip(" ]-:|")).strip()
            match = SYSLOG.match(head)
            if match:
                month, day, hour, minute, second, _ = match.groups()
                self.without_zone += 1
                self.without_year += 1
                moment = datetime(self.year, MONTHS[month], int(day), int(hour), int(minute), int(second))
                return in_zone(moment, None, self.zone), text[match.end():].strip()
        except (ValueError, KeyError, OverflowError):
            return None
        match = EPOCH.match(head)
        at = of_number(float(match[1])) if match else None
        return None if at is None else (at, text[match.end():].strip())

    def read(self, text):
        """(seconds, level or None, message), or None for a line without a time."""
        if text.startswith("{"):
            try:
                value = json.loads(text)
            except ValueError:
                value = None
            if isinstance(value, dict):
                return self.of_object(value)
        found = self.time_of(text)
        if found is None:
            return None
        at, rest = found
        match = LEVEL.search(rest[:TIME_SEARCHED])
        return at, match[1].lower() if match else None, rest

    def of_object(self, value):
        stamp = next((value[key] for key in TIME_KEYS if key in value), None)
        at = None
        if isinstance(stamp, (int, float)) and not isinstance(stamp, bool):
            at = of_number(stamp)
        elif isinstance(stamp, str):
            found = self.time_of(stamp + " ")
            at = found and found[0]
        if at is None:
            return None
        level = next((str(value[key]).lower() for key in LEVEL_KEYS if key in value), None)
        # Numbers of pino and bunyan.
        level = {"60": "fatal", "50": "error", "40": "warn", "30": "info", "20": "debug", "10": "trace"}.get(level, level)
        text = next((str(value[key]) for key in TEXT_KEYS if value.get(key) not in (None, "", {})), "")
        status = value.get("status", value.get("status_code"))
        if isinstance(status, int) and status >= 500:
            level = level if level in ERRORS else "error"
            text = f"{text} (status {status})"
        return at, level, text or json.dumps(value)


def masked(text):
    text = SECRET.sub(lambda m: f"{m[1]} [redacted]" if m[1] else f"{m[2]}{m[3]}[redacted]", text)
    return EMAIL.sub("[email]", text)


def cut(text, most=SHOWN):
    text = " ".join(text.split())
    return text if len(text) <= most else text[: most - 1] + "…"


def kind_of(text):
    """A message without what differs from case to case."""
    request = REQUEST.search(text)
    if request:
        path = request[2].split("?")[0]
        return cut(f"{request[1]} {without_varying(path)} answered {request[3]}")
    return cut(without_varying(re.sub(r"^\W*(?:[\w.-]+ )?[\w./-]+\[\d+\]:\s*", "", text)))


def without_varying(text):
    text = masked(text)
    for pattern, name in VARYING:
        text = pattern.sub(name, text)
    return text


def is_error(level, text):
    request = REQUEST.search(text)
    if request:
        return request[3][0] == "5"
    return level in ERRORS or level is None and FAILED.search(text) is not None


class Log:
    """All that is kept of the files: times of all entries, and the errors and changes themselves."""

    def __init__(self):
        self.lines = self.untimed = self.errors_seen = 0
        self.times = array("d")
        self.first = self.last = None
        self.errors, self.changes = [], []
        self.levels, self.statuses = Counter(), Counter()

    def add(self, entry, level):
        self.times.append(entry.at)
        if self.first is None or entry.at < self.first.at:
            self.first = entry
        if self.last is None or entry.at >= self.last.at:
            self.last = entry
        if level:
            self.levels[level] += 1
        request = REQUEST.search(entry.text)
        if request:
            self.statuses[f"{request[3][0]}xx"] += 1
        if is_error(level, entry.text):
            self.errors_seen += 1
            if len(self.errors) < ERRORS_LIMIT:
                entry.text = kind_of(entry.text)
                self.errors.append(entry)
        elif not request and len(self.changes) < 10_000 and CHANGES.search(entry.text):
            entry.text = cut(masked(entry.text))
            self.changes.append(entry)

    def read(self, path, reader, since, until):
        name = os.path.basename(path)
        with open(path, encoding="utf-8", errors="replace") as file:
            for number, raw in enumerate(file, start=1):
                if self.lines >= LINES_LIMIT:
                    return
                text = raw.strip()
                if not text:
                    continue
                self.lines += 1
                found = reader.read(text[:20_000])
                if found is None:
                    self.untimed += 1
                    continue
                at, level, message = found
                if (since is None or at >= since) and (until is None or at <= until):
                    self.add(Entry(at, name, number, message), level)


def bucket_for(span):
    return next((size for size in BUCKETS if span / size <= 1_000), BUCKETS[-1])


def bursts_of(errors, start, span):
    """Runs of time with far more errors than usual: (first entry, last entry, how many, most in one bucket, main kind)."""
    size = max(60, bucket_for(span))
    counts = Counter(int((entry.at - start) // size) for entry in errors)
    usual = statistics.median([counts[at] for at in range(int(span // size) + 1)])
    loud = sorted(at for at, count in counts.items() if count >= max(LEAST_BURST, 3 * usual))
    runs = []
    for at in loud:
        if runs and at - runs[-1][1] <= 3:
            runs[-1][1] = at
        else:
            runs.append([at, at])
    result = []
    for low, high in runs:
        inside = [entry for entry in errors if low <= int((entry.at - start) // size) <= high]
        kind, _ = Counter(entry.text for entry in inside).most_common(1)[0]
        peak = max(counts[at] for at in range(low, high + 1))
        result.append((inside[0], inside[-1], len(inside), peak, size, kind))
    return sorted(result, key=lambda burst: -burst[2])[:BURSTS_SHOWN]


def silences_of(times, least):
    """(begin, end) of the longest stretches without an entry."""
    steps = [after - before for before, after in zip(times, times[1:])]
    if least is None:
        # Not where entries are rare anyway.
        least = max(LEAST_SILENCE, 20 * statistics.median(steps)) if steps else LEAST_SILENCE
    found = [(times[at], times[at + 1]) for at, step in enumerate(steps) if step >= least]
    return sorted(found, key=lambda pair: pair[0] - pair[1])[:SILENCES_SHOWN]


def clock(at, days):
    moment = datetime.fromtimestamp(int(at), timezone.utc)
    return f"{moment:%Y-%m-%d %H:%M:%S}" if days else f"{moment:%H:%M:%S}"


def lasting(seconds):
    seconds = int(seconds)
    hours, minutes = seconds // 3600, seconds % 3600 // 60
    if hours >= 48:
        return f"{hours // 24} d {hours % 24} h"
    if hours:
        return f"{hours} h {minutes} min"
    if minutes and seconds % 60:
        return f"{minutes} min {seconds % 60} s"
    return f"{minutes} min" if minutes else f"{seconds} s"


def many(number, noun):
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def cell(text):
    return text.replace("\\", "\\\\").replace("|", "\\|").replace("<", "&lt;")


def table(heads, rows):
    return [f"| {' | '.join(heads)} |", "|" + "---|" * len(heads), *(f"| {' | '.join(map(cell, row))} |" for row in rows), ""]


def notable(entries, shown):
    """The first of each kind, in the order of time; and how many were left off."""
    seen, kept = set(), []
    for entry in entries:
        kind = kind_of(entry.text)
        if kind not in seen:
            seen.add(kind)
            kept.append(entry)
    return kept[:shown], max(0, len(kept) - shown)


def report(log, files, reader, least_silence):
    start, end = log.first.at, log.last.at
    span = end - start
    days = clock(start, True)[:10] != clock(end, True)[:10]
    times, errors = sorted(log.times), sorted(log.errors, key=lambda entry: entry.at)
    bursts, silences = (bursts_of(errors, start, span) if errors else []), silences_of(times, least_silence)
    changes, left = notable(sorted(log.changes, key=lambda entry: entry.at), CHANGES_SHOWN)

    rows = [(start, "First entry", log.first.source())]
    rows += [(entry.at, entry.text, entry.source()) for entry in changes]
    if errors:
        rows.append((errors[0].at, f"First error: {errors[0].text}", errors[0].source()))
        rows.append((errors[-1].at, f"Last error: {errors[-1].text}", errors[-1].source()))
    for first, last, count, peak, size, kind in bursts:
        says = f"Burst until {clock(last.at, days)} ({lasting(last.at - first.at)}): {many(count, 'error')}, at most {peak} in {lasting(size)}; mostly: {kind}"
        rows.append((first.at, says, first.source()))
    rows += [(low, f"Silence until {clock(high, days)} ({lasting(high - low)}): no entry at all", "") for low, high in silences]
    rows.append((end, "Last entry", log.last.source()))
    order = sorted(range(len(rows)), key=lambda at: (rows[at][0], at))

    lines = [f"# Timeline from {', '.join(files)}", ""]
    lines.append(
        f"{many(log.lines, 'line')}, {log.lines - log.untimed:,} of them with a time; "
        f"{clock(start, True)} to {clock(end, days)} UTC ({lasting(span)}); {many(log.errors_seen, 'error')}."
    )
    lines += ["", *(f"- {note}" for note in notes(log, reader, errors, bursts, silences, days, left)), ""]
    lines += ["## Timeline" + ("" if days else f" of {clock(start, True)[:10]}"), ""]
    lines += table(["Time (UTC)", "Event", "Source"], [(clock(rows[at][0], days), rows[at][1], rows[at][2]) for at in order])
    if errors:
        lines += ["## Errors by kind", "", *kinds_table(errors, days)]
        lines += counts_table(errors, start, days)
    if log.statuses:
        lines += ["Answers by status: " + ", ".join(f"{name} {count:,}" for name, count in sorted(log.statuses.items())) + ".", ""]
    elif log.levels:
        lines += ["Entries by level: " + ", ".join(f"{name} {count:,}" for name, count in log.levels.most_common(8)) + ".", ""]
    return "\n".join(lines).rstrip()


def notes(log, reader, errors, bursts, silences, days, left):
    if errors:
        yield f"First error {clock(errors[0].at, days)}, last {clock(errors[-1].at, days)}: {lasting(errors[-1].at - errors[0].at)} apart. Users may have felt it earlier or later."
    else:
        yield "No line looks like an error: look for slow or missing entries."
    if bursts:
        first, last, count, *_ = bursts[0]
        yield f"Largest burst: {clock(first.at, days)} to {clock(last.at, days)}, {many(count, 'error')}."
    if silences:
        low, high = silences[0]
        yield f"Longest silence: {clock(low, days)} to {clock(high, days)}, {lasting(high - low)}."
    if left:
        yield f"{many(left, 'more line')} may tell of a change; narrow it with --from and --to."
    if log.untimed:
        yield f"{many(log.untimed, 'line')} without a time (stack traces, continued lines) were passed over."
    if reader.without_zone:
        yield f"{many(reader.without_zone, 'line')} without a zone were read as {reader.zone.tzname(None)}: check, and give --zone."
    if reader.without_year:
        yield f"{many(reader.without_year, 'line')} without a year were read as {reader.year}: check, and give --year."
    if log.lines >= LINES_LIMIT or log.errors_seen > ERRORS_LIMIT:
        yield f"Only the first {LINES_LIMIT:,} lines and {ERRORS_LIMIT:,} errors were looked at."


def kinds_table(errors, days):
    counts, first, last = Counter(), {}, {}
    for entry in errors:
        counts[entry.text] += 1
        first.setdefault(entry.text, entry)
        last[entry.text] = entry
    rows = [
        (f"{count:,}", kind, clock(first[kind].at, days), clock(last[kind].at, days), first[kind].source())
        for kind, count in counts.most_common(KINDS_SHOWN)
    ]
    more = len(counts) - len(rows)
    return [*table(["Count", "Kind", "First", "Last", "First at"], rows), *([f"And {many(more, 'more kind')}.", ""] if more > 0 else [])]


def counts_table(errors, start, days):
    span = errors[-1].at - errors[0].at
    size = next((size for size in BUCKETS if span / size < ROWS_OF_COUNTS), BUCKETS[-1])
    counts = Counter(int(entry.at // size) for entry in errors)
    places = range(min(counts), max(counts) + 1)
    if len(places) < 3 or len(places) > 2 * ROWS_OF_COUNTS:
        return []
    most = max(counts.values())
    rows = [(clock(at * size, days), f"{counts[at]:,}", "=" * -(-counts[at] * 30 // most)) for at in places]
    return [f"## Errors each {lasting(size)}", "", *table(["From", "Errors", ""], rows)]


def moment(text):
    # Seconds may be left out.
    match = ISO.fullmatch(re.sub(r"^(\S{10}[T ]\d\d:\d\d)(?!:)", r"\1:00", text))
    if not match:
        raise argparse.ArgumentTypeError(f"'{text}' is no time: write it as 2026-05-14T09:00:00Z")
    *parts, fraction, zone = match.groups()
    return in_zone(datetime(*map(int, parts)), zone, timezone.utc)


def zone(text):
    try:
        return parsed_zone(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def main():
    parser = argparse.ArgumentParser(
        prog="timeline.py",
        description="Build a timeline (Markdown, UTC) from log files.",
        epilog="Exit status: 0 done, 2 wrong use or unreadable file, 3 no line with a time.",
    )
    parser.add_argument("files", nargs="+", metavar="LOG", help="log files; several become one timeline")
    parser.add_argument("--zone", type=zone, default=timezone.utc, help="of times that name none, such as +02:00 (default UTC)")
    parser.add_argument("--year", type=int, default=None, help="of times that name none, as syslog writes them (default: this year)")
    parser.add_argument("--from", dest="since", type=moment, help="leave out what is earlier")
    parser.add_argument("--to", dest="until", type=moment, help="leave out what is later")
    parser.add_argument("--silence", type=float, metavar="SECONDS", help="a silence is this long (default: 20 times the usual step)")
    options = parser.parse_args()
    reader = Reader(options.zone, options.year or datetime.now(timezone.utc).year)
    log = Log()
    try:
        for path in options.files:
            log.read(path, reader, options.since, options.until)
    except OSError as error:
        print(f"timeline: cannot open {error.filename}: {error.strerror}", file=sys.stderr)
        return 2
    if log.first is None:
        where = "between the given times" if options.since or options.until else "of a form that is known"
        print(f"timeline: no line has a time {where}", file=sys.stderr)
        return 3
    try:
        print(report(log, [os.path.basename(path) for path in options.files], reader, options.silence), flush=True)
    except BrokenPipeError:
        # Whoever reads, such as head, has enough.
        sys.stderr.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
