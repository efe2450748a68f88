// Says what is left of a cap, for the page and the terminal. Pure.

import type { CapAmounts } from '../workspace/cap-api.ts'

/** A cap on a key, a user or the workspace, and what is left of it; from GET /v1/me. */
export interface CapLeft {
  /** `key:…`, `user:…` or `workspace`. */
  readonly scope: string
  readonly window: 'day' | 'month'
  readonly cap: CapAmounts
  readonly left: CapAmounts
  readonly resets_at: string
}

/** Such as "Your key, today: $1.20 of $5.00 and 3 of 10 runs left". */
export function describeCap({ scope, window, cap, left }: CapLeft): string {
  const { usd, tokens, runs } = cap
  const parts = [
    ...(usd === undefined ? [] : [`${dollars(left.usd)} of ${dollars(usd)}`]),
    ...(tokens === undefined ? [] : [`${count(left.tokens)} of ${count(tokens)} tokens`]),
    ...(runs === undefined ? [] : [`${count(left.runs)} of ${count(runs)} runs`]),
  ]
  const who = scope === 'workspace' ? 'The workspace' : scope.startsWith('user:') ? 'You' : 'Your key'
  return `${who}, ${window === 'day' ? 'today' : 'this month'}: ${parts.join(', ')} left`
}

function dollars(usd = 0): string {
  return `$${usd.toFixed(2)}`
}

function count(amount = 0): string {
  return amount.toLocaleString('en-US')
}
