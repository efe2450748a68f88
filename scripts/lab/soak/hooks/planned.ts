// Schedules of the soak with one planned time each. That time starts exactly one run, whenever the server is killed.

import { setTimeout as sleep } from 'node:timers/promises'

import { requestUntilAnswered } from '../insist.ts'
import { pageData, SETTLE_MS } from './delivery.ts'

import type { Checks } from '../check-list.ts'

const AHEAD_MS = 1_500
const POLL_MS = 100
const ONE_RUN = 'each planned time starts one run, which ended'

export interface PlannedTime {
  readonly scheduleId: string
  readonly name: string
  /** Epoch milliseconds. */
  readonly at: number
}

const ATTEMPTS = 20

/**
 * Creates a schedule whose only time is a second or two ahead. Chooses a new time if a restart took longer than that.
 */
export async function createPlanned(url: string, name: string, attempt = 1): Promise<PlannedTime> {
  const at = Math.ceil((Date.now() + AHEAD_MS) / 1_000) * 1_000
  const body = { name, at: new Date(at).toISOString(), message: `ROUNDS 0: message ${name}`, tools: [] }
  const created = await requestUntilAnswered(url, 'POST /admin/schedules', { body })
  if (created.status === 422 && created.text.includes('in the past') && attempt < ATTEMPTS)
    return createPlanned(url, name, attempt + 1)
  if (created.status !== 201) throw new Error(`${name}: ${created.status} ${created.text}`)
  return { scheduleId: String(created.body['id']), name, at }
}

/** Waits until the run has ended, then checks that it is the only one. */
export async function settlePlanned(
  url: string,
  { scheduleId, name }: PlannedTime,
  checks: Checks,
): Promise<void> {
  const path = `GET /admin/schedules/${scheduleId}/occurrences`
  let seen = ''
  for (const until = performance.now() + SETTLE_MS; performance.now() < until; await sleep(POLL_MS)) {
    const { body, text } = await requestUntilAnswered(url, path)
    seen = text
    const [occurrence, ...others] = pageData(body)
    if (others.length > 0) break
    // The cast is safe: the route returns these fields.
    const { thread_id, run_id } = (occurrence ?? {}) as Readonly<Record<string, string | undefined>>
    if (thread_id === undefined || run_id === undefined) continue
    const runs = pageData((await requestUntilAnswered(url, `GET /v1/threads/${thread_id}/runs`)).body)
    // The cast is safe: the route returns receipts.
    const ended = runs.filter((run) => typeof (run as { readonly ended_at?: unknown }).ended_at === 'string')
    if (runs.length > 1) break
    if (ended.length === 1 && text.includes('"started"')) return checks.note(ONE_RUN, name, null)
  }
  checks.note(ONE_RUN, name, seen.slice(0, 400))
}
