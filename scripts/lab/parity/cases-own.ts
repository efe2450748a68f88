// Test cases for the scripts of built-in skills: programs with files, modules with calls.

import { codeCase, type Cases } from './case.ts'

const SALES = `Date;Region;Units;Revenue
01.01.2026;North;12;"1.204,50 €"
02.01.2026;South;7;"803,10 €"
03.01.2026;North;;"99,00 €"
15.02.2026;South;9;"1.111,11 €"
16.02.2026;East;30;"4.000,00 €"
16.02.2026;East;30;"4.000,00 €"
01.03.2026;Größe;-999;"0,00 €"
`
const LOG = `2026-05-14T09:00:01Z INFO api started version=7
2026-05-14T09:00:02Z INFO deploy of api 8 begun
2026-05-14T09:01:00Z ERROR api timeout after 3000 ms, token=abcdef0123456789
2026-05-14T09:01:01Z ERROR api timeout after 3001 ms
2026-05-14T09:09:00+02:00 WARN queue is long
{"time": "2026-05-14T09:30:00Z", "level": "error", "msg": "database refused"}
May 14 09:31:00 host api[7]: rollback to 7
no time here
`
const SKILL = {
  'demo/SKILL.md': `---
name: demo
description: Use when a demonstration of a skill is asked for. It shows how one is checked by a script, and nothing more.
---

# Demo

Read \`references/a.md\`; run \`scripts/gone.py\`.
`,
  'demo/references/a.md': 'text\n',
  'demo/references/b.md': 'text\n',
}
const ROWS = { 'a.csv': SALES }
const SOURCE = "import csv_table\nsource = csv_table.Source('a.csv')\n"

/** Calls of a module. The failing one reads a missing file, or has invalid input. */
const module = (good: string, bad: string): Cases => ({
  good: { ...codeCase(good), files: ROWS },
  bad: { ...codeCase(bad), files: ROWS },
})

/** The cases by `<skill>/<path in it>`. */
export const OWN_CASES: Readonly<Record<string, Cases>> = {
  'data-analysis/scripts/profile_csv.py': {
    good: { args: ['a.csv', '--json'], files: ROWS },
    bad: { args: ['a.csv', '--chart', 'bar', '--x', 'Nope', '--out', 'a.svg'], files: ROWS },
  },
  'data-analysis/scripts/csv_table.py': module(
    `${SOURCE}print(source.names, source.delimiter, source.encoding, list(source.rows()))`,
    "import csv_table\nprint(csv_table.Source('nowhere.csv').names)",
  ),
  'data-analysis/scripts/csv_columns.py': module(
    `${SOURCE}import csv_columns
columns = csv_columns.columns_of(source)
for line, row in source.rows():
    for column, value in zip(columns, row): column.add(value, line)
for column in columns: print(column.name, column.type(), column.report(5, print))
print([c.name for _, c in csv_columns.measures(columns)], csv_columns.first_dates(columns))`,
    "import csv_columns\nprint(csv_columns.share(1, 3))\ncsv_columns.columns_of('text')",
  ),
  'data-analysis/scripts/csv_profile.py': module(
    `${SOURCE}import argparse, csv_profile
result = csv_profile.profile(source, argparse.Namespace(max_columns=60, top=5))
result['named'] = True
print(csv_profile.rendered(result))`,
    'import csv_profile\nprint(csv_profile.rendered({}))',
  ),
  'data-analysis/scripts/csv_series.py': module(
    `import csv_series
print([csv_series.show(n) for n in (0, 1.5, 1234567.891, -0.00012, 1e21)])
print(*csv_series.table(['a', 'b'], [(str(n), f'{n}|x') for n in range(99)]), sep='\\n')`,
    "import csv_series\nraise csv_series.Unusable('nothing to draw')",
  ),
  'data-analysis/scripts/csv_charts.py': module(
    `${SOURCE}import argparse, csv_charts
options = argparse.Namespace(chart='auto', x=None, y=None, agg=None, group=None, by='auto', title=None, out='a.svg')
svg, said = csv_charts.draw(source, options)
print(*said, svg, sep='\\n')`,
    `${SOURCE}import argparse, csv_charts
csv_charts.draw(source, argparse.Namespace(chart='bar', x='Nope', y=None))`,
  ),
  'data-analysis/scripts/svg_chart.py': module(
    `import random, svg_chart
random.seed(1)
words = svg_chart.Words('Title <a>', 'sub', 'x', 'y', ['note'], 'summary')
svg, bins = svg_chart.histogram(words, sorted(random.gauss(5, 2) for _ in range(500)))
print(svg, bins, svg_chart.bars(words, [('one', 1.5), ('two', -3)]), sep='\\n')`,
    'import svg_chart\nprint(svg_chart.histogram(None, []))',
  ),
  'incident-report/scripts/timeline.py': {
    good: { args: ['a.log', '--year', '2026'], files: { 'a.log': LOG } },
    bad: { args: ['a.log', '--from', '2027-01-01T00:00Z'], files: { 'a.log': LOG } },
  },
  'skill-creator/scripts/check_skill.py': {
    good: { args: ['demo'], files: SKILL },
    bad: { args: ['demo'], files: { 'demo/SKILL.md': '---\nname: Other\n---\n' } },
  },
}
