// Records in the run's row from time to time that its model call is in progress, and what the API reported about the
// prompt. If the object dies, the call is charged by this record.

import type { Tokens } from '../../agent/message.ts'
import type { ReportedPrompt, SentPrompt } from '../../agent/prompt-cache.ts'
import { CALL_FIRST_NOTED_MS, CALL_NOTED_MS } from './limits.ts'
import type { Parts } from '../parts.ts'
import type { Execution } from './execution.ts'

export interface OpenCall {
  /** The API began to answer, and reported this about the prompt. */
  readonly reported: (tokens: Tokens) => void
  readonly over: () => void
}

/** `sent` null: the reported prompt is not its full cost. */
export function openCall(
  { runs, out }: Parts<'runs', 'now'>,
  execution: Pick<Execution, 'holds'>,
  runId: string,
  sent: SentPrompt | null,
): OpenCall {
  let prompt: ReportedPrompt | null = null
  let first: ReturnType<typeof setTimeout> | null = null
  const note = (): void => {
    if (!execution.holds()) return over()
    try {
      runs.stillOpen(runId, out.now(), prompt)
    } catch {
      // The next write meets the same disk failure; until then the call is only charged for longer.
    }
  }
  const timer = setInterval(note, CALL_NOTED_MS)
  const over = (): void => {
    clearInterval(timer)
    if (first !== null) clearTimeout(first)
  }
  const reported = (tokens: Tokens): void => {
    if (sent === null) return
    prompt = { sent, tokens }
    first = setTimeout(note, CALL_FIRST_NOTED_MS)
  }
  return { reported, over }
}
