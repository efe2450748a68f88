// Formats a failure for the terminal: the error, and the files that it concerns. Text from archives is made
// harmless.

import type { Failure } from '../../src/lib/result.ts'
import { harmlessLine } from '../lib/terminal.ts'

/** The detail, then one line for each entry of `errors`. */
export function explainPackageFailure({ detail, errors = [] }: Failure): string {
  return [detail, ...errors.map(({ path, message }) => harmlessLine(`${path}: ${message}`))].join('\n')
}
