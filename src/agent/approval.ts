// Defines when a call needs a person's approval, and what that person is shown. Plain data and pure functions.

/**
 * A condition on one input value; a call that meets it requires approval. `field` is the JSON Pointer of the value. `matches` is a
 * pattern for its text (RE2 syntax, without look-around). `minimum` and `maximum` bound its number; either may be absent.
 */
export type Condition =
  | { readonly field: string; readonly matches: string }
  | { readonly field: string; readonly minimum?: number; readonly maximum?: number }

/** When a call needs approval, regardless of which sources the thread contains. Part of the tool's definition. */
export interface ApprovalRule {
  /** `match` asks if a condition in `when` holds; `never` leaves the question to the other policies. */
  readonly ask: 'always' | 'match' | 'never'
  /** The conditions for `match`: any one of them is enough. */
  readonly when?: readonly Condition[]
  /** JSON Pointers of the fields in which a call may differ from the remembered one. */
  readonly free?: readonly string[]
  /** Who may decide. If absent, the thread's owner and admins may. */
  readonly by?: 'admin'
}

export const NEVER_ASK: ApprovalRule = { ask: 'never' }

/** The request that a call will send, with names in place of secrets. This is what a person sees and approves. */
export interface Preview {
  /** For `fetch` the model chose the address; for `tool` the address comes from the tool's definition. */
  readonly kind: 'fetch' | 'tool'
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** The entire body; it is shortened only for display. */
  readonly body: string | null
}

/** A preview prepared for display: invisible characters are marked, long values are shortened, and `notes` says so. */
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
