// Guards memory against how a body is cut: chunks of a byte, each in a buffer of its own, are not kept as they come.

import { expect, it } from 'vitest'
import { joinBytes } from '../../../src/lib/bytes.ts'
import { readParts } from '../../../src/http/body.ts'
import { BODY_PART_BYTES } from '../../../src/limits.ts'

const CONTENT = Uint8Array.from({ length: 3 * BODY_PART_BYTES + 5 }, (_, at) => (at * 7) & 255)
const READ_BUFFER = 4_096

/** As a runtime reads: what comes lies in a larger buffer that nobody else uses. */
function* chunks(sizes: readonly number[]): Generator<Uint8Array> {
  for (let at = 0, turn = 0; at < CONTENT.length; turn++) {
    const part = CONTENT.subarray(at, at + (sizes[turn % sizes.length] ?? 1))
    const chunk = new Uint8Array(Math.max(READ_BUFFER, part.length)).subarray(0, part.length)
    chunk.set(part)
    yield chunk
    at += part.length
  }
}

function requestOf(sizes: readonly number[]): Request {
  const rest = chunks(sizes)
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      const { done, value } = rest.next()
      if (done === true) controller.close()
      else controller.enqueue(value)
    },
  })
  // Node asks for `duplex`, which the types of the runtime do not have.
  const init = { method: 'POST', body, duplex: 'half' }
  return new Request('https://satchel.test/', init)
}

it.each([[[1]], [[1, 4_096]], [[4_096]], [[1, BODY_PART_BYTES + 1]], [[BODY_PART_BYTES]], [[200_000]]])(
  'chunks of %j bytes are the same body, in few buffers',
  async (sizes) => {
    const parts = await readParts(requestOf(sizes), CONTENT.length)
    if (!parts.ok) throw new Error(parts.error.detail)
    expect(joinBytes(parts.value)).toEqual(CONTENT)
    const buffers = new Set(parts.value.map(({ buffer }) => buffer))
    expect(Array.from(buffers).reduce((sum, buffer) => sum + buffer.byteLength, 0)).toBeLessThan(
      2 * (CONTENT.length + BODY_PART_BYTES),
    )
    expect((await readParts(requestOf(sizes), CONTENT.length - 1)).ok).toBe(false)
  },
)
