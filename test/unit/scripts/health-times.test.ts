// Promise: the system's counters distinguish a server that computes, one that waits for a processor, and one that
// hangs.

import { spawn } from 'node:child_process'
import { availableParallelism } from 'node:os'

import { expect, test, vi } from 'vitest'

import { psTimeMs, timesOf } from '../../../scripts/start/times.ts'

test.runIf(process.platform === 'linux')('counts both waiting for a busy processor and running', async () => {
  const spin = () => spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' })
  const spinning = Array.from({ length: 2 * availableParallelism() + 1 }, spin)
  try {
    const times = () => spinning.map(({ pid = 2 ** 30 }) => timesOf(pid))
    const all = () => times().every(({ starvedMs: starved, cpuMs: cpu }) => starved > 100 && cpu > 100)
    await vi.waitUntil(all, { timeout: 20_000, interval: 50 })
  } finally {
    for (const child of spinning) child.kill('SIGKILL')
  }
})

test('a stopped process does not run', async () => {
  const child = spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' })
  const { pid = 2 ** 30 } = child
  try {
    await vi.waitUntil(() => timesOf(pid).cpuMs > 100, { timeout: 20_000, interval: 20 })
    child.kill('SIGSTOP')
    let before = -1
    // The process may run on until the signal reaches it.
    const still = () => before === (before = timesOf(pid).cpuMs)
    await vi.waitUntil(still, { timeout: 20_000, interval: 200 })
    expect(timesOf(pid).cpuMs).toBe(before)
  } finally {
    child.kill('SIGKILL')
  }
})

test('a process that has ended has used nothing and waited for nothing', () => {
  expect(timesOf(2 ** 30)).toEqual({ starvedMs: 0, cpuMs: 0, waitsForDisk: false })
})

test.each([
  ['   0:00.07\n', 70],
  ['12:34.50', 754_500],
  ['01:02:03', 3_723_000],
  ['2-00:00:01', 172_801_000],
])('ps writes %j', (text, ms) => {
  expect(psTimeMs(text)).toBeCloseTo(ms)
})
