// Judges skills as for publishing: format, files, links, static scan. One bad skill never hides another.

import { parseSkill } from '../../src/skills/format/parse.ts'
import type { Parsed } from '../../src/skills/format/parse.ts'
import { SKILL_FILE } from '../../src/skills/format/finding.ts'
import { checkLinks } from '../../src/skills/package/links.ts'
import { skillFolder } from '../../src/skills/package/skill-folder.ts'
import { scanSkill } from '../../src/skills/scan/scan.ts'
import type { Finding } from '../../src/skills/skill.ts'
import { refusals } from './sources.ts'
import type { Opened, Source } from './sources.ts'

export interface CheckedSkill {
  readonly source: Source
  /** Null when its SKILL.md does not say. */
  readonly name: string | null
  /** By file (SKILL.md first) and line. */
  readonly findings: readonly Finding[]
}

/** What an error, a warning and a note are counted as. */
export type Totals = Readonly<Record<Finding['severity'], number>>

/** `checked` is told after each skill how many are done. */
export async function checkAll(
  sources: readonly Source[],
  checked: (done: number) => void,
): Promise<readonly CheckedSkill[]> {
  const skills: CheckedSkill[] = []
  // One after another: the work is judging, and a skill may hold 30 MB.
  for (const source of sources) {
    skills.push(judge(source, await open(source)))
    checked(skills.length)
  }
  return skills
}

async function open(source: Source): Promise<Opened> {
  try {
    return await source.read()
  } catch (error) {
    // The code alone is telling; a message repeats the path.
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unreadable'
    const failure = {
      code: 'invalid_skill',
      detail: `A file of the skill cannot be read (${code}).`,
    } as const
    return { files: null, folder: '', findings: refusals(failure, 'file-unreadable') }
  }
}

function judge(source: Source, { files, folder, findings }: Opened): CheckedSkill {
  const main = files?.get(SKILL_FILE)
  if (!files || !main) return { source, name: null, findings }
  const parsed = parseSkill(main, folder, 'strict')
  const whole = skillFolder(files)
  const all = [
    ...findings,
    ...parsed.findings,
    ...(whole.ok
      ? []
      : refusals(whole.error, 'package-refused').filter((refusal) => !isSaid(refusal, parsed))),
    ...checkLinks(files),
    ...scanSkill(files),
  ]
  const name = parseSkill(main, folder, 'lenient').skill?.meta.name ?? null
  return { source, name, findings: all.toSorted(byPlace) }
}

/** The whole is refused for a text that is not UTF-8, and so is SKILL.md by itself: one fault, said once. */
function isSaid({ file }: Finding, { findings }: Parsed): boolean {
  return file === SKILL_FILE && findings.some(({ rule }) => rule === 'not-utf8')
}

/** By file (SKILL.md first) and line. */
export function byPlace(a: Finding, b: Finding): number {
  if (a.file === b.file) return (a.line ?? 0) - (b.line ?? 0)
  if (a.file === SKILL_FILE || b.file === SKILL_FILE) return a.file === SKILL_FILE ? -1 : 1
  return a.file < b.file ? -1 : 1
}

export function totalsOf(skills: readonly CheckedSkill[]): Totals {
  const totals = { error: 0, warning: 0, note: 0 }
  for (const { findings } of skills) for (const { severity } of findings) totals[severity]++
  return totals
}
