// The Policy port: decides before each call whether to allow it, deny it with a message, or ask a person. Contains only types. Each
// file in policies/ implements one policy, and policies/judge.ts combines their verdicts.

import type { ApprovalRule, Preview } from './approval.ts'
import type { AllowedCall } from '../lib/caller.ts'
import type { Effect, ToolRow } from './tool.ts'

/** What happens, once the context contains untrusted content, to calls that affect external systems or fetch unknown addresses. */
type UntrustedThenAct = 'ask' | 'allow' | 'deny'

/** The tools or tool groups that a workspace or a key allows and denies. */
export interface ToolLists {
  /** Null allows everything that is not denied. */
  readonly allow: readonly string[] | null
  readonly deny: readonly string[]
  /** The owner of the lists, as a noun phrase for messages. */
  readonly of: string
}

/** The facts that policies decide on, taken only from rows and settings. */
export interface CallFacts {
  readonly name: string
  readonly source: ToolRow['source']
  readonly group: string | null
  readonly effect: Effect
  readonly input: unknown
  readonly approval: ApprovalRule
  /** The request that the call would send, or null if it sends nothing. */
  readonly preview: Preview | null
  /** True if the tool's calls normally send a request but this one does not, because its input is invalid. */
  readonly isInvalidCall: boolean
  /** The sources of the untrusted content in this window, such as `upload`, `context`, `hook`, `web:example.com`, `http:tickets`. */
  readonly untrusted: readonly string[]
  /** Whether a person is available to decide; false in a hook's run. */
  readonly canAskPerson: boolean
  /** The number of earlier calls of this tool in this run. */
  readonly earlierCalls: number
  /** The number of calls of one tool that a run may make. */
  readonly callsPerTool: number
  readonly lists: readonly ToolLists[]
  readonly untrustedThenAct: UntrustedThenAct
  /**
   * Where the address of a fetch comes from; null if the call is not a fetch. `given` means a user message, a search result or the
   * links of a fetched page. `exhausted` is the same, but following it would exceed the bits allowed without approval. `private` means
   * a host that the operator declared private, with an address that neither the user nor a page on that host provided.
   */
  readonly address: 'given' | 'exhausted' | 'private' | 'unknown' | null
  /** The number of bits that fetches may reveal without approval. */
  readonly linkBits: number
  /** The calls that runs of a hook or schedule may make without the approval that they would otherwise need. */
  readonly allowedCalls: readonly AllowedCall[]
}

export type Verdict =
  | { readonly do: 'allow' }
  | { readonly do: 'deny'; readonly policy: string; readonly message: string }
  /** If `host` is set, the approval covers all links on that host in this run. */
  | { readonly do: 'ask'; readonly policy: string; readonly reason: string; readonly host?: string }

export const ALLOW: Verdict = { do: 'allow' }

/** A policy never throws or rejects. It answers synchronously if it can, so that calls without objections are not delayed. */
export type Policy = (facts: CallFacts) => Verdict | Promise<Verdict>
