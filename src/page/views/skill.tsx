// The view of one skill.

import { lazyComponent } from '../parts/lazy.tsx'
import { SKILL_ADDRESS } from '../state/frame/route.ts'
import { skillTitle } from '../state/library/skill-text.ts'
import { SKILLS_VIEW } from './skills.tsx'
import type { View } from './view.ts'

export const SKILL_VIEW: View = {
  address: SKILL_ADDRESS,
  title: ({ openedSkill }, { id }) => {
    const skill = openedSkill.skill.value
    return skill?.name === id ? skillTitle(skill) : id
  },
  load: ({ openedSkill }, { id }) => void openedSkill.open(id ?? ''),
  view: lazyComponent(async () => (await import('../library/library.ts')).LIBRARY_VIEWS.skill, 8),
  parent: SKILLS_VIEW,
}
