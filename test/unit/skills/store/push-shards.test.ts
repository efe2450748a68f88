// Guards pushing an index in shards: a store never has the root without everything that it lists.

import { expect, it } from 'vitest'
import { memoryBlob } from '../../../../scripts/skill-folders/blob.ts'
import type { Build } from '../../../../scripts/build/build.ts'
import { pushBuild } from '../../../../scripts/push/push.ts'
import { fromUtf8 } from '../../../../src/lib/bytes.ts'
import { indexObjects, indexOfObjects } from '../../../../src/skills/store/index-objects.ts'
import { blobKey, indexKey } from '../../../../src/skills/store/keys.ts'
import { entry } from './entries.ts'

it('sends the shards before the root, to both stores', async () => {
  const index = { format: 1, skills: [entry('a'), entry('b'), entry('c')] } as const
  const { address, objects } = await indexObjects(index, 1)
  const texts = new Map(objects.map(({ sha256, bytes }) => [sha256, fromUtf8(bytes) ?? '']))
  const shards = new Map([...texts].filter(([sha256]) => sha256 !== address))
  const build: Build = {
    digest: address,
    index,
    indexText: texts.get(address) ?? '',
    indexShards: shards,
    bodies: new Set(),
    blobs: new Map(objects.map(({ sha256, bytes }) => [sha256, memoryBlob(bytes)])),
  }
  const kv: string[] = []
  const r2: string[] = []
  const sent: string[] = []
  await pushBuild(build, {
    hasKv: async () => new Set(),
    hasBlobs: async () => new Set(),
    putKv: async (entries) => {
      for (const { key, value } of entries) {
        kv.push(key)
        sent.push(value)
      }
    },
    putBlobs: async (entries) => void r2.push(...entries.map(({ key }) => key)),
  })
  expect(new Set(kv)).toEqual(new Set(objects.map(({ sha256 }) => indexKey(sha256))))
  expect(kv.at(-1)).toBe(indexKey(address))
  expect(r2.at(-1)).toBe(blobKey('build', address))
  expect(r2).toHaveLength(4)
  expect(indexOfObjects(sent)).toEqual(index)
})
