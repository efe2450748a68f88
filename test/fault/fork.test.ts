// Guards that a fork exists whole or not at all: wherever its creation is killed, nothing remains in rows, R2 or a
// list, and a second request creates it.

import { runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { afterEach, describe, expect, it } from 'vitest'
import { objects } from '../../src/env/env.ts'
import { r2Files } from '../../src/files/store.ts'
import { COPY_PIECE_BYTES, COPY_PAUSE_MS } from '../../src/files/limits.ts'
import { STAGED_FILE_RETENTION_MS } from '../../src/limits/files.ts'
import { IDEMPOTENCY_RETENTION_MS } from '../../src/limits/requests.ts'
import { FILE_MAX_BYTES } from '../../src/limits/settings.ts'
import { FORK_CALL_TIMEOUT_MS, FORK_PAGE_MAX_BYTES } from '../../src/thread/fork/limits.ts'
import type { ForkApi, ForkInput } from '../../src/thread/fork/api.ts'
import { createCopyQueue } from '../../src/thread/fork/copy-queue.ts'
import { checkAgree, keysOf, large, tree, upload } from './files-rig.ts'
import { pauseAt, unwatch, watchPoints, type CrashMode } from './plan.ts'
import { failure, HandClock, speaks, TestThread, value } from './rig.ts'
import { eventually } from '../../scripts/lab/rig/until.ts'
import { ScriptedModel, text } from './scripted-model.ts'

const DONE = { content: [text('Done.')] }
const POINTS = ['fork.page', 'store.copied', 'fork.copied', 'fork.done']

interface Two {
  readonly parent: TestThread
  readonly child: TestThread
  readonly clock: HandClock
  readonly input: ForkInput
}

/** A thread of two messages with small and large files, to be forked before the second message. */
async function two(pass: (point: string) => Promise<void> = async () => undefined): Promise<Two> {
  const clock = new HandClock()
  // A killed copy keeps its place in the queue for a while, so each test has its own queue.
  const ports = { ...speaks(new ScriptedModel(() => DONE)), now: clock.now, copyInTurn: createCopyQueue() }
  const parent = new TestThread(ports)
  await parent.ended((await parent.start('One')).run_id)
  await upload(parent, { 'uploads/a.txt': 'small', 'uploads/b.txt': large('B'), 'outputs/c.txt': large('C') })
  await parent.ended((await parent.start('Two')).run_id)
  const messages = await parent.messages()
  const real = r2Files(env.FILES)
  const store = {
    ...real,
    copy: async (from: string, to: string): Promise<boolean> => {
      const copied = await real.copy(from, to)
      await pass('store.copied')
      return copied
    },
  }
  const child = new TestThread({ ...ports, store })
  const input = { threadId: child.id, from: parent.id, messageId: messages[2]?.id ?? '', key: 'once' }
  return { parent, child, clock, input }
}

/** Bytes that the workspace counts for a thread's files. */
function roomOf(thread: TestThread): Promise<number> {
  const stub = env.WORKSPACES.getByName(thread.caller.workspace) as DurableObjectStub
  return runInDurableObject(stub, (_, { storage }) => {
    const [row] = storage.sql.exec<{ kept: number }>('SELECT kept FROM file_room WHERE thread = ?', thread.id)
    return row?.kept ?? 0
  })
}

async function branches({ parent }: Two): Promise<readonly string[]> {
  return value(await parent.api.info(parent.caller)).branches.map(({ thread_id }) => thread_id)
}

/** The tree, with enough of each file to distinguish it. */
async function heads(thread: TestThread): Promise<Readonly<Record<string, string>>> {
  const held = Object.entries(await tree(thread))
  return Object.fromEntries(held.map(([path, content]) => [path, content.slice(0, 10)]))
}

/** No table has a row. */
function isEmpty(thread: TestThread): Promise<boolean> {
  return thread.sql((sql) => {
    const names = sql.exec("SELECT name FROM sqlite_master WHERE type = 'table'").toArray()
    return names
      .map(({ name }) => String(name))
      .filter((name) => !/^_cf|^sqlite_|^migrations$/.test(name))
      .every((name) => sql.exec(`SELECT 1 FROM ${name} LIMIT 1`).toArray().length === 0)
  })
}

async function checkWhole(made: Two): Promise<void> {
  const { parent, child, clock } = made
  expect(await child.messages()).toEqual((await parent.messages()).slice(0, 2))
  expect(await tree(child)).toEqual(await tree(parent))
  expect(await branches(made)).toEqual([child.id])
  await checkAgree(child, clock)
  expect(await keysOf(child)).toHaveLength(2)
  expect(await roomOf(parent)).toBeGreaterThan(0)
}

describe('a fork', () => {
  afterEach(unwatch)

  it('is complete, and stays so when its parent is deleted, and vice versa', async () => {
    const made = await two()
    const { parent, child, input } = made
    expect(value(await child.api.fork(child.caller, input))).toEqual({ thread_id: child.id })
    await checkWhole(made)
    const held = await tree(parent)
    const other = new TestThread()
    value(await other.api.fork(other.caller, { ...input, threadId: other.id, key: null }))
    expect(await branches(made)).toEqual(expect.arrayContaining([child.id, other.id]))
    value(await other.api.remove(other.caller))
    expect(await branches(made)).toEqual([child.id])
    expect(await tree(parent)).toEqual(held)
    value(await parent.api.remove(parent.caller))
    expect(await keysOf(parent)).toEqual([])
    expect(await tree(child)).toEqual(held)
    expect(await child.messages()).toHaveLength(2)
    await child.ended((await child.start('Else', { create: false })).run_id)
    expect(value(await child.api.info(child.caller)).forked_from?.thread_id).toBe(parent.id)
  })

  for (const mode of ['lose', 'keep'] as const satisfies readonly CrashMode[])
    for (const point of POINTS) {
      it(`killed at ${point} (${mode}) does not exist, and leaves nothing`, async () => {
        let pass: (passed: string) => Promise<void> = async () => undefined
        const made = await two((passed) => pass(passed))
        const { child, clock, input } = made
        const crash = watchPoints(child.name, (_, passed, { fired }) =>
          passed === point && fired === 0 ? mode : null,
        )
        pass = crash.pass
        await child.api.fork(child.caller, input).catch(() => undefined)
        expect(crash.fired).toBe(1)
        if (point === 'fork.done') return checkWhole(made)
        expect(failure(await child.api.info(child.caller)).code).toBe('not_found')
        expect(
          failure(await child.api.start(child.caller, await child.input('Hi', { create: false }))).code,
        ).toBe('not_found')
        clock.ms += STAGED_FILE_RETENTION_MS + 1
        await eventually(async () => {
          await child.alarm()
          return isEmpty(child).catch(() => false)
        }, Boolean)
        expect(await keysOf(child)).toEqual([])
        expect(await branches(made)).toEqual([])
        expect(await roomOf(child)).toBe(0)
      })

      it(`killed at ${point} (${mode}) is created when it is requested again`, async () => {
        let pass: (passed: string) => Promise<void> = async () => undefined
        const made = await two((passed) => pass(passed))
        const { child, input } = made
        const crash = watchPoints(child.name, (_, passed, { fired }) =>
          passed === point && fired === 0 ? mode : null,
        )
        pass = crash.pass
        await child.api.fork(child.caller, input).catch(() => undefined)
        const again = await eventually(
          () => child.api.fork(child.caller, input).catch(() => null),
          (answer) => answer?.ok === true,
        )
        expect(again).toEqual({ ok: true, value: { thread_id: child.id } })
        await checkWhole(made)
      })
    }

  it('created after a kill is listed, even by a workspace whose clock is ahead', async () => {
    const made = await two()
    const { child, clock, input } = made
    clock.ms = Date.now() - 60_000
    const crash = watchPoints(child.name, (_, passed, { fired }) =>
      passed === 'fork.copied' && fired === 0 ? 'keep' : null,
    )
    await child.api.fork(child.caller, input).catch(() => undefined)
    expect(crash.fired).toBe(1)
    await eventually(
      () => child.api.fork(child.caller, input).catch(() => null),
      (answer) => answer?.ok === true,
    )
    const workspace = objects(env).workspace(child.caller.workspace)
    await eventually(
      async () => value(await workspace.listThreads(null, null, 100)).data.map(({ id }) => id),
      (ids) => ids.includes(child.id),
    )
  })

  it('survives its own alarm, and two simultaneous requests create one', async () => {
    const made = await two()
    const { child, input } = made
    pauseAt(child.name, 'fork.copied', async () => {
      expect(await child.alarm()).toBe(true)
    })
    const both = await Promise.all([1, 2].map(() => child.api.fork(child.caller, input)))
    expect(both.map(value)).toEqual([{ thread_id: child.id }, { thread_id: child.id }])
    await checkWhole(made)
  })

  for (const hung of ['forkHead', 'forkRows', 'registerBranch'] as const)
    it(`fails with an explanation while ${hung} of its parent hangs, and succeeds once it answers again`, async () => {
      const made = await two()
      const { child, input } = made
      const real = globalThis.setTimeout
      let hangs = true
      const hang = async (): Promise<never> => {
        // From here on, every wait as long as a fork's timeout is over at once.
        const hasty = (act: () => void, ms: number): unknown =>
          real(act, ms === FORK_CALL_TIMEOUT_MS ? 1 : ms)
        globalThis.setTimeout = hasty as typeof setTimeout // the cast is safe: `setTimeout` is called only in this form
        while (hangs) await scheduler.wait(2)
        throw new Error('nobody waits for this')
      }
      child.adjust({
        thread: (workspace, id) => {
          const parent = objects(env).thread(workspace, id)
          const answers: ForkApi = {
            fork: (...requested) => parent.fork(...requested),
            forkHead: (...requested) => parent.forkHead(...requested),
            forkRows: (...requested) => parent.forkRows(...requested),
            registerBranch: (...requested) => parent.registerBranch(...requested),
            unregisterBranch: (...requested) => parent.unregisterBranch(...requested),
          }
          return hangs ? { ...answers, unregisterBranch: hang, [hung]: hang } : answers
        },
      })
      try {
        for (let times = 0; times < 2; times++)
          expect(failure(await child.api.fork(child.caller, input))).toMatchObject({
            code: 'overloaded',
            retryAfterS: 1,
          })
      } finally {
        globalThis.setTimeout = real
        hangs = false
      }
      expect(value(await child.api.fork(child.caller, input))).toEqual({ thread_id: child.id })
      await checkWhole(made)
    })

  it('does not exist if its parent is deleted during the copy', async () => {
    const { parent, child, clock, input } = await two()
    pauseAt(child.name, 'fork.page', async () => value(await parent.api.remove(parent.caller)))
    expect(failure(await child.api.fork(child.caller, input)).code).toBe('not_found')
    clock.ms += STAGED_FILE_RETENTION_MS + 1
    await eventually(async () => {
      await child.alarm()
      return isEmpty(child).catch(() => false)
    }, Boolean)
    expect(await keysOf(child)).toEqual([])
  })

  it('that was deleted answers its key with gone, for a day', async () => {
    const { child, input } = await two()
    value(await child.api.fork(child.caller, input))
    expect(failure(await child.api.fork(child.caller, { ...input, messageId: 'msg_other' })).code).toBe(
      'idempotency_mismatch',
    )
    value(await child.api.remove(child.caller))
    expect(failure(await child.api.fork(child.caller, input)).code).toBe('gone')
  })

  it('keeps its key for as long as it exists, whatever messages follow', async () => {
    const { child, clock, input } = await two()
    value(await child.api.fork(child.caller, input))
    clock.ms += IDEMPOTENCY_RETENTION_MS + 1
    const idempotency = { key: 'later', digest: 'd' }
    await child.ended((await child.start('Else', { create: false, idempotency })).run_id)
    expect(value(await child.api.fork(child.caller, input))).toEqual({ thread_id: child.id })
    value(await child.api.remove(child.caller))
    expect(failure(await child.api.fork(child.caller, input)).code).toBe('gone')
  })

  it('is copied in pages, and a file that changes meanwhile is complete', async () => {
    const made = await two()
    const { parent, child, input } = made
    const small: Record<string, string> = {}
    for (let at = 0; at < FORK_PAGE_MAX_BYTES / 100_000 + 5; at++)
      small[`uploads/n/${at}.txt`] = `${at} `.padStart(6).repeat(20_000)
    await upload(parent, small)
    await parent.ended((await parent.start('Three')).run_id)
    made.clock.ms += 1
    const cut = { ...input, messageId: (await parent.messages())[4]?.id ?? '' }
    let pages = 0
    pauseAt(child.name, 'fork.page', async () => {
      pages += 1
      await upload(parent, { 'uploads/n/9.txt': 'another', 'uploads/new.txt': 'new' })
    })
    value(await child.api.fork(child.caller, cut))
    expect(pages).toBe(1)
    const { 'uploads/new.txt': late, ...rest } = await heads(parent)
    expect(late).toBe('new')
    expect(rest['uploads/n/9.txt']).toBe('another')
    expect(await heads(child)).toEqual(rest)
  })

  it('copies one of the largest files of a key at a time, whichever of its forks it is for, beside one of another key', async () => {
    const { parent, input } = await two()
    await parent.sql((sql) => sql.exec('UPDATE objects SET bytes = ? WHERE key IS NOT NULL', FILE_MAX_BYTES))
    const real = r2Files(env.FILES)
    const copyInTurn = createCopyQueue()
    const going = { k1: 0, k2: 0 }
    const most = { k1: 0, k2: 0, all: 0 }
    const forks = (['k1', 'k1', 'k2'] as const).map((keyId) => {
      const store = {
        ...real,
        copy: async (from: string, to: string): Promise<boolean> => {
          going[keyId] += 1
          most[keyId] = Math.max(most[keyId], going[keyId])
          most.all = Math.max(most.all, going.k1 + going.k2)
          return real.copy(from, to).finally(() => (going[keyId] -= 1))
        },
      }
      const child = new TestThread({ store, copyInTurn }, { ...parent.caller, keyId })
      return child.api.fork(child.caller, { ...input, threadId: child.id, key: null })
    })
    for (const made of await Promise.all(forks)) value(made)
    expect(most).toEqual({ k1: 1, k2: 1, all: 2 })
  })
})

describe('a copy of an object', () => {
  const from = 'w1/th_copied/from'
  const bytes = new Uint8Array(3 * COPY_PIECE_BYTES + 1).map((_, at) => at % 251)

  it('lets other requests run after each piece, and is identical to the byte', async () => {
    await env.FILES.put(from, bytes)
    const real = globalThis.setTimeout
    let rests = 0
    const counted = (act: () => void, ms: number): unknown => {
      if (ms === COPY_PAUSE_MS) rests += 1
      return real(act, ms)
    }
    globalThis.setTimeout = counted as typeof setTimeout // the cast is safe: `setTimeout` is called only in this form
    try {
      expect(await r2Files(env.FILES).copy(from, `${from}.copy`)).toBe(true)
    } finally {
      globalThis.setTimeout = real
    }
    expect(rests).toBeGreaterThanOrEqual(3)
    expect(new Uint8Array((await (await env.FILES.get(`${from}.copy`))?.arrayBuffer()) ?? [])).toEqual(bytes)
  })

  it('fails without hanging when the store rejects writes', async () => {
    await env.FILES.put(from, bytes)
    const put = async (): Promise<never> => Promise.reject(new Error('full'))
    const full = { get: async (key: string) => env.FILES.get(key), put } as unknown as R2Bucket // the cast is safe: a copy calls no other method
    await expect(r2Files(full).copy(from, `${from}.copy`)).rejects.toThrow('full')
  })
})
