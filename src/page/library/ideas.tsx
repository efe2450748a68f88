// Below the message box of an empty thread: cards with a title and a message that works.

import { useEffect } from 'preact/hooks'

import { focusSoon } from '../actions/listen-to-keys.ts'
import { iconOr } from '../parts/icon.tsx'
import { Icon } from '../parts/icon.tsx'
import { useApp } from '../state/app.ts'

export function Ideas() {
  const { composer, suggestions } = useApp()
  useEffect(() => void suggestions.ensureLoaded(), [])
  const cards = suggestions.list.value ?? []
  return (
    <div class="ideas">
      {cards.length > 0 && (
        <>
          <ul aria-label="Ideas">
            {cards.map(({ skill, title, icon, text, message }) => (
              <li key={skill}>
                <button
                  type="button"
                  class="idea"
                  title={skill}
                  onClick={() => {
                    composer.fill(message)
                    focusSoon('message')
                  }}
                >
                  <Icon name={iconOr(icon, 'skill')} />
                  <strong dir="auto">{title}</strong>
                  <span dir="auto">{text}</span>
                </button>
              </li>
            ))}
          </ul>
          <a class="button plain" href="#skills">
            All skills
            <Icon name="chevron-right" />
          </a>
        </>
      )}
    </div>
  )
}
