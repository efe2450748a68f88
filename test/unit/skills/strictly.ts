// Strict reading as the reference validator does it: without the rules where publishing is stricter, and with a refusal
// where publishing only warns.

import { utf8 } from '../../../src/lib/bytes.ts'
import { parseSkill } from '../../../src/skills/format/parse.ts'
import type { Finding } from '../../../src/skills/skill.ts'

/**
 * Rules by which strict reading refuses what the reference validator accepts: publishing wants ASCII names and
 * text without controls.
 */
const STRICTER_THAN_REFERENCE: ReadonlySet<string> = new Set(['name-not-ascii', 'control-character'])

/**
 * Rules that are a warning or a note when strict and a refusal of the reference validator: a field that some host acts on was
 * meant, and lists in brackets are good YAML; publishing says who may refuse them. Fields that nobody knows are refused by
 * both.
 */
const LOOSER_THAN_REFERENCE: ReadonlySet<string> = new Set(['extension-field', 'yaml-flow-style'])

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
