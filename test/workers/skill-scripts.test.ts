// Promise: the scripts of the built-in skills do what their SKILL.md says, in the Python of the sandbox, and report
// what they cannot do with a message and an exit code.

import { describe, expect, inject, it } from 'vitest'

import { run, type Answer } from './python-fixture.ts'

const FILES = inject('skillFiles')
const UPLOADS = '/mnt/user-data/uploads'
const CHART = '/mnt/user-data/outputs/chart.svg'

async function script(
  path: string,
  args: readonly string[],
  files: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  const given = Object.fromEntries(Object.entries(files).map(([name, text]) => [`${UPLOADS}/${name}`, text]))
  return run({ argv: ['python3', `/mnt/skills/public/${path}`, ...args], files: { ...FILES, ...given } })
}

describe('profile_csv.py of data-analysis', () => {
  const profile = (text: string, ...args: readonly string[]): Promise<Answer> =>
    script('data-analysis/scripts/profile_csv.py', [`${UPLOADS}/in.csv`, ...args], { 'in.csv': text })
  const draw = async (text: string, ...args: readonly string[]) => {
    const { stderr, exitCode, stdout, changes } = await profile(text, ...args, '--out', CHART)
    expect([stderr, exitCode]).toEqual(['', 0])
    return { output: stdout, svg: changes[CHART] ?? '' }
  }
  const SALES = `month,region,orders,revenue
2026-01,north,120,4810.50\n2026-01,south,95,3990.00\n2026-02,north,131,5240.00\n2026-02,south,98,4120.00
2026-03,north,126,5105.00\n2026-03,south,12,480.00\n2026-04,north,134,5400.25\n2026-04,south,101,4210.00\n`

  it('reports rows, kinds, ranges, the trend over dates and anomalies, with their lines', async () => {
    const { stdout, stderr, exitCode } = await profile(SALES)
    expect([stderr, exitCode]).toEqual(['', 0])
    expect(stdout).toContain(
      '# in.csv\n\n8 rows, 4 columns. UTF-8, parted by commas; line 1 holds the names.',
    )
    expect(stdout).toContain('| month | date | 8 | 0 | 4 | 2026-01 |  |  | 2026-04 |  |')
    expect(stdout).toContain('| revenue | number | 8 | 0 | 8 | 480 |')
    expect(stdout).toContain(
      '- revenue: 1 outlier, over 1.5 interquartile ranges away; the farthest is 480 in line 7',
    )
    expect(stdout).toContain('| 2026-03 | 2 | 138 | 5,585 |')
  })

  it.each([
    [
      'decimal commas, points between thousands and a currency',
      'a;b\nx;"1.234,50 €"\ny;"2.000,25 €"\n',
      3234.75,
    ],
    ['decimal points and commas between thousands', 'a\tb\nx\t$1,234,567\ny\t(7)\n', 1_234_560],
    ['missing values, spaces and percent', 'a,b\nx, 12 %\ny,n/a\nz,\nw,0.5 %\n', 12.5],
  ])('reads numbers with %s', async (_what, text, sum) => {
    const { stdout, exitCode } = await profile(text, '--json')
    expect(exitCode).toBe(0)
    const { fields } = JSON.parse(stdout)
    expect(fields[1]).toMatchObject({ name: 'b', numbers: { sum } })
  })

  it.each([
    ['day.month.year', 'd,n\n31.01.2026,1\n01.02.2026,2\n', 'day', '2026-01-31'],
    ['month/day/year, as one value shows', 'd,n\n01/02/2026,1\n01/31/2026,2\n', 'day', '2026-01-02'],
    ['times', 'd,n\n2026-01-02T10:00:00Z,1\n2026-01-02 11:30,2\n', 'time', '2026-01-02'],
    ['quarters', 'd,n\n2026-Q2,1\nQ4 2026,2\n', 'quarter', '2026-Q2'],
    ['month names', 'd,n\n5 Mar 2026,1\n"March 7, 2026",2\n', 'day', '2026-03-05'],
  ])('reads dates as %s', async (_what, text, exact, earliest) => {
    const { fields } = JSON.parse((await profile(text, '--json')).stdout)
    expect(fields[0]).toMatchObject({ type: 'date', exact_to: exact, earliest })
  })

  it('draws a line for each group, labelled at its end, with a title, axes and a description for screen readers', async () => {
    const { output, svg } = await draw(SALES, '--chart', 'auto', '--title', 'South <lost> a month')
    expect(output).toContain('Drawn: /mnt/user-data/outputs/chart.svg (line)')
    expect(output).toContain('| 2026-03 | 5,105 | 480 |')
    expect(svg).toMatch(
      /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" viewBox="0 0 800 \d+"[^>]* role="img"/,
    )
    expect(svg).toContain('<title id="chart-title">South &lt;lost&gt; a month</title>')
    expect(svg).toContain('Sum of revenue by month, for each region. north: 4,810.50 at first')
    expect(svg.match(/<polyline /g)).toHaveLength(2)
    expect(svg).toMatch(/class="s0 name">north<[\s\S]*class="s1 name">south</)
    expect(svg).toContain('prefers-color-scheme:dark')
    expect(svg).not.toMatch(/NaN|Infinity|<script|href/)
  })

  it('draws bars sorted, columns in order of time with gaps left open, and the distribution of a column', async () => {
    const bars = await draw(SALES, '--chart', 'bar', '--x', 'region', '--y', 'orders')
    expect(bars.output).toContain('Most: north with 511, 63% of all. Least: south with 306.')
    expect(bars.svg.indexOf('>north<')).toBeLessThan(bars.svg.indexOf('>south<'))
    const gap = await draw(
      'd,n\n2026-01,1\n2026-03,2\n2026-04,-3\n',
      '--chart',
      'bar',
      '--x',
      'd',
      '--y',
      'n',
    )
    expect(gap.svg.match(/<rect x=/g)).toHaveLength(3)
    expect(gap.svg).toContain('Periods without a value are left empty.')
    const hist = await draw(SALES, '--chart', 'hist', '--x', 'orders')
    expect(hist.svg).toContain('>median 110.50<')
  })

  it('overlaps no labels, however many there are', async () => {
    const days = Array.from({ length: 300 }, (_, day) =>
      new Date(Date.UTC(2025, 0, 1 + day)).toISOString().slice(0, 10),
    )
    const text = `day,n\n${days.map((day, at) => `${day},${at * 1_000}`).join('\n')}\n`
    const { svg } = await draw(text, '--chart', 'line', '--x', 'day', '--y', 'n', '--by', 'day')
    const labels = [
      ...svg.matchAll(/<text x="([\d.]+)" y="([\d.]+)" class="soft" text-anchor="middle">([^<]+)</g),
    ].map(([, x, y, words]) => ({ x: Number(x), y, half: (words ?? '').length * 3.5 }))
    expect(labels.length).toBeGreaterThan(5)
    for (const [at, label] of labels.entries()) {
      const next = labels[at + 1]
      if (next !== undefined && next.y === label.y)
        expect(next.x - next.half).toBeGreaterThan(label.x + label.half)
    }
  })

  it.each([
    [
      'no such column',
      ['--chart', 'bar', '--x', 'city', '--out', CHART],
      2,
      "there is no column 'city'; there are: month, region",
    ],
    [
      'text on a line chart',
      ['--chart', 'line', '--x', 'region', '--out', CHART],
      2,
      'holds words: take bar',
    ],
    [
      'a sum of text',
      ['--chart', 'bar', '--x', 'month', '--y', 'region', '--out', CHART],
      2,
      'holds no numbers',
    ],
    ['no folder for the chart', ['--chart', 'auto'], 2, '--chart needs --out FILE.svg'],
    [
      'a folder that is not writable',
      ['--chart', 'auto', '--out', '/mnt/skills/x.svg'],
      2,
      'cannot open /mnt/skills/x.svg',
    ],
    ['another encoding than declared', ['--encoding', 'klingon'], 2, 'unknown encoding: klingon'],
  ])('explains: %s', async (_what, args, code, words) => {
    const { stderr, exitCode, changes } = await profile(SALES, ...args)
    expect(stderr).toContain(words)
    expect(stderr).not.toContain('Traceback')
    expect([exitCode, changes]).toEqual([code, {}])
  })

  it('distinguishes an empty table from rows, and reports a missing file', async () => {
    expect(await profile('a,b\n')).toMatchObject({
      exitCode: 3,
      stderr: expect.stringContaining('no data rows'),
    })
    const none = await script('data-analysis/scripts/profile_csv.py', ['none.csv'])
    expect(none).toMatchObject({
      exitCode: 2,
      stderr: 'profile_csv: cannot open none.csv: No such file or directory\n',
    })
  })

  it('handles unusual tables without a Python traceback', async () => {
    const odd = [
      'a\n1\n',
      ',,\n,,\n',
      'a,a\n1,2,3\n4\n',
      '"x\ny",b\n"1\n2",3\n',
      'd\n0001-01-01\n9999-12-31\n',
      'n\n1e308\n-1e308\n',
      'n\n0\n0\n',
      'z\n\u0000\n',
    ]
    for (const text of odd) {
      const { stderr } = await profile(text)
      expect(stderr, JSON.stringify(text)).not.toContain('Traceback')
      const drawn = await profile(text, '--chart', 'auto', '--out', CHART)
      expect(drawn.stderr, JSON.stringify(text)).not.toContain('Traceback')
    }
  })
})

describe('timeline.py of incident-report', () => {
  const timeline = (files: Readonly<Record<string, string>>, ...args: readonly string[]): Promise<Answer> =>
    script(
      'incident-report/scripts/timeline.py',
      [...Object.keys(files).map((name) => `${UPLOADS}/${name}`), ...args],
      files,
    )
  const at = (second: number): string => new Date(Date.UTC(2026, 4, 14, 9, 0, second)).toISOString()

  it('finds changes, first and last error, bursts, silences and kinds, and masks secrets', async () => {
    const lines = [
      `${at(0)} INFO deploy: release 318 starts`,
      ...Array.from(
        { length: 30 },
        (_, n) => `${at(60 + n)} ERROR pool timeout after ${n} ms token=abc${n} for a${n}@b.example`,
      ),
      '    at Pool.take (pool.js:12)',
      `${at(500)} INFO rolled back to release 317`,
      `${at(510)} INFO ok`,
    ]
    const { stdout, stderr, exitCode } = await timeline({ 'app.log': lines.join('\n') })
    expect([stderr, exitCode]).toEqual(['', 0])
    expect(stdout).toContain(
      '34 lines, 33 of them with a time; 2026-05-14 09:00:00 to 09:08:30 UTC (8 min 30 s); 30 errors.',
    )
    expect(stdout).toContain('| 09:00:00 | INFO deploy: release 318 starts | app.log:1 |')
    expect(stdout).toContain(
      '| 09:01:00 | First error: ERROR pool timeout after # ms token=[redacted] for [email] | app.log:2 |',
    )
    expect(stdout).toContain('Burst until 09:01:29 (29 s): 30 errors')
    expect(stdout).toContain('Silence until 09:08:20 (6 min 51 s)')
    expect(stdout).toContain(
      '| 30 | ERROR pool timeout after # ms token=[redacted] for [email] | 09:01:00 | 09:01:29 |',
    )
    expect(stdout).not.toMatch(/abc\d|@b\.example/)
  })

  it('reads nginx, syslog, JSON-lines and epoch times into one order, in UTC', async () => {
    const { stdout, stderr } = await timeline(
      {
        'access.log': '1.2.3.4 - - [14/May/2026:11:00:01 +0200] "GET /a/7?k=v HTTP/1.1" 502 9\n',
        'sys.log': 'May 14 11:00:03 web1 systemd[1]: Started nginx.\n',
        'app.json': `{"ts":${Date.UTC(2026, 4, 14, 9, 0, 2)},"level":50,"msg":"call 7 failed"}\n`,
        'cron.log': '1778749204 job began\n',
      },
      '--zone=+02:00',
      '--year=2026',
    )
    expect(stderr).toBe('')
    const order = ['GET /a/# answered 502', 'call # failed', 'Started nginx', 'cron.log:1'].map((words) =>
      stdout.indexOf(words),
    )
    expect(order).toEqual(order.toSorted((a, b) => a - b))
    expect(order[0]).toBeGreaterThan(0)
    expect(stdout).toContain('2026-05-14 09:00:01 to 09:00:04 UTC')
    expect(stdout).toContain('1 line without a zone were read as UTC+02:00')
  })

  it('explains what it cannot read', async () => {
    expect(await timeline({ 'a.txt': 'no time\n' })).toMatchObject({
      exitCode: 3,
      stderr: 'timeline: no line has a time of a form that is known\n',
    })
    expect(await timeline({}, 'none.log')).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('cannot open none.log'),
    })
    expect(await timeline({}, 'a.log', '--zone', 'CET')).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('write it as +02:00'),
    })
  })
})

describe('check_skill.py of skill-creator', () => {
  const check = (files: Readonly<Record<string, string>>): Promise<Answer> =>
    script('skill-creator/scripts/check_skill.py', [`${UPLOADS}/my-skill`], files)
  const HEAD =
    '---\nname: my-skill\ndescription: Use this skill when a release is to be written up, or its notes are asked for by a reader.\n---\n'

  it('finds no error in the built-in skills', async () => {
    const names = new Set(Object.keys(FILES).map((path) => path.split('/')[4] ?? ''))
    expect(names.size).toBe(8)
    for (const name of names) {
      const { stdout, exitCode } = await script('skill-creator/scripts/check_skill.py', [
        `/mnt/skills/public/${name}`,
      ])
      expect([name, exitCode, JSON.parse(stdout).errors]).toEqual([name, 0, 0])
    }
  })

  it('counts a script that the body names, and a module that it imports, as used', async () => {
    const { stdout } = await check({
      'my-skill/SKILL.md': `${HEAD}\nRun \`python3 \${CLAUDE_SKILL_DIR}/scripts/a.py\`.\n`,
      'my-skill/scripts/a.py': 'import b\n',
      'my-skill/scripts/b.py': '',
      'my-skill/scripts/c.py': '',
    })
    const { findings } = JSON.parse(stdout)
    expect(findings).toMatchObject([{ severity: 'warning', file: 'scripts/c.py' }])
  })

  it('names file, line and fix of an invalid name, a long description and a missing file', async () => {
    const { stdout, exitCode } = await check({
      'my-skill/SKILL.md': `---\nname: My_Skill\ndescription: ${'long '.repeat(220)}\n---\n\nRead \`references/none.md\`.\n`,
    })
    expect(exitCode).toBe(1)
    const { findings } = JSON.parse(stdout)
    expect(findings).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ line: 2, message: "name 'My_Skill' is not allowed" }),
        expect.objectContaining({
          line: 3,
          message: expect.stringMatching(/^description has \d+ characters$/),
        }),
        expect.objectContaining({ line: 6, message: "'references/none.md' does not exist" }),
      ]),
    )
  })
})
