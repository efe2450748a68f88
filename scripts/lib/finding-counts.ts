// Counts findings, for all commands that print them.

import type { Finding } from '../../src/skills/skill.ts'
import { counted } from '../../src/lib/counted.ts'

/** The numbers of errors, warnings and notes. */
export type FindingTotals = Readonly<Record<Finding['severity'], number>>

export function countFindings(all: readonly { readonly findings: readonly Finding[] }[]): FindingTotals {
  const totals = { error: 0, warning: 0, note: 0 }
  for (const { findings } of all) for (const { severity } of findings) totals[severity]++
  return totals
}

/** A line such as `1 error, 3 warnings, 8 notes (--notes shows them)`. The hint is omitted if `notes` is true. */
export function countsLine(totals: FindingTotals, showNotes: boolean): string {
  const hint = totals.note > 0 && !showNotes ? ' (--notes shows them)' : ''
  return (
    (['error', 'warning', 'note'] as const)
      .map((severity) => counted(totals[severity], severity))
      .join(', ') + hint
  )
}
