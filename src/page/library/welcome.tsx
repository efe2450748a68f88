// The content of an empty thread: an introduction and a few skills.

import { useEffect } from 'preact/hooks'

import { useApp } from '../state/app.ts'
import { IDEAS } from './limits.ts'
import { Icon } from '../parts/icon.tsx'
import { useTry } from '../actions/try-skill.ts'

export function Welcome() {
  const { skills } = useApp()
  const trySkill = useTry()
  useEffect(() => void skills.want(), [])
  const all = skills.list.value ?? []
  const ideas = all.filter(({ enabled, callable }) => enabled && callable).slice(0, IDEAS)
  return (
    <div class="welcome">
      <h2>What shall we work on?</h2>
      <p class="muted">
        Describe the work: the agent finds the skill that fits. Or call one with <code>/</code>.
      </p>
      {ideas.length > 0 && (
        <ul aria-label="Ideas">
          {ideas.map((skill) => (
            <li key={skill.name}>
              <button type="button" class="idea" onClick={() => trySkill(skill)}>
                <strong dir="auto">{skill.name}</strong>
                <span dir="auto">{skill.description}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
      {all.length > ideas.length && (
        <a class="button plain" href="#skills">
          <Icon name="skill" />
          All {all.length} skills
        </a>
      )}
    </div>
  )
}
