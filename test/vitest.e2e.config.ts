// The real thing: npm start's own script, over HTTP, and a real browser. Most of it waits for processes to start and for
// clocks, so three files at a time, on two processors.
import { defineConfig } from 'vitest/config'

import { LongestFirst } from './e2e/longest-first.ts'

export default defineConfig({
  root: new URL('..', import.meta.url).pathname,
  test: {
    include: ['test/e2e/**/*.test.ts', 'test/browser/**/*.test.ts'],
    maxWorkers: 3,
    sequence: { sequencer: LongestFirst },
    globalSetup: ['test/e2e/shared.ts'],
    // Against a hang: a test that starts three servers takes ten seconds, and a minute where others hold the processors.
    testTimeout: 300_000,
    hookTimeout: 180_000,
  },
})
