// Detects loops: repeated calls of the same tool with the same input. The journal counts the calls, so that the count survives
// eviction.

import { canonicalJson } from '../lib/canonical-json.ts'
import { REPEATED_CALLS_STOP_AT, REPEATED_CALLS_WARN_AT } from './limits.ts'

export type RepeatVerdict = 'fine' | 'warn' | 'stop'

/** What to do about a call that this run has already made `earlier` times. */
export function judgeRepeat(earlierCalls: number): RepeatVerdict {
  const times = earlierCalls + 1
  if (times >= REPEATED_CALLS_STOP_AT) return 'stop'
  return times >= REPEATED_CALLS_WARN_AT ? 'warn' : 'fine'
}

/** A key that identifies a call by tool and input, regardless of the order of its fields. Short, so that it can be indexed. */
export function callKey(name: string, input: unknown): string {
  const text = canonicalJson(input)
  return `${name} ${text.length} ${fnv1a(text)}`
}

// Not for security: a collision only makes a different call count towards the warning.
function fnv1a(text: string): string {
  let low = 0x811c9dc5
  let high = 0x01000193
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i)
    low = Math.imul(low ^ unit, 0x01000193)
    high = Math.imul(high ^ unit ^ (low >>> 16), 0x85ebca6b)
  }
  return (low >>> 0).toString(36) + (high >>> 0).toString(36)
}
