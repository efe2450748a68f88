// Guards the text of a run: short, true lines for what it does, did and used, and for what went wrong.

import { describe, expect, it } from 'vitest'

import type { EventBody } from '../../../src/agent/events.ts'
import { STEP_CHARS_MAX, STEP_LINES_MAX } from '../../../src/page/run/limits.ts'
import { labels, callLine } from '../../../src/page/run/call-labels.ts'
import { BUILTINS } from '../../../src/tools/builtins.ts'
import { partsOfUrl } from '../../../src/page/run/address.ts'
import { answerOf } from '../../../src/page/run/answer.ts'
import { excerptOf, inputText } from '../../../src/page/run/details.ts'
import { progressOf } from '../../../src/page/run/progress.ts'
import { toolItem, type Item, type ToolItem } from '../../../src/page/run/items.ts'
import { groupLine, rowsOf } from '../../../src/page/run/rows.ts'
import { applyEvent, newRun } from '../../../src/page/run/state.ts'
import { showsProgress, splitRows, workLine } from '../../../src/page/run/work.ts'
import { frame, FRAMES, RUN } from './frames.ts'

labels.value = new Map(BUILTINS.flatMap(({ spec, label }) => (label ? [[spec.name, label]] : [])))

const STARTED: EventBody = {
  type: 'run.started',
  model: 'demo',
  build: 'b',
  catalog_version: 4,
  demo: true,
}
const started = (id: string, name: string, input: unknown = {}): EventBody => ({
  type: 'tool.started',
  tool_use_id: id,
  name,
  input,
})
const output = (text: string): EventBody => ({ type: 'text.delta', step: 1, block: 0, offset: 0, text })
const requested: EventBody = {
  type: 'approval.requested',
  tool_use_id: 't',
  name: 'create_ticket',
  input: {},
  request: null,
  free: [],
  reason: 'It asks.',
  digest: 'd',
  expires_at: '2026-01-09T00:00:00Z',
}

function read(...bodies: readonly EventBody[]) {
  return bodies.map((body, at) => frame(at + 1, body)).reduce(applyEvent, newRun(RUN))
}

function call(id: string, name: string, input: unknown, state: ToolItem['state'] = 'done'): ToolItem {
  return { ...toolItem(id, name, input, 1), state }
}

describe('the current step', () => {
  it('is named from sending to the end', () => {
    const path = '/mnt/skills/public/incident-report/references/severity-levels.md'
    expect(progressOf(newRun(''))).toBe('Sending…')
    expect(progressOf(read({ type: 'run.accepted', status: 'queued' }))).toBe('Waiting for its turn…')
    expect(progressOf(read(STARTED))).toBe('Thinking…')
    expect(progressOf(read(STARTED, started('t', 'read_file', { path })))).toBe('Reading severity-levels.md…')
    expect(progressOf(read(STARTED, started('t', 'create_ticket')))).toBe('Calling create_ticket…')
    expect(progressOf(read(STARTED, output('It')))).toBe('Writing…')
    expect(progressOf(FRAMES.reduce(applyEvent, newRun(RUN)))).toBeNull()
  })

  it('is one line while the model is retried, and disappears afterwards', () => {
    const retry: EventBody = {
      type: 'model.retry',
      attempt: 1,
      wait_ms: 9,
      reason: 'overloaded',
      detail: 'The API is overloaded',
    }
    expect(progressOf(read(STARTED, retry))).toBe('The API is overloaded. Trying again (try 2)…')
    expect(progressOf(read(STARTED, retry, output('It')))).toBe('Writing…')
  })

  it('waits for an admin, or for a tool that is still working, by name', () => {
    const at = '2026-01-02T03:04:05.000Z'
    const wait = { type: 'run.waiting', tool_use_ids: ['t'], since: at, until: at, detail: '' } as const
    const ask = { ...wait, reason: 'approval', by: 'admin' } as const
    const begun = started('t', 'create_ticket')
    expect(progressOf(read(STARTED, begun, requested, ask))).toBe("Waiting for an admin's approval")
    const time = new Date(at).toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' })
    const working = read(STARTED, begun, { ...wait, reason: 'server' })
    expect(progressOf(working)).toBe(`Waiting for create_ticket (since ${time})…`)
    expect(
      progressOf(read(STARTED, begun, { ...wait, reason: 'server' }, { type: 'run.resumed' })),
    ).not.toContain('Waiting')
  })

  it('waits for approval of a pending call, which it does not show as running', () => {
    const wait: EventBody = {
      type: 'run.waiting',
      reason: 'approval',
      tool_use_ids: ['t'],
      since: '2026-01-02T03:04:05.000Z',
      until: '2026-01-02T03:04:05.000Z',
      detail: '',
    }
    const held = read(STARTED, started('t', 'create_ticket'), requested, wait)
    expect(progressOf(held)).toBe('Waiting for your approval')
    expect(rowsOf(held.items).map(({ key }) => key)).toEqual(['approval:t'])
    const decided = { type: 'approval.decided', tool_use_id: 't', decision: 'approve', by: 'key:a' } as const
    expect(progressOf(read(STARTED, started('t', 'create_ticket'), requested, wait, decided))).toBe(
      'Waiting for its turn…',
    )
    const gone = read(STARTED, started('t', 'create_ticket'), requested, wait, decided, {
      type: 'run.resumed',
    })
    expect(progressOf(gone)).toBe('Calling create_ticket…')
    // The step of the call shows who approved it.
    expect(rowsOf(gone.items).map(({ key }) => key)).toEqual(['tool:t'])
  })

  it('is shown by the newest step while that runs, and never twice', () => {
    expect(showsProgress(rowsOf(read(STARTED, started('t', 'ls')).items))).toBe(true)
    expect(showsProgress(rowsOf(read(STARTED, started('t', 'ls'), requested).items))).toBe(false)
    expect(showsProgress(rowsOf(read(STARTED, output('It')).items))).toBe(false)
    const thought: EventBody = { type: 'thinking.delta', step: 1, block: 0, offset: 0, text: 'Hm' }
    expect(showsProgress(rowsOf(read(STARTED, thought).items))).toBe(true)
  })
})

describe('the work of a run', () => {
  const kinds = (items: readonly Item[], ended: boolean) => {
    const { work, answer } = splitRows(rowsOf(items), ended)
    const kindOf = (row: ReturnType<typeof rowsOf>[number]) =>
      row.kind === 'group' ? 'group' : row.item.kind
    return [work.map(kindOf), answer.map(kindOf)]
  }
  const spoken = (text: string, step = 1): EventBody => ({
    type: 'text.delta',
    step,
    block: 0,
    offset: 0,
    text,
  })

  it('folds steps and the text between them, and leaves the answer', () => {
    const run = read(STARTED, spoken('I look.'), started('t', 'ls'), spoken('So it is.', 2))
    expect(kinds(run.items, true)).toEqual([['text', 'tool'], ['text']])
  })

  it('keeps the last text in view if it ends without an answer', () => {
    const run = read(STARTED, spoken('The first half'), started('t', 'ls'))
    expect(kinds(run.items, false)).toEqual([['text', 'tool'], []])
    expect(kinds(run.items, true)).toEqual([['tool'], ['text']])
  })

  it('never folds a card that waits for a person, or thinking alone', () => {
    const wait: EventBody = {
      type: 'run.waiting',
      reason: 'approval',
      tool_use_ids: ['t'],
      since: '2026-01-02T03:04:05.000Z',
      until: '2026-01-02T03:04:05.000Z',
      detail: '',
    }
    expect(
      kinds(read(STARTED, started('s', 'ls'), started('t', 'create_ticket'), requested, wait).items, false),
    ).toEqual([['tool'], ['approval']])
    const thought: EventBody = { type: 'thinking.delta', step: 1, block: 0, offset: 0, text: 'Hm' }
    expect(kinds(read(STARTED, thought).items, false)).toEqual([[], ['thinking']])
  })

  it('is one line: the current step, then the duration, the skills, and the number of tool calls', () => {
    const line = (run: Parameters<typeof workLine>[0]): string =>
      workLine(run)
        .map(({ text }) => text)
        .join(' · ')
    expect(line(read(STARTED, started('t', 'ls', { path: '/a' })))).toBe('Listing a…')
    expect(line(FRAMES.reduce(applyEvent, newRun(RUN)))).toMatch(
      /^Worked for [\d.]+ m?s · incident-report · 2 tool calls · 1 failed$/,
    )
  })
})

describe('a step', () => {
  it('has a verb and an object for each tool, and the name of an unknown tool', () => {
    for (const [name, input, state, line] of [
      ['load_skill', { name: 'incident-report' }, 'done', 'Loaded incident-report'],
      ['read_file', { path: '/a/b.md' }, 'failed', 'Could not read b.md'],
      ['present_files', { paths: ['/a/b.md', '/a/c.csv'] }, 'done', 'Presented b.md, c.csv'],
      ['grep', { pattern: 'x+', path: '/a' }, 'done', 'Searched for x+'],
      ['bash', { command: '  python3 a.py\nls' }, 'running', 'Running python3 a.py'],
      ['bash', { command: "python3 - <<'END'\nprint(1)\nEND" }, 'running', 'Running a Python script'],
      ['bash', { command: 'wc -l <<END\na\nEND' }, 'done', 'Ran wc -l <<END'],
      ['web_fetch', { url: 'https://a.example/b' }, 'done', 'Fetched a.example/b'],
      ['create_ticket', { path: 'x' }, 'done', 'Called create_ticket'],
      ['<b>', null, 'failed', 'The call failed: <b>'],
      ['create_ticket', null, 'denied', 'Denied: create_ticket'],
    ] as const) {
      const { verb, object } = callLine(call('t', name, input, state))
      expect(`${verb} ${object}`, name).toBe(line)
    }
    expect(callLine(call('t', 'bash', { command: 'x'.repeat(5_000) })).object.length).toBe(121)
  })

  it('is folded with its kind when there are more than three in a row, and counts failures', () => {
    const reads = ['a', 'b', 'c', 'd'].map((id) => call(id, 'read_file', { path: `/${id}` }))
    const other = call('z', 'ls', { path: '/' })
    expect(rowsOf([...reads.slice(1), other]).map(({ kind }) => kind)).toEqual([
      'single',
      'single',
      'single',
      'single',
    ])
    const rows = rowsOf([...reads, other, ...reads.slice(2)])
    expect(rows.map(({ kind, key }) => [kind, key])).toEqual([
      ['group', 'many:tool:a'],
      ['single', 'tool:z'],
      ['single', 'tool:c'],
      ['single', 'tool:d'],
    ])
    expect(groupLine(reads)).toBe('Read 4 files')
    expect(groupLine([...reads, call('e', 'read_file', {}, 'failed')])).toBe('Read 5 files, 1 failed')
    expect(groupLine([...reads, call('e', 'read_file', {}, 'running')])).toBe('Reading 5 files…')
    expect(groupLine(reads.map((one) => ({ ...one, name: 'ticket' })))).toBe('Called ticket 4 times')
  })

  it('never folds questions away', () => {
    const questions = ['a', 'b', 'c', 'd'].map((id) => call(id, 'ask_clarification', {}))
    expect(rowsOf(questions).map(({ kind }) => kind)).toEqual(['single', 'single', 'single', 'single'])
  })

  it('opens to its readable input, and to a bounded result that says what is omitted', () => {
    expect(inputText('bash', { command: 'a\nb' })).toBe('a\nb')
    expect(inputText('x', { a: 1 })).toBe('{\n  "a": 1\n}')
    expect(inputText('x', null)).toBe('')
    expect(excerptOf('short\n')).toEqual({ excerpt: 'short\n', note: null })
    expect(excerptOf('l\n'.repeat(STEP_LINES_MAX + 9)).note).toBe('10 more lines are not shown.')
    const long = excerptOf('👋'.repeat(STEP_CHARS_MAX + 1))
    expect(Array.from(long.excerpt)).toHaveLength(STEP_CHARS_MAX)
    expect(long.note).toBe('1 more character is not shown.')
  })
})

it('the copied answer is the text after the last step, or else all text', () => {
  const text = (key: string, content: string): Item => ({
    kind: 'text',
    key,
    seq: 1,
    step: 1,
    text: content,
    codePoints: 1,
    done: true,
    streamTime: null,
  })
  const step = call('t', 'ls', {})
  expect(answerOf([text('a', 'I look.'), step, text('b', '# So'), text('c', 'it is')])).toBe('# So\n\nit is')
  expect(answerOf([text('a', 'I look.'), step])).toBe('I look.')
  expect(answerOf([step])).toBe('')
})

it('the host of a URL is the one that is called, however the URL disguises it', () => {
  for (const [url, host] of [
    ['https://a.example/b?c', 'a.example'],
    ['https://good.example@evil.example/x', 'evil.example'],
    ['https://good.example:x@evil.example:8443/x', 'evil.example:8443'],
    ['https://evil.example\\@good.example/', 'evil.example'],
    ['https://evil.example#@good.example/', 'evil.example'],
    ['https://evil.example?@good.example/', 'evil.example'],
    ['nothing of the kind', ''],
    ['https://', ''],
  ] as const) {
    const { before, host: found, after } = partsOfUrl(url)
    expect(found, url).toBe(host)
    expect(before + found + after).toBe(url)
    if (host !== '') expect(found.includes(new URL(url).host), url).toBe(true)
  }
})
