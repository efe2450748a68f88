// What is decided before a call is made: allow, deny with a message, or ask a person. Types alone; each policy is a file of its
// own in policies/, and a list of them decides (policies/judge.ts): one that denies wins, else the first that asks.

import type { ApprovalRule, Preview } from './approval.ts'
import type { AllowedCall } from '../lib/caller.ts'
import type { Effect, ToolRow } from './tool.ts'

/** What a call to act, or to an address that nobody gave, gets once the window holds untrusted content. */
type UntrustedThenAct = 'ask' | 'allow' | 'deny'

/** Tools that a workspace or a key leaves to a run. Names of tools, or of groups. */
export interface ToolLists {
  /** Null: all but what is denied. */
  readonly allow: readonly string[] | null
  readonly deny: readonly string[]
  /** Whose list it is, in words. */
  readonly of: string
}

/** What policies decide on. Made from rows and settings alone. */
export interface CallFacts {
  readonly name: string
  readonly source: ToolRow['source']
  readonly group: string | null
  readonly effect: Effect
  readonly input: unknown
  readonly approval: ApprovalRule
  /** Null if nothing leaves. */
  readonly preview: Preview | null
  /** The tool says what its calls send, and of this one nothing: its input does not fit. */
  readonly unfit: boolean
  /** Where the untrusted content of this window came from, such as `upload`, `context`, `hook`, `web:example.com`, `http:tickets`. */
  readonly untrusted: readonly string[]
  /** A person is there to be asked: false in a hook's run. */
  readonly attended: boolean
  /** Of this tool in this run, this one not counted. */
  readonly earlierCalls: number
  readonly lists: readonly ToolLists[]
  readonly untrustedThenAct: UntrustedThenAct
  /**
   * Of a fetch: `given` where its address is in a user message, a search result or the links of a fetched page;
   * `exhausted` where the choice of it, with those before, would exceed the bits allowed without approval; `private` where it is on a
   * host that the operator names, and neither the user nor a page of that host gave it. Null if it is no fetch.
   */
  readonly address: 'given' | 'exhausted' | 'private' | 'unknown' | null
  /** How much that is, in bits. */
  readonly linkBits: number
  /** Calls that a hook's runs may make though a person would be asked. */
  readonly allowedCalls: readonly AllowedCall[]
}

export type Verdict =
  | { readonly do: 'allow' }
  | { readonly do: 'deny'; readonly policy: string; readonly message: string }
  /** `host`: it is asked for all links of this host, in this run. */
  | { readonly do: 'ask'; readonly policy: string; readonly reason: string; readonly host?: string }

export const ALLOW: Verdict = { do: 'allow' }

/** At once where it can: a call that nobody has anything against waits for nothing. May not throw, and never rejects. */
export type Policy = (facts: CallFacts) => Verdict | Promise<Verdict>
