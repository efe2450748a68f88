// Promise: a server that others keep from running is told from one that hangs by what its system counts.

import { spawn } from 'node:child_process'
import { availableParallelism } from 'node:os'

import { expect, test, vi } from 'vitest'

import { starvedMs } from '../../../scripts/start/starved.ts'

test.runIf(process.platform === 'linux')(
  'waiting for a processor is counted while others hold them all',
  async () => {
    const spin = () => spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' })
    const spinning = Array.from({ length: 2 * availableParallelism() + 1 }, spin)
    try {
      const waited = () => spinning.map(({ pid }) => (pid === undefined ? 0 : starvedMs(pid)))
      await vi.waitUntil(() => waited().every((ms) => ms > 100), { timeout: 20_000, interval: 50 })
    } finally {
      for (const child of spinning) child.kill('SIGKILL')
    }
  },
)

test('a process that nobody counts, or that is gone, has waited for nothing', () => {
  expect(starvedMs(2 ** 30)).toBe(0)
})
