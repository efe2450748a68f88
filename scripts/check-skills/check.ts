// Checks skills as publishing does, one at a time. An invalid skill does not prevent the others from being checked.

import { KNOWN_TOOLS } from '../../src/tools/builtins.ts'
import { CHECKED_SCRIPT_MAX_BYTES } from '../../src/tools/skills/limits.ts'
import { byLocation, SKILL_FILE } from '../../src/skills/format/finding.ts'
import { applyAcceptances } from '../../src/skills/check/accept.ts'
import type { Acceptance } from '../../src/skills/check/accept.ts'
import { judgeSkill } from '../../src/skills/check/judge.ts'
import { NOTHING_INSTALLED, type InstalledPackages } from '../../src/sandbox/installed-packages.ts'
import { checkScripts, isScript } from '../../src/sandbox/compatibility/check-scripts.ts'
import type { ScriptCompatibility } from '../../src/sandbox/compatibility/check-scripts.ts'
import type { Finding } from '../../src/skills/skill.ts'
import { sha256Of } from '../skill-folders/blob.ts'
import type { FoundSkill } from '../skill-folders/find-packages.ts'
import { readFolder } from './unchecked.ts'
import type { ReadSkill, SkillLocation, UncheckedSkill } from './unchecked.ts'

export interface CheckedSkill extends SkillLocation {
  /** Null if its SKILL.md has no name. */
  readonly name: string | null
  /** The findings, by file (SKILL.md first) and line. */
  readonly findings: readonly Finding[]
  /** The scripts by path, each with what it needs but the sandbox lacks. */
  readonly scripts: readonly ScriptCompatibility[]
}

/**
 * Checks skills. `onChecked` is called after each one with the number of skills that are done; `installed` are the
 * packages that their scripts can import.
 */
export async function checkAll(
  skills: readonly UncheckedSkill[],
  onChecked: (done: number) => void,
  accept: readonly Acceptance[] = [],
  installed: InstalledPackages = NOTHING_INSTALLED,
): Promise<readonly CheckedSkill[]> {
  const all: CheckedSkill[] = []
  // Not concurrently, because checking is CPU-bound and a skill may have 30 MB.
  for (const { read, ...location } of skills) {
    const skill = await read()
    const { name, findings } = judgeReadSkill(skill, accept, installed)
    all.push({ ...location, name, findings, scripts: scriptsOf(skill, installed) })
    onChecked(all.length)
  }
  return all
}

/** The scripts of a skill, each with what it needs but the sandbox lacks. */
function scriptsOf({ files }: ReadSkill, installed: InstalledPackages): readonly ScriptCompatibility[] {
  const paths = [...files.keys()].toSorted()
  const scripts = paths.filter(isScript).map((path) => ({
    path,
    text: new TextDecoder().decode(files.get(path)?.subarray(0, CHECKED_SCRIPT_MAX_BYTES)),
  }))
  return checkScripts(scripts, paths, installed)
}

/** The findings that publishing this skill from disk would report. */
export async function findingsOf(skill: FoundSkill): Promise<readonly Finding[]> {
  return judgeReadSkill(await readFolder(skill)).findings
}

interface JudgedSkill extends Pick<CheckedSkill, 'name' | 'findings'> {
  /** The errors, which prevent publishing. There is at least one if the skill has no name. */
  readonly refusing: readonly Finding[]
}

/** Judges a skill that has been read, as publishing does. Includes the findings of reading it. */
export function judgeReadSkill(
  { files, folder, findings }: ReadSkill,
  accept: readonly Acceptance[] = [],
  installed: InstalledPackages | null = null,
): JudgedSkill {
  const errors = findings.filter(({ severity }) => severity === 'error')
  if (!files.has(SKILL_FILE)) return { name: null, findings, refusing: errors }
  const judged = applyAcceptances(
    judgeSkill(files, folder, 'strict', KNOWN_TOOLS, installed),
    ({ rule, file }) => {
      const acceptance = accept.find((one) => one.rule === rule)
      const bytes = files.get(file)
      return acceptance && bytes && { reason: acceptance.reason, sha256: sha256Of(bytes) }
    },
  )
  return {
    name: judged.skill?.meta.name ?? null,
    findings: [...findings, ...judged.findings].toSorted(byLocation),
    refusing: [...errors, ...judged.refusing].toSorted(byLocation),
  }
}
