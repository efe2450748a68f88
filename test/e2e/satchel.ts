// Helpers of the end-to-end tests: starts the servers of scripts/lab/rig and writes files for tests.

import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

export { ADMIN_KEY, ENCRYPTION_KEY, ID_SECRET, ROOT } from '../../scripts/lab/rig/keys.ts'
export {
  clientOf,
  livingWorkerd,
  serverProcess,
  spawnSatchel,
  startSatchel,
  type Satchel,
} from '../../scripts/lab/rig/satchel.ts'
export { finished, script } from '../../scripts/lab/rig/script.ts'
export { until, UNTIL_MS } from '../../scripts/lab/rig/until.ts'

export function temporary(): string {
  return mkdtempSync(join(tmpdir(), 'satchel-e2e-'))
}

/** A SKILL.md that causes no findings. */
export const md = (name: string, body = 'Do it well.'): string =>
  `---\nname: ${name}\ndescription: Does ${name} when somebody asks for it.\n---\n\n# ${name}\n\n${body}\n`

/** Writes a file and creates its folders. */
export function put(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}
