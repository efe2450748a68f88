// Guards the export of a thread: Markdown that stays well-formed for any text, JSON as the API returns it, and safe
// file names.

import { describe, expect, it } from 'vitest'

import { exportThread, type ExportFormat } from '../../../src/page/export/export-thread.ts'
import { exportName } from '../../../src/page/export/name.ts'
import { message, RECEIPT, RUN } from './frames.ts'
import { fakePage, list, refusal, threadInfo } from './ports.ts'

const FILE = {
  bytes: 2_048,
  sha256: '00',
  media_type: 'text/csv',
  created_at: '2026-01-02T03:00:00.000Z',
  updated_at: '2026-01-02T03:00:00.000Z',
  href: '/v1/x',
}
const UPLOAD = { ...FILE, path: 'uploads/a`b.csv', origin: 'upload' }
const OUTPUT = { ...FILE, path: 'outputs/report.md', origin: 'tool' }
const MESSAGES = [
  message('m_0', 'user', [{ type: 'text', text: 'What happened?\n```\n# Not a heading' }]),
  message('m_1', 'assistant', [
    { type: 'text', text: 'I look.' },
    {
      type: 'tool_use',
      id: 't',
      name: 'present_files',
      input: { paths: ['/mnt/user-data/outputs/report.md'] },
    },
  ]),
  message('m_2', 'user', [{ type: 'tool_result', tool_use_id: 't', content: 'ok' }]),
  message('m_3', 'assistant', [{ type: 'text', text: '**An outage**:\n\n```sh\nls' }]),
]
const RATED = {
  ...RECEIPT,
  rating: { value: 'up', note: 'a | b <i>', by: 'user:ada', at: RECEIPT.accepted_at },
}

async function exported(
  format: ExportFormat,
  messages: readonly unknown[] = MESSAGES,
  runs = [RATED],
): Promise<string> {
  const page = fakePage({
    // In two pages.
    'GET /v1/threads/th_1/messages': (url) =>
      url.searchParams.has('cursor') ? list(messages.slice(1)) : list(messages.slice(0, 1), 'next'),
    'GET /v1/threads/th_1/runs': () => list(runs),
    'GET /v1/threads/th_1/files': () => list([UPLOAD, OUTPUT]),
  })
  const client = page.client.peek()
  if (!client) throw new Error('Nobody is signed in.')
  const result = await exportThread(client, 'th_1', 'A *plan*\n# of May', format)
  if (!result.ok) throw new Error(JSON.stringify(result.error))
  expect(result.value.name).toBe(`A plan # of May.${format === 'json' ? 'json' : 'md'}`)
  return new TextDecoder().decode(result.value.bytes)
}

describe('Markdown', () => {
  it('has questions, answers, names of files and receipts', async () => {
    const text = await exported('markdown')
    expect(text.slice(0, text.indexOf('| Receipt'))).toBe(`# A \\*plan\\* \\# of May

Thread \`th_1\`, 2026-03-04 09:00 UTC to 2026-03-04 09:00 UTC

## You

> What happened?
> \`\`\`
> # Not a heading

Files: \`\`a\`b.csv\`\` (2.0 KB)

## Satchel

**An outage**:

\`\`\`sh
ls
\`\`\`

Files: \`report.md\` (2.0 KB)

`)
    expect(text).toContain('\n| Outcome | Answered |\n')
    expect(text).toContain('\n| Rating | good: a \\| b \\<i\\> (user:ada) |\n')
    expect(text).toContain('\n| Skills | incident-report, built-in, loaded by the agent |\n')
    expect(text.endsWith('|\n')).toBe(true)
  })

  it('says when an answer was not complete', async () => {
    const text = await exported('markdown', MESSAGES.slice(0, 1), [
      { ...RATED, status: 'running', ended_at: null },
    ] as never)
    expect(text).toContain('This answer was not complete when the thread was exported.')
    expect(text).not.toContain('| Receipt')
  })
})

it('JSON has the shapes of the API, from all pages', async () => {
  expect(JSON.parse(await exported('json'))).toEqual({
    thread: threadInfo('th_1'),
    messages: MESSAGES,
    runs: [RATED],
    files: [UPLOAD, OUTPUT],
  })
})

it('a thread that cannot be read is not exported in part', async () => {
  const page = fakePage({
    'GET /v1/threads/th_1/runs': () => list([{ ...RECEIPT, run_id: RUN }]),
    'GET /v1/threads/th_1/messages': () => refusal(503, 'not_ready'),
  })
  const client = page.client.peek()
  if (!client) throw new Error('Nobody is signed in.')
  expect(await exportThread(client, 'th_1', 'A plan', 'json')).toMatchObject({ ok: false })
})

it.each([
  ['Plan: the north/south\\side?', 'Plan the north south side'],
  ['../../etc/passwd', 'etc passwd'],
  ['.hidden', 'hidden'],
  ['--help', 'help'],
  ['a\u202Efdp.exe', 'a fdp.exe'],
  ['CON', 'Thread CON'],
  ['lpt1.txt', 'Thread lpt1.txt'],
  ['Ends in dots...', 'Ends in dots'],
  ['\u0000\n', 'Thread'],
  ['', 'Thread'],
  ['👋'.repeat(100), '👋'.repeat(60)],
  ['Zürich, 東京', 'Zürich, 東京'],
])('the name of %j is %j', (title, name) => {
  expect(exportName(title)).toBe(name)
})
