// Checks a skill's name.

import { codePoints } from '../../lib/text.ts'
import { SKILL_NAME_MAX_CHARS } from '../../limits/skills.ts'
import { quoted } from './finding.ts'
import type { Report } from './finding.ts'
import { checkSkillPath } from './path.ts'
import { RESERVED_NAMES } from './reserved-names.ts'

const FIX = 'Use 1–64 lower-case letters, digits and single hyphens, as in my-skill.'

/** Reports every rule that `name` (trimmed, NFKC, not blank) breaks. `folder` is '' if its name is unknown. */
export function checkName(
  name: string,
  writtenName: string,
  folder: string,
  line: number,
  report: Report,
): void {
  const add = (rule: string, problem: string): void =>
    report.add(rule, 'graded', line, `Skill name ${quoted(name)} ${problem}.`, FIX)
  const length = codePoints(name)
  if (length > SKILL_NAME_MAX_CHARS)
    add('name-too-long', `exceeds the ${SKILL_NAME_MAX_CHARS} character limit (${length} characters)`)
  if (name !== name.toLowerCase()) add('name-not-lowercase', 'must be lowercase')
  if (name.startsWith('-') || name.endsWith('-')) add('name-edge-hyphen', 'cannot start or end with a hyphen')
  if (name.includes('--')) add('name-double-hyphen', 'cannot contain consecutive hyphens')
  if (!/^[\p{L}\p{N}-]*$/u.test(name))
    add(
      'name-invalid-characters',
      'contains invalid characters; only letters, digits and hyphens are allowed',
    )
  else if (/[^a-zA-Z0-9-]/.test(writtenName))
    add(
      'name-not-ascii',
      'contains letters other than a–z; hosts that support only ASCII names cannot find it',
    )
  if (RESERVED_NAMES.has(name)) {
    const message = `Clients use /${name} as a command, so nobody can call the skill ${quoted(name)} by its name.`
    report.add('name-reserved', 'warning', line, message, 'Choose another name, such as one with two words.')
  }
  if (folder !== '' && folder.normalize('NFKC') !== name) {
    const message = `The folder ${quoted(folder)} must match the skill name ${quoted(name)}.`
    report.add('name-not-folder', 'graded', line, message, 'Rename the folder or the skill.')
  }
}

/** Whether a name can be a segment of the path under which the skill is shown. */
export function isUsableName(name: string): boolean {
  return !name.includes('/') && checkSkillPath(name).ok
}
