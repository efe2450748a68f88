// Finds the callable skills that match the text after a slash. Pure.

import type { SkillInfo } from '../../../skills/view/skill-info.ts'
import { SLASH_SHOWN } from './limits.ts'

export type SlashCommand = Pick<SkillInfo, 'name' | 'description' | 'user_invocable' | 'argument_hint'>

export interface SlashOffer {
  /** The text up to and including the slash before the name. */
  readonly head: string
  readonly found: readonly SlashCommand[]
}

const NAME = /^[a-z0-9]+(?:-[a-z0-9]+)*$/
const TYPED = /^((?:\/[a-z0-9-]+\s+)*\/)([a-z0-9-]*)$/
const CALLED = /^(?:\/[a-z0-9-]+\s+)*\/([a-z0-9-]+)\s+$/

/** The commands whose names start with the part typed after the slash, followed by those whose names contain it. */
export function offered(before: string, commands: readonly SlashCommand[]): SlashOffer {
  const [, head = '', part = ''] = TYPED.exec(before) ?? []
  if (head === '') return { head, found: [] }
  const called = new Set(head.match(/[a-z0-9-]+/g))
  // A skill whose name is not valid as a command can be loaded only by the agent.
  const free = commands.filter(
    ({ name, user_invocable }) => user_invocable && NAME.test(name) && !called.has(name),
  )
  const first = free.filter(({ name }) => name.startsWith(part))
  const others = free.filter(({ name }) => !name.startsWith(part) && name.includes(part))
  return { head, found: [...first, ...others].slice(0, SLASH_SHOWN) }
}

/** The argument hint of the command at the end of the text, or null. */
export function hintFor(text: string, commands: readonly SlashCommand[]): string | null {
  const name = CALLED.exec(text)?.[1]
  return commands.find((command) => command.name === name)?.argument_hint ?? null
}
