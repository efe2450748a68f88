// Guards the memory for a body however it arrives: in one-byte chunks with a buffer each, slowly, never, or many at
// once.

import { expect, it } from 'vitest'
import { equalBytes, joinBytes } from '../../../src/lib/bytes.ts'
import { readParts, type BodyRules } from '../../../src/api/bodies/body.ts'
import { BodyMemory } from '../../../src/api/bodies/body-memory.ts'
import { setSender, takeUnfinished } from '../../../src/api/admission/sender.ts'
import { BODY_PART_BYTES } from '../../../src/limits/skills.ts'

const CONTENT = Uint8Array.from({ length: 3 * BODY_PART_BYTES + 5 }, (_, at) => (at * 7) & 255)
const READ_BUFFER = 4_096

/** Like a runtime: each chunk is a view of a larger buffer. */
function* chunks(content: Uint8Array, sizes: readonly number[]): Generator<Uint8Array> {
  for (let at = 0, turn = 0; at < content.length; turn++) {
    const part = content.subarray(at, at + (sizes[turn % sizes.length] ?? 1))
    const chunk = new Uint8Array(Math.max(READ_BUFFER, part.length)).subarray(0, part.length)
    chunk.set(part)
    yield chunk
    at += part.length
  }
}

function requestOf(content: Uint8Array, sizes: readonly number[]): Request {
  const rest = chunks(content, sizes)
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      const { done, value } = rest.next()
      if (done === true) controller.close()
      else controller.enqueue(value)
    },
  })
  // Node requires `duplex`, which the runtime's types lack.
  const init = { method: 'POST', body, duplex: 'half' }
  return new Request('https://satchel.test/', init)
}

it.each([
  [[1], BODY_PART_BYTES + 5],
  [[1, 4_096], CONTENT.length],
  [[4_096], CONTENT.length],
  [[1, BODY_PART_BYTES + 1], CONTENT.length],
  [[BODY_PART_BYTES], CONTENT.length],
  [[200_000], CONTENT.length],
])('chunks of %j bytes are the same body, in few buffers', async (sizes, length) => {
  const content = CONTENT.subarray(0, length)
  const parts = await readParts(requestOf(content, sizes), length)
  if (!parts.ok) throw new Error(parts.error.detail)
  expect(equalBytes(joinBytes(parts.value), content)).toBe(true)
  const buffers = new Set(parts.value.map(({ buffer }) => buffer))
  expect(Array.from(buffers).reduce((sum, buffer) => sum + buffer.byteLength, 0)).toBeLessThan(
    2 * (length + BODY_PART_BYTES),
  )
  expect((await readParts(requestOf(content, sizes), length - 1)).ok).toBe(false)
})

function stallingBody(bytes: number): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(new Uint8Array(bytes)),
  })
}

/** A body that sends these chunks, then nothing more. */
function stalling(chunks: readonly number[]): {
  readonly request: Request
  readonly cancelled: () => boolean
} {
  let cancelled = false
  const rest = chunks.map((size) => new Uint8Array(size))
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      const chunk = rest.shift()
      if (chunk) controller.enqueue(chunk)
      else return new Promise(() => undefined)
    },
    cancel() {
      cancelled = true
    },
  })
  const init = { method: 'POST', body, duplex: 'half' }
  return { request: new Request('https://satchel.test/', init), cancelled: () => cancelled }
}

const alone = (): boolean => true
const rules = (more: Partial<BodyRules> = {}): BodyRules => ({
  silenceMaxMs: 1_000,
  durationMaxMs: 60_000,
  windowMinBytes: 1,
  memory: new BodyMemory(() => Date.now()),
  ...more,
})

it('gives up a body that stays silent', async () => {
  const { request, cancelled } = stalling([10])
  expect(await readParts(request, 1_000, alone, rules({ silenceMaxMs: 20 }))).toMatchObject({
    error: { code: 'too_slow' },
  })
  expect(cancelled()).toBe(true)
})

it('gives up an endless body, and reports each part of it', async () => {
  let heard = 0
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      await new Promise((resolve) => setTimeout(resolve, 5))
      controller.enqueue(new Uint8Array(1))
    },
  })
  const init = { method: 'POST', body, duplex: 'half' }
  const request = new Request('https://satchel.test/', init)
  const limits = rules({ silenceMaxMs: 50, durationMaxMs: 150 })
  expect(await readParts(request, 1_000_000, () => ++heard > 0, limits)).toMatchObject({
    error: { code: 'too_slow' },
  })
  expect(heard).toBeGreaterThan(1)
})

it('gives up a body that arrives too slowly', async () => {
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      await new Promise((resolve) => setTimeout(resolve, 5))
      controller.enqueue(new Uint8Array(1))
    },
  })
  const request = new Request('https://satchel.test/', {
    method: 'POST',
    body,
    duplex: 'half',
  } as RequestInit)
  const limits = rules({ silenceMaxMs: 30, windowMinBytes: 1_000 })
  expect(await readParts(request, 1_000_000, alone, limits)).toMatchObject({ error: { code: 'too_slow' } })
})

it('counts an interrupted, slow or displaced body against its sender, and does not read one that is declared too large', async () => {
  takeUnfinished()
  const broken = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(new Uint8Array(10))
      controller.error(new Error('Network connection lost.'))
    },
  })
  const made = (body: ReadableStream<Uint8Array>, more: object = {}): Request => {
    const request = new Request('https://satchel.test/', {
      method: 'POST',
      body,
      duplex: 'half',
      ...more,
    } as RequestInit)
    setSender(request, ['hook', 'w', 'hk', '192.0.2.1'])
    return request
  }
  expect(await readParts(made(broken), 1_000, alone, rules())).toMatchObject({
    error: { code: 'invalid_request' },
  })
  expect(takeUnfinished()).toMatchObject([{ path: ['hook', 'w', 'hk', '192.0.2.1'] }])

  const memory = new BodyMemory(() => Date.now(), { smallBytes: 1_000_000, largeBytes: 300_000 })
  const slow = readParts(made(stallingBody(250_000)), 1_000_000, alone, rules({ memory }))
  await new Promise((resolve) => setImmediate(resolve))
  const other = new Request('https://satchel.test/', { method: 'POST', body: new Uint8Array(100_000) })
  expect((await readParts(other, 1_000_000, alone, rules({ memory }))).ok).toBe(true)
  expect(await slow).toMatchObject({ error: { code: 'overloaded', retryAfterS: 2 } })
  expect(takeUnfinished()).toHaveLength(1)

  const large = made(stallingBody(10), { headers: { 'Content-Length': '1001' } })
  expect(await readParts(large, 1_000, alone, rules())).toMatchObject({ error: { code: 'too_large' } })
  expect(large.bodyUsed).toBe(false)
  expect(takeUnfinished()).toEqual([])
})
