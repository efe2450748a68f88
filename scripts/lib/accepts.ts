// Parses the option `--accept RULE=REASON`, which several commands have.

import { err, ok } from '../../src/lib/result.ts'
import type { Result } from '../../src/lib/result.ts'
import { codePoints } from '../../src/lib/text.ts'
import { ACCEPT_REASON_MAX_CHARS } from '../../src/api/skills/limits.ts'
import { whyNotAcceptable } from '../../src/skills/check/accept.ts'
import type { Acceptance } from '../../src/skills/check/accept.ts'

/** The acceptances in these options, or a message about the first invalid one. */
export function parseAcceptances(options: readonly string[]): Result<readonly Acceptance[], string> {
  const accept = new Map<string, string>()
  for (const text of options) {
    const [, rule = text, reason = ''] = /^(.*?)=(.*)$/s.exec(text) ?? []
    const refusal = whyNotAcceptable(rule)
    if (refusal !== null) return err(`--accept: ${refusal}`)
    if (reason.trim() === '' || codePoints(reason) > ACCEPT_REASON_MAX_CHARS)
      return err(
        `--accept ${rule}=REASON: state a reason for accepting it, in at most ${ACCEPT_REASON_MAX_CHARS} characters.`,
      )
    accept.set(rule, reason)
  }
  return ok(Array.from(accept, ([rule, reason]) => ({ rule, reason })))
}

/** A message for each accepted rule of which no error was found. */
export function unusedAcceptances(accept: readonly Acceptance[], refused: ReadonlySet<string>): string[] {
  return accept
    .filter(({ rule }) => !refused.has(rule))
    .map(({ rule }) => `--accept ${rule}: no error of this rule was found. Leave it out.`)
}
