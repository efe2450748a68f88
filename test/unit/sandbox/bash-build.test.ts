// The shell's module is the same whenever it is made, small enough to be served, and made of the just-bash it was written for.

import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'

import { bundleBash, makeBash } from '../../../scripts/runtimes/bash.ts'
import { editShell } from '../../../scripts/runtimes/bash-edits.ts'

const ROOT = new URL('../../..', import.meta.url).pathname
const folder = mkdtempSync(join(tmpdir(), 'satchel-bash-'))
afterAll(() => rmSync(folder, { recursive: true }))

test('two builds give equal bytes, named by their digest', async () => {
  const made = await makeBash(ROOT, folder)
  expect(await bundleBash(ROOT)).toBe(readFileSync(made.path, 'utf8'))
  expect(made.name).toBe(`bash-${made.sha256.slice(0, 16)}.js`)
  expect(made.bytes).toBeLessThan(25 * 1_048_576)
})

test('what is there is not made again, and what was spoiled is', async () => {
  const made = await makeBash(ROOT, folder)
  const whole = readFileSync(made.path, 'utf8')
  expect(await makeBash(ROOT, folder)).toEqual(made)
  writeFileSync(made.path, `${whole} `)
  expect(await makeBash(ROOT, folder)).toEqual(made)
  expect(readFileSync(made.path, 'utf8')).toBe(whole)
  expect(existsSync(made.path)).toBe(true)
})

test('another just-bash is refused: each edit must find its place', () => {
  expect(() => editShell('export const shell = 1')).toThrow('scripts/runtimes/bash-edits.ts')
})
