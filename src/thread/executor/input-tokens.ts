// The input size of the next model call: the last call's measured size, plus an estimate for what was added
// since.

import { estimateUnmeasuredTokens } from '../../agent/cost.ts'
import { estimateTokens } from '../../lib/text.ts'
import type { Parts } from '../parts.ts'

export function inputTokens({ row, transcript }: Parts<'row' | 'transcript'>): number {
  const { contextTokens, system, tools } = row.data
  const messages = transcript.forModel()
  if (contextTokens === 0)
    return (
      estimateTokens(system + JSON.stringify(tools.map(({ spec }) => spec))) +
      estimateUnmeasuredTokens(messages)
    )
  const lastMessages = messages.findLastIndex((message) => message.role === 'assistant')
  return contextTokens + estimateUnmeasuredTokens(messages.slice(lastMessages + 1))
}
