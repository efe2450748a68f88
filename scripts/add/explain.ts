// A failure as the lines that a person reads: what is wrong, and which files. Texts of archives pass through oneLine.

import type { Failure } from '../../src/lib/result.ts'
import { harmlessLine } from '../lib/terminal.ts'

/** The detail, and each `errors` entry on a line of its own. */
export function explain({ detail, errors = [] }: Failure): string {
  return [detail, ...errors.map(({ path, message }) => harmlessLine(`${path}: ${message}`))].join('\n')
}
