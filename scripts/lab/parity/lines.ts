// Shell programs in shell-lines.txt, which check that bash behaves as elsewhere. Few published scripts have no other
// dependencies.

import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { codeCase, type Case } from './case.ts'
import type { ListedScript } from './list.ts'

const FILE = fileURLToPath(new URL('shell-lines.txt', import.meta.url))

/** Returns each as a script that is run by its text. */
export function shellLines(): readonly (readonly [ListedScript, Case])[] {
  const [, ...blocks] = readFileSync(FILE, 'utf8').trimEnd().split('\n\n')
  return blocks.map((text, number) => {
    const key = join('shell-lines', String(number + 1))
    return [{ file: FILE, skill: dirname(FILE), key, language: 'bash' }, codeCase(text)] as const
  })
}
