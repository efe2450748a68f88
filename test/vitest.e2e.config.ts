// End-to-end tests: npm start's own script, over HTTP, and a real browser. They mostly wait for processes and clocks,
// so three files run at a time on two processors.
import { defineConfig } from 'vitest/config'

import { UNTIL_MS } from '../scripts/lab/rig/until.ts'
import { LongestFirst } from './e2e/longest-first.ts'

export default defineConfig({
  root: new URL('..', import.meta.url).pathname,
  test: {
    include: ['test/e2e/**/*.test.ts', 'test/browser/**/*.test.ts'],
    maxWorkers: 3,
    sequence: { sequencer: LongestFirst },
    globalSetup: ['test/e2e/shared.ts'],
    // Against hangs: a test that deploys three times takes half a minute, and five minutes on a busy machine.
    testTimeout: 900_000,
    hookTimeout: 300_000,
    // Real processes and a real browser share two processors with another suite. `npm test` lists each repeated test.
    retry: 1,
    expect: { poll: { timeout: UNTIL_MS } },
  },
})
