"""Makes an Excel workbook from a CSV file: the rows, the total of each group, and a bar chart of the totals."""

import argparse
import csv
import sys
from pathlib import Path

from openpyxl import Workbook
from openpyxl.chart import BarChart, Reference
from openpyxl.styles import Font


def number(text):
    """The number in a cell, or None. Accepts 1,234.50."""
    try:
        return float(text.replace(',', '').strip())
    except ValueError:
        return None


def read(path):
    with open(path, encoding='utf-8-sig', newline='') as file:
        rows = list(csv.reader(file))
    if len(rows) < 2:
        raise SystemExit(f'{path} has no rows below its header.')
    return rows[0], [row for row in rows[1:] if any(row)]


def column(header, name):
    if name not in header:
        raise SystemExit(f'There is no column {name!r}. The columns are: {", ".join(header)}.')
    return header.index(name)


def chosen(header, rows, group, amount):
    """The columns that are named; otherwise the first one with texts and the last one with numbers."""
    numeric = [all(number(row[i]) is not None for row in rows if len(row) > i and row[i]) for i in range(len(header))]
    if group is None and all(numeric) or amount is None and not any(numeric):
        raise SystemExit('Name the columns with --group and --sum: ' + ', '.join(header))
    first = numeric.index(False) if group is None else column(header, group)
    last = len(numeric) - 1 - numeric[::-1].index(True) if amount is None else column(header, amount)
    return first, last


def add_rows(sheet, header, rows):
    sheet.append(header)
    for row in rows:
        sheet.append([text if number(text) is None else number(text) for text in row])
    for cell in sheet[1]:
        cell.font = Font(bold=True)
    sheet.freeze_panes = 'A2'


def add_chart(sheet, title, count):
    chart = BarChart()
    chart.title = title
    chart.add_data(Reference(sheet, min_col=2, min_row=1, max_row=count + 1), titles_from_data=True)
    chart.set_categories(Reference(sheet, min_col=1, min_row=2, max_row=count + 1))
    sheet.add_chart(chart, 'D2')


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('csv')
    parser.add_argument('--group', help='the column to group by (default: the first one with texts)')
    parser.add_argument('--sum', help='the column to add up (default: the last one with numbers)')
    parser.add_argument('--output', default='/mnt/user-data/outputs/report.xlsx')
    options = parser.parse_args()
    header, rows = read(options.csv)
    group, amount = chosen(header, rows, options.group, options.sum)
    totals, skipped = {}, 0
    for row in rows:
        value = number(row[amount]) if len(row) > max(group, amount) else None
        if value is None:
            skipped += 1
        else:
            totals[row[group]] = totals.get(row[group], 0) + value
    book = Workbook()
    add_rows(book.active, header, rows)
    book.active.title = 'Rows'
    sheet = book.create_sheet('Totals')
    ordered = sorted(totals.items(), key=lambda item: -item[1])
    add_rows(sheet, [header[group], header[amount]], [[name, str(total)] for name, total in ordered])
    add_chart(sheet, f'{header[amount]} by {header[group]}', len(ordered))
    Path(options.output).parent.mkdir(parents=True, exist_ok=True)
    book.save(options.output)
    for name, total in ordered:
        print(f'{name}: {total:g}')
    print(f'{len(rows)} rows, {skipped} without a number in {header[amount]}. Wrote {options.output}', file=sys.stderr)


if __name__ == '__main__':
    main()
