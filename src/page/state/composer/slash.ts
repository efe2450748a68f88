// Which of the skills that a person may call by name fit what is typed behind a slash. Pure.

import type { SkillInfo } from '../../../skills/view/skill-info.ts'
import { SLASH_SHOWN } from './limits.ts'

export type SlashCommand = Pick<SkillInfo, 'name' | 'description' | 'user_invocable' | 'argument_hint'>

export interface SlashOffer {
  /** What stays in front of the name that is chosen. */
  readonly head: string
  readonly found: readonly SlashCommand[]
}

const NAME = /^[a-z0-9]+(?:-[a-z0-9]+)*$/
const TYPED = /^((?:\/[a-z0-9-]+\s+)*\/)([a-z0-9-]*)$/
const CALLED = /^(?:\/[a-z0-9-]+\s+)*\/([a-z0-9-]+)\s+$/

/** What a message that reads so up to the caret may go on with: names that begin so, then names that hold it. */
export function offered(before: string, commands: readonly SlashCommand[]): SlashOffer {
  const [, head = '', part = ''] = TYPED.exec(before) ?? []
  if (head === '') return { head, found: [] }
  const called = new Set(head.match(/[a-z0-9-]+/g))
  // A name that no command can spell is for the agent alone.
  const free = commands.filter(
    ({ name, user_invocable }) => user_invocable && NAME.test(name) && !called.has(name),
  )
  const first = free.filter(({ name }) => name.startsWith(part))
  const others = free.filter(({ name }) => !name.startsWith(part) && name.includes(part))
  return { head, found: [...first, ...others].slice(0, SLASH_SHOWN) }
}

/** What to write behind the command that the text ends with; null: it ends with none, or nothing is known. */
export function hintFor(text: string, commands: readonly SlashCommand[]): string | null {
  const name = CALLED.exec(text)?.[1]
  return commands.find((command) => command.name === name)?.argument_hint ?? null
}
