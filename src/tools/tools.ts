// The list of tools, in the fixed order in which the model is given them.

import type { Tool } from '../agent/tool.ts'
import type { SkillAccess } from '../skills/view/access.ts'
import { loadSkill } from './load-skill.ts'
import { ls } from './ls.ts'
import { readFile } from './read-file.ts'

export function toolsOver(skills: SkillAccess): readonly Tool[] {
  return [loadSkill(skills), readFile(skills), ls(skills)]
}
