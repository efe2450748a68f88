// Guards shared skills whose bytes are lost or damaged: a lost archive is packed again, one that cannot be packed is
// retried rarely and uses no budget of others, and a large file is never delivered whole with a wrong digest.

import { env } from 'cloudflare:workers'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { sha256Hex, utf8 } from '../../src/lib/bytes.ts'
import { SHARE_PACK_FILES_MAX, SHARE_UNPACKABLE_MS } from '../../src/skills/share/limits.ts'
import { CONTENT_CACHE_ITEM_MAX_BYTES } from '../../src/skills/store/limits.ts'
import { sharedList, type ShareDeps } from '../../src/skills/share/shared.ts'
import { startPace } from '../../src/lib/steps.ts'
import { UnpackableVersions } from '../../src/skills/share/unpackable.ts'
import type { ManifestFile, SkillIndex } from '../../src/skills/skill.ts'
import { skillStores } from '../../src/skills/store/content.ts'
import { blobKey } from '../../src/skills/store/keys.ts'
import { failure, value } from './catalog-fixture.ts'
import { got, publish, refused, send, serveSkills } from './api-fixture.ts'
import { manyEntries } from './many-skills.ts'
import { watched } from './watched.ts'

const LIST = 'GET /.well-known/agent-skills/index.json'

let logged: Record<string, unknown>[] = []

beforeEach(() => {
  logged = []
  vi.spyOn(console, 'warn').mockImplementation((line: string) => void logged.push(JSON.parse(line)))
})

afterEach(() => vi.restoreAllMocks())

interface Listed {
  readonly name: string
  readonly url: string
  readonly digest: string
}

/** Publishes and shares a skill, and returns its entry in the list. */
async function shared(name: string, files: Readonly<Record<string, string>>): Promise<Listed> {
  await publish({ name, files })
  await got(send(`PATCH /admin/skills/${name}`, { body: { shareable: true } }))
  const { skills } = await got<{ skills: Listed[] }>(send(LIST, { key: null }))
  const entry = skills.find((one) => one.name === name)
  if (!entry) throw new Error(`${name} is not listed`)
  return entry
}

const sha256Of = ({ digest }: Listed): string => digest.slice('sha256:'.length)

/** Removes the archive from the store and from this isolate's cache. */
async function lose(entry: Listed): Promise<void> {
  await env.RESOURCES.delete(blobKey({ workspace: 'default' }, sha256Of(entry)))
}

describe('a lost archive', () => {
  it('is packed again, once for all requests, and stays', async () => {
    await serveSkills([])
    const entry = await shared('lost', { 'a.md': 'A.', 'b.md': 'B.' })
    await lose(entry)
    const written: string[] = []
    const RESOURCES = watched(env.RESOURCES, (method, [key]) => {
      if (method === 'put') written.push(String(key))
    })
    const fetched = async (): Promise<string> => {
      const response = await send(`GET ${entry.url}`, { key: null, env: { RESOURCES } })
      expect(response.status).toBe(200)
      return `sha256:${await sha256Hex(new Uint8Array(await response.arrayBuffer()))}`
    }
    expect(await Promise.all(Array.from({ length: 6 }, fetched))).toEqual(Array(6).fill(entry.digest))
    expect(written).toEqual([blobKey({ workspace: 'default' }, sha256Of(entry))])
    expect(await env.RESOURCES.head(blobKey({ workspace: 'default' }, sha256Of(entry)))).not.toBeNull()
  })

  it('whose files are lost, too, is refused with the fix, logged, and not retried by every request', async () => {
    await serveSkills([])
    // Too large for the isolate's cache: only the store has the bytes.
    const text = 'x'.repeat(CONTENT_CACHE_ITEM_MAX_BYTES + 1)
    const entry = await shared('gone', { 'a.txt': text })
    await lose(entry)
    await env.RESOURCES.delete(blobKey({ workspace: 'default' }, await sha256Hex(utf8(text))))
    for (let turn = 0; turn < 3; turn++) {
      const { detail } = await refused(send(`GET ${entry.url}`, { key: null }), 503, 'catalog_broken')
      expect(detail).toContain('Unshare the skill, then share it again.')
    }
    expect(logged).toEqual([
      { at: 'share', lost: 'gone', sha256: sha256Of(entry), why: expect.stringContaining('missing') },
    ])
  })
})

describe('a skill that cannot be packed', () => {
  const path = `${'long'.repeat(30)}.md`

  /** A store of manifests that each name `files`; some skills are lost. */
  function library(paths: readonly string[], isLost: (name: string) => boolean) {
    const reads: string[] = []
    const clock = { now: 1_000_000 }
    const bytes = utf8('x')
    const manifest: readonly ManifestFile[] = paths.map((one) => ({
      path: one,
      sha256: '1'.repeat(64),
      size: 1,
    }))
    const content: ShareDeps['content'] = {
      async manifest({ name }) {
        reads.push(name)
        if (isLost(name))
          return { ok: false, error: { code: 'catalog_broken', detail: `${name} is missing.` } }
        return { ok: true, value: manifest }
      },
      file: async () => ({ ok: true, value: bytes }),
    }
    const rows = new Map<string, Awaited<ReturnType<ShareDeps['catalog']['sharedVersions']>>>()
    const catalog: ShareDeps['catalog'] = {
      stage: async () => ({ ok: true, value: null }),
      sharedVersions: async (versions) => ({
        ok: true,
        value: versions.flatMap(({ digest }) => {
          const row = rows.get(digest)
          return row?.ok ? row.value : []
        }),
      }),
      async keepShared(_build, versions) {
        for (const version of versions) rows.set(version.digest, { ok: true, value: [version] })
        return { ok: true, value: versions }
      },
    }
    const deps: ShareDeps = {
      workspace: 'fix',
      build: 'b',
      stores: skillStores(env),
      content,
      catalog,
      unpackable: new UnpackableVersions(() => clock.now),
      pace: startPace(async () => {}),
    }
    return { deps, reads, clock }
  }

  const indexOf = (count: number, files: number): SkillIndex => ({
    format: 1,
    skills: manyEntries(count).map((entry) => ({ ...entry, files, shareable: true })),
  })

  it('is not retried at the next catalog version, but after its pause; another version of it is', async () => {
    const { deps, reads, clock } = library(['SKILL.md', path], () => false)
    const index = indexOf(1, 2)
    expect(value(await sharedList(index, deps))).toEqual([])
    expect(value(await sharedList({ ...index }, deps))).toEqual([])
    expect(reads).toHaveLength(1)
    const newer = index.skills.map((entry) => ({ ...entry, digest: 'e'.repeat(64) }))
    expect(value(await sharedList({ ...index, skills: newer }, deps))).toEqual([])
    expect(reads).toHaveLength(2)
    clock.now += SHARE_UNPACKABLE_MS
    expect(value(await sharedList({ ...index }, deps))).toEqual([])
    expect(reads).toHaveLength(3)
  })

  it('uses no budget of others: one request lists them all', async () => {
    const count = 100
    const last = `plant-${String(count - 1).padStart(5, '0')}`
    const { deps } = library(['SKILL.md', 'a.md'], (name) => name !== last)
    const names = value(await sharedList(indexOf(count, SHARE_PACK_FILES_MAX / 10), deps))
    expect(names?.map(({ entry }) => entry.name)).toEqual([last])
  })

  it('is limited all the same: reads of one request are bounded, and the next continues', async () => {
    const count = SHARE_PACK_FILES_MAX + 10
    const { deps, reads } = library([], () => true)
    expect(failure(await sharedList(indexOf(count, 2), deps))).toMatchObject({ retryAfterS: 1 })
    expect(reads.length).toBeLessThanOrEqual(SHARE_PACK_FILES_MAX)
    expect(value(await sharedList(indexOf(count, 2), deps))).toEqual([])
    expect(reads).toHaveLength(count)
  })

  it('is logged in one short line: names, and the first reason', async () => {
    const { deps } = library([], () => true)
    await sharedList(indexOf(500, 2), deps)
    expect(logged).toEqual([
      { at: 'share', left_out: 500, skills: expect.any(Array), first: 'plant-00000 is missing.' },
    ])
    expect(JSON.stringify(logged[0]).length).toBeLessThan(2_000)
  })
})

describe('a large object without a checksum of R2, as wrangler pushes it', () => {
  const large = crypto.getRandomValues(new Uint8Array(65_536))
  const bytes = new Uint8Array(40 * large.length)
  for (let at = 0; at < bytes.length; at += large.length) bytes.set(large, at)

  const opened = async (sha256: string) => {
    await env.RESOURCES.put('unvouched', bytes)
    const found = await skillStores(env).blobs.open('unvouched', sha256, CONTENT_CACHE_ITEM_MAX_BYTES)
    if (!(found instanceof ReadableStream)) throw new Error('it is held whole')
    return found
  }

  it('is streamed and hashed', async () => {
    const sha256 = await sha256Hex(bytes)
    const read = new Uint8Array(await new Response(await opened(sha256)).arrayBuffer())
    expect(await sha256Hex(read)).toBe(sha256)
  })

  it('breaks off before its end if it is damaged', async () => {
    const reader = (await opened('f'.repeat(64))).getReader()
    let seen = 0
    const drained = async (): Promise<void> => {
      for (let next = await reader.read(); !next.done; next = await reader.read()) seen += next.value.length
    }
    await expect(drained()).rejects.toThrow('does not have the SHA-256')
    expect(seen).toBeLessThan(bytes.length)
  })

  it('can be cancelled by the reader', async () => {
    await expect((await opened(await sha256Hex(bytes))).cancel()).resolves.toBeUndefined()
  })
})
