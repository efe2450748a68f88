// Asks a new Worker to continue the runs of the earlier one immediately, because their alarms may be 30 s away.

import { systemClock } from '../../src/lib/clock.ts'
import { WAKE_WRITTEN_WITHIN_MS } from './limits.ts'
import { WAKE_TIMEOUT_MS } from './limits.ts'
import { harmlessLine } from '../lib/terminal.ts'
import { changedThreads } from './changed-threads.ts'

import type { StartMessage } from './messages.ts'

/** Sends the request. Never throws, because the alarm of each run wakes it anyway. */
export async function wakeRuns(
  { port, adminKey, persist }: Pick<StartMessage, 'port' | 'adminKey' | 'persist'>,
  note: (text: string) => void,
): Promise<void> {
  try {
    const response = await fetch(`http://127.0.0.1:${port}/admin/runs/wake`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${adminKey}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ objects: changedThreads(persist, systemClock() - WAKE_WRITTEN_WITHIN_MS) }),
      signal: AbortSignal.timeout(WAKE_TIMEOUT_MS),
    })
    const text = await response.text()
    if (!response.ok)
      note(`Unfinished runs were not woken (${response.status}): ${harmlessLine(text).slice(0, 300)}`)
  } catch (error) {
    note(`Unfinished runs could not be woken: ${String(error)}. They continue within 30 s.`)
  }
}
