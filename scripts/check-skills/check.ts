// Checks skills as for publishing, one after another. One bad skill never hides another.

import { KNOWN_TOOLS } from '../../src/tools/builtins.ts'
import { FIT_SCRIPT_CHARS } from '../../src/tools/skills/limits.ts'
import { byLocation, SKILL_FILE } from '../../src/skills/format/finding.ts'
import { applyAcceptances } from '../../src/skills/check/accept.ts'
import type { Acceptance } from '../../src/skills/check/accept.ts'
import { judgeSkill } from '../../src/skills/check/judge.ts'
import { fitOf, isScript } from '../../src/sandbox/fit/fit.ts'
import type { Fit } from '../../src/sandbox/fit/fit.ts'
import type { Finding } from '../../src/skills/skill.ts'
import { sha256Of } from '../skill-folders/blob.ts'
import type { FoundSkill } from '../skill-folders/find-packages.ts'
import { readFolder } from './unchecked.ts'
import type { ReadSkill, SkillLocation, UncheckedSkill } from './unchecked.ts'

export interface CheckedSkill extends SkillLocation {
  /** Null if its SKILL.md has no name. */
  readonly name: string | null
  /** By file (SKILL.md first) and line. */
  readonly findings: readonly Finding[]
  /** By path, with what each needs and the sandbox lacks. */
  readonly scripts: readonly Fit[]
}

/** `checked` receives, after each skill, how many are done. */
export async function checkAll(
  skills: readonly UncheckedSkill[],
  checked: (done: number) => void,
  accept: readonly Acceptance[] = [],
): Promise<readonly CheckedSkill[]> {
  const all: CheckedSkill[] = []
  // One after another: checking is CPU-bound, and a skill may have 30 MB.
  for (const { read, ...location } of skills) {
    const skill = await read()
    const { name, findings } = judgeRead(skill, accept)
    all.push({ ...location, name, findings, scripts: scriptsOf(skill) })
    checked(all.length)
  }
  return all
}

/** Its scripts, and whether the sandbox has what they need. */
function scriptsOf({ files }: ReadSkill): readonly Fit[] {
  const paths = [...files.keys()].toSorted()
  const scripts = paths.filter(isScript).map((path) => ({
    path,
    text: new TextDecoder().decode(files.get(path)?.subarray(0, FIT_SCRIPT_CHARS)),
  }))
  return fitOf(scripts, paths)
}

/** The findings of publishing for a skill on disk. */
export async function findingsOf(skill: FoundSkill): Promise<readonly Finding[]> {
  return judgeRead(await readFolder(skill)).findings
}

interface JudgedRead extends Pick<CheckedSkill, 'name' | 'findings'> {
  /** Findings that prevent publishing; there is one if the skill has no name. */
  readonly refusing: readonly Finding[]
}

/** All findings of publishing for a skill that was read, including those of reading it. */
export function judgeRead(
  { files, folder, findings }: ReadSkill,
  accept: readonly Acceptance[] = [],
): JudgedRead {
  const errors = findings.filter(({ severity }) => severity === 'error')
  if (!files.has(SKILL_FILE)) return { name: null, findings, refusing: errors }
  const judged = applyAcceptances(judgeSkill(files, folder, 'strict', KNOWN_TOOLS), ({ rule, file }) => {
    const wish = accept.find((one) => one.rule === rule)
    const bytes = files.get(file)
    return wish && bytes && { reason: wish.reason, sha256: sha256Of(bytes) }
  })
  return {
    name: judged.skill?.meta.name ?? null,
    findings: [...findings, ...judged.findings].toSorted(byLocation),
    refusing: [...errors, ...judged.refusing].toSorted(byLocation),
  }
}
