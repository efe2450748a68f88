// What the next call to the model takes in: measured by the last one as far as it goes, and guessed from there.

import { guessTokens } from '../../agent/cost.ts'
import { estimateTokens } from '../../lib/text.ts'
import type { Parts } from '../parts.ts'

/** Tokens of the next request: what the last call measured, and a guess for what came since. */
export function inputTokens({ row, transcript }: Parts<'row' | 'transcript'>): number {
  const { contextTokens, system, tools } = row.data
  const messages = transcript.forModel()
  if (contextTokens === 0)
    return estimateTokens(system + JSON.stringify(tools.map(({ spec }) => spec))) + guessTokens(messages)
  const lastMessages = messages.findLastIndex((message) => message.role === 'assistant')
  return contextTokens + guessTokens(messages.slice(lastMessages + 1))
}
