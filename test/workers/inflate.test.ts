// Guards decompressing DEFLATE in workerd: its zlib reports ends and errors differently from Node's, and must be read
// as well.

import { deflateRawSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { utf8 } from '../../src/lib/bytes.ts'
import { unpackArchive } from '../../src/skills/package/archive.ts'
import { packTarGz } from '../../src/skills/package/archive-pack.ts'
import { tarGzOf } from '../unit/skills/package/archive-bytes.ts'
import { checkInflate, checkInflateTo } from '../unit/skills/package/inflate-cases.ts'

it('stops at the limit, and reports where the stream ended and what is wrong with it', () => {
  for (const size of [1, 300, 70_000]) {
    const content = Uint8Array.from({ length: size }, (_, at) => (at * at) % 251)
    checkInflate(content, new Uint8Array(deflateRawSync(content)))
  }
})

it('decompresses correctly in pieces', async () => {
  for (const size of [1, 300, 700_000]) {
    const content = Uint8Array.from({ length: size }, (_, at) => (at * at) % 251)
    for (const level of [0, 6])
      await checkInflateTo(content, new Uint8Array(deflateRawSync(content, { level })))
  }
})

it('refuses data after a gzip stream, and a truncated stream', async () => {
  const packed = await packTarGz(
    new Map([['SKILL.md', new TextEncoder().encode('---\nname: a\n---\n') as Uint8Array<ArrayBuffer>]]),
  )
  if (!packed.ok) throw new Error('must pack')
  const longer = new Uint8Array(packed.value.length + 3)
  longer.set(packed.value)
  expect((await unpackArchive(packed.value)).ok).toBe(true)
  for (const bytes of [longer, packed.value.slice(0, -9)])
    expect(await unpackArchive(bytes)).toMatchObject({ ok: false, error: { code: 'invalid_archive' } })
})

it('reports a truncated archive as such, whatever size its last bytes claim', async () => {
  const noise = Uint8Array.from({ length: 300_000 }, (_, at) => Math.imul(at + 1, 2_654_435_761) >>> 24)
  const packed = tarGzOf([
    { name: 'SKILL.md', content: '---\nname: a\n---\n' },
    { name: 'a.bin', content: noise },
  ])
  for (let length = packed.length - 1; length > 100; length -= 29_989)
    expect(await unpackArchive(packed.slice(0, length)), `${length} bytes`).toMatchObject({
      ok: false,
      error: { code: 'invalid_archive', detail: expect.stringContaining('is truncated') },
    })
})

it('reads a tar as it arrives, and stops at a refused member', async () => {
  const large = Uint8Array.from({ length: 3_000_000 }, (_, at) => (at * at * 31) & 255)
  const files = new Map([
    ['SKILL.md', utf8('---\nname: a\n---\n')],
    ['assets/large.bin', large],
  ])
  const packed = await packTarGz(files)
  if (!packed.ok) throw new Error('must pack')
  expect(await unpackArchive(packed.value)).toEqual({ ok: true, value: files })
  const hostile = tarGzOf([
    { name: 'link', kind: '2', link: '/etc/passwd' },
    { name: 'large.bin', content: large },
  ])
  expect(await unpackArchive(hostile)).toMatchObject({ ok: false, error: { code: 'invalid_archive' } })
})
