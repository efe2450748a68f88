// What a person should know of a skill before it is kept: findings of publishing and of the scan, and what it could
// run. Runs nothing.

import { fromUtf8 } from '../../src/lib/bytes.ts'
import { SKILL_FILE } from '../../src/skills/format/finding.ts'
import { parseSkill } from '../../src/skills/format/parse.ts'
import type { FileMap } from '../../src/skills/package/skill-folder.ts'
import { scanSkill } from '../../src/skills/scan/scan.ts'
import type { Finding } from '../../src/skills/skill.ts'

export interface Inspection {
  /** Errors are the scan's: what the standard alone refuses still loads, and is a warning. */
  readonly findings: readonly Finding[]
  /** Paths of its programs. */
  readonly programs: readonly string[]
  readonly license: string | null
}

const PROGRAM = /\.(?:py|sh|bash|zsh|js|mjs|cjs|ts|rb|pl|php|lua|ps1|bat|cmd|go|rs|java|swift|r)$/i

/** `folder`: the name of the folder that it will lie in. */
export function inspect(files: FileMap, folder: string): Inspection {
  const main = files.get(SKILL_FILE) ?? new Uint8Array()
  const strict = parseSkill(main, folder, 'strict').findings.map(softened)
  const { skill } = parseSkill(main, folder, 'lenient')
  return {
    findings: [...strict, ...scanSkill(files)],
    programs: Array.from(files.keys()).filter((path) => isProgram(path, files.get(path))),
    license: skill?.meta.license ?? null,
  }
}

function softened(finding: Finding): Finding {
  return finding.severity === 'error' ? { ...finding, severity: 'warning' } : finding
}

function isProgram(path: string, bytes: Uint8Array | undefined): boolean {
  return PROGRAM.test(path) || fromUtf8(bytes?.subarray(0, 2) ?? new Uint8Array()) === '#!'
}
