// The shell's module is the same whenever it is made, small enough to be served, and made of the just-bash it was written for.

import { expect, test } from 'vitest'

import { bashRuntime, bundleBash } from '../../../scripts/runtimes/bash.ts'
import { editShell } from '../../../scripts/runtimes/bash-edits.ts'

const ROOT = new URL('../../..', import.meta.url).pathname

test('two builds give equal bytes', async () => {
  const { 'bash.js': made } = await bashRuntime.build(ROOT, () => {})
  expect(new TextDecoder().decode(made?.bytes)).toBe(await bundleBash(ROOT))
  expect(made?.bytes.length).toBeLessThan(25 * 1_048_576)
  expect(bashRuntime.inputs(ROOT)).toBe(bashRuntime.inputs(ROOT))
})

test('another just-bash is refused: each edit must find its place', () => {
  expect(() => editShell('export const shell = 1')).toThrow('scripts/runtimes/bash-edits.ts')
})
