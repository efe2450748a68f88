// Validates the configuration of a hook; stores nothing.

import { checkReply } from '../replies/template.ts'
import { codePoints } from '../lib/text.ts'
import { HOOK_NAME_MAX_CHARS } from './limits.ts'
import type { HookConfig } from './api.ts'
import { workspaceOf } from './hook-id.ts'
import { checkSignature } from './schemes/options.ts'
import { checkSecret } from './schemes/secret.ts'
import { filterProblems } from './filter.ts'
import { checkTemplate } from './template.ts'

/**
 * Each error names its field and the fix, and never contains the secret, which is checked if it is given. The list is
 * empty if the configuration is valid.
 */
export function checkConfig(
  config: Omit<HookConfig, 'secret'> & Partial<Pick<HookConfig, 'secret'>>,
): { path: string; message: string }[] {
  const name = config.name.trim() !== '' && config.name.isWellFormed() && codePoints(config.name)
  const problems: readonly (readonly [string, string | null])[] = [
    ['id', workspaceOf(config.id) === config.workspace ? null : 'is not the ID of a hook in this workspace'],
    ['name', name && name <= HOOK_NAME_MAX_CHARS ? null : `must have 1 to ${HOOK_NAME_MAX_CHARS} characters`],
    ['signature', checkSignature(config)],
    ['secret', config.secret === undefined ? null : checkSecret(config.secret, config.scheme)],
    ['template', checkTemplate(config.template)],
    ['thread.key', keyProblem(config.thread)],
    ['on_busy', busyProblem(config)],
  ]
  const filter = filterProblems(config.filter)
  const reply = config.reply && checkReply(config.reply)
  return [
    ...(reply ? [reply] : []),
    ...filter,
    ...problems.flatMap(([path, message]) => (message === null ? [] : [{ path, message }])),
  ]
}

function keyProblem(thread: HookConfig['thread']): string | null {
  if (typeof thread === 'string') return null
  if (!thread.key.includes('{{')) return 'has no placeholder such as {{issue.id}}: add one, or use "one"'
  return checkTemplate(thread.key)
}

function busyProblem({ thread, on_busy }: Pick<HookConfig, 'thread' | 'on_busy'>): string | null {
  return on_busy === 'latest' && thread === 'each'
    ? 'must be "enqueue" if each delivery has its own thread: set thread to "one" or to a key'
    : null
}
