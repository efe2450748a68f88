// Prints what was checked and what did not hold.

import { paint } from '../../lib/terminal.ts'

import type { Check } from './book.ts'

const FACTS = 5

/** `problems`: what went wrong on the way. Gives the number of violations, problems among them. */
export function printVerdicts(checks: readonly Check[], problems: readonly string[]): number {
  const width = Math.max(...checks.map(({ what }) => what.length), 0)
  for (const { what, checked, violations } of checks) {
    const verdict =
      violations.length === 0 ? paint('green', 'holds') : paint('red', `${violations.length} violations`)
    console.log(`  ${what.padEnd(width)}  ${String(checked).padStart(6)}  ${verdict}`)
    for (const violation of violations.slice(0, FACTS)) console.log(`      ${violation}`)
  }
  for (const problem of problems.slice(0, FACTS)) console.log(paint('red', `  ${problem}`))
  return checks.reduce((sum, check) => sum + check.violations.length, problems.length)
}
