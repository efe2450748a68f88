// Strict reading as the reference validator would have it: without the rules in which publishing goes further.

import { utf8 } from '../../../src/lib/bytes.ts'
import { parseSkill, STRICTER_THAN_REFERENCE } from '../../../src/skills/format/parse.ts'
import type { Finding } from '../../../src/skills/skill.ts'

export function parseStrictly(text: string | Uint8Array, folder: string): Finding[] {
  const bytes = typeof text === 'string' ? utf8(text) : text
  return parseSkill(bytes, folder, 'strict').findings.filter(
    (finding) => !STRICTER_THAN_REFERENCE.has(finding.rule),
  )
}

export function isError(finding: Finding): boolean {
  return finding.severity === 'error'
}
