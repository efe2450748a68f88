// Guards the build of the shell: its module is reproducible and small, because every shell loads it.

import { expect, test } from 'vitest'

import { bashRuntime, bundleBash } from '../../../scripts/runtimes/bash.ts'

const ROOT = new URL('../../..', import.meta.url).pathname

test('two builds give equal bytes', async () => {
  const { 'bash.js': made } = await bashRuntime.build(ROOT, () => {})
  expect(new TextDecoder().decode(made?.bytes)).toBe(await bundleBash(ROOT))
  expect(made?.bytes.length).toBeLessThan(1_500_000)
  expect(bashRuntime.inputs(ROOT)).toBe(bashRuntime.inputs(ROOT))
})
