// Finds the callable skills that match the text after a slash. Pure.

import type { SkillInfo } from '../../../skills/view/skill-info.ts'
import { SLASH_MATCHES_MAX } from './limits.ts'

export type SlashCommand = Pick<
  SkillInfo,
  'name' | 'description' | 'card' | 'user_invocable' | 'argument_hint'
>

export interface SlashOffer {
  /** The text up to and including the slash before the name. */
  readonly head: string
  readonly matches: readonly SlashCommand[]
}

const NAME = /^[a-z0-9]+(?:-[a-z0-9]+)*$/
const TYPED_COMMAND = /^((?:\/[a-z0-9-]+\s+)*\/)([a-z0-9-]*)$/
const COMPLETE_COMMAND = /^(?:\/[a-z0-9-]+\s+)*\/([a-z0-9-]+)\s+$/

/** The commands whose names start with the part typed after the slash, followed by those whose names contain it. */
export function matchCommands(textBeforeCaret: string, commands: readonly SlashCommand[]): SlashOffer {
  const [, head = '', typed = ''] = TYPED_COMMAND.exec(textBeforeCaret) ?? []
  if (head === '') return { head, matches: [] }
  const calledNames = new Set(head.match(/[a-z0-9-]+/g))
  // A skill whose name is not valid as a command can be loaded only by the agent.
  const callable = commands.filter(
    ({ name, user_invocable }) => user_invocable && NAME.test(name) && !calledNames.has(name),
  )
  const prefixMatches = callable.filter(({ name }) => name.startsWith(typed))
  const innerMatches = callable.filter(({ name }) => !name.startsWith(typed) && name.includes(typed))
  return { head, matches: [...prefixMatches, ...innerMatches].slice(0, SLASH_MATCHES_MAX) }
}

/** The argument hint of the command at the end of the text, or null. */
export function hintFor(text: string, commands: readonly SlashCommand[]): string | null {
  const name = COMPLETE_COMMAND.exec(text)?.[1]
  return commands.find((command) => command.name === name)?.argument_hint ?? null
}
