// Plain Node tests: everything that needs no Worker.
import { defineConfig } from 'vitest/config'

import { UNTIL_MS } from '../scripts/lab/rig/until.ts'
import { readSeed } from './fuzz/seed.ts'

// Set here, so that a random seed is the same for all files and printed once: the run can be repeated with it.
const seed = readSeed(process.env['SEED'])
console.log(`SEED=${seed}`)

export default defineConfig({
  root: new URL('..', import.meta.url).pathname,
  test: {
    include: ['test/unit/**/*.test.ts', 'test/contract/**/*.test.ts', 'test/fuzz/**/*.test.ts'],
    setupFiles: ['test/fuzz/setup.ts'],
    // The core is pure, so files may share its modules: loading them for each file took a quarter of the time.
    isolate: false,
    env: { SEED: String(seed) },
    testTimeout: 120_000,
    expect: { poll: { timeout: UNTIL_MS } },
  },
})
