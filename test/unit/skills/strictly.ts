// Strict reading as the reference validator would have it: without the rules in which publishing goes further, and with
// a refusal where publishing only warns.

import { utf8 } from '../../../src/lib/bytes.ts'
import {
  LOOSER_THAN_REFERENCE,
  parseSkill,
  STRICTER_THAN_REFERENCE,
} from '../../../src/skills/format/parse.ts'
import type { Finding } from '../../../src/skills/skill.ts'

export function parseStrictly(text: string | Uint8Array, folder: string): Finding[] {
  const bytes = typeof text === 'string' ? utf8(text) : text
  return parseSkill(bytes, folder, 'strict').findings.filter(
    (finding) => !STRICTER_THAN_REFERENCE.has(finding.rule),
  )
}

/** Whether the reference validator would refuse for it. */
export function isError(finding: Finding): boolean {
  return finding.severity === 'error' || LOOSER_THAN_REFERENCE.has(finding.rule)
}
