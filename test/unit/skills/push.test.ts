// Guards pushing: a reader never sees an index whose files are missing, and a second push sends nothing.

import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import * as z from 'zod'
import type { Build } from '../../../scripts/build/build.ts'
import { makeBuild } from '../../../scripts/build/build.ts'
import { localTarget } from '../../../scripts/push/local-target.ts'
import type { PushTarget } from '../../../scripts/push/push.ts'
import { pushBuild } from '../../../scripts/push/push.ts'
import { rememberKeys } from '../../../scripts/push/remembering.ts'
import { remoteTarget } from '../../../scripts/push/remote-target.ts'
import type { AskStores, StoreEnv } from '../../../scripts/workerd/store-worker.ts'
import { storeRequest } from '../../../scripts/workerd/store-worker.ts'
import { remoteOf } from '../../../scripts/deploy/account.ts'
import { ACCOUNT, CloudflareApi } from '../../fakes/cloudflare-api.ts'
import { apiOf } from '../scripts/deploy/api-of.ts'
import { folderWith, skillMd, TEA } from './skill-text.ts'

async function teaBuild(water = 'Hot.'): Promise<Build> {
  const files = { 'tea/SKILL.md': TEA, 'tea/references/water.md': water, 'tea/b.md': 'b' }
  const coffee = { 'coffee/SKILL.md': skillMd('name: coffee\ndescription: Brews coffee.') }
  return (await makeBuild([await folderWith({ ...files, ...coffee })], false)).build
}

/** Stores in memory that record every write in order, and fail after a given number of them. */
function memory(breakAfter = Number.POSITIVE_INFINITY): {
  target: PushTarget
  kv: Map<string, string>
  r2: Map<string, number>
  writes: string[]
} {
  const kv = new Map<string, string>()
  const r2 = new Map<string, number>()
  const writes: string[] = []
  const write = (key: string): void => {
    if (writes.length >= breakAfter) throw new Error('the store is gone')
    writes.push(key)
  }
  const target: PushTarget = {
    hasKv: async (keys) => new Set(keys.filter((key) => kv.has(key))),
    hasBlobs: async (keys) => new Set(keys.filter((key) => r2.has(key))),
    async putKv(entries) {
      for (const { key, value } of entries) {
        write(key)
        kv.set(key, value)
      }
    },
    async putBlobs(entries) {
      for (const { key, bytes } of entries) {
        write(key)
        r2.set(key, bytes.length)
      }
    },
  }
  return { target, kv, r2, writes }
}

describe('pushBuild', () => {
  test('sends files, then the index object, then bodies, then the index', async () => {
    const build = await teaBuild()
    const store = memory()
    const steps: [number, number][] = []
    const sent = await pushBuild(build, store.target, (done, all) => steps.push([done, all]))
    expect(sent).toMatchObject({ blobs: build.blobs.size, kv: build.bodies.size + 1 })
    const kinds = store.writes.map((key) => key.replace(build.digest, 'INDEX').replace(/[0-9a-f]{64}/, '*'))
    const files = build.blobs.size - 1
    expect(kinds).toEqual([
      ...Array<string>(files).fill('build/blob/*'),
      'build/blob/INDEX',
      ...Array<string>(build.bodies.size).fill('build/body/*'),
      'index/INDEX',
    ])
    expect(steps.at(-1)).toEqual([store.writes.length, store.writes.length])
    expect(store.kv.get(`index/${build.digest}`)).toBe(build.indexText)
  })

  test('sends nothing the second time, and only changes after an edit', async () => {
    const store = memory()
    await pushBuild(await teaBuild(), store.target)
    const before = store.writes.length
    expect(await pushBuild(await teaBuild(), store.target)).toEqual({ blobs: 0, kv: 0, bytes: 0 })
    expect(store.writes).toHaveLength(before)
    // The edited file, its skill's manifest, and the index.
    expect(await pushBuild(await teaBuild('Boiling.'), store.target)).toMatchObject({ blobs: 3, kv: 1 })
  })

  test('with a memory of the store asks it once and still sends every change', async () => {
    const store = memory()
    let requested = 0
    const counted: PushTarget = {
      ...store.target,
      hasKv: async (keys) => ((requested += 1), store.target.hasKv(keys)),
      hasBlobs: async (keys) => ((requested += 1), store.target.hasBlobs(keys)),
    }
    const present = new Set<string>()
    const push = async (build: Build) => pushBuild(build, rememberKeys(counted, present))
    await pushBuild(await teaBuild(), store.target)
    expect(await push(await teaBuild())).toEqual({ blobs: 0, kv: 0, bytes: 0 })
    expect(await push(await teaBuild('Boiling.'))).toMatchObject({ blobs: 3, kv: 1 })
    expect(await push(await teaBuild('Hot.'))).toEqual({ blobs: 0, kv: 0, bytes: 0 })
    expect(requested).toBe(2)
  })

  test('with a memory of the store does not take failed writes for sent', async () => {
    const build = await teaBuild()
    const present = new Set<string>()
    await expect(pushBuild(build, rememberKeys(memory(2).target, present))).rejects.toThrow(
      'the store is gone',
    )
    const sent = await pushBuild(build, rememberKeys(memory().target, present))
    expect(sent.blobs + sent.kv).toBe(build.blobs.size + build.bodies.size + 1)
  })

  test('interrupted at any write leaves no index without its files, and the next push completes it', async () => {
    const build = await teaBuild()
    const all = build.blobs.size + build.bodies.size + 1
    for (let at = 0; at < all; at++) {
      const store = memory(at)
      await expect(pushBuild(build, store.target)).rejects.toThrow('the store is gone')
      expect(store.kv.has(`index/${build.digest}`)).toBe(false)
      if (store.r2.has(`build/blob/${build.digest}`)) expect(store.r2.size).toBe(build.blobs.size)
      const again = memory()
      for (const [key, value] of store.kv) again.kv.set(key, value)
      for (const [key, value] of store.r2) again.r2.set(key, value)
      const sent = await pushBuild(build, again.target)
      expect(sent.blobs + sent.kv).toBe(all - at)
    }
  })
})

describe('the local stores', () => {
  const TOKEN = 'the token of this runtime'

  /** Both stores with the Worker's interface, listed one key at a time. */
  function stores(): {
    env: StoreEnv
    held: Record<'SKILLS' | 'RESOURCES', Map<string, string>>
    checked: ReadonlyMap<string, string>
  } {
    const held = { SKILLS: new Map<string, string>(), RESOURCES: new Map<string, string>() }
    const checked = new Map<string, string>()
    const put =
      (name: keyof typeof held) => async (key: string, value: Uint8Array, sums?: { sha256: string }) => {
        held[name].set(key, new TextDecoder().decode(value))
        if (sums) checked.set(key, sums.sha256)
      }
    const page = (name: keyof typeof held, prefix: string, cursor = '0') => {
      const keys = [...held[name].keys()].filter((key) => key.startsWith(prefix))
      const at = Number(cursor)
      return { keys: keys.slice(at, at + 1), more: at + 1 < keys.length, cursor: String(at + 1) }
    }
    const env: StoreEnv = {
      TOKEN,
      CONCURRENCY: 2,
      SKILLS: {
        put: put('SKILLS'),
        async list({ prefix, cursor }) {
          const { keys, more, cursor: next } = page('SKILLS', prefix, cursor)
          return { keys: keys.map((name) => ({ name })), list_complete: !more, cursor: next }
        },
      },
      RESOURCES: {
        put: put('RESOURCES'),
        async list({ prefix, cursor }) {
          const { keys, more, cursor: next } = page('RESOURCES', prefix, cursor)
          return { objects: keys.map((key) => ({ key })), truncated: more, cursor: next }
        },
      },
    }
    return { env, held, checked }
  }

  const asking =
    (env: StoreEnv, token = TOKEN): AskStores =>
    async (path, body) =>
      storeRequest(
        new Request(`http://stores${path}`, {
          method: 'POST',
          headers: { Authorization: token },
          body: body ?? null,
        }),
        env,
      )

  test('get a whole build in one request per batch, byte for byte, and are listed once to find it there', async () => {
    const build = await teaBuild('H\u00f6t.')
    const { env, held } = stores()
    let requested = 0
    const ask: AskStores = async (path, body) => ((requested += 1), asking(env)(path, body))
    const sent = await pushBuild(build, localTarget(ask))
    expect(sent).toMatchObject({ blobs: build.blobs.size, kv: build.bodies.size + 1 })
    expect(requested).toBe(3 + 4) // lists: blobs, bodies, indexes; puts: files, their index, bodies, the index
    for (const [sha256, blob] of build.blobs)
      expect(held.RESOURCES.get(`build/blob/${sha256}`)).toBe(new TextDecoder().decode(await blob.read()))
    expect(held.SKILLS.get(`index/${build.digest}`)).toBe(build.indexText)
    requested = 0
    expect(await pushBuild(build, localTarget(ask))).toEqual({ blobs: 0, kv: 0, bytes: 0 })
    expect(requested).toBe(3)
  })

  test('get each file with its SHA-256, so that R2 verifies it when it is read', async () => {
    const build = await teaBuild()
    const { env, checked } = stores()
    await pushBuild(build, localTarget(asking(env)))
    const sums = Array.from(build.blobs.keys(), (sha256) => [`build/blob/${sha256}`, sha256] as const)
    expect(checked).toEqual(new Map(sums))
  })

  test('refuse a missing token, and a push says so', async () => {
    const { env, held } = stores()
    const push = pushBuild(await teaBuild(), localTarget(asking(env, 'another')))
    await expect(push).rejects.toThrow('with status 403')
    const direct = await asking(env, '')('/RESOURCES', new TextEncoder().encode('[["a",1]]\nx'))
    expect([direct.status, held.RESOURCES.size]).toEqual([403, 0])
  })
})

describe('the deployed stores', () => {
  const NAMESPACE = 'satchel-skills'
  let cloudflare: CloudflareApi
  let build: Build
  /** Pushes the build, as from this machine; `all` ignores what it knows. */
  let push: (all?: boolean) => ReturnType<typeof pushBuild>
  let kv: Map<string, string>
  let r2: Map<string, Uint8Array>
  beforeEach(async () => {
    cloudflare = await new CloudflareApi().start()
    const { api, account } = remoteOf(apiOf(cloudflare), ACCOUNT, 'satchel')
    await api.result(z.unknown(), `POST ${account}/storage/kv/namespaces`, { body: { title: NAMESPACE } })
    kv = cloudflare.stores.namespace(NAMESPACE)?.keys ?? new Map()
    cloudflare.stores.buckets.set('bucket', (r2 = new Map()))
    const namespace = `${account}/storage/kv/namespaces/${cloudflare.stores.namespace(NAMESPACE)?.id}`
    const ledgerFile = join(await folderWith({}), 'state/pushed.json')
    build = await teaBuild()
    push = async (all = false) =>
      pushBuild(
        build,
        remoteTarget({ api, namespace, bucket: `${account}/r2/buckets/bucket`, ledgerFile, all }),
      )
  })
  afterEach(async () => cloudflare.stop())

  test('get everything once; a second push only checks', async () => {
    await push()
    expect([...r2.keys()].sort()).toEqual(
      [...build.blobs.keys()].map((sha256) => `build/blob/${sha256}`).sort(),
    )
    expect(kv.get(`index/${build.digest}`)).toBe(build.indexText)
    cloudflare.requested.length = 0
    expect(await push()).toEqual({ blobs: 0, kv: 0, bytes: 0 })
    expect(cloudflare.requested.map((line) => line.replaceAll(/[0-9a-f]{32,}/g, '*'))).toEqual([
      'GET /r2/buckets/bucket/objects/build/blob/*',
      'GET /storage/kv/namespaces/*/keys',
      'GET /storage/kv/namespaces/*/keys',
    ])
  })

  test('a ledger is not trusted if the bucket lacks its objects', async () => {
    await push()
    r2.clear()
    expect((await push()).blobs).toBe(build.blobs.size)
    expect(r2.size).toBe(build.blobs.size)
  })

  test('--all sends every object again', async () => {
    await push()
    expect(await push(true)).toMatchObject({ blobs: build.blobs.size, kv: 0 })
  })

  test('a listing that fails stops the push before anything is sent', async () => {
    cloudflare.refuse(/\/keys$/, 403, 10_000, 'Authentication error')
    await expect(push()).rejects.toThrow('Authentication error [code: 10000]')
    expect(kv.size + r2.size).toBe(0)
  })
})
