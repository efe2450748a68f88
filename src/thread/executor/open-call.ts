// Records in the run's row, from time to time, that its model call is in progress and what the API reported
// about the prompt. If the object dies, the call is charged according to this record.

import type { Tokens } from '../../agent/message.ts'
import type { ReportedPrompt, SentPrompt } from '../../agent/prompt-cache.ts'
import { OPEN_CALL_FIRST_WRITE_MS, OPEN_CALL_WRITE_MS } from './limits.ts'
import type { Parts } from '../parts.ts'
import type { Execution } from './execution.ts'

export interface OpenCall {
  /** Called when the API begins to respond, with what it reported about the prompt. */
  readonly onReported: (tokens: Tokens) => void
  readonly stop: () => void
}

/** `sent` is null if the reported prompt does not cover the full cost. */
export function trackOpenCall(
  { runs, ports }: Parts<'runs', 'now'>,
  execution: Pick<Execution, 'holdsRun'>,
  runId: string,
  sent: SentPrompt | null,
): OpenCall {
  let prompt: ReportedPrompt | null = null
  let firstTimer: ReturnType<typeof setTimeout> | null = null
  const writeRow = (): void => {
    if (!execution.holdsRun()) return stop()
    try {
      runs.renewOpenCall(runId, ports.now(), prompt)
    } catch {
      // The next write will fail on the same disk error. Until then, the call is only charged for a longer
      // time.
    }
  }
  const timer = setInterval(writeRow, OPEN_CALL_WRITE_MS)
  const stop = (): void => {
    clearInterval(timer)
    if (firstTimer !== null) clearTimeout(firstTimer)
  }
  const onReported = (tokens: Tokens): void => {
    if (sent === null) return
    prompt = { sent, tokens }
    firstTimer = setTimeout(writeRow, OPEN_CALL_FIRST_WRITE_MS)
  }
  return { onReported, stop }
}
