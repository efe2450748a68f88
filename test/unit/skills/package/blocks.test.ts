// Guards an archive stored in blocks: wherever it is split, unpacking gives the same files and errors as for a single
// buffer, and blocks that were read are released.

import { expect, it } from 'vitest'
import { joinBytes, utf8 } from '../../../../src/lib/bytes.ts'
import { packSkill, packTarGz } from '../../../../src/skills/package/archive-pack.ts'
import { unpackArchive, unpackBlocks } from '../../../../src/skills/package/archive.ts'
import { Blocks } from '../../../../src/skills/package/blocks.ts'
import { zipOf } from './archive-bytes.ts'

type Bytes = Uint8Array<ArrayBuffer>

function* cut(bytes: Bytes, size: number): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.slice(at, at + size)
}

const COUNTED = Uint8Array.from({ length: 100 }, (_, at) => at)

it.each([1, 7, 99, 100])('blocks of %i bytes read as the whole, and only released ones are gone', (size) => {
  const blocks = new Blocks([new Uint8Array(), ...cut(COUNTED, size), new Uint8Array()])
  expect(blocks.length).toBe(100)
  for (const [from, to] of [
    [0, 100],
    [0, 1],
    [6, 8],
    [98, 100],
    [99, 400],
    [50, 50],
    [100, 120],
  ] as const)
    expect(blocks.slice(from, to)).toEqual(COUNTED.slice(from, to))
  blocks.release(50)
  expect(blocks.slice(50, 100)).toEqual(COUNTED.slice(50))
  expect(blocks.slice(0, 100).length).toBe(100 - Math.floor(50 / size) * size)
  blocks.release(1_000)
  expect(blocks.slice(0, 100).length).toBe(0)
})

const FILES = new Map<string, Bytes>([
  ['SKILL.md', utf8('---\nname: own\n---\n')],
  ['assets/a.bin', Uint8Array.from({ length: 70_000 }, (_, at) => (at * at * 31) & 255)],
  ['assets/b.txt', utf8('Line.\n'.repeat(20_000))],
])

it('an archive opens the same however it is split, and is refused with the same error', async () => {
  const tar = await packTarGz(FILES)
  if (!tar.ok) throw new Error('must pack')
  const zip = packSkill('own', FILES)
  const described = zipOf([
    { name: 'SKILL.md', content: 'x', behind: 'signed', flags: 0x808 },
    { name: 'b', content: 'y'.repeat(999), behind: 'bare', flags: 0x808 },
  ])
  const good = [zip, tar.value, described]
  const bad = good.flatMap((whole) => [
    whole.slice(0, -1),
    whole.slice(0, whole.length >> 1),
    joinBytes([whole, utf8('more')]),
    joinBytes([whole, whole]),
    whole.map((byte, at) => (at === whole.length - 30 ? byte ^ 255 : byte)),
    whole.map((byte, at) => (at === 40 ? byte ^ 255 : byte)),
  ])
  for (const [at, bytes] of [...good, ...bad].entries()) {
    const whole = await unpackArchive(bytes.slice())
    expect(whole.ok).toBe(at < good.length || whole.ok)
    for (const size of [13, 4_096, 65_536]) {
      const blocks = new Blocks(cut(bytes, size))
      expect(await unpackBlocks(blocks)).toEqual(whole)
    }
  }
})
