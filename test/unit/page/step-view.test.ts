// Guards what an opened step shows: readable content, without the tags, the quotes and the frames that are for the
// model.

import { describe, expect, it } from 'vitest'

import { toolItem, type ToolItem } from '../../../src/page/run/items.ts'
import { inputFields, stepViewOf } from '../../../src/page/run/step-view.ts'
import { readStepTimes } from '../../../src/page/state/chat/step-times.ts'
import { createTurn } from '../../../src/page/state/chat/turn.ts'
import { newRun } from '../../../src/page/run/state.ts'
import { frame, ENDED, RECEIPT, RUN, toolDone, toolStarted } from './frames.ts'
import { fakePage } from './ports.ts'
import { stream } from './talk.ts'

function view(name: string, input: unknown, preview: string, given: Partial<ToolItem> = {}) {
  return stepViewOf({ ...toolItem('t', name, input, 1), state: 'done', preview, ...given })
}

describe('an opened step shows', () => {
  it('a command as a terminal, with its output and exit code', () => {
    expect(view('bash', { command: 'ls' }, 'a\nb\n[Exit code 2. 3 files changed.]')).toMatchObject({
      kind: 'terminal',
      output: 'a\nb',
      exit: 'exit 2',
      note: '3 files changed.',
    })
  })

  it('a skill by its name, even if its version is unknown', () => {
    const body = '<skill_content name="api-design">\n# Body\n</skill_content>'
    expect(view('load_skill', { name: 'api-design' }, body)).toEqual({ kind: 'skill', name: 'api-design' })
    const failed = view('load_skill', { name: 'none' }, 'There is no such skill.', { state: 'failed' })
    expect(failed).toMatchObject({ kind: 'fields', answer: 'There is no such skill.' })
  })

  it('a file and a web page in readable form, without their frame', () => {
    expect(view('read_file', { path: '/a/b.md' }, '<file path="/a/b.md">\n# B\n</file>')).toMatchObject({
      kind: 'file',
      text: '# B',
      language: 'md',
    })
    expect(view('web_fetch', { url: 'https://a.example' }, '<web_page>\nText\n</web_page>')).toMatchObject({
      kind: 'page',
      url: 'https://a.example',
      text: 'Text',
      failure: null,
    })
  })

  it('a page that could not be fetched with its status', () => {
    const fetched = (preview: string) =>
      view('web_fetch', { url: 'https://a.example' }, preview, { state: 'failed' })
    const quoted = 'https://a.example/b responded with status 503. It says: z responded with status 200.'
    expect(fetched(quoted)).toMatchObject({ kind: 'page', failure: 'HTTP 503', text: quoted.slice(47) })
    expect(fetched('It took too long. z responded with status 200.')).toMatchObject({ failure: 'failed' })
  })

  it('an HTTP call as its status and a response in fields, without JSON', () => {
    const body = { id: 7, tags: ['a', 'b'], by: { name: 'Ann', mail: null } }
    expect(view('create_ticket', {}, `HTTP 201\n\n${JSON.stringify(body, null, 2)}`)).toEqual({
      kind: 'fields',
      status: 'HTTP 201',
      answer: [
        ['id', '7'],
        ['tags', '– a\n– b'],
        ['by', 'name: Ann\nmail: null'],
      ],
    })
    expect(view('x', {}, 'HTTP 404: the server found nothing there\nretry-after: 9\n\nNo.')).toMatchObject({
      status: 'HTTP 404',
      answer: 'retry-after: 9\n\nNo.',
    })
    expect(view('x', {}, 'HTTP is a protocol.')).toMatchObject({
      status: null,
      answer: 'HTTP is a protocol.',
    })
    expect(view('x', {}, 'HTTP 204')).toMatchObject({ status: 'HTTP 204', answer: '' })
  })

  it('truncated JSON without its punctuation, and text that only begins like JSON unchanged', () => {
    expect(view('x', {}, '{\n  "id": 7,\n  "name": "Ann",\n  "list": [\n    "a"')).toMatchObject({
      answer: '  id: 7\n  name: Ann\n  list: [\n    a',
    })
    expect(view('x', {}, '[cut] see the file')).toMatchObject({ answer: '[cut] see the file' })
  })

  it('fields of any depth, without overflowing the stack', () => {
    let deep: unknown = 'x'
    for (let level = 0; level < 10_000; level++) deep = [deep]
    expect(() => inputFields({ shallow: [[1]], text: 'a\nb' })).not.toThrow()
    expect(inputFields({ shallow: [[1]], text: 'a\nb' })).toEqual([
      ['shallow', '– – 1'],
      ['text', 'a\nb'],
    ])
    expect(inputFields({ deep })[0]?.[1]).toBe('– – – – – – This value is nested too deeply to be shown.')
  })
})

it('the times of steps are available after a reload, once somebody opens them', async () => {
  const events = [toolStarted('a', 'ls', {}), toolDone('a', 'ls', ''), ENDED].map((body, at) =>
    frame(at + 1, body),
  )
  const page = fakePage({ [`GET /v1/threads/th_1/runs/${RUN}/events`]: () => stream(events) })
  const items = [{ ...toolItem('a', 'ls', {}, -1), state: 'done' as const }]
  const turn = createTurn(
    RUN,
    { text: 'x', files: [], messageId: 'm' },
    { ...newRun(RUN), receipt: RECEIPT, items },
  )
  const client = page.client.value
  if (!client) throw new Error('there is a client')
  await readStepTimes(client, turn)
  await readStepTimes(client, turn)
  expect(turn.run.value.items).toMatchObject([{ durationMs: 12 }])
  expect(page.calls).toHaveLength(1)
})
