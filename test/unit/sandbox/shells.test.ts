// Promise: on a server that never evicts isolates, the number of shells in memory is bounded: the least recently used
// is discarded, never one with a job, and a stopped shell is never used again.

import { expect, test } from 'vitest'

import { SHELLS_DISCARDED_BEFORE_COLLECT, SHELLS_MAX } from '../../../src/sandbox/limits.ts'
import type { JobResult } from '../../../src/sandbox/loader.ts'
import type { Runtime } from '../../../src/sandbox/runtimes.ts'
import { Shells } from '../../../src/sandbox/shells.ts'

const DONE: JobResult = {
  exitCode: 0,
  stdout: new Uint8Array(0),
  stderr: new Uint8Array(0),
  changes: [],
  stopped: null,
  steps: 0,
}

/** Shells represented by numbers, in the order in which they were loaded. */
function rig() {
  const gone = new Set<number>()
  let loaded = 0
  let collected = 0
  const load = () => {
    const entry = { number: loaded++ }
    return {
      getEntrypoint: () => {
        if (gone.has(entry.number)) throw new Error('I/O on behalf of a different Durable Object')
        return entry
      },
    }
  }
  // The cast is safe: nothing here reads the code.
  const runtime = { digest: 'd', code: async () => ({}) } as unknown as Runtime
  const shells = new Shells({ load, get: load }, () => void collected++)
  return {
    gone,
    collected: () => collected,
    /** Returns the number of the shell that ran the job. */
    run: async (owner: string, job: () => Promise<JobResult> = async () => DONE): Promise<number> => {
      const had: number[] = []
      await shells.lend(owner, runtime, async (entry) => {
        had.push((entry as { readonly number: number }).number)
        return job()
      })
      return had.at(-1) ?? Number.NaN
    },
  }
}

test('a thread has its shell again, and no other thread has it', async () => {
  const { run } = rig()
  expect([await run('a'), await run('b'), await run('a')]).toEqual([0, 1, 0])
})

test('beyond the limit the least recently used is discarded, and never one with a job', async () => {
  const { run, collected } = rig()
  let end: (answer: JobResult) => void = () => {}
  const long = run('long', async () => new Promise((resolve) => (end = resolve)))
  for (let at = 1; at < SHELLS_MAX; at++) await run(`t${at}`)
  await run('t1')
  await run('one more')
  expect(await run('t1')).toBe(1)
  expect(await run('t2')).toBe(SHELLS_MAX + 1)
  end(DONE)
  await long
  expect(await run('long')).toBe(0)
  for (let at = 0; at < SHELLS_DISCARDED_BEFORE_COLLECT; at++) await run(`more ${at}`)
  await new Promise((resolve) => setTimeout(resolve, 0))
  expect(collected()).toBe(1)
})

test.each([
  ['was stopped', async () => ({ ...DONE, spent: true })],
  ['broke', async () => Promise.reject(new Error('it broke'))],
])(
  'a shell that %s is not used again, and its memory is requested back',
  async (_, job: () => Promise<JobResult>) => {
    const { run, collected } = rig()
    await run('a', job).catch(() => null)
    await run('a', job).catch(() => null)
    expect(await run('a')).toBe(2)
    await new Promise((resolve) => setTimeout(resolve, 0))
    expect(collected()).toBe(2)
  },
)

test('a shell that is busy with another caller, or lost with its object, is replaced by a new one', async () => {
  const { run, gone } = rig()
  expect(await run('a')).toBe(0)
  const busy = [{ busy: true as const }]
  expect(await run('a', async () => busy.pop() ?? DONE)).toBe(1)
  gone.add(1)
  expect(await run('a')).toBe(2)
})
