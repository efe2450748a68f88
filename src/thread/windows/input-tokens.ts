// The input size of the next model call: the last call's measured size, plus an estimate for what was added
// since.

import { estimateUnmeasuredTokens } from '../../agent/cost.ts'
import { estimateTokens } from '../../lib/tokens.ts'
import type { Parts } from '../parts.ts'

export function estimateInputTokens({ row, transcript }: Parts<'row' | 'transcript'>): number {
  const { contextTokens, system, tools } = row.data
  const messages = transcript.forModel()
  if (contextTokens === 0)
    return (
      estimateTokens(system + JSON.stringify(tools.map(({ spec }) => spec))) +
      estimateUnmeasuredTokens(messages)
    )
  const lastAnswerIndex = messages.findLastIndex((message) => message.role === 'assistant')
  return contextTokens + estimateUnmeasuredTokens(messages.slice(lastAnswerIndex + 1))
}
