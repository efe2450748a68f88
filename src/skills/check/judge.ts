// Judges one skill as a whole, the same for every import: SKILL.md, the scan and the links. Pure. Names and sizes of
// its files are checked before (package/skill-folder.ts).

import { fromUtf8 } from '../../lib/bytes.ts'
import { atOnce } from '../../lib/steps.ts'
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

export interface Judged {
  /** As it would load, even if publishing refuses it; null when it cannot load. */
  readonly skill: ParsedSkill | null
  /** All findings, by file (SKILL.md first) and line, each once. */
  readonly findings: readonly Finding[]
  /** Findings that refuse it. Empty: it is accepted. */
  readonly refusing: readonly Finding[]
  /** Findings of parsing SKILL.md, which the index stores. */
  readonly reading: readonly Finding[]
}

/** Without pauses, for commands. */
export function judgeSkill(files: FileMap, folder: string, mode: Mode, tools: KnownTools): Judged {
  return atOnce(judgeSteps(files, folder, mode, tools))
}

/**
 * `folder`: the expected name of the skill, '' when unknown. `strict`: for publishing. `lenient`: for loading, where
 * violations of the standard are only warnings; the scan refuses as much as in strict mode.
 */
export function* judgeSteps(files: FileMap, folder: string, mode: Mode, tools: KnownTools): Steps<Judged> {
  const text = files.get(SKILL_FILE) ?? new Uint8Array()
  const cost = A_HEADER + text.byteLength * A_BYTE
  const parsed = parseSkill(text, folder, mode)
  yield cost
  let { skill } = parsed
  if (!skill && mode === 'strict') {
    skill = parseSkill(text, folder, 'lenient').skill
    yield cost
  }
  const names = skill ? unknownTools(skill.meta, fromUtf8(text) ?? '', tools) : []
  const reading = [...parsed.findings, ...names]
  const all = [...reading, ...(yield* scanSteps(files)), ...(yield* linkSteps(files))]
  const each = new Map(all.map((finding) => [keyOf(finding), finding]))
  const findings = Array.from(each.values()).sort(byLocation)
  const refusing = findings.filter(({ severity }) => severity === 'error')
  return { skill, findings, refusing, reading }
}

// Microseconds: to parse a YAML header, and to count the tokens of a byte of the body.
const A_HEADER = 1_000
const A_BYTE = 0.05

function keyOf({ rule, severity, file, line, message }: Finding): string {
  return JSON.stringify([rule, severity, file, line, message])
}
