#!/usr/bin/env python3
"""Profile a delimited text file, and draw charts of it.

Reads one file (or standard input) and prints a profile as Markdown (or JSON): rows, columns, types, missing values,
ranges, frequent values, the course over a date column, suspicious points. With --chart it draws an SVG instead and prints
the values that it drew. Never changes the file. Needs only the standard library.
Exit status: 0 done, 2 wrong use or unreadable, 3 no data rows.
"""

import argparse
import csv
import os
import sys
import tempfile

import csv_series
from csv_charts import draw
from csv_profile import profile, rendered, rendered_json
from csv_series import Unusable
from csv_table import Source


def positive(text):
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError("must be at least 1")
    return number


def arguments():
    parser = argparse.ArgumentParser(
        prog="profile_csv.py",
        description="Profile a CSV or other delimited file; prints Markdown. With --chart: draw it as SVG.",
        epilog="Exit status: 0 done, 2 wrong use or unreadable file, 3 no data rows.",
    )
    parser.add_argument("file", help="path of the file, or - for standard input")
    parser.add_argument("--json", action="store_true", help="the profile as JSON")
    parser.add_argument("--delimiter", help="one character, or: tab; found out by itself when absent")
    parser.add_argument("--encoding", default="auto", help="default: UTF-8 (or UTF-16 with a mark), else cp1252")
    parser.add_argument("--no-header", action="store_true", help="the first row is data; columns are column_1, column_2 …")
    parser.add_argument("--max-rows", type=positive, default=200_000, help="rows read at most (default 200000)")
    parser.add_argument("--max-columns", type=positive, default=60, help="columns shown at most (default 60)")
    parser.add_argument("--top", type=positive, default=5, help="most frequent values shown (default 5)")
    chart = parser.add_argument_group("charts")
    chart.add_argument("--chart", choices=("auto", "bar", "line", "hist"), help="auto chooses the columns, too")
    chart.add_argument("--x", metavar="COL", help="dates, numbers or words; of hist the numbers to count")
    chart.add_argument("--y", metavar="COL", help="the numbers; without it rows are counted")
    chart.add_argument("--agg", choices=("sum", "mean", "count"), help="what becomes of the numbers of one x (default: sum; mean of rates, prices, ages)")
    chart.add_argument("--group", metavar="COL", help="of line: one line for each value, five at most")
    chart.add_argument("--by", default="auto", choices=("auto", *csv_series.FINEST_FIRST), help="length of periods, where x holds dates")
    chart.add_argument("--title", help="the finding as a sentence; default: what is drawn")
    chart.add_argument("--out", metavar="FILE.svg", help="where the chart is written, such as /mnt/user-data/outputs/x.svg")
    options = parser.parse_args()
    if options.delimiter == "tab":
        options.delimiter = "\t"
    if options.delimiter is not None and len(options.delimiter) != 1:
        parser.error("--delimiter takes one character")
    if options.chart and not options.out:
        parser.error("--chart needs --out FILE.svg")
    if options.out and not options.chart:
        parser.error("--out goes with --chart; the profile is printed")
    if options.out and not options.out.lower().endswith(".svg"):
        parser.error("--out must end in .svg: charts are SVG")
    return options


def spooled():
    """Standard input as a file that can be read again."""
    with tempfile.NamedTemporaryFile(delete=False, suffix=".csv") as file:
        while block := sys.stdin.buffer.read(1_048_576):
            file.write(block)
    return file.name


def work(options, path):
    source = Source(path, options.encoding, options.delimiter, not options.no_header, options.max_rows)
    if next(source.rows(), None) is None:
        print(f"profile_csv: {options.file} has no data rows", file=sys.stderr)
        return 3
    if options.chart:
        svg, said = draw(source, options)
        with open(options.out, "w", encoding="utf-8") as file:
            file.write(svg)
        print(f"Drawn: {options.out} ({options.chart})", *said, sep="\n")
        return 0
    result = profile(source, options)
    result["named"] = source.header
    print(rendered_json(result) if options.json else rendered(result), flush=True)
    return 0


def main():
    options = arguments()
    # A long text cell is data, not an attack: the default limit of 128 KB stops honest files.
    csv.field_size_limit(16_777_216)
    path = options.file
    try:
        path = spooled() if options.file == "-" else options.file
        return work(options, path)
    except Unusable as error:
        print(f"profile_csv: {error}", file=sys.stderr)
    except BrokenPipeError:
        # Whoever reads, such as head, has enough.
        sys.stderr.close()
        return 0
    except OSError as error:
        print(f"profile_csv: cannot open {error.filename}: {error.strerror}", file=sys.stderr)
    except (UnicodeError, LookupError, csv.Error) as error:
        print(f"profile_csv: cannot read {options.file} as a table: {error}", file=sys.stderr)
    finally:
        if options.file == "-" and path != "-":
            os.unlink(path)
    return 2


if __name__ == "__main__":
    sys.exit(main())
