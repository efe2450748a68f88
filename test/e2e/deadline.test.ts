// Promise: a call into an isolate that never gives the thread back is ended soon after the time it was given, and not
// tried again. No run is lost by it, and who is merely late is left alone.

import { afterAll, beforeAll, expect, test } from 'vitest'

import { isAlive } from '../../scripts/lib/processes.ts'
import { startMessagesApi, type MessagesApi } from '../fakes/messages-api.ts'
import { defaultScript } from '../fakes/messages-default.ts'
import { livingWorkerd, startSatchel, until, type Satchel } from './satchel.ts'

/** For ever, as far as anybody here waits. */
const ENDLESS_MS = 3_600_000
const FREE = { ok: true, value: { bindings: [], watcher: expect.stringContaining('not permitted') } }

let model: MessagesApi
let satchel: Satchel
beforeAll(async () => {
  // Two rounds of tools, then words for three seconds, begun anew after a restart.
  model = await startMessagesApi(defaultScript({ firstTokenMs: 50, deltaMs: 30, words: 100 }))
  satchel = await startSatchel({
    script: '../test/e2e/start-spinning.ts',
    env: { ANTHROPIC_API_KEY: 'any', ANTHROPIC_BASE_URL: model.url },
  })
})
afterAll(async () => {
  await satchel?.stop()
  await model?.close()
})

interface Asked {
  readonly key: string
  /** What it is announced with. */
  readonly ms: number
  readonly spin?: number
  readonly wait?: number
}

/** What became of a call; null: whoever could have answered was ended. */
async function call({ key, ms, spin = 0, wait = 0 }: Asked): Promise<unknown> {
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

test('workerd is back soon after the deadline, and a run that was under way goes on to its end', async () => {
  const before = await livingWorkerd(satchel)
  const began: string[] = []
  const chat = satchel.client.chat({ message: 'Write an incident report.' }, 'spun', {
    onEvent: ({ type }) => void began.push(type),
  })
  await until('the run is going', () => began.includes('text.delta'))

  const asked = { key: 'document one', ms: 1_000, spin: ENDLESS_MS }
  const due = performance.now() + asked.ms
  expect(await call(asked)).toBeNull()
  await until('it answers again', healthy)
  console.log(`workerd answers ${Math.round(performance.now() - due)} ms after the deadline`)
  expect(isAlive(before)).toBe(false)
  const ended = await chat
  expect(ended.ok && ended.value.terminal.type).toBe('run.completed')
  expect(satchel.output()).toContain(
    'document one ran past its 1.0 s and workerd did not answer: starting it again.',
  )
  expect(satchel.output()).not.toContain('once more')

  // The same again is refused, and others are not.
  const now = await livingWorkerd(satchel)
  expect(await call(asked)).toEqual({ ok: false, error: { key: 'document one' } })
  expect(await call({ key: 'document two', ms: 1_000 })).toEqual(FREE)
  expect(isAlive(now)).toBe(true)
})

test('of several at once those are stopped whose time is over', async () => {
  await upAgain(1)
  const honest = call({ key: 'long', ms: ENDLESS_MS, wait: 2_000 })
  expect(await call({ key: 'short', ms: 500, spin: ENDLESS_MS })).toBeNull()
  expect(await honest).toBeNull()
  await until('it answers again', healthy)
  await upAgain(2)
  expect(await call({ key: 'short', ms: 500 })).toEqual({ ok: false, error: { key: 'short' } })
  expect(await call({ key: 'long', ms: ENDLESS_MS })).toEqual(FREE)
})

test('a call that is late while workerd answers is left alone, and so is one that computes within its time', async () => {
  const before = await livingWorkerd(satchel)
  expect(await call({ key: 'late', ms: 500, wait: 3_000 })).toEqual(FREE)
  expect(await call({ key: 'busy', ms: 60_000, spin: 4_000 })).toEqual(FREE)
  expect(await call({ key: 'late', ms: 500 })).toEqual(FREE)
  expect(isAlive(before)).toBe(true)
})

test('nobody on the network reaches the watcher', async () => {
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
