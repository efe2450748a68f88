// When a call needs a person's approval, and what is shown and remembered. Plain data and pure functions on it.

/**
 * A value in the input that requires an approval. `field`: the JSON pointer of the value. `matches`: a pattern (RE2
 * syntax without look-around) for its text. `minimum`, `maximum`: bounds for its number; one or both.
 */
export type Condition =
  | { readonly field: string; readonly matches: string }
  | { readonly field: string; readonly minimum?: number; readonly maximum?: number }

/** When a call needs an approval, whatever the sources in the thread; part of the tool's definition. */
export interface ApprovalRule {
  /** `never`: only if another policy asks. `match`: if a condition below holds. */
  readonly ask: 'always' | 'match' | 'never'
  /** Any of these. */
  readonly when?: readonly Condition[]
  /** JSON pointers of fields that may differ from the remembered call. */
  readonly free?: readonly string[]
  /** Who may answer; absent: the thread's owner or an admin. */
  readonly by?: 'admin'
}

export const NEVER_ASK: ApprovalRule = { ask: 'never' }

/** The request of a call as it will be sent, with names in place of secrets: what a person sees and approves. */
export interface Preview {
  /** `fetch`: the model chose the address. `tool`: the address comes from a tool's definition. */
  readonly kind: 'fetch' | 'tool'
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** Complete; it is cut only for display. */
  readonly body: string | null
}

/** The same for display: invisible characters are marked, long values are cut, and `notes` say so. */
export interface ShownRequest extends Preview {
  readonly notes: readonly string[]
}

const STRICTNESS = { never: 0, match: 1, always: 2 } as const

/** The stricter of a tool's frozen rule and its current one, so that a change never skips an approval. */
export function stricterRule(a: ApprovalRule, b: ApprovalRule): ApprovalRule {
  const [stricter, laxer] = STRICTNESS[a.ask] >= STRICTNESS[b.ask] ? [a, b] : [b, a]
  const free = (stricter.free ?? []).filter((field) => laxer.ask === 'never' || laxer.free?.includes(field))
  const by = a.by ?? b.by
  return {
    ask: stricter.ask,
    ...(stricter.ask === 'match' ? { when: [...(stricter.when ?? []), ...(laxer.when ?? [])] } : {}),
    ...(free.length > 0 ? { free } : {}),
    ...(by ? { by } : {}),
  }
}
