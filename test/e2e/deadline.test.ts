// Promise: a call into an isolate that never yields is stopped soon after its deadline and not retried. No run is lost,
// and a call that is merely late is not stopped.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import { afterAll, beforeAll, expect, test } from 'vitest'

import { isAlive } from '../../scripts/lib/processes.ts'
import { startMessagesApi, type MessagesApi } from '../fakes/messages-api.ts'
import { defaultScript } from '../fakes/messages-default.ts'
import type { Reply } from '../fakes/messages-wire.ts'
import { livingWorkerd, ROOT, startSatchel, until, type Satchel } from './satchel.ts'

/** Longer than any test waits. */
const ENDLESS_MS = 3_600_000
const FREE = { ok: true, value: { bindings: [], watcher: expect.stringContaining('not permitted') } }

/** The model reads the uploaded document and reports the result. */
function readsDocument(requested: string): Reply {
  const [path = ''] = /\/mnt\/user-data\/uploads\/\w+\.pdf/.exec(requested) ?? []
  if (requested.includes('tool_result')) return { content: [{ type: 'text', text: 'That was it.' }] }
  if (!asksToRead.has(path)) asksToRead.set(path, performance.now())
  return { content: [{ type: 'tool_use', id: 'toolu_read', name: 'read_file', input: { path } }] }
}

/** The deadline (ms) that test/workers/spinning.ts gives a document. */
const DOCUMENT_MS = 2_000
/** The time (ms) at which the model first asked for each document, by path. */
const asksToRead = new Map<string, number>()
let model: MessagesApi
let satchel: Satchel
beforeAll(async () => {
  // Two rounds of tool calls, then three seconds of text, started again after a restart.
  const reports = defaultScript({ firstTokenMs: 50, deltaMs: 30, words: 100 })
  model = await startMessagesApi((requested, index) => {
    if (requested.raw.includes('<uploaded_files>')) return readsDocument(requested.raw)
    if (typeof reports !== 'function') throw new Error('the default script decides by the request')
    return reports(requested, index)
  })
  satchel = await startSatchel({
    script: '../test/e2e/start-spinning.ts',
    env: { ANTHROPIC_API_KEY: 'any', ANTHROPIC_BASE_URL: model.url },
  })
})
afterAll(async () => {
  await satchel?.stop()
  await model?.close()
})

interface ModelRequest {
  readonly key: string
  /** The announced deadline in ms. */
  readonly ms: number
  readonly spin?: number
  readonly wait?: number
}

/** The result of a call; null if workerd was ended before it could answer. */
async function call({ key, ms, spin = 0, wait = 0 }: ModelRequest): Promise<unknown> {
  const query = new URLSearchParams({ key, ms: String(ms), spin: String(spin), wait: String(wait) })
  const response = await fetch(`${satchel.url}/test/call?${query}`).catch(() => null)
  return response && response.json().catch(() => null)
}

async function healthy(): Promise<boolean> {
  const response = await fetch(`${satchel.url}/healthz`).catch(() => null)
  return response?.ok === true
}

async function upAgain(times: number): Promise<void> {
  await until('that is said', () => satchel.output().split('Up again after').length > times)
}

test('workerd is back soon after the deadline, and a run in progress continues to its end', async () => {
  const before = await livingWorkerd(satchel)
  const began: string[] = []
  const chat = satchel.client.chat({ message: 'Write an incident report.' }, 'spun', {
    onEvent: ({ type }) => void began.push(type),
  })
  await until('the run is going', () => began.includes('text.delta'))

  const requested = { key: 'document one', ms: 1_000, spin: ENDLESS_MS }
  const due = performance.now() + requested.ms
  expect(await call(requested)).toBeNull()
  await until('it answers again', healthy)
  console.log(`workerd answers ${Math.round(performance.now() - due)} ms after the deadline`)
  expect(isAlive(before)).toBe(false)
  const ended = await chat
  expect(ended.ok && ended.value.terminal.type).toBe('run.completed')
  expect(satchel.output()).toContain(
    'document one exceeded its limit of 1.0 s and workerd did not respond: starting it again.',
  )
  expect(satchel.output()).not.toContain('workerd ended again')

  // The same call is refused after that; other calls are not.
  const now = await livingWorkerd(satchel)
  expect(await call(requested)).toEqual({ ok: false, error: { key: 'document one' } })
  expect(await call({ key: 'document two', ms: 1_000 })).toEqual(FREE)
  expect(isAlive(now)).toBe(true)
})

test('stops only those of several concurrent calls whose time is over', async () => {
  await upAgain(1)
  const honest = call({ key: 'long', ms: ENDLESS_MS, wait: 2_000 })
  expect(await call({ key: 'short', ms: 500, spin: ENDLESS_MS })).toBeNull()
  expect(await honest).toBeNull()
  await until('it answers again', healthy)
  await upAgain(2)
  expect(await call({ key: 'short', ms: 500 })).toEqual({ ok: false, error: { key: 'short' } })
  expect(await call({ key: 'long', ms: ENDLESS_MS })).toEqual(FREE)
})

test('leaves alone a call that is late while workerd responds, and one that computes within its time', async () => {
  const before = await livingWorkerd(satchel)
  expect(await call({ key: 'late', ms: 500, wait: 3_000 })).toEqual(FREE)
  expect(await call({ key: 'busy', ms: 60_000, spin: 4_000 })).toEqual(FREE)
  expect(await call({ key: 'late', ms: 500 })).toEqual(FREE)
  expect(isAlive(before)).toBe(true)
})

/** Uploads a PDF, lets the model read it, and returns the end of the run and what the model received. */
async function haveRead(
  name: string,
  data: Uint8Array<ArrayBuffer>,
): Promise<{ end: string; received: string }> {
  const { client } = satchel
  const thread = await client.createThread()
  if (!thread.ok) throw new Error(JSON.stringify(thread.error))
  const sent = await client.upload(thread.value, [{ name, data }])
  if (!sent.ok) throw new Error(JSON.stringify(sent.error))
  const requested = { message: 'What does it say?', thread_id: thread.value }
  const chat = await client.chat(requested, name, { onEvent: () => undefined })
  if (!chat.ok) throw new Error(JSON.stringify(chat.error))
  const reported = model.exchanges.findLast(({ raw }) => raw.includes('tool_result') && raw.includes(name))
  return { end: chat.value.terminal.type, received: reported?.raw ?? '' }
}

test('reports a document that never ends to the model as unreadable, and loses no run', async () => {
  const before = await livingWorkerd(satchel)
  const pdf = readFileSync(join(ROOT, 'test/fixtures/documents/reportlab.pdf'))
  const honest = await haveRead('honest.pdf', new Uint8Array(pdf))
  expect(honest).toMatchObject({ end: 'run.completed', received: expect.stringContaining('## Page 1') })

  const began: string[] = []
  const other = satchel.client.chat({ message: 'Write another report.' }, 'other', {
    onEvent: ({ type }) => void began.push(type),
  })
  await until('the other run is going', () => began.includes('text.delta'))
  const spinning = haveRead('spin.pdf', new Uint8Array(Buffer.concat([pdf, Buffer.from('\n% SPIN\n')])))
  await until('workerd is ended', () => !isAlive(before))
  await until('it answers again', healthy)
  const due = (asksToRead.get('/mnt/user-data/uploads/spin.pdf') ?? Number.NaN) + DOCUMENT_MS
  const late = Math.round(performance.now() - due)
  console.log(`workerd answers at most ${late} ms after the deadline of a document`)

  const { end, received: reported } = await spinning
  expect(end).toBe('run.completed')
  expect(reported).toContain(
    'Reading this document was stopped because it blocked all other requests for more than 2 s',
  )
  const ended = await other
  expect(ended.ok && ended.value.terminal.type).toBe('run.completed')
  expect(satchel.output()).toMatch(
    /document [\da-f]{64} exceeded its limit of 2\.0 s and workerd did not respond/,
  )
  expect(satchel.output()).not.toContain('workerd ended again')
  // Other documents are still read.
  const again = await haveRead('again.pdf', new Uint8Array(pdf))
  expect(again).toMatchObject({ end: 'run.completed', received: expect.stringContaining('## Page 1') })
})

test('the watcher cannot be reached from the network', async () => {
  const named = ['WATCHER', 'watcher', 'core:custom-fetch:0:#WATCHER']
  for (const name of named)
    for (const header of ['MF-Route-Override', 'MF-Custom-Fetch-Service']) {
      const response = await fetch(`${satchel.url}/calls`, {
        method: 'POST',
        headers: { [header]: name },
        body: JSON.stringify({ key: 'from outside', ms: 0 }),
      })
      expect(await response.text()).not.toContain('"go"')
    }
})
