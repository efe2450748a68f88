// Checks what the API billed for a thread with many windows: its cache must be read within a window and across
// windows.

import type { Checks } from '../check-list.ts'
import type { WindowApi } from './window-api.ts'

const READ_SHARE = 0.99
/** Minimum length of a prompt that the API caches. */
const CACHED_MIN_TOKENS = 1_200
const SUMMARY_SHARE = 1.1

/** Reports what the API read from its cache, and what summaries cost. */
export function checkBilling({ answered, problems }: WindowApi, checks: Checks): void {
  const shares: number[] = []
  const summaries: number[] = []
  const borders: number[] = []
  for (const [at, call] of answered.entries()) {
    const before = answered[at - 1]
    if (before?.kind === 'step' && call.isSameWindow && before.input > CACHED_MIN_TOKENS)
      shares.push(call.read / before.input)
    if (before?.kind === 'step' && call.kind === 'extends') summaries.push(call.input / before.input)
    if (before?.kind === 'extends' && call.kind === 'step' && !call.isSameWindow) borders.push(call.read)
  }
  const least = Math.min(...shares)
  const most = Math.max(0, ...summaries)
  const note = (what: string, count: number, holds: boolean, violation: string): void => {
    for (let at = 0; at < count; at++) checks.note(what, 'billing', holds ? null : violation)
  }
  note(
    `a request reads ${READ_SHARE * 100} % of the one before it from the cache`,
    shares.length,
    least >= READ_SHARE,
    `${least}`,
  )
  note(
    `a summary's input is at most ${SUMMARY_SHARE} times that of the step before it`,
    summaries.length,
    most <= SUMMARY_SHARE,
    `${most}`,
  )
  note('system and tools are read across a border', borders.length, Math.min(...borders) > 0, borders.join())
  note('each request extends the one before it', answered.length, problems.length === 0, problems[0] ?? '')
  console.log(
    `Read from the cache: at least ${(least * 100).toFixed(2)} % of the request before (${shares.length} requests), and ${Math.min(...borders)} to ${Math.max(...borders)} tokens across a border (${borders.length}). A summary's input: at most ${most.toFixed(3)} times that of the step before (${summaries.length}).`,
  )
}
