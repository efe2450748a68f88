// `--accept RULE=REASON` of the commands.

import { err, ok } from '../../src/lib/result.ts'
import type { Result } from '../../src/lib/result.ts'
import { codePoints } from '../../src/lib/text.ts'
import { ACCEPT_REASON_MAX_CHARS } from '../../src/api/skills/limits.ts'
import { whyNotAcceptable } from '../../src/skills/check/accept.ts'
import type { Acceptance } from '../../src/skills/check/accept.ts'

/** Fails with the first invalid one, as text. */
export function acceptsOf(texts: readonly string[]): Result<readonly Acceptance[], string> {
  const accept = new Map<string, string>()
  for (const text of texts) {
    const [, rule = text, reason = ''] = /^(.*?)=(.*)$/s.exec(text) ?? []
    const never = whyNotAcceptable(rule)
    if (never !== null) return err(`--accept: ${never}`)
    if (reason.trim() === '' || codePoints(reason) > ACCEPT_REASON_MAX_CHARS)
      return err(`--accept ${rule}=REASON: say why, in at most ${ACCEPT_REASON_MAX_CHARS} characters.`)
    accept.set(rule, reason)
  }
  return ok(Array.from(accept, ([rule, reason]) => ({ rule, reason })))
}

/** One sentence for each rule that no finding matched. */
export function unused(accept: readonly Acceptance[], refused: ReadonlySet<string>): string[] {
  return accept
    .filter(({ rule }) => !refused.has(rule))
    .map(({ rule }) => `--accept ${rule}: it refuses nothing here. Leave it out.`)
}
