// Promise: threads that accepted a message just before a kill are found by their files, and idle threads are left
// alone.

import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterEach, beforeEach, expect, test } from 'vitest'

import { changedThreads } from '../../../scripts/start/changed-threads.ts'
import { WAKE_OBJECTS_MAX } from '../../../src/api/routes/limits.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'satchel-touched-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

function wrote(path: string, atS: number): void {
  const file = join(folder, 'v3/do', path)
  mkdirSync(join(file, '..'), { recursive: true })
  writeFileSync(file, '')
  utimesSync(file, atS, atS)
}

const idOf = (at: number): string => at.toString(16).padStart(64, '0')

test('threads written since then are named, newest first, and nothing else', () => {
  wrote(`satchel-Thread/${idOf(1)}.sqlite-wal`, 100)
  wrote(`satchel-Thread/${idOf(2)}.sqlite-wal`, 102)
  wrote(`satchel-Thread/${idOf(3)}.sqlite-wal`, 99)
  wrote(`satchel-Thread/${idOf(4)}.sqlite`, 103)
  wrote(`satchel-Thread/metadata.sqlite-wal`, 103)
  wrote(`satchel-Hook/${idOf(5)}.sqlite-wal`, 103)
  expect(changedThreads(folder, 100_000)).toEqual([idOf(2), idOf(1)])
})

test('the number is limited, and none are named without a folder', () => {
  expect(changedThreads(folder, 0)).toEqual([])
  for (let at = 0; at <= WAKE_OBJECTS_MAX; at++) wrote(`satchel-Thread/${idOf(at)}.sqlite-wal`, at + 1)
  expect(changedThreads(folder, 0)).toHaveLength(WAKE_OBJECTS_MAX)
  expect(changedThreads(folder, 0)).not.toContain(idOf(0))
})
