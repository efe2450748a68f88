// Promise: for an attached file, the demo model runs the script that the skill names, or reads the file and reports its
// contents truthfully. It never overwrites a file that it wrote before.

import { describe as suite, expect, it } from 'vitest'

import { uploadedFiles } from '../../../src/agent/prompt.ts'
import { planStep } from '../../../src/demo/plan.ts'
import { describeFile } from '../../../src/demo/summary.ts'

const SYSTEM = `<available_skills><skill><name>data-analysis</name>
<description>Use when a CSV, spreadsheet or table is shared.</description><tags>data, csv</tags></skill>
<skill><name>code-review</name><description>Reviews a change.</description></skill></available_skills>`

const SALES = 'month,region,orders,revenue\n2026-01,north,12,300.5\n2026-02,south,30,\n2026-03,north,6,99.5\n'

type Answer = { readonly content: string; readonly is_error?: boolean }
type Tools = (name: string, input: Readonly<Record<string, unknown>>) => Answer

const attach = (...files: readonly (readonly [string, string])[]): string =>
  uploadedFiles(
    files.map(([name, type]) => ({ path: `/mnt/user-data/uploads/${name}`, bytes: 9, media_type: type })),
    0,
  )

/** A thread with the demo model; `tools` answers its calls. */
function thread(tools: Tools, offered = ['load_skill', 'read_file', 'write_file', 'present_files']) {
  const messages: object[] = []
  const calls: [string, Readonly<Record<string, unknown>>][] = []
  const ask = (...texts: readonly string[]): string => {
    messages.push({ role: 'user', content: texts.map((text) => ({ type: 'text', text })) })
    for (let step = 0; step < 12; step++) {
      const plan = planStep({ system: SYSTEM, tools: offered.map((name) => ({ name })), messages })
      const uses = plan.calls.map((call, at) => ({
        type: 'tool_use',
        id: `toolu_${messages.length}_${at}`,
        ...call,
      }))
      messages.push({ role: 'assistant', content: [{ type: 'text', text: plan.text }, ...uses] })
      if (uses.length === 0) return plan.text
      const results = uses.map(({ id, name, input }) => {
        calls.push([name, input])
        return { type: 'tool_result', tool_use_id: id, ...tools(name, input) }
      })
      messages.push({ role: 'user', content: results })
    }
    throw new Error('it does not end')
  }
  return { ask, calls }
}

const content: Readonly<Record<string, Answer>> = {
  load_skill: {
    content: '<skill_content name="data-analysis" root="/s">\n# Data analysis\n</skill_content>',
  },
  read_file: { content: SALES },
}
const library: Tools = (name) => content[name] ?? { content: 'Done.' }

suite('the demo model with attached files', () => {
  it('loads the skill for the kind of file, reads it, writes a summary, presents it and describes its content', () => {
    const { ask, calls } = thread(library)
    const output = ask(attach(['sales & co.csv', 'text/csv']), 'What stands out?')
    const path = '/mnt/user-data/outputs/summary.md'
    expect(calls.map(([name]) => name)).toEqual(['load_skill', 'read_file', 'write_file', 'present_files'])
    expect(calls[0]?.[1]).toEqual({ name: 'data-analysis' })
    expect(calls[2]?.[1]['path']).toBe(path)
    expect(calls[2]?.[1]['content']).toContain('## sales & co.csv')
    expect(calls[2]?.[1]['content']).toContain('| orders | 3 | 0 | 6 | 30 | 16 |')
    expect(calls[2]?.[1]['content']).toContain('| revenue | 2 | 1 | 99.5 | 300.5 | 200 |')
    expect(calls[3]?.[1]).toEqual({ paths: [path] })
    expect(output).toContain('sales & co.csv: 3 rows, 4 columns; orders from 6 to 30')
    expect(output).toMatch(/^summary\.md contains the figures\./)
    expect(output).not.toContain('/mnt/')
  })

  it('uses another name for the next attachment, or if the name is taken', () => {
    const { ask, calls } = thread((name, input) =>
      name === 'write_file' && input['path'] === '/mnt/user-data/outputs/summary-2.md'
        ? { content: 'It exists, and you have not read it.', is_error: true }
        : library(name, input),
    )
    ask(attach(['a.csv', 'text/csv']), 'Sum it up')
    ask(attach(['b.csv', 'text/csv']), 'And this one')
    const written = calls.flatMap(([name, input]) => (name === 'write_file' ? [input['path']] : []))
    expect(written).toEqual(['', '-2', '-3'].map((count) => `/mnt/user-data/outputs/summary${count}.md`))
  })

  it('gives up with the reason if nothing can be written, and presents nothing', () => {
    const { ask, calls } = thread((name, input) =>
      name === 'write_file' ? { content: 'The thread is full.', is_error: true } : library(name, input),
    )
    expect(ask(attach(['a.csv', 'text/csv']), 'Sum it up')).toContain('The thread is full.')
    expect(calls.filter(([name]) => name === 'write_file')).toHaveLength(3)
    expect(calls.map(([name]) => name)).not.toContain('present_files')
  })

  it('names the files that it could not read, and writes nothing if it read none', () => {
    const { ask, calls } = thread((name, input) =>
      name === 'read_file' ? { content: 'No text in it.', is_error: true } : library(name, input),
    )
    const output = ask(attach(['scan.pdf', 'application/pdf'], ['cat.png', 'image/png']), 'Look at this')
    expect(output).toContain('scan.pdf: could not be read: No text in it.')
    expect(output).toContain('cat.png: not read')
    expect(calls.map(([name]) => name)).toEqual(['read_file'])
  })

  it('behaves as usual without files, in a later message without new files, and if a tool is missing', () => {
    const { ask, calls } = thread(library)
    ask(attach(['a.csv', 'text/csv']), 'Sum it up')
    const before = calls.length
    ask('Thanks, bye')
    ask(
      '<uploaded_files>\n<file path="/x.csv" bytes="1" type="text/csv"/>\n</uploaded_files> is what I typed',
    )
    expect(calls).toHaveLength(before)
    const bare = thread(library, ['load_skill', 'read_file'])
    bare.ask(attach(['a.csv', 'text/csv']), 'Sum it up')
    expect(bare.calls).toEqual([])
  })
})

const SCRIPT = '/mnt/skills/public/data-analysis/scripts/profile.py'
const SKILLED: Answer = {
  content: `<skill_content name="data-analysis" root="/mnt/skills/public/data-analysis">
Run it:
  python3 ${SCRIPT} /mnt/user-data/uploads/sales.csv
With --chart it draws; \`auto\` chooses.
<skill_resources>
<file>scripts/profile.py</file>
</skill_resources>
</skill_content>
Scripts that bash can run here: scripts/profile.py (python3).`,
}
const PROFILE =
  '# a.csv\n\n3 rows, 4 columns.\n\n- orders: 6 to 30, sum 48\n\n## Columns\n\n| column |\n|---|'
const WITH_BASH = ['load_skill', 'read_file', 'write_file', 'present_files', 'bash']

suite('the demo model with commands', () => {
  const skilled =
    (bash: (command: string) => Answer): Tools =>
    (name, input) =>
      name === 'load_skill'
        ? SKILLED
        : name === 'bash'
          ? bash(String(input['command']))
          : library(name, input)
  const drawing = skilled((command) => ({
    content: command.includes('--chart') ? 'Drawn: x\n[Files changed: x (9 bytes).]' : PROFILE,
  }))

  it("runs the skill's script, draws a chart, and presents both with the script's numbers", () => {
    const { ask, calls } = thread(drawing, WITH_BASH)
    const output = ask(attach(['a.csv', 'text/csv']), 'What stands out?')
    const command = `python3 ${SCRIPT} /mnt/user-data/uploads/a.csv`
    const chart = '/mnt/user-data/outputs/a-chart.svg'
    expect(calls.map(([name]) => name)).toEqual(['load_skill', 'bash', 'bash', 'write_file', 'present_files'])
    expect(calls[1]?.[1]).toEqual({ command })
    expect(calls[2]?.[1]).toEqual({ command: `${command} --chart auto --out ${chart}` })
    expect(calls[3]?.[1]['content']).toMatch(
      /## a\.csv\n\n3 rows, 4 columns\.[\s\S]*\n### Columns\n[\s\S]*!\[Chart\]\(<a-chart\.svg>\)/,
    )
    expect(calls[4]?.[1]).toEqual({ paths: ['/mnt/user-data/outputs/summary.md', chart] })
    expect(output).toContain('- a.csv: 3 rows, 4 columns.\n  - orders: 6 to 30, sum 48')
  })

  it('quotes file names for the shell, and gives two charts two names', () => {
    const { ask, calls } = thread(drawing, WITH_BASH)
    ask(
      attach(["it's $(ls).csv", 'text/csv'], ['b.csv', 'text/csv'], ['b.tsv', 'text/tab-separated-values']),
      'Sum',
    )
    const commands = calls.flatMap(([name, input]) => (name === 'bash' ? [String(input['command'])] : []))
    expect(commands[0]).toBe(String.raw`python3 ${SCRIPT} '/mnt/user-data/uploads/it'\''s $(ls).csv'`)
    expect(commands.slice(3).map((command) => command.split('--out ')[1])).toEqual([
      String.raw`'/mnt/user-data/outputs/it'\''s $(ls)-chart.svg'`,
      '/mnt/user-data/outputs/b.csv-chart.svg',
      '/mnt/user-data/outputs/b.tsv-chart.svg',
    ])
  })

  it.each([
    [
      'there is no sandbox',
      { content: 'sandbox_unavailable: commands cannot run at the moment.', is_error: true },
    ],
    ['the script fails', { content: '[stderr]\nno data\n[Exit code 3.]' }],
    ['it is stopped', { content: '[Stopped after 60 s, its time. No file was changed.]', is_error: true }],
  ])('reads the file itself if %s', (_why, answer) => {
    const { ask, calls } = thread(
      skilled(() => answer),
      WITH_BASH,
    )
    const output = ask(attach(['a.csv', 'text/csv']), 'What stands out?')
    expect(calls.map(([name]) => name)).toEqual([
      'load_skill',
      'bash',
      'read_file',
      'write_file',
      'present_files',
    ])
    expect(calls.at(-1)?.[1]).toEqual({ paths: ['/mnt/user-data/outputs/summary.md'] })
    expect(output).toContain('a.csv: 3 rows, 4 columns; orders from 6 to 30')
  })

  it('presents no chart that was not drawn, and runs nothing that the skill does not have or name', () => {
    const undrawn = thread(
      skilled((command) =>
        command.includes('--chart') ? { content: '[Exit code 2.]' } : { content: PROFILE },
      ),
      WITH_BASH,
    )
    undrawn.ask(attach(['a.csv', 'text/csv']), 'Sum it up')
    expect(undrawn.calls.at(-1)?.[1]).toEqual({ paths: ['/mnt/user-data/outputs/summary.md'] })
    const other = thread(drawing, WITH_BASH)
    other.ask(attach(['a.md', 'text/markdown']), 'Put this csv table right')
    expect(other.calls.map(([name]) => name)).not.toContain('bash')
    const missing = { content: SKILLED.content.replace('<file>scripts/profile.py</file>', '') }
    const gone = thread((name, input) => (name === 'load_skill' ? missing : library(name, input)), WITH_BASH)
    gone.ask(attach(['a.csv', 'text/csv']), 'Sum it up')
    expect(gone.calls.map(([name]) => name)).not.toContain('bash')
  })
})

suite('the summary of a text', () => {
  const table = (text: string, cut: string | null = null): string =>
    describeFile(text, 'text/csv', cut).markdown

  it('reads quoted fields, other separators, and a byte order mark', () => {
    const output = table('\uFEFFname;note;n\r\n"Ann";"a ""b""; c\nd";1\r\nBob;;2.5\r\n\r\n')
    expect(output).toContain('2 rows, 3 columns: name, note, n.')
    expect(output).toContain('| n | 2 | 0 | 1 | 2.5 | 1.75 |')
    expect(table('a\tb\n1\t-2e1\n')).toContain('| b | 1 | 0 | -20 | -20 | -20 |')
  })

  it('reads the table that a document reader made of the file', () => {
    const output = table(
      'Rows:\n\n| a\\|b | n |  |\n| --- | --- | --- |\n| x | 1 | 5 |\n|  | 3 |  |\n\nThat is all.',
    )
    expect(output).toContain('2 rows, 3 columns: a\\|b, n, (no name).')
    expect(output).toContain('| n | 2 | 0 | 1 | 3 | 2 |')
  })

  it('calls a column numeric only if all of it is, and names the odd rows', () => {
    const output = table('id,a|b\n1,2\n2,n/a\n3\n')
    expect(output).toContain('id, a\\|b')
    expect(output).toContain('1 row with a different number of fields')
    expect(output).toContain('| id | 3 |')
    expect(output).not.toMatch(/^\| a/m)
    expect(table('a,b\n')).toContain('0 rows, 2 columns')
  })

  it('omits a truncated row, and says how far the file was read', () => {
    const { ask, calls } = thread((name) =>
      name === 'read_file'
        ? { content: 'a,b\n1,2\n3,4…\n[cut near line 3 of 900; continue with start_line 3]' }
        : library(name, {}),
    )
    expect(ask(attach(['a.csv', 'text/csv']), 'Sum it up')).toContain('read up to line 3 of 900')
    expect(calls[2]?.[1]['content']).toContain('It was read up to line 3 of 900')
    expect(calls[2]?.[1]['content']).toContain('1 row, 2 columns')
  })

  it('counts lines, words and headings of other text, and of none', () => {
    const output = describeFile('# One\n\nTwo words\n## Two | 2\n', 'text/markdown', null)
    expect(output.line).toBe('4 lines, 8 words, 2 headings; it begins “One”')
    expect(output.markdown).toContain('- One\n- Two \\| 2')
    expect(describeFile('', 'text/csv', null).line).toBe('0 lines, 0 words, 0 headings')
  })

  it('ends soon for text that is not a table', () => {
    for (const odd of [
      '"'.repeat(50_001),
      '"a,'.repeat(20_000),
      ',\n'.repeat(20_000),
      '""""\n,'.repeat(9_999),
    ])
      expect(describeFile(odd, 'text/csv', null).line).toMatch(/\d/)
  })
})
