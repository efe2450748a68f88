// The cards of an empty thread: the skills that are used most, each with a title and a message to start with.

import { computed, effect, signal, type ReadonlySignal } from '@preact/signals'

import type { Client } from '../../../client/client.ts'
import { listSkillsByUse } from '../../../client/skills.ts'
import type { SkillInfo } from '../../../skills/view/skill-info.ts'
import { SUGGESTED_SKILLS_MAX } from './limits.ts'
import { skillSummary } from './skill-text.ts'
import { invocationText } from './skills.ts'

export interface Suggestion {
  readonly skill: string
  readonly title: string
  /** The icon that the skill's author chose, or null. */
  readonly icon: string | null
  /** What the card says below its title. */
  readonly text: string
  /** The text for the message box. */
  readonly message: string
}

export interface Suggestions {
  /** Null until they have been read. */
  readonly list: ReadonlySignal<readonly Suggestion[] | null>
  /** Reads them once for each key. If that fails, there are none: an empty thread works without them. */
  ensureLoaded(): Promise<void>
}

export function createSuggestions(client: ReadonlySignal<Client | null>): Suggestions {
  const skills = signal<readonly SkillInfo[] | null>(null)
  let readBy: Client | null = null
  // Another account may see other skills.
  effect(() => {
    if (client.value !== readBy) skills.value = null
  })
  return {
    list: computed(() => skills.value?.slice(0, SUGGESTED_SKILLS_MAX).map(suggestionOf) ?? null),
    async ensureLoaded() {
      const activeClient = client.peek()
      if (!activeClient || activeClient === readBy) return
      readBy = activeClient
      const read = await listSkillsByUse(activeClient, SUGGESTED_SKILLS_MAX)
      if (activeClient !== client.peek()) return
      if (read.ok) skills.value = read.value
      else readBy = null
    },
  }
}

/** Without a title, the name is one; without an example, the message calls the skill. */
export function suggestionOf(skill: SkillInfo): Suggestion {
  const { name, card } = skill
  const example = card?.examples[0]
  return {
    skill: name,
    title: card?.title ?? titleOf(name),
    icon: card?.icon ?? null,
    text: skillSummary(skill),
    message: example ?? invocationText({ name, callable: skill.user_invocable }),
  }
}

/** `release-notes` is "Release notes". */
function titleOf(name: string): string {
  const title = name.replaceAll('-', ' ')
  return title.charAt(0).toUpperCase() + title.slice(1)
}
