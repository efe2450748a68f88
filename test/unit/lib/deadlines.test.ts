// Guards deadlines: a call is announced before it begins and reported as ended, however it ends; a watcher's refusal is obeyed,
// and a missing watcher delays nobody.

import { expect, test } from 'vitest'

import { deadlines } from '../../../src/lib/deadlines.ts'
import { CallWatcher } from '../../../scripts/start/watcher.ts'

import type { ServerReport } from '../../../scripts/start/messages.ts'

/** A watcher whose supervisor answers `go`, or never answers if it is null. */
function watched(go: boolean | null): { heard: ServerReport[]; watcher: Parameters<typeof deadlines>[0] } {
  const heard: ServerReport[] = []
  const watcher = new CallWatcher((report) => {
    heard.push(report)
    if (report.type === 'call' && go !== null)
      queueMicrotask(() => watcher.receive({ type: 'call-answer', id: report.id, go }))
  })
  return { heard, watcher: { fetch: async (url, init) => watcher.fetch(new Request(url, init)) } }
}

const CALL = { type: 'call', id: 1, key: 'document a', ms: 10_000 }
const OVER = { type: 'call-over', id: 1 }

test('announces a call, makes it, and reports its end', async () => {
  const { heard, watcher } = watched(true)
  const done = await deadlines(watcher).guard('document a', 10_000, async () => {
    expect(heard).toEqual([CALL])
    return 'text'
  })
  expect(done).toEqual({ ok: true, value: 'text' })
  expect(heard).toEqual([CALL, OVER])
})

test('reports the end of a failing call, too, and passes its failure on', async () => {
  const { heard, watcher } = watched(true)
  const broken = deadlines(watcher).guard('document a', 10_000, async () => {
    throw new Error('torn')
  })
  await expect(broken).rejects.toThrow('torn')
  expect(heard).toEqual([CALL, OVER])
})

test('does not begin a refused call', async () => {
  const { heard, watcher } = watched(false)
  let begun = false
  const refused = await deadlines(watcher).guard('document a', 10_000, async () => (begun = true))
  expect(refused).toEqual({ ok: false, error: { key: 'document a' } })
  expect(begun).toBe(false)
  expect(heard).toEqual([CALL])
})

test('numbers parallel calls separately', async () => {
  const { heard, watcher } = watched(true)
  const port = deadlines(watcher)
  await Promise.all(['a', 'b'].map(async (key) => port.guard(key, 1, async () => key)))
  expect(heard.map((report) => ('id' in report ? [report.type, report.id] : []))).toEqual([
    ['call', 1],
    ['call', 2],
    ['call-over', 1],
    ['call-over', 2],
  ])
})

test.each<[string, Parameters<typeof deadlines>[0]]>([
  ['no watcher', undefined],
  ['a watcher that never answers', { fetch: async () => new Promise(() => {}) }],
  ['a watcher whose supervisor never answers', watched(null).watcher],
  ['a broken watcher', { fetch: async () => Promise.reject(new Error('gone')) }],
  ['a watcher that does not understand', { fetch: async () => new Response(null, { status: 400 }) }],
])('just makes the call with %s', async (_, watcher) => {
  const done = await deadlines(watcher).guard('document a', 10_000, async () => 'text')
  expect(done).toEqual({ ok: true, value: 'text' })
})

test('refuses an invalid announcement and passes it on to nobody', async () => {
  const { heard, watcher } = watched(true)
  for (const body of [
    '',
    '{',
    'null',
    '{"key":"a"}',
    '{"key":1,"ms":1}',
    '{"key":"a","ms":"1"}',
    '{"key":"a","ms":-1}',
  ])
    expect((await watcher?.fetch('http://watcher/calls', { method: 'POST', body }))?.status).toBe(400)
  expect(heard).toEqual([])
})
