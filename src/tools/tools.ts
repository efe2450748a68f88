// The list of tools, in the fixed order in which the model is given them.

import type { Tool } from '../agent/tool.ts'
import type { SkillAccess } from '../skills/view/access.ts'
import { loadSkill } from './load-skill.ts'
import { ls } from './ls.ts'
import { readFile } from './read-file.ts'
import { searchSkills } from './search-skills.ts'

/** Whether a thread was born with the search for skills: the list of tools is rebuilt as it was then. */
export function isSearch(spec: { readonly name: string }): boolean {
  return spec.name === 'search_skills'
}

/** `search`: the prompt does not list every skill, so there is a tool for the rest; null where it does. */
export function toolsOver(
  skills: SkillAccess,
  search: Parameters<typeof searchSkills>[1] | null,
): readonly Tool[] {
  return [loadSkill(skills), ...(search ? [searchSkills(skills, search)] : []), readFile(skills), ls(skills)]
}
