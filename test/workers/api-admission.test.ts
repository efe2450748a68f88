// Guards the isolate against many new threads at once: only a few first messages are processed at a time, and a message of an
// existing thread never waits for one.

import { beforeAll, expect, it } from 'vitest'
import { newId } from '../../src/lib/ids.ts'
import { ADMISSION_QUEUE } from '../../src/api/admission/limits.ts'
import type { StartInput } from '../../src/thread/api.ts'
import { makeKey, send, serveSkills } from './api-fixture.ts'
import { eventually } from '../../scripts/lab/rig/until.ts'

beforeAll(() => serveSkills([{ name: 'alpha' }]))

/** Threads that delay acceptance while a test wants it; records the pending messages. */
class SlowThreads {
  readonly going = new Map<string, () => void>()
  readonly #created = new Set<string>()
  most = 0

  readonly binding = {
    getByName: () => ({
      start: async (_: unknown, { create, message, threadId }: StartInput) => {
        const { promise, resolve } = Promise.withResolvers<void>()
        const text = String(message[0]?.['text'])
        this.going.set(text, resolve)
        if (create) this.#created.add(text)
        this.most = Math.max(
          this.most,
          [...this.going.keys()].filter((name) => this.#created.has(name)).length,
        )
        await promise
        this.going.delete(text)
        return { ok: true, value: { thread_id: threadId, run_id: newId('run'), created: true, events: null } }
      },
    }),
  } as unknown as DurableObjectNamespace // the cast is safe: the route uses only these methods
}

it('starts a few at a time, of one key and of many, while the next message of a thread starts at once', async () => {
  const threads = new SlowThreads()
  const keys = await Promise.all(Array.from({ length: 5 }, async () => (await makeKey('chat')).key))
  const ask = async (message: string, key: string, more: object = {}): Promise<number> => {
    const headers = { Prefer: 'respond-async' }
    const body = { message, ...more }
    return (await send('POST /v1/chat', { key, body, headers, env: { THREADS: threads.binding } })).status
  }
  const all = Array.from({ length: 100 }, (_, at) => ask(`new ${at}`, keys[at % 10] ?? keys[0] ?? ''))
  await eventually(() => threads.going.size === ADMISSION_QUEUE.concurrency)
  const next = ask('next', keys[0] ?? '', { thread_id: newId('th') })
  await eventually(() => threads.going.has('next'))
  threads.going.get('next')?.()
  expect(await next).toBe(202)
  const done = Promise.all(all)
  let over = false
  void done.then(() => (over = true))
  await eventually(() => {
    threads.going.values().next().value?.()
    return over
  })
  expect(new Set(await done)).toEqual(new Set([202]))
  expect(threads.most).toBe(ADMISSION_QUEUE.concurrency)
})
