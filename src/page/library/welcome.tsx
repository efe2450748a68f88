// Shown in an empty thread: an introduction and a few suggested skills.

import { useEffect } from 'preact/hooks'

import { useApp } from '../state/app.ts'
import { SUGGESTED_SKILLS_MAX } from './limits.ts'
import { Icon } from '../parts/icon.tsx'
import { useTrySkill } from '../actions/try-skill.ts'

export function Welcome() {
  const { skills } = useApp()
  const trySkill = useTrySkill()
  useEffect(() => void skills.ensureLoaded(), [])
  const skillList = skills.list.value ?? []
  const suggestions = skillList
    .filter(({ enabled, callable }) => enabled && callable)
    .slice(0, SUGGESTED_SKILLS_MAX)
  return (
    <div class="welcome">
      <h2>What shall we work on?</h2>
      <p class="muted">
        Describe the work: the agent finds the skill that fits. Or call one with <code>/</code>.
      </p>
      {suggestions.length > 0 && (
        <ul aria-label="Ideas">
          {suggestions.map((skill) => (
            <li key={skill.name}>
              <button type="button" class="idea" onClick={() => trySkill(skill)}>
                <strong dir="auto">{skill.name}</strong>
                <span dir="auto">{skill.description}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
      {skillList.length > suggestions.length && (
        <a class="button plain" href="#skills">
          <Icon name="skill" />
          All {skillList.length} skills
        </a>
      )}
    </div>
  )
}
