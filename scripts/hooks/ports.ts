// Defines the flags and dependencies of the verbs of `npm run hooks`.

import type { AskLine } from '../lib/ask.ts'
import type { ToolPorts } from '../tools/ports.ts'
import type { RunFlags } from '../unattended/fields.ts'

export interface HookFlags extends RunFlags {
  readonly scheme?: string | undefined
  readonly template?: string | undefined
  readonly file?: string | undefined
  readonly thread?: string | undefined
  readonly 'on-busy'?: string | undefined
  /** The new name. */
  readonly name?: string | undefined
  readonly secret?: string | undefined
  readonly overlap?: string | undefined
  readonly header: readonly string[]
  readonly 'dry-run': boolean
  readonly id?: string | undefined
  readonly state?: string | undefined
  /** The state of the reply. */
  readonly reply?: string | undefined
  readonly text?: string | undefined
  readonly limit: string
  readonly yes: boolean
  readonly json: boolean
}

export interface HookPorts extends ToolPorts {
  /** Asks for a secret without echoing it. Without a terminal, reads standard input. */
  readonly askSecret: AskLine
  /** The value of HOOK_SECRET in the environment. */
  readonly environmentSecret: string | undefined
  /** Sends deliveries, which do not contain the server's key. */
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>
  /** The time in epoch milliseconds. */
  readonly now: () => number
}

/** A hook as returned by the list. */
export interface ListedHook {
  readonly id: string
  readonly name: string
  readonly created_at: string
}
