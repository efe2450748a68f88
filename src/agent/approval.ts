// When a person is asked before a call is made, and what is shown and remembered. Plain data, and what follows from it.

/**
 * What an input holds that a person is asked about. `field`: the JSON pointer of the value. `matches`: a pattern (RE2 syntax
 * without look-around) for its text. `minimum`, `maximum`: what its number is at least, at most, or both.
 */
export type Condition =
  | { readonly field: string; readonly matches: string }
  | { readonly field: string; readonly minimum?: number; readonly maximum?: number }

/** When a person is asked, whatever the origin of the text says; kept in the tool's definition. */
export interface ApprovalRule {
  /** `never`: only where another policy asks. `match`: where a condition below holds. */
  readonly ask: 'always' | 'match' | 'never'
  /** Any of these. */
  readonly when?: readonly Condition[]
  /** JSON pointers that may differ from what was remembered. */
  readonly free?: readonly string[]
  /** Who may answer; absent: the thread's owner or an admin. */
  readonly by?: 'admin'
}

export const NEVER_ASK: ApprovalRule = { ask: 'never' }

/** The request of a call as it will be sent, secrets by their names: what a person is shown and approves. */
export interface Preview {
  /** `fetch`: the model chose the address. `tool`: a setting did. */
  readonly kind: 'fetch' | 'tool'
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** Whole; it is cut where it is shown. */
  readonly body: string | null
}

/** The same as a person reads it: what cannot be seen is marked, what is long is cut, and `notes` say so. */
export interface ShownRequest extends Preview {
  readonly notes: readonly string[]
}

const OFTEN = { never: 0, match: 1, always: 2 } as const

/** Of a rule as it was and as it is now the one that asks more, so that nobody is spared a question by a change. */
export function stricter(a: ApprovalRule, b: ApprovalRule): ApprovalRule {
  const [more, less] = OFTEN[a.ask] >= OFTEN[b.ask] ? [a, b] : [b, a]
  const free = (more.free ?? []).filter((field) => less.ask === 'never' || less.free?.includes(field))
  const by = a.by ?? b.by
  return {
    ask: more.ask,
    ...(more.ask === 'match' ? { when: [...(more.when ?? []), ...(less.when ?? [])] } : {}),
    ...(free.length > 0 ? { free } : {}),
    ...(by ? { by } : {}),
  }
}
