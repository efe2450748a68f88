// Shell programs in shell-lines.txt: published skills have few scripts without other dependencies, so these check
// that bash behaves as elsewhere.

import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { codeCase, type Case } from './case.ts'
import type { ListedScript } from './list.ts'

const FILE = fileURLToPath(new URL('shell-lines.txt', import.meta.url))

/** Each as a script that is run by its text. */
export function shellLines(): readonly (readonly [ListedScript, Case])[] {
  const [, ...blocks] = readFileSync(FILE, 'utf8').trimEnd().split('\n\n')
  return blocks.map((text, number) => {
    const key = join('shell-lines', String(number + 1))
    return [{ file: FILE, skill: dirname(FILE), key, language: 'bash' }, codeCase(text)] as const
  })
}
