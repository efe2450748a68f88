// Guards that long work pauses after a fixed amount of work, however that is divided, and gives the same result.

import { expect, it } from 'vitest'
import { runSteps, runStepsPaced, startPace, type Steps } from '../../../src/lib/steps.ts'
import { UNITS_BETWEEN_PAUSES } from '../../../src/lib/limits.ts'

function* work(steps: number, units: number): Steps<string> {
  for (let at = 0; at < steps; at++) yield units
  return 'done'
}

it('pauses after a fixed amount of work, however that is divided', async () => {
  let rests = 0
  const pace = startPace(async () => void rests++)
  for (let piece = 0; piece < 10; piece++)
    expect(await runStepsPaced(work(10, UNITS_BETWEEN_PAUSES / 20), pace)).toBe('done')
  expect(rests).toBe(5)
  expect(pace.totalUnits()).toBe(5 * UNITS_BETWEEN_PAUSES)
  expect(pace.countWork(1)).toBeNull()
})

it('lets others run during a pause', async () => {
  const reported: string[] = []
  const pace = startPace(() => new Promise((resolve) => setTimeout(resolve, 0)))
  setTimeout(() => reported.push('another'), 0)
  await runStepsPaced(work(3, UNITS_BETWEEN_PAUSES), pace).then((end) => reported.push(end))
  expect(reported).toEqual(['another', 'done'])
})

it('stops when a pause throws', async () => {
  const pace = startPace(() => Promise.reject(new Error('gone')))
  await expect(runStepsPaced(work(3, UNITS_BETWEEN_PAUSES), pace)).rejects.toThrow('gone')
})

it('gives the same result without pauses', () => {
  expect(runSteps(work(100, UNITS_BETWEEN_PAUSES))).toBe('done')
})
