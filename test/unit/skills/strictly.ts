// Strict reading as the reference validator does it: without the rules where publishing is stricter, and with a refusal
// where publishing only warns.

import { utf8 } from '../../../src/lib/bytes.ts'
import { parseSkill } from '../../../src/skills/format/parse.ts'
import type { Finding } from '../../../src/skills/skill.ts'

/**
 * Rules by which strict reading refuses what the reference validator accepts: publishing requires ASCII names and text
 * without control characters.
 */
const STRICTER_THAN_REFERENCE: ReadonlySet<string> = new Set(['name-not-ascii', 'control-character'])

/**
 * Rules that only warn or note in strict reading, while the reference validator refuses. A field that some host acts on
 * is intended, and lists in brackets are valid YAML; publishing says who may refuse them. Both refuse fields that
 * nobody knows.
 */
const LOOSER_THAN_REFERENCE: ReadonlySet<string> = new Set(['extension-field', 'yaml-flow-style'])

export function parseStrictly(text: string | Uint8Array, folder: string): Finding[] {
  const bytes = typeof text === 'string' ? utf8(text) : text
  return parseSkill(bytes, folder, 'strict').findings.filter(
    (finding) => !STRICTER_THAN_REFERENCE.has(finding.rule),
  )
}

/** Whether the reference validator would refuse because of this finding. */
export function isError(finding: Finding): boolean {
  return finding.severity === 'error' || LOOSER_THAN_REFERENCE.has(finding.rule)
}
