// The sentences about a run that the page and the terminal have in common. Pure.

import type { Event } from '../agent/events.ts'

type EventOf<T extends Event['type']> = Extract<Event, { readonly type: T }>

export const RESTARTED_TEXT = 'The server restarted, so this step starts again'

/** That the thread continues in a new window, after a summary. */
export const COMPACTED_TEXT = 'Conversation compacted'

const DECISION_TEXT = { approve: 'approved', deny: 'denied', expired: 'not answered in time' } as const

/** What became of an approval, such as "denied by ann". */
export function decisionText(decision: keyof typeof DECISION_TEXT, by: string): string {
  return `${DECISION_TEXT[decision]}${decision === 'expired' ? '' : ` by ${by}`}`
}

/** A new version of the catalog, such as "Catalog 3 → 4: added a; changed b, c". */
export function describeCatalogChange(event: EventOf<'skills.changed'>): string {
  const { added, removed, changed } = event
  const groups = Object.entries({ added, removed, changed }).filter(([, names]) => names.length > 0)
  const changes = groups.map(([word, names]) => `${word} ${names.join(', ')}`).join('; ')
  return `Catalog ${event.from_version} → ${event.to_version}: ${changes}`
}

/** A new window, such as "Conversation compacted: about 80,000 → 4,000 tokens". */
export function describeCompaction(event: EventOf<'context.compacted'>): string {
  const [before, after] = [event.before_tokens, event.after_tokens].map((tokens) =>
    tokens.toLocaleString('en-US'),
  )
  return `${COMPACTED_TEXT}: about ${before} → ${after} tokens`
}

/** That the model is called again after a fault. `attempt`: the number of the new attempt. */
export function describeRetry(detail: string, attempt: number): string {
  return `${/[.!?…]$/.test(detail) ? detail : `${detail}.`} Trying again (try ${attempt})…`
}

/** That a run waits for the servers of these tools, which have worked since this time (RFC 3339). */
export function describeServerWait(names: readonly string[], since: string): string {
  const time = new Date(since).toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' })
  return `Waiting for ${[...new Set(names)].join(', ') || 'a tool'} (since ${time})`
}

const OUTCOMES: ReadonlyMap<string, string> = new Map([
  ['answered', 'Answered'],
  ['awaiting_input', 'Waits for your answer'],
  ['refused', 'The model declined'],
  ['truncated', 'Cut off at the length limit'],
  ['compacted', COMPACTED_TEXT],
  ['loop_detected', 'Stopped: the agent repeated itself'],
  ['step_limit', 'Stopped at the step limit'],
  ['budget', 'Stopped at the limit of tokens, cost or time'],
  ['quota_exceeded', 'Stopped at a cap on spending'],
  ['model_error', 'The model could not be reached'],
  ['context_overflow', 'The conversation is too long for the model'],
  ['recovery_limit', 'Stopped after too many restarts'],
  ['internal', 'The server failed'],
  ['cancelled', 'Stopped'],
  ['interrupted', 'Stopped for a newer message'],
])

/** How a run ended, in a few words without a period. */
export function outcomeText(status: string, stopReason: string | null): string {
  return OUTCOMES.get(stopReason ?? '') ?? (status === 'failed' ? 'The run failed' : status)
}
