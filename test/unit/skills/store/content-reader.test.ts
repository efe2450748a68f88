// Guards the reader of content: what it returns has the requested hash whichever store it came from, missing content is
// not empty content, and an isolate reads immutable content once and caches it within a limit.

import { describe, expect, it } from 'vitest'
import { sha256Hex, utf8 } from '../../../../src/lib/bytes.ts'
import { fail } from '../../../../src/lib/result.ts'
import { weightedCache } from '../../../../src/skills/store/content-cache.ts'
import { contentReader, isolateCache } from '../../../../src/skills/store/content-reader.ts'
import { indexText } from '../../../../src/skills/store/index-json.ts'
import { indexObjects } from '../../../../src/skills/store/index-objects.ts'
import { blobKey, bodyKey, indexKey } from '../../../../src/skills/store/keys.ts'
import type { SkillIndex } from '../../../../src/skills/skill.ts'
import { entry } from './entries.ts'
import { memoryStores } from './memory-stores.ts'

const BODY = '---\nname: a\ndescription: d\n---\nbody'

async function reader(workspace = 'w', cache = isolateCache()) {
  const memory = memoryStores()
  const body = await sha256Hex(BODY)
  const skill = entry('a', { body, category: 'custom' })
  return { ...memory, body, skill, content: contentReader(memory.stores, workspace, cache) }
}

describe('a body', () => {
  it('is read from KV, and from the isolate after that', async () => {
    const { kv, body, skill, content, reads } = await reader()
    kv.set(bodyKey({ workspace: 'w' }, body), utf8(BODY))
    for (let i = 0; i < 3; i++) expect(await content.body(skill)).toEqual({ ok: true, value: BODY })
    expect(reads).toEqual([bodyKey({ workspace: 'w' }, body)])
  })

  it('is read from R2 when KV has nothing, wrong bytes, or does not answer', async () => {
    for (const trouble of ['absent', 'wrong', 'down'] as const) {
      const { kv, r2, body, skill, content, faults } = await reader()
      r2.set(blobKey({ workspace: 'w' }, body), utf8(BODY))
      if (trouble === 'wrong') kv.set(bodyKey({ workspace: 'w' }, body), utf8(`${BODY}!`))
      if (trouble === 'down') faults.kv = 99
      expect(await content.body(skill)).toEqual({ ok: true, value: BODY })
    }
  })

  it('is retried once when an R2 read fails, then returns an error', async () => {
    const { r2, body, skill, content, faults } = await reader()
    r2.set(blobKey({ workspace: 'w' }, body), utf8(BODY))
    faults.r2 = 1
    expect((await content.body(skill)).ok).toBe(true)
    const second = await reader()
    second.faults.r2 = 99
    const failed = await second.content.body(second.skill)
    expect(failed).toMatchObject({ ok: false, error: { code: 'catalog_broken', retryAfterS: 2 } })
  })

  it('is broken when it is missing, is not remembered as missing, and wrong bytes are never cached', async () => {
    const { r2, body, skill, content } = await reader()
    r2.set(blobKey({ workspace: 'w' }, body), utf8('wrong'))
    expect(await content.body(skill)).toMatchObject({ error: { code: 'catalog_broken' } })
    r2.set(blobKey({ workspace: 'w' }, body), utf8(BODY))
    expect((await content.body(skill)).ok).toBe(true)
  })

  it('cached for one workspace is not available to another in the same isolate', async () => {
    const cache = isolateCache()
    const ann = await reader('ann', cache)
    const bob = await reader('bob', cache)
    ann.kv.set(bodyKey({ workspace: 'ann' }, ann.body), utf8(BODY))
    expect((await ann.content.body(ann.skill)).ok).toBe(true)
    expect((await bob.content.body(bob.skill)).ok).toBe(false)
  })
})

describe('an index', () => {
  it('is parsed once, and found in KV or R2 of the build or the workspace', async () => {
    for (const position of ['kv', 'build', 'workspace'] as const) {
      const { kv, r2, content, reads } = await reader()
      const text = indexText({ format: 1, skills: [entry('a')] })
      const sha256 = await sha256Hex(text)
      if (position === 'kv') kv.set(indexKey(sha256), utf8(text))
      else r2.set(blobKey(position === 'build' ? 'build' : { workspace: 'w' }, sha256), utf8(text))
      const first = await content.index(sha256)
      expect(first).toMatchObject({ ok: true, value: { skills: [{ name: 'a' }] } })
      reads.length = 0
      expect(await content.index(sha256)).toEqual(first)
      expect(reads).toEqual([])
    }
  })

  it('counts as not pushed yet only if every store says so and none has other bytes', async () => {
    const { kv, content, faults } = await reader()
    const sha256 = await sha256Hex('{}')
    const absent = fail('not_ready', 'Still to come.')
    expect(await content.index(sha256, absent)).toBe(absent)
    expect(await content.index(sha256)).toMatchObject({ error: { code: 'catalog_broken' } })
    kv.set(indexKey(sha256), utf8('damaged'))
    expect(await content.index(sha256, absent)).toMatchObject({ error: { code: 'catalog_broken' } })
    kv.delete(indexKey(sha256))
    faults.kv = 99
    expect(await content.index(sha256, absent)).toMatchObject({
      error: { code: 'catalog_broken', retryAfterS: 2 },
    })
  })

  it('is broken if it is not a valid index', async () => {
    const { kv, content } = await reader()
    const sha256 = await sha256Hex('{}')
    kv.set(indexKey(sha256), utf8('{}'))
    expect(await content.index(sha256)).toMatchObject({ error: { code: 'catalog_broken' } })
  })
})

describe('an index in shards', () => {
  const skills = ['a', 'b', 'c'].map((name) => entry(name))

  async function sharded() {
    const made = await reader()
    const { address, objects } = await indexObjects({ format: 1, skills }, 1)
    const put = (where: 'kv' | 'r2', at: number): void => {
      const object = objects[at]
      if (!object) throw new Error(`no object ${at}`)
      if (where === 'kv') made.kv.set(indexKey(object.sha256), object.bytes)
      else made.r2.set(blobKey({ workspace: 'w' }, object.sha256), object.bytes)
    }
    return { ...made, address, objects, put }
  }

  it('is read whole, each part once, and from the isolate after that', async () => {
    const { content, reads, address, objects, put } = await sharded()
    for (const at of objects.keys()) put('kv', at)
    const first = await content.index(address)
    expect(first).toEqual({ ok: true, value: { format: 1, skills } })
    const root = objects.at(-1)
    expect(reads).toEqual([root, ...objects.slice(0, -1)].map((object) => indexKey(object?.sha256 ?? '')))
    expect(await content.index(address)).toEqual(first)
    expect(reads).toHaveLength(4)
  })

  it('reads each part from the store that has it', async () => {
    const { content, address, put } = await sharded()
    put('kv', 3)
    put('r2', 0)
    put('kv', 1)
    put('r2', 2)
    expect(await content.index(address)).toMatchObject({ ok: true, value: { skills } })
  })

  it('is broken, never shorter, if a part is missing or another one', async () => {
    const { kv, content, address, objects, put } = await sharded()
    for (const at of [0, 1, 3]) put('kv', at)
    expect(await content.index(address)).toMatchObject({ error: { code: 'catalog_broken' } })
    kv.set(indexKey(objects[2]?.sha256 ?? ''), objects[1]?.bytes ?? utf8(''))
    expect(await content.index(address)).toMatchObject({ error: { code: 'catalog_broken' } })
    put('r2', 2)
    expect(await content.index(address)).toMatchObject({ ok: true })
  })
})

describe('an isolate', () => {
  it('caches indexes by weight, not by number', async () => {
    const sizes: number[] = []
    const addresses: string[] = []
    const objects = new Map<string, Uint8Array<ArrayBuffer>>()
    for (const name of ['a', 'b', 'c']) {
      const made = await indexObjects({ format: 1, skills: [entry(name)] })
      for (const { sha256, bytes } of made.objects) objects.set(indexKey(sha256), bytes)
      addresses.push(made.address)
      sizes.push(made.objects[0]?.bytes.byteLength ?? 0)
    }
    const [first = '', second = '', third = ''] = addresses
    const room = { ...isolateCache(), indexes: weightedCache<SkillIndex>(2 * Math.max(...sizes)) }
    const { kv, content, reads } = await reader('w', room)
    for (const [key, bytes] of objects) kv.set(key, bytes)
    for (const address of [first, second, first, second]) expect((await content.index(address)).ok).toBe(true)
    expect(reads).toHaveLength(2)
    await content.index(third)
    await content.index(first)
    expect(reads).toHaveLength(4)
  })
})

describe('an index that is larger than the cache', () => {
  it('is still cached, so that a second chat reads and parses nothing', async () => {
    const cache = { ...isolateCache(), indexes: weightedCache<SkillIndex>(1) }
    const { kv, content, reads } = await reader('w', cache)
    const text = indexText({ format: 1, skills: [entry('a')] })
    const sha256 = await sha256Hex(text)
    kv.set(indexKey(sha256), utf8(text))
    const first = await content.index(sha256)
    expect(await content.index(sha256)).toEqual(first)
    expect(reads).toHaveLength(1)
  })
})

describe('weightedCache', () => {
  it('drops the least recently used value and never exceeds its limit', () => {
    const cache = weightedCache<string>(10)
    cache.set('a', 'A', 4)
    cache.set('b', 'B', 4)
    expect(cache.get('a')).toBe('A')
    cache.set('c', 'C', 4)
    expect([cache.get('a'), cache.get('b'), cache.get('c')]).toEqual(['A', undefined, 'C'])
    cache.set('a', 'A2', 10)
    expect([cache.get('a'), cache.get('c')]).toEqual(['A2', undefined])
  })

  it('keeps a value larger than the limit alone, until the next value is added', () => {
    const cache = weightedCache<string>(10)
    cache.set('a', 'A', 4)
    cache.set('huge', 'H', 11)
    expect([cache.get('huge'), cache.get('a')]).toEqual(['H', undefined])
    cache.set('b', 'B', 4)
    expect([cache.get('huge'), cache.get('b')]).toEqual([undefined, 'B'])
  })
})
