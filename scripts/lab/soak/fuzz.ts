// The fuzz tests with ten times the cases of `npm test`.

import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const CASES = '10000'

/** Gives 1 where a case failed; the output says which. */
export async function soakFuzz(): Promise<number> {
  const root = fileURLToPath(new URL('../../..', import.meta.url))
  const child = spawn(process.execPath, ['scripts/test.ts', 'unit', 'test/fuzz'], {
    cwd: root,
    env: { CASES, ...process.env },
    stdio: 'inherit',
  })
  const status = await new Promise<number | null>((resolve) => child.once('close', resolve))
  return status === 0 ? 0 : 1
}
