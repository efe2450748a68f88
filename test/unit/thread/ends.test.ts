// Guards that waiting for a run's end is over after its time limit.

import { expect, it } from 'vitest'
import { RunEndWaiters } from '../../../src/thread/executor/run-end-waiters.ts'

it('a waiting reader is told of the end; one whose time is up stops checking', async () => {
  const ends = new RunEndWaiters()
  const state = { over: false, looks: 0 }
  const over = (): boolean => {
    state.looks += 1
    return state.over
  }
  await ends.wait('run', over, 1)
  const looks = state.looks
  ends.notify('run')
  await Promise.resolve()
  await Promise.resolve()
  expect(state.looks).toBe(looks)
  const waiting = ends.wait('run', over, 20_000)
  state.over = true
  ends.notify('run')
  await waiting
  expect(state.looks).toBe(looks + 2)
})
