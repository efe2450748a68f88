// Promise: a script can use the terminal client: it reads a message from standard input, writes one JSON object even
// after a failure, and its exit status says which kind of result it was.

import { randomUUID } from 'node:crypto'

import { afterAll, beforeAll, expect, test } from 'vitest'

import { finished, script, startSatchel, until, type Satchel } from './satchel.ts'
import { startTalkModel } from './talk-model.ts'
import { startTickets, type Tickets } from './tickets.ts'

import type { MessagesApi } from '../fakes/messages-api.ts'

let model: MessagesApi
let tickets: Tickets
let satchel: Satchel

beforeAll(async () => {
  ;[model, tickets] = await Promise.all([startTalkModel(), startTickets()])
  satchel = await startSatchel({
    args: tickets.args,
    env: { ANTHROPIC_API_KEY: 'any', ANTHROPIC_BASE_URL: model.url },
  })
  const put = await satchel.client.json('PUT', '/admin/tools/create_ticket', JSON.parse(tickets.definition))
  expect(put.ok).toBe(true)
})
afterAll(async () => {
  await satchel?.stop()
  await tickets?.stop()
  await model?.close()
})

/** Runs the client with `input` on standard input. */
async function fed(
  input: string | Uint8Array,
  ...args: readonly string[]
): Promise<{ readonly status: number | null; readonly out: string }> {
  const child = script('chat.ts', ['--url', satchel.url, ...args], {}, { stdin: 'pipe' })
  child.stdin?.on('error', () => {}) // the command may end before it has read everything
  child.stdin?.end(input)
  return finished(child)
}

async function json(
  ...args: readonly string[]
): Promise<{ status: number | null; output: Record<string, unknown> }> {
  const { status, out } = await finished(script('chat.ts', ['--url', satchel.url, '--json', ...args]))
  expect(out.trimEnd().split('\n'), 'one line').toHaveLength(1)
  // The cast is safe: the tests check the fields.
  return { status, output: JSON.parse(out) as Record<string, unknown> }
}

test('sends standard input as the message, and prints plain text', async () => {
  const { status, out } = await fed('markdown, please\n')
  expect(status, out).toBe(0)
  expect(out).toContain('| checkout | 12 |')
  expect(out).not.toContain('\x1b')
})

test('a dash after the question appends standard input to it', async () => {
  const { out } = await fed('line 1\nline 2\n', 'What is', 'this?', '-')
  expect(out).toContain(String.raw`You said "What is this?\n\nline 1\nline 2".`)
})

test('refuses standard input that cannot be a message, with an explanation', async () => {
  expect(await fed(Uint8Array.of(0xff, 0xfe))).toMatchObject({
    status: 1,
    out: expect.stringContaining('not UTF-8 text'),
  })
  expect(await fed('x'.repeat(300_000))).toMatchObject({ status: 1, out: expect.stringContaining('--file') })
  expect(await fed('  \n')).toMatchObject({
    status: 2,
    out: expect.stringContaining('The question is empty.'),
  })
})

test('--json prints the reply of the API and the created files', async () => {
  const { status, output } = await json('hello')
  expect(status).toBe(0)
  expect(output).toMatchObject({
    status: 'completed',
    stop_reason: 'answered',
    text: 'You said "hello".',
    files: [],
    receipt: { steps: 1 },
  })
  const { output: requested } = await json('choose', '--thread', String(output['thread_id']))
  expect(requested).toMatchObject({
    thread_id: output['thread_id'],
    stop_reason: 'awaiting_input',
    question: { question: 'Which region?', options: ['Asia', 'Europe'] },
  })
})

test('--json shows what a waiting run waits for, with status 1', async () => {
  const { status, output } = await json('open a ticket')
  expect(status).toBe(1)
  expect(output).toMatchObject({ status: 'waiting', approvals: [{ name: 'create_ticket' }] })
  expect(tickets.received()).toEqual([])
})

test('--json prints a failure as JSON, too, with the exit status of its kind', async () => {
  expect(await json('hi', '--thread', `th_${'0'.repeat(24)}`)).toMatchObject({
    status: 1,
    output: { error: { code: 'not_found', status: 404 } },
  })
  expect(await json('hi', '--file', '/no/such/file')).toMatchObject({
    status: 1,
    output: { error: { code: 'failed', detail: expect.stringContaining('there is no such file') } },
  })
  expect(await json('hi', '--nonsense')).toMatchObject({ status: 2, output: { error: { code: 'usage' } } })
  expect(await json()).toMatchObject({ status: 2, output: { error: { code: 'usage' } } })
  const nobody = await finished(script('chat.ts', ['hi', '--json', '--url', 'http://127.0.0.1:1']))
  expect(nobody.status).toBe(1)
  expect(JSON.parse(nobody.out)).toMatchObject({ error: { code: 'unreachable' } })
})

test('an interrupt stops the run and prints the text so far', async () => {
  const message = `a slow one ${randomUUID()}`
  const child = script('chat.ts', ['--url', satchel.url, '--json', message])
  const reported = finished(child)
  await until('the answer began', async () => {
    const page = await satchel.client.json<{ readonly data: readonly { readonly status: string }[] }>(
      'GET',
      '/v1/threads?limit=1',
    )
    return (
      page.ok &&
      page.value.body.data[0]?.status === 'busy' &&
      model.exchanges.some(({ raw }) => raw.includes(message))
    )
  })
  child.kill('SIGINT')
  const { status, out } = await reported
  expect(status).toBe(1)
  expect(JSON.parse(out)).toMatchObject({ status: 'cancelled', stop_reason: 'cancelled' })
})

test('--help works without a server', async () => {
  const { status, out } = await finished(script('chat.ts', ['--help']))
  expect(status).toBe(0)
  for (const word of ['--json', '--thread', 'SATCHEL_KEY', 'NO_COLOR', '/skills', 'Exit status: 0', 'Ctrl-C'])
    expect(out).toContain(word)
})
