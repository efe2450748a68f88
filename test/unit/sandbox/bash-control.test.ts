// Guards "a shell is stopped for what it computed itself": one that waited while others kept its thread goes on.
import { expect, test } from 'vitest'
import { BASH_STRETCH_MS } from '../../../src/limits.ts'
import { Control } from '../../../src/sandbox/bash/control.ts'

/** A shell that steps by hand, on a clock by hand. */
function shell(): { control: Control; step: () => void; later: (ms: number) => void } {
  let now = 1_000
  let slice = (): number => 0
  const steps = {
    arm: (_: number, next: () => number) => void (slice = next),
    left: () => 0,
    due: () => {},
  }
  const control = new Control(
    steps,
    { wallMs: 60_000, steps: 1_000_000_000 },
    () => now,
    () => {},
  )
  return { control, step: () => void slice(), later: (ms) => void (now += ms) }
}

test('a command that computes for too long without a rest is stopped', () => {
  const { control, step, later } = shell()
  step()
  later(BASH_STRETCH_MS + 1)
  expect(step).toThrow('The job was stopped.')
  expect(control.why).toBe('stall')
  control.close(true)
})

test('a command that waited for the host while others computed goes on', async () => {
  const { control, step, later } = shell()
  step()
  const answer = control.waited(Promise.resolve('the answer').finally(() => later(BASH_STRETCH_MS * 10)))
  expect(await answer).toBe('the answer')
  step()
  await expect(control.waited(Promise.reject(new Error('gone')).finally(() => later(5_000)))).rejects.toThrow(
    'gone',
  )
  step()
  expect(control.why).toBeNull()
  control.close(false)
})
