"""The profile of a table: what its columns and their course over time come to, as data, as Markdown and as JSON."""

import json
import os

import csv_series
from csv_charts import choose
from csv_columns import columns_of, first_dates, measures, shorten
from csv_series import Unusable, show, table
from csv_table import is_missing

TOTAL_WORDS = {"total", "totals", "sum", "subtotal", "grand total", "summe", "gesamt"}
WARNINGS_SHOWN = 60
PERIODS_PRINTED = 24
MEASURES_PRINTED = 5


def profile(source, options):
    """The whole report as a dictionary; None where no row is."""
    warnings = list(source.notes)
    columns = columns_of(source)
    fingerprints, total, ragged, totals, headers = set(), 0, 0, 0, 0
    for line, row in source.rows():
        total += 1
        ragged += len(row) != len(columns)
        headers += source.header and row == source.first
        totals += any(cell.strip().lower() in TOTAL_WORDS for cell in row[:2])
        fingerprints.add(hash(tuple(row)))
        for index, column in enumerate(columns):
            column.add(row[index] if index < len(row) else "", line)
    if total == 0:
        return None
    duplicates = total - len(fingerprints)
    for many, says in (
        (source.encoding == "cp1252", "the file is not UTF-8: read as cp1252, check letters with accents"),
        (ragged, f"{ragged} row(s) have another number of fields than the header"),
        (headers, f"{headers} row(s) repeat the header"),
        (totals, f"{totals} row(s) look like totals: remove them before adding up"),
        (duplicates, f"{duplicates} row(s) repeat another row completely"),
        (total == source.max_rows, f"only the first {total:,} rows were read: --max-rows reads more"),
    ):
        if many:
            warnings.append(says)
    shown = columns[: options.max_columns]
    if len(shown) < len(columns):
        warnings.append(f"only {len(shown)} of {len(columns)} columns are shown: --max-columns shows more")
    reports = [column.report(options.top, warnings.append) for column in shown]
    choice, measured = choose(columns), measures(columns)
    return {
        "file": os.path.basename(source.path),
        "rows": total,
        "columns": len(columns),
        "delimiter": source.delimiter,
        "encoding": source.encoding.removesuffix("-sig"),
        "duplicate_rows": duplicates,
        "ragged_rows": ragged,
        "possible_keys": [
            c.name for at, c in enumerate(shown)
            if not c.missing and not c.distinct_capped and len(c.values) == total and (at, c) not in measured
        ] if total > 1 else [],
        "warnings": warnings[:WARNINGS_SHOWN],
        "warnings_left_off": max(0, len(warnings) - WARNINGS_SHOWN),
        "over_time": course(source, columns),
        "first_chart": choice and {key: value for key, value in choice.items() if value is not None},
        "fields": reports,
    }


def course(source, columns):
    """What the measures come to in each period of the first date column; None without one."""
    x = first_dates(columns)
    if x is None:
        return None
    wanted = measures(columns)[:MEASURES_PRINTED]
    read = columns[x].read_date.read
    try:
        rows = csv_series.collect(source, x, "date", read, is_missing=is_missing)
        parts = [
            (c.name, csv_series.usual_aggregate(c.name), csv_series.collect(
                source, x, "date", read, at, c.read_number.read, by=rows.unit, is_missing=is_missing).totals())
            for at, c in wanted
        ]
    except Unusable:
        return None
    counts = rows.totals()
    return {
        "column": columns[x].name,
        "by": rows.unit,
        "aggregates": {name: how for name, how, _ in parts},
        "periods": [
            {"period": rows.name(key), "rows": counts[key].count} |
            {name: float(f"{cells[key].value(how):.10g}") for name, how, cells in parts if key in cells}
            for key in rows.keys
        ],
    }


def rendered(result):
    """The report as Markdown: the most telling first, then the tables."""
    names = {",": "commas", ";": "semicolons", "\t": "tabs", "|": "bars"}
    encoding = result["encoding"].replace("utf-", "UTF-")
    rows, columns = result["rows"], result["columns"]
    fields, time = result["fields"], result["over_time"]
    lines = [
        f"# {shorten(result['file'])}",
        "",
        f"{rows:,} {'row' if rows == 1 else 'rows'}, {columns} {'column' if columns == 1 else 'columns'}. "
        f"{encoding}, parted by {names.get(result['delimiter'], repr(result['delimiter']))}; line 1 "
        + ("holds the names." if result["named"] else "is data."),
        "",
    ]
    for field in [f for f in fields if "numbers" in f and not f["label"]][:MEASURES_PRINTED]:
        n = field["numbers"]
        end = "" if csv_series.AVERAGED.search(field["name"]) else f", sum {show(n['sum'])}"
        lines.append(f"- {shorten(field['name'])}: {show(n['min'])} to {show(n['max'])}, median {show(n['median'])}, mean {show(n['mean'])}{end}")
    if time and len(time["periods"]) > 1:
        for name, how in list(time["aggregates"].items())[:MEASURES_PRINTED]:
            points = [(p[name], p["period"]) for p in time["periods"] if name in p]
            if len(points) > 1:
                high, low = max(points), min(points)
                lines.append(f"- {shorten(name)} by {time['by']} ({how}): highest in {high[1]} with {show(high[0])}, lowest in {low[1]} with {show(low[0])}")
    if lines[-1]:
        lines.append("")
    if result["warnings"]:
        more = result["warnings_left_off"]
        lines += ["## Look at", "", *(f"- {' '.join(w.split())}" for w in result["warnings"]), *([f"- and {more} more"] if more else []), ""]
    lines += ["## Columns", "", *table(
        ["column", "type", "values", "missing", "distinct", "min", "median", "mean", "max", "sum"],
        [column_line(field) for field in fields], len(fields)), ""]
    frequent = [f for f in fields if "top" in f and f["type"] in ("text", "boolean", "identifier", "mixed", "integer")]
    if frequent:
        lines += ["## Most frequent", ""]
        lines += [f"- {shorten(f['name'])}: " + ", ".join(f"{t['value']} ({t['count']:,})" for t in f["top"]) for f in frequent]
        lines.append("")
    if time and len(time["periods"]) > 1:
        heads = [time["by"], "rows", *(f"{shorten(name)} ({how})" for name, how in time["aggregates"].items())]
        periods = [
            (p["period"], f"{p['rows']:,}", *(show(p[name]) if name in p else "" for name in time["aggregates"]))
            for p in time["periods"]
        ]
        of = "" if time["column"].lower() == time["by"] else f" of {shorten(time['column'])}"
        lines += [f"## By {time['by']}{of}", "", *table(heads, periods, PERIODS_PRINTED), ""]
    if result["possible_keys"]:
        lines += ["Different in every row: " + ", ".join(map(shorten, result["possible_keys"])) + ".", ""]
    return "\n".join(lines).rstrip()


def column_line(field):
    n = field.get("numbers")
    head = (shorten(field["name"]), field["type"], f"{field['values']:,}", f"{field['missing']:,}",
            f"{field['distinct']:,}" + ("+" if field.get("distinct_is_at_least") else ""))
    if n and field["label"]:
        return *head, f"{n['min']:.0f}", "", "", f"{n['max']:.0f}", ""
    if n:
        return *head, show(n["min"]), show(n["median"]), show(n["mean"]), show(n["max"]), show(n["sum"])
    return *head, field.get("earliest", ""), "", "", field.get("latest", ""), ""


def rendered_json(result):
    """One line a field and a warning: readable, and short enough for a bounded tool result."""
    lines = []
    for key, value in result.items():
        if key in ("fields", "warnings") and value:
            items = ",\n  ".join(json.dumps(item, ensure_ascii=False) for item in value)
            lines.append(f' "{key}": [\n  {items}\n ]')
        else:
            lines.append(f" {json.dumps(key)}: {json.dumps(value, ensure_ascii=False)}")
    return "{\n" + ",\n".join(lines) + "\n}"
