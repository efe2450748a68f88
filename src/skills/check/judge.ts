// Judges one skill, in the same way for every import: parses SKILL.md, scans all files and checks links. Pure.
// package/skill-folder.ts has checked the names and sizes of the files before.

import { fromUtf8 } from '../../lib/bytes.ts'
import { runSteps } from '../../lib/steps.ts'
import type { Steps } from '../../lib/steps.ts'
import { byLocation, SKILL_FILE } from '../format/finding.ts'
import type { Mode } from '../format/finding.ts'
import { parseSkill } from '../format/parse.ts'
import type { ParsedSkill } from '../format/parse.ts'
import type { FileMap } from '../package/skill-folder.ts'
import { scanSteps } from '../scan/scan.ts'
import type { Finding } from '../skill.ts'
import type { KnownTools } from '../format/tool-names.ts'
import { unknownTools } from './known-tools.ts'
import { linkSteps } from './links.ts'
import { packageFindings, type InstalledNames } from './package-findings.ts'

export interface Judged {
  /** The skill as it would be loaded, even if it cannot be published; null if it cannot be loaded. */
  readonly skill: ParsedSkill | null
  /** All findings, each once, by file (SKILL.md first) and line. */
  readonly findings: readonly Finding[]
  /** The errors among the findings. If there are none, the skill is accepted. */
  readonly refusing: readonly Finding[]
  /** The findings about SKILL.md itself. The index stores them. */
  readonly skillMdFindings: readonly Finding[]
}

/** Judges a skill without pauses, for use in commands. */
export function judgeSkill(
  files: FileMap,
  folder: string,
  mode: Mode,
  tools: KnownTools,
  installed: InstalledNames | null = null,
): Judged {
  return runSteps(judgeSteps(files, folder, mode, tools, installed))
}

/**
 * Judges a skill in steps. `folder` is its expected name, or '' if unknown. In lenient mode, violations of the standard
 * are only warnings; the scan is equally strict in both modes. `installed` names the packages of the deployment; null if
 * they are not known.
 */
export function* judgeSteps(
  files: FileMap,
  folder: string,
  mode: Mode,
  tools: KnownTools,
  installed: InstalledNames | null = null,
): Steps<Judged> {
  const text = files.get(SKILL_FILE) ?? new Uint8Array()
  const cost = US_PER_HEADER + text.byteLength * US_PER_BYTE
  const parsed = parseSkill(text, folder, mode)
  yield cost
  let { skill } = parsed
  if (!skill && mode === 'strict') {
    skill = parseSkill(text, folder, 'lenient').skill
    yield cost
  }
  const names = skill ? unknownTools(skill.meta, fromUtf8(text) ?? '', tools) : []
  const skillMdFindings = [...parsed.findings, ...names]
  const all = [
    ...skillMdFindings,
    ...(yield* scanSteps(files)),
    ...(yield* linkSteps(files)),
    ...packageFindings(files, installed),
  ]
  const distinct = new Map(all.map((finding) => [keyOf(finding), finding]))
  const findings = Array.from(distinct.values()).sort(byLocation)
  const refusing = findings.filter(({ severity }) => severity === 'error')
  return { skill, findings, refusing, skillMdFindings }
}

// Measured costs in microseconds: of parsing a YAML header, and of counting tokens, per byte of the body.
const US_PER_HEADER = 1_000
const US_PER_BYTE = 0.05

function keyOf({ rule, severity, file, line, message }: Finding): string {
  return JSON.stringify([rule, severity, file, line, message])
}
