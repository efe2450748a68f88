// Guards the header check in front of the tar decoder: a refused member never reaches the decoder, and an accepted one
// reaches it whole, however it is split.

import { unpackTar } from 'modern-tar'
import { expect, it } from 'vitest'
import { joinBytes } from '../../../../src/lib/bytes.ts'
import { TAR_META_MAX_BYTES } from '../../../../src/skills/package/limits.ts'
import { tarHeaders, TarRefusal } from '../../../../src/skills/package/tar-headers.ts'
import { longName, pax, tarMember } from './archive-bytes.ts'

type Bytes = Uint8Array<ArrayBuffer>

/** The bytes that a decoder would have received, and the error that ended the stream. */
async function fed(tar: Bytes, piece = tar.length): Promise<{ passed: Bytes; broke: unknown }> {
  const source = new ReadableStream<Uint8Array>({
    start(controller) {
      for (let at = 0; at < tar.length; at += piece) controller.enqueue(tar.subarray(at, at + piece))
      controller.close()
    },
  })
  const passed: Uint8Array[] = []
  const write = new WritableStream<Uint8Array>({ write: (chunk) => void passed.push(chunk) })
  const broke = await source
    .pipeThrough(tarHeaders(100))
    .pipeTo(write)
    .then(
      () => null,
      (error: unknown) => error,
    )
  return { passed: joinBytes(passed), broke }
}

const END = new Uint8Array(1_024)
const FILE = tarMember({ name: 'SKILL.md', content: 'Text.' })

/**
 * Two-character records and one blank at the very end: a reader that searches for it in each record reads all of them
 * each time.
 */
function blanks(size: number): Bytes {
  return tarMember({ name: 'x', kind: 'x', content: '2x'.repeat(size / 2 - 1).concat('x ') })
}

it.each([
  ['a pax header with a distant space', blanks(TAR_META_MAX_BYTES)],
  ['a larger pax header', blanks(1_000_000)],
  ['a long name that is too long', longName('n'.repeat(TAR_META_MAX_BYTES))],
  ['a sparse file', tarMember({ name: 'a', kind: 'S', content: 'x' })],
])('nothing of %s reaches the decoder', async (_, member) => {
  for (const piece of [100, 512, 1_000_000]) {
    const { passed, broke } = await fed(joinBytes([member, FILE, END]), piece)
    expect(broke).toBeInstanceOf(TarRefusal)
    expect(passed).toHaveLength(0)
  }
})

it('the extended headers of one member are limited, however often they are repeated', async () => {
  const { passed, broke } = await fed(
    joinBytes([...Array.from({ length: 50 }, () => pax({ a: 'b' })), FILE, END]),
  )
  expect(broke).toBeInstanceOf(TarRefusal)
  expect(passed).toHaveLength(1_024)
})

it('valid members reach the decoder whole, however they are split', async () => {
  const large = new Uint8Array(3_000).map((__, at) => at % 251)
  const long = 'n'.repeat(300)
  const tar = joinBytes([
    FILE,
    pax({ path: long }),
    tarMember({ name: 'short', content: large }),
    longName('m'.repeat(200)),
    tarMember({ name: 'short', magic: 'ustar  \0' }),
    END,
  ])
  const whole = await fed(tar)
  expect(whole.broke).toBeNull()
  const read = await unpackTar(whole.passed, { strict: true })
  expect(read.map(({ header }) => header.name)).toEqual(['SKILL.md', long, 'm'.repeat(200)])
  expect(read[1]?.data).toEqual(large)
  for (const piece of [1, 7, 511, 513, 1_025]) expect(await fed(tar, piece)).toEqual(whole)
})
