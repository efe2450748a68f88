// Badges that describe a skill.

import { Badge } from '../parts/badge.tsx'
import type { ListedSkill } from '../state/library/skills.ts'

export function SkillMarks({
  skill: { enabled, category, callable },
}: {
  readonly skill: Pick<ListedSkill, 'enabled' | 'category'> & { readonly callable?: boolean }
}) {
  return (
    <>
      {!enabled && (
        <Badge kind="warn" title="The agent does not see this skill, and nobody can call it">
          switched off
        </Badge>
      )}
      {category === 'custom' && <Badge title="Published in this workspace">custom</Badge>}
      {callable === false && enabled && (
        <Badge title="Only the agent can load this skill, when it fits the task">agent only</Badge>
      )}
    </>
  )
}
