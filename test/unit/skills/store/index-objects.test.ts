// Guards how an index is stored: an index of any size is split into objects that fit a KV value and an isolate, has one
// address and equal bytes for equal content, and is never assembled from damaged or foreign parts.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fromUtf8, sha256Hex } from '../../../../src/lib/bytes.ts'
import type { IndexEntry } from '../../../../src/skills/skill.ts'
import { indexText, parseIndexObject } from '../../../../src/skills/store/index-json.ts'
import { indexObjects, indexOfObjects } from '../../../../src/skills/store/index-objects.ts'
import { casesOr } from '../../../fuzz/seed.ts'
import { entry } from './entries.ts'

const CASES = casesOr(100)

function index(skills: readonly IndexEntry[]) {
  return { format: 1, skills } as const
}

function texts(objects: readonly { readonly bytes: Uint8Array }[]): readonly string[] {
  return objects.map(({ bytes }) => fromUtf8(bytes) ?? '')
}

describe('indexObjects', () => {
  it('is the single text of a small index', async () => {
    for (const skills of [[], [entry('b'), entry('a')]]) {
      const text = indexText(index(skills))
      const { address, objects } = await indexObjects(index(skills))
      expect(texts(objects)).toEqual([text])
      expect(address).toBe(await sha256Hex(text))
    }
  })

  it('is shards of consecutive names above that, and finally a root whose hash is the address', async () => {
    const skills = Array.from({ length: 10 }, (_, at) => entry(`skill-${9 - at}`))
    const size = indexText(index(skills)).length
    const { address, objects } = await indexObjects(index(skills), Math.ceil(size / 3))
    expect(objects).toHaveLength(5)
    for (const { sha256, bytes } of objects)
      expect(sha256).toBe(await sha256Hex(bytes as Uint8Array<ArrayBuffer>))
    expect(objects.at(-1)?.sha256).toBe(address)
    const root = parseIndexObject(texts(objects).at(-1) ?? '')
    expect(root).toEqual({
      shards: [
        { sha256: objects[0]?.sha256, first: 'skill-0', count: 3 },
        { sha256: objects[1]?.sha256, first: 'skill-3', count: 3 },
        { sha256: objects[2]?.sha256, first: 'skill-6', count: 3 },
        { sha256: objects[3]?.sha256, first: 'skill-9', count: 1 },
      ],
    })
  })

  it(`returns the original at every size, in any order (${CASES} cases)`, async () => {
    const names = fc.uniqueArray(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 }), {
      maxLength: 30,
    })
    const property = fc.asyncProperty(names, fc.integer({ min: 1, max: 4_000 }), async (all, shardBytes) => {
      const skills = all.map((name) => entry(name, { description: name.repeat(3) }))
      const sorted = skills.toSorted((a, b) => (a.name < b.name ? -1 : 1))
      const made = await indexObjects(index(skills), shardBytes)
      expect(indexOfObjects(texts(made.objects))).toEqual(index(sorted))
      expect(await indexObjects(index(sorted), shardBytes)).toEqual(made)
      const largest = Math.max(0, ...skills.map((skill) => indexText(index([skill])).length * 3))
      for (const { bytes } of made.objects.slice(0, -1))
        expect(bytes.byteLength).toBeLessThanOrEqual(Math.max(shardBytes, largest))
    })
    await fc.assert(property, { numRuns: CASES })
  })
})

describe('indexOfObjects', () => {
  it('assembles only objects that are complete, in order and listed by the root', async () => {
    const skills = ['a', 'b', 'c', 'd'].map((name) => entry(name))
    const whole = texts((await indexObjects(index(skills), 1)).objects)
    const [a = '', b = '', c = '', d = '', root = ''] = whole
    expect(indexOfObjects([a, b, c, d, root])?.skills).toHaveLength(4)
    const broken = [
      [],
      [root],
      [a, b, c, root],
      [b, a, c, d, root],
      [a, b, c, c, root],
      [a, b, c, indexText(index([])), root],
      [a, b, c, indexText(index([entry('d'), entry('e')])), root],
      [a, b, c, root, root],
      [a, b, c, d],
    ]
    for (const parts of broken) expect(indexOfObjects(parts)).toBeNull()
    const turned = root.replace(
      /\[(.*)\]/,
      (_, list: string) =>
        `[${list
          .split(/(?<=\}),/)
          .toReversed()
          .join(',')}]`,
    )
    expect(parseIndexObject(turned)).not.toBeNull()
    expect(indexOfObjects([d, c, b, a, turned])).toBeNull()
  })

  it.each([
    ['no list', '{"format":2,"shards":{}}'],
    ['an empty list', '{"format":2,"shards":[]}'],
    ['an empty entry in the list', '{"format":2,"shards":[null]}'],
    ['an invalid digest', '{"format":2,"shards":[{"sha256":"../x","first":"a","count":1}]}'],
    ['an unknown format', '{"format":3,"shards":[]}'],
  ])('refuses a root with %s', (_what, text) => {
    expect(parseIndexObject(text)).toBeNull()
  })
})
