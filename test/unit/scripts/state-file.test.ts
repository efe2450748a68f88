// Promise: a state folder has one owner. Processes left behind by a killed owner are ended, and no other process ever
// is.

import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterEach, beforeEach, expect, test } from 'vitest'

import { end, identify, isAlive } from '../../../scripts/lib/processes.ts'
import { claim, damagedStateFile, recordServer, release } from '../../../scripts/lib/state-file.ts'

let folder: string
let bystander: ChildProcess
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'satchel-state-'))
  // Its command line contains the word by which a left-over runtime is recognized.
  bystander = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)', 'workerd'])
  await once(bystander, 'spawn')
})
afterEach(async () => {
  if (bystander.exitCode === null && bystander.signalCode === null) {
    bystander.kill('SIGKILL')
    await once(bystander, 'exit')
  }
  rmSync(folder, { recursive: true })
})

function bystanderIdentity(): NonNullable<ReturnType<typeof identify>> {
  const identity = identify(bystander.pid ?? -1)
  if (!identity) throw new Error('the process that was just started is not seen')
  return identity
}

/** Leaves the file as a killed supervisor does. No process has this id and start time. */
function leave(workerd: unknown): void {
  const supervisor = { pid: bystander.pid, startTime: 'long ago', command: 'node scripts/start.ts' }
  writeFileSync(join(folder, 'satchel.pid'), JSON.stringify({ supervisor, workerd, port: 1 }))
}

test('a process is identified by its ID, start time and command', () => {
  const me = identify(process.pid)
  expect(me?.command).toContain('node')
  expect(identify(process.pid)).toEqual(me)
  expect(identify(2 ** 22 + 1)).toBeNull()
})

test('a folder with a living owner is refused', () => {
  recordServer(folder, 8_787, null)
  const inUse = { kind: 'in-use', pid: process.pid, port: 8_787 }
  const first = claim(folder)
  expect(first).toMatchObject(inUse)
  // A new workerd is recorded too, but the server did not start again.
  recordServer(folder, 8_787, bystanderIdentity())
  expect(claim(folder)).toEqual(first)
  release(folder)
  expect(claim(folder)).toEqual({ kind: 'free' })
})

test('processes left behind by a killed owner are ended, by their own ID', async () => {
  leave(bystanderIdentity())
  const gone = once(bystander, 'exit')
  expect(claim(folder)).toEqual({ kind: 'taken-over', pid: bystander.pid })
  expect(await gone).toEqual([null, 'SIGKILL'])
})

test('a process that only has the old number is not touched', () => {
  const identity = bystanderIdentity()
  leave({ ...identity, startTime: 'before' })
  expect(claim(folder)).toEqual({ kind: 'free' })
  expect(end({ ...identity, startTime: 'before' })).toBe(false)
  expect(isAlive(identity)).toBe(true)
})

test.each(['', '{"supervisor":{"pid":1', 'null', '{}'])(
  'after %j in the file, the folder is not free',
  (text) => {
    const file = join(folder, 'satchel.pid')
    writeFileSync(file, text)
    expect(claim(folder)).toEqual({ kind: 'unknown', reason: expect.stringContaining(`${file} is damaged`) })
    expect(damagedStateFile(folder)).toContain('delete the file')
    release(folder)
    expect(claim(folder)).toEqual({ kind: 'free' })
  },
)

test('the file is replaced whole, and nothing else is left in the folder', () => {
  recordServer(folder, 1, null)
  const before = statSync(join(folder, 'satchel.pid')).ino
  recordServer(folder, 2, null)
  expect(statSync(join(folder, 'satchel.pid')).ino).not.toBe(before)
  expect(readdirSync(folder)).toEqual(['satchel.pid'])
})
