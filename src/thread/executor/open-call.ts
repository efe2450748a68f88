// Says in the run's row from time to time that its call to the model goes on, and what the API reported of the prompt. Should
// the object die, that is what the call is charged by.

import type { Tokens } from '../../agent/message.ts'
import type { ReportedPrompt, SentPrompt } from '../../agent/prompt-cache.ts'
import { CALL_FIRST_NOTED_MS, CALL_NOTED_MS } from './limits.ts'
import type { Parts } from '../parts.ts'
import type { Execution } from './execution.ts'

export interface OpenCall {
  /** The API began to answer, and said this of the prompt. */
  readonly reported: (tokens: Tokens) => void
  readonly over: () => void
}

/** `sent` null: what is reported of its prompt is not all that it costs. */
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
      // A disk that fails is met by whatever has to be written next; until then the call is only charged for longer.
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
