// Collects checks, their counts and violations, and prints them.

import { paint } from '../../lib/terminal.ts'

const SHOWN_VIOLATIONS_MAX = 5

export interface Check {
  readonly what: string
  checked: number
  readonly violations: string[]
}

export class Checks {
  readonly #checks = new Map<string, Check>()

  note(what: string, where: string, violation: string | null): void {
    const check = this.#checks.get(what) ?? { what, checked: 0, violations: [] }
    this.#checks.set(what, check)
    check.checked += 1
    if (violation !== null) check.violations.push(`${where}: ${violation}`)
  }

  list(): readonly Check[] {
    return [...this.#checks.values()]
  }
}

/**
 * `problems` are failures before the checks. `successMessage` is printed if everything holds. Returns the number of
 * violations, including problems.
 */
export function printVerdicts(
  checks: readonly Check[],
  problems: readonly string[],
  successMessage: string,
): number {
  const width = Math.max(...checks.map(({ what }) => what.length), 0)
  console.log('')
  for (const { what, checked, violations } of checks) {
    const verdict =
      violations.length === 0 ? paint('green', 'holds') : paint('red', `${violations.length} violations`)
    console.log(`  ${what.padEnd(width)}  ${String(checked).padStart(6)}  ${verdict}`)
    for (const violation of violations.slice(0, SHOWN_VIOLATIONS_MAX)) console.log(`      ${violation}`)
  }
  for (const problem of problems.slice(0, SHOWN_VIOLATIONS_MAX)) console.log(paint('red', `  ${problem}`))
  const all = checks.reduce((sum, check) => sum + check.violations.length, problems.length)
  console.log(`\n${all === 0 ? successMessage : `${all} violations.`}`)
  return all
}
