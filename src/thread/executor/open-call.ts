// Records in the run's row, from time to time, that its model call is in progress and what the API reported
// about the prompt. If the object dies, the call is charged according to this record.

import type { Tokens } from '../../agent/message.ts'
import type { ReportedPrompt, SentPrompt } from '../../agent/prompt-cache.ts'
import { OPEN_CALL_FIRST_WRITE_MS, OPEN_CALL_WRITE_MS } from './limits.ts'
import type { Parts } from '../parts.ts'
import type { Execution } from './execution.ts'

export interface OpenCall {
  /** Called when the API begins to respond, with what it reported about the prompt. */
  readonly reported: (tokens: Tokens) => void
  readonly over: () => void
}

/** `sent` is null if the reported prompt does not cover the full cost. */
export function openCall(
  { runs, ports }: Parts<'runs', 'now'>,
  execution: Pick<Execution, 'holdsRun'>,
  runId: string,
  sent: SentPrompt | null,
): OpenCall {
  let prompt: ReportedPrompt | null = null
  let first: ReturnType<typeof setTimeout> | null = null
  const note = (): void => {
    if (!execution.holdsRun()) return over()
    try {
      runs.renewOpenCall(runId, ports.now(), prompt)
    } catch {
      // The next write will fail on the same disk error. Until then, the call is only charged for a longer
      // time.
    }
  }
  const timer = setInterval(note, OPEN_CALL_WRITE_MS)
  const over = (): void => {
    clearInterval(timer)
    if (first !== null) clearTimeout(first)
  }
  const reported = (tokens: Tokens): void => {
    if (sent === null) return
    prompt = { sent, tokens }
    first = setTimeout(note, OPEN_CALL_FIRST_WRITE_MS)
  }
  return { reported, over }
}
