// Runs the fuzz tests with ten times as many cases as `npm test`.

import { spawn } from 'node:child_process'
import { once } from 'node:events'

import { ROOT } from '../rig/keys.ts'

const CASES = '10000'

/** Returns 1 if a case failed; the output shows which. */
export async function soakFuzz(): Promise<number> {
  const child = spawn(process.execPath, ['scripts/test.ts', 'unit', 'test/fuzz'], {
    cwd: ROOT,
    env: { CASES, ...process.env },
    stdio: 'inherit',
  })
  await once(child, 'close')
  return child.exitCode === 0 ? 0 : 1
}
