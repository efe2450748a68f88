// Node isolates for tests: the real runtime from dist/runtimes in real isolates of the loader.

import { child as childOf, run as runIn } from './python-fixture.ts'

import type { Guest } from '../../src/sandbox/guest.ts'
import type { Answer, Wanted } from './python-fixture.ts'

export { ask, WORK } from './python-fixture.ts'
export type { Answer, Wanted } from './python-fixture.ts'

/** The guest with this name: the same isolate each time. */
export function child(name = 'node'): Guest {
  return childOf(name, 'node')
}

/** Runs a job. Throws if the guest is busy. */
export async function run(wanted: Wanted, guest: Guest = child()): Promise<Answer> {
  return runIn(wanted, guest)
}

/** Runs `code` as `node -e` does. */
export async function script(code: string, more: Wanted = {}, guest?: Guest): Promise<Answer> {
  return run({ argv: ['node', '-e', code], ...more }, guest)
}
