// Guards pushing: a reader never sees an index whose files are missing, and a second push sends nothing.

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Build } from '../../../scripts/build/build.ts'
import { makeBuild } from '../../../scripts/build/build.ts'
import { localTarget } from '../../../scripts/push/local-target.ts'
import type { PushTarget } from '../../../scripts/push/push.ts'
import { pushBuild } from '../../../scripts/push/push.ts'
import { rememberKeys } from '../../../scripts/push/remembering.ts'
import { remoteTarget } from '../../../scripts/push/remote-target.ts'
import type { AskStores, StoreEnv } from '../../../scripts/workerd/store-worker.ts'
import { storeRequest } from '../../../scripts/workerd/store-worker.ts'
import type { RunWrangler } from '../../../scripts/lib/wrangler.ts'
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

  test('sends nothing the second time, and only what changed after an edit', async () => {
    const store = memory()
    await pushBuild(await teaBuild(), store.target)
    const before = store.writes.length
    expect(await pushBuild(await teaBuild(), store.target)).toEqual({ blobs: 0, kv: 0, bytes: 0 })
    expect(store.writes).toHaveLength(before)
    // The edited file, its skill's manifest, and the index.
    expect(await pushBuild(await teaBuild('Boiling.'), store.target)).toMatchObject({ blobs: 3, kv: 1 })
  })

  test('remembering what is there, it asks the store once and still sends every change', async () => {
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

  test('remembering, it does not take what failed for sent', async () => {
    const build = await teaBuild()
    const present = new Set<string>()
    await expect(pushBuild(build, rememberKeys(memory(2).target, present))).rejects.toThrow(
      'the store is gone',
    )
    const sent = await pushBuild(build, rememberKeys(memory().target, present))
    expect(sent.blobs + sent.kv).toBe(build.blobs.size + build.bodies.size + 1)
  })

  test('broken off at any write it leaves no index without its files, and the next push completes it', async () => {
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

  test('get a whole build in a request for each batch, byte for byte, and are listed once to find it there', async () => {
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

  test('get each file with its sha-256, so that R2 vouches for it when it is read', async () => {
    const build = await teaBuild()
    const { env, checked } = stores()
    await pushBuild(build, localTarget(asking(env)))
    const sums = Array.from(build.blobs.keys(), (sha256) => [`build/blob/${sha256}`, sha256] as const)
    expect(checked).toEqual(new Map(sums))
  })

  test('refuse whoever lacks the token, and a push says so', async () => {
    const { env, held } = stores()
    const push = pushBuild(await teaBuild(), localTarget(asking(env, 'another')))
    await expect(push).rejects.toThrow('with status 403')
    const direct = await asking(env, '')('/RESOURCES', new TextEncoder().encode('[["a",1]]\nx'))
    expect([direct.status, held.RESOURCES.size]).toEqual([403, 0])
  })
})

describe('the deployed stores', () => {
  /** A fake wrangler that records each call and keeps what was put. */
  async function fakeWrangler(): Promise<{
    calls: string[][]
    run: RunWrangler
    kv: Map<string, string>
    r2: Map<string, string>
    ledgerFile: string
  }> {
    const calls: string[][] = []
    const kv = new Map<string, string>()
    const r2 = new Map<string, string>()
    const run = async (args: readonly string[]): Promise<string> => {
      calls.push([...args])
      const command = args.slice(0, 3).join(' ')
      expect(args).toContain('--remote')
      if (command === 'kv key list') {
        const prefix = args[args.indexOf('--prefix') + 1] ?? ''
        const listed = [...kv.keys()].filter((key) => key.startsWith(prefix)).map((name) => ({ name }))
        return `A notice first.\n${JSON.stringify(listed, null, 2)}\n`
      }
      if (command === 'r2 object get') {
        if (!r2.has((args[3] ?? '').replace('bucket/', '')))
          throw new Error('The specified key does not exist.')
        return ''
      }
      const file = args[command === 'kv bulk put' ? 3 : args.indexOf('--filename') + 1] ?? ''
      const list = JSON.parse(await readFile(file, 'utf8')) as { key: string; value: string; file: string }[] // the cast is safe: Satchel's code wrote this file
      for (const entry of list)
        if (command === 'kv bulk put') kv.set(entry.key, entry.value)
        else r2.set(entry.key, await readFile(entry.file, 'utf8'))
      return 'Success!'
    }
    return { calls, run, kv, r2, ledgerFile: join(await folderWith({}), 'state/pushed.json') }
  }

  test('get everything once; a second push only looks', async () => {
    const build = await teaBuild()
    const { run, calls, kv, r2, ledgerFile } = await fakeWrangler()
    await pushBuild(build, remoteTarget({ run, bucket: 'bucket', ledgerFile, all: false }))
    expect([...r2.keys()].sort()).toEqual(
      [...build.blobs.keys()].map((sha256) => `build/blob/${sha256}`).sort(),
    )
    expect(kv.get(`index/${build.digest}`)).toBe(build.indexText)
    calls.length = 0
    const again = await pushBuild(build, remoteTarget({ run, bucket: 'bucket', ledgerFile, all: false }))
    expect(again).toEqual({ blobs: 0, kv: 0, bytes: 0 })
    expect(calls.map((args) => args.slice(0, 3).join(' '))).toEqual([
      'r2 object get',
      'kv key list',
      'kv key list',
    ])
  })

  test('a ledger is not believed when the bucket does not hold what it names', async () => {
    const build = await teaBuild()
    const { run, r2, ledgerFile } = await fakeWrangler()
    await pushBuild(build, remoteTarget({ run, bucket: 'bucket', ledgerFile, all: false }))
    r2.clear()
    const sent = await pushBuild(build, remoteTarget({ run, bucket: 'bucket', ledgerFile, all: false }))
    expect(sent.blobs).toBe(build.blobs.size)
    expect(r2.size).toBe(build.blobs.size)
  })

  test('--all sends every object again', async () => {
    const build = await teaBuild()
    const { run, ledgerFile } = await fakeWrangler()
    await pushBuild(build, remoteTarget({ run, bucket: 'bucket', ledgerFile, all: false }))
    const sent = await pushBuild(build, remoteTarget({ run, bucket: 'bucket', ledgerFile, all: true }))
    expect(sent).toMatchObject({ blobs: build.blobs.size, kv: 0 })
  })

  test('a listing that is none stops the push before anything is sent', async () => {
    const { run, kv, r2, ledgerFile } = await fakeWrangler()
    const broken = async (args: readonly string[]): Promise<string> =>
      args[0] === 'kv' ? 'You are not logged in' : run(args)
    const push = pushBuild(
      await teaBuild(),
      remoteTarget({ run: broken, bucket: 'bucket', ledgerFile, all: false }),
    )
    await expect(push).rejects.toThrow('The output of wrangler kv key list could not be read')
    expect(kv.size + r2.size).toBe(0)
  })
})
