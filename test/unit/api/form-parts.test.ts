// Guards that a form is read the same however its bytes are split into chunks: the network splits them anywhere, even
// inside a boundary.

import { expect, it } from 'vitest'
import { FormParts, type FormEvent } from '../../../src/api/upload/form-parts.ts'
import { fromUtf8, joinBytes, utf8 } from '../../../src/lib/bytes.ts'

const B = '-x--'
const TYPE = `multipart/form-data; boundary=${B}`

function part(name: string, data: string): string {
  return `--${B}\r\nContent-Disposition: form-data; name="files[]"; filename="${name}"\r\n\r\n${data}\r\n`
}

const FORM = utf8(
  `before\r\n${part('日本.txt', `\r\n--${B.slice(0, -1)}\r\n-`)}${part('empty', '')}${part('c', '\r\r\n--\r\n\r\n')}--${B}--\r\nbehind`,
)

/** Names and contents in the order in which they arrive. */
function readIn(pieces: readonly Uint8Array[]): unknown {
  const form = new FormParts(TYPE)
  const files: { name: string | null; data: Uint8Array[]; ends: number }[] = []
  const take = (events: readonly FormEvent[]): void => {
    for (const event of events) {
      if (event.type === 'part') files.push({ name: event.name, data: [], ends: 0 })
      const last = files.at(-1)
      if (event.type === 'bytes') last?.data.push(event.piece.slice())
      if (event.type === 'end' && last) last.ends += 1
    }
  }
  for (const piece of pieces) {
    const events = form.write(piece)
    if (!events.ok) return events.error
    take(events.value)
  }
  const rest = form.end()
  if (!rest.ok) return rest.error
  take(rest.value)
  return files.map(({ name, data, ends }) => [name, fromUtf8(joinBytes(data)), ends])
}

const WHOLE = [
  ['日本.txt', `\r\n--${B.slice(0, -1)}\r\n-`, 1],
  ['empty', '', 1],
  ['c', '\r\r\n--\r\n\r\n', 1],
]

it('reads a form as it was written', () => {
  expect(readIn([FORM])).toEqual(WHOLE)
})

it('reads the same when it is split in three, anywhere', () => {
  for (let first = 0; first <= FORM.length; first++)
    for (let second = first; second <= FORM.length; second += 1 + (first % 7)) {
      const read = readIn([FORM.subarray(0, first), FORM.subarray(first, second), FORM.subarray(second)])
      expect([first, second, read]).toEqual([first, second, WHOLE])
    }
})

it('reads the same in chunks of any size', () => {
  for (let size = 1; size < 90; size++) {
    const pieces = Array.from({ length: Math.ceil(FORM.length / size) }, (_, at) =>
      FORM.subarray(at * size, (at + 1) * size),
    )
    expect([size, readIn(pieces)]).toEqual([size, WHOLE])
  }
})

it('refuses a form that ends too early', () => {
  const end = FORM.length - 'behind'.length - '--\r\n'.length
  for (let length = 0; length < end; length++)
    expect([length, readIn([FORM.subarray(0, length)])]).toEqual([
      length,
      expect.objectContaining({ code: 'invalid_request' }),
    ])
})
