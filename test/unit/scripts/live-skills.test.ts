// Promise: an edit is noticed, edits are processed one at a time, and the changed skills are reported by name.

import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterEach, beforeEach, expect, test, vi } from 'vitest'

import { changes } from '../../../scripts/start/skills.ts'
import { watchFolders } from '../../../scripts/start/watch.ts'

import type { BuildOutcome } from '../../../scripts/build/build.ts'

/** A timeout for a busy machine, not a promise of speed. */
const SOON = { timeout: 20_000, interval: 10 } as const
/** An interval so long that no periodic scan happens during a test: every change is noticed by the file watcher. */
const NEVER = 1e9

let folder: string
let close: () => void = () => {}
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'satchel-watch-'))
})
afterEach(() => {
  close()
  rmSync(folder, { recursive: true })
})

/** True once a number has not changed between two checks. */
function quiet(read: () => number): () => boolean {
  let last = -1
  return () => {
    const now = read()
    const same = now === last
    last = now
    return same
  }
}

test('a file written in a new folder is noticed', async () => {
  let calls = 0
  close = watchFolders(
    [folder],
    async () => void (calls += 1),
    () => {},
  )
  mkdirSync(join(folder, 'new/references'), { recursive: true })
  writeFileSync(join(folder, 'new/references/a.md'), 'a')
  await vi.waitUntil(() => calls > 0, SOON)
})

test('a file that is replaced repeatedly, as editors save, is noticed each time without polling', async () => {
  let calls = 0
  writeFileSync(join(folder, 'a'), '0')
  close = watchFolders(
    [folder],
    async () => void (calls += 1),
    () => {},
    NEVER,
  )
  for (let times = 1; times <= 3; times++) {
    const before = calls
    writeFileSync(join(folder, `new-${times}`), 'x'.repeat(times))
    renameSync(join(folder, `new-${times}`), join(folder, 'a'))
    await vi.waitUntil(() => calls > before, SOON)
    // The system reports the writes of one save separately: all are handled before the next save begins.
    await vi.waitUntil(
      quiet(() => calls),
      { ...SOON, interval: 150 },
    )
  }
})

test('changes during processing are processed afterwards, never in parallel', async () => {
  let running = 0
  let most = 0
  let done = 0
  let release = (): void => {}
  close = watchFolders(
    [folder],
    async () => {
      running += 1
      most = Math.max(most, running)
      if (done === 0) await new Promise<void>((resolve) => (release = resolve))
      running -= 1
      done += 1
    },
    () => {},
  )
  writeFileSync(join(folder, 'a'), '1')
  await vi.waitUntil(() => running === 1, SOON)
  writeFileSync(join(folder, 'a'), '22')
  // The second change is processed after the first. If the file watcher misses it, the scan finds it.
  const beside = vi.waitUntil(() => running > 1, { timeout: 400, interval: 10 })
  await expect(beside).rejects.toThrow()
  release()
  await vi.waitUntil(() => done === 2, SOON)
  expect(most).toBe(1)
})

test('a missing folder is reported, and stops nothing', () => {
  const notes: string[] = []
  close = watchFolders(
    [join(folder, 'nowhere'), folder],
    async () => {},
    (text) => notes.push(text),
  )
  expect(notes).toEqual([expect.stringContaining('nowhere cannot be watched')])
})

test('changes are reported by name, and a broken skill is not just called removed', () => {
  const build = (skills: Record<string, string>, broken: readonly string[] = []) => {
    const index = { skills: Object.entries(skills).map(([name, digest]) => ({ name, digest })) }
    const built = [...index.skills, ...broken.map((name) => ({ name, digest: null }))].map(
      ({ name, digest }) => ({
        location: `/skills/${name}`,
        skillFile: 'SKILL.md',
        entry: digest === null ? null : { name, digest },
      }),
    )
    // The cast is safe: only names, digests and locations are compared.
    return { build: { index }, skills: built } as unknown as BuildOutcome
  }
  expect(changes(build({ a: '1', b: '1' }), build({ a: '2', c: '1' }))).toBe(
    'skills: changed a; added c; gone b',
  )
  expect(changes(build({ a: '1', b: '1', c: '1' }), build({ a: '1' }, ['b']))).toBe(
    'skills: gone b: it no longer loads (see above), c',
  )
  expect(changes(build({ a: '1' }), build({ a: '1' }))).toBe('skills: switches changed')
})
