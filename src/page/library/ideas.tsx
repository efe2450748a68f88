// Below the message box of an empty thread: a few skills with a prompt that works.

import { useEffect } from 'preact/hooks'

import { useApp } from '../state/app.ts'
import { SUGGESTED_SKILLS_MAX } from './limits.ts'
import { Icon } from '../parts/icon.tsx'
import { useTrySkill } from '../actions/try-skill.ts'

export function Ideas() {
  const { skills } = useApp()
  const trySkill = useTrySkill()
  useEffect(() => void skills.ensureLoaded(), [])
  const skillList = skills.list.value ?? []
  const suggestions = skillList
    .filter(({ enabled, callable }) => enabled && callable)
    .slice(0, SUGGESTED_SKILLS_MAX)
  return (
    <div class="ideas">
      {suggestions.length > 0 && (
        <ul aria-label="Ideas">
          {suggestions.map((skill) => (
            <li key={skill.name}>
              <button type="button" class="idea" onClick={() => trySkill(skill)}>
                <Icon name="skill" />
                <strong dir="auto">{skill.name}</strong>
                <span dir="auto">{skill.description}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
      {skillList.length > suggestions.length && (
        <a class="button plain" href="#skills">
          All {skillList.length} skills
          <Icon name="chevron-right" />
        </a>
      )}
    </div>
  )
}
