// Which thread a delivery goes to: a new one, the hook's only one, or one for each key that a template makes of the body.

import { sha256Hex } from '../lib/bytes.ts'
import { derivedId, newId } from '../lib/ids.ts'
import { fixedOptions, type RunOptions } from '../unattended/options.ts'
import type { HookConfig } from './api.ts'
import { renderPlain } from './template.ts'

type Source = RunOptions & Pick<HookConfig, 'id' | 'workspace' | 'thread'>

/** The same key always gives the same thread, unless the options that a thread keeps have changed. */
export async function threadIdOf(hook: Source, body: string): Promise<string> {
  const { thread } = hook
  if (thread === 'each') return newId('th')
  const parts = [hook.workspace, 'hook', hook.id, fixedOptions(hook)]
  if (thread === 'one') return derivedId('th', parts)
  const key = renderPlain(thread.key, body)
  return key === '' ? newId('th') : derivedId('th', [...parts, await sha256Hex(key)])
}
