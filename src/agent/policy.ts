// What is decided before a call is made: allow, deny with words, or ask a person. Types alone; each policy is a file of its
// own in policies/, and a list of them decides (policies/judge.ts): one that denies wins, else the first that asks.

import type { ApprovalRule, Preview } from './approval.ts'
import type { Effect } from './tool.ts'

/** What policies decide on. Made from rows and settings alone. */
export interface CallFacts {
  readonly name: string
  readonly source: 'builtin' | 'http'
  readonly group: string | null
  readonly effect: Effect
  readonly input: unknown
  readonly approval: ApprovalRule
  /** Null: nothing leaves. */
  readonly preview: Preview | null
  /** Where the outside text of this window came from, such as `upload`, `context`, `hook`, `web:example.com`, `http:tickets`. */
  readonly outside: readonly string[]
  /** A person is there to be asked: false in a hook's run. */
  readonly attended: boolean
  /** Of this tool in this run, this one not counted. */
  readonly earlierCalls: number
}

export type Verdict =
  | { readonly do: 'allow' }
  | { readonly do: 'deny'; readonly policy: string; readonly words: string }
  | { readonly do: 'ask'; readonly policy: string; readonly reason: string }

export const ALLOW: Verdict = { do: 'allow' }

/** At once where it can: a call that nobody has anything against waits for nothing. May not throw, and never rejects. */
export type Policy = (facts: CallFacts) => Verdict | Promise<Verdict>
